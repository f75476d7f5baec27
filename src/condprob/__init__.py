"""Conditional probabilities of outcomes in contexts, from counts.

>>> from condprob import fit
>>> seen = {
...     "user": ["ann", "ann", "bob", "bob", "cy"],
...     "item": ["tea", "tea", "tea", "milk", "milk"],
... }
>>> estimate = fit(seen, context="user", outcome="item", method="kn")
>>> round(estimate.prob("ann", "milk"), 4)
0.1875
>>> estimate.top("ann", 1)
[('tea', 0.8125)]

`fit` takes labelled data, `fit_text` a text, `compare` says which method is best on data. In
numbers, ``method("ad-lr").fit(counts)`` maps a `CountMatrix` of ``n`` pairs to a matrix of
probabilities. The methods are those that Falahatgar, Ohannessian and Orlitsky (NIPS 2016) compare,
and others.

| paper | code | meaning |
| --- | --- | --- |
| `k` | `shape` | numbers of contexts and of outcomes, which the paper has equal |
| `m` | `rank` | rank of the model: number of latent classes |
| `n` | `n` | number of observed pairs |
| `C_ij` | `CountMatrix` | times outcome `j` followed context `i` |
| `C_i` | `row_sums` | times context `i` was seen |
| `D_i` | `distinct_outcomes` | number of distinct outcomes seen after `i` |
| `pi` | `pi` | distribution of contexts |
| `P = A B` | `P`, `A`, `B` | the true conditional probabilities and their factors |
| `Q = W H` | `ConditionalMatrix` | the estimate and its factors |
| `alpha` | `discount` | absolute discount |
| `T` | `iterations` | number of EM iterations |

Every logarithm is natural: risks and cross-entropies are in nats.
"""

from importlib import import_module

__version__ = "0.2.0"

# A name is imported at its first use: the planning of a run and `condprob --version` do not wait
# for a compiler.
_NAMES = {
    "catalogue": ("METHODS", "method", "register"),
    "checkpoints": ("Checkpoint",),
    "counts": ("CountMatrix",),
    "embeddings": ("Embedding", "embed"),
    "estimator": ("Estimator",),
    "evaluation": (
        "Difference",
        "Interval",
        "Score",
        "cross_entropy",
        "interval",
        "perplexity",
        "reliability",
    ),
    "labels": ("fit", "fit_text", "posterior"),
    "labels.comparison": ("Comparison", "compare"),
    "labels.estimate": ("Estimate", "UnseenContextWarning"),
    "labels.language": ("LanguageModel",),
    "labels.splitting": ("split_pairs",),
    "labels.posterior_samples": ("LabelledPosterior",),
    "labels.text": ("Text",),
    "low_rank": ("ConvergenceWarning",),
    "matrix": ("ConditionalMatrix",),
    "mixtures": ("MixtureMatrix", "mix"),
    "model": ("ConditionalModel",),
    "models.linked_matrix": ("LinkedMatrix",),
    "models.structured.log_linear_matrix": ("LogLinearMatrix",),
    "models.structured.log_linear_model": ("LogLinearModel",),
    "pitman_yor.matrix": ("PitmanYorMatrix",),
    "ratings": ("Ratings", "complete"),
    "reading": ("load",),
    "record": ("Method",),
    "risk": ("kl_risk",),
    "text": ("SequenceModel",),
    "text.bigram_mixture": ("BigramMixture",),
    "text.histories": ("HistoryModel",),
    "text.sentences": ("Sentences",),
    "shards": ("add_shards",),
    "sparse_plus_low_rank": ("LowRankMatrix", "SparsePlusLowRank"),
    "synthetic": ("Model", "draw_model", "sample_counts"),
    "uncertainty": ("Posterior",),
    "vocabulary": ("Vocabulary",),
}
_PLACES = {name: f"condprob.{module}" for module, names in _NAMES.items() for name in names}

# What a user of labels or texts calls stands first, and so in `help(condprob)`.
__all__ = [  # noqa: RUF022
    "fit",
    "fit_text",
    "load",
    "compare",
    "split_pairs",
    "complete",
    "mix",
    "embed",
    "interval",
    "posterior",
    "reliability",
    "method",
    "METHODS",
    "Method",
    "register",
    "Text",
    "Estimate",
    "LanguageModel",
    "Ratings",
    "LabelledPosterior",
    "Comparison",
    "Difference",
    "Interval",
    "Score",
    "UnseenContextWarning",
    "BigramMixture",
    "Checkpoint",
    "ConditionalMatrix",
    "ConditionalModel",
    "ConvergenceWarning",
    "CountMatrix",
    "Embedding",
    "Estimator",
    "HistoryModel",
    "LinkedMatrix",
    "LogLinearMatrix",
    "LogLinearModel",
    "LowRankMatrix",
    "MixtureMatrix",
    "Model",
    "PitmanYorMatrix",
    "Posterior",
    "Sentences",
    "SequenceModel",
    "SparsePlusLowRank",
    "Vocabulary",
    "add_shards",
    "cross_entropy",
    "draw_model",
    "kl_risk",
    "perplexity",
    "sample_counts",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
