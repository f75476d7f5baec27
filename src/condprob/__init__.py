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

`fit` fits labelled data and `fit_text` a text; `compare` shows which method is best on your data.
For data without labels, ``method("ad-lr").fit(counts)`` turns a `CountMatrix` of ``n`` pairs into a
matrix of probabilities. The methods include those that Falahatgar, Ohannessian and Orlitsky (NIPS
2016) compare.

| paper | code | meaning |
| --- | --- | --- |
| `k` | `shape` | numbers of contexts and of outcomes, which are equal in the paper |
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

__version__ = "0.3.0"

# The public names, each with the module that defines it. The names for users of labels and texts
# come first, and so they do in `help(condprob)`. A module is imported when one of its names is
# first used, so that `condprob --version` does not wait for a compiler.
_MODULES = {
    "fit": "labels",
    "fit_text": "labels",
    "load": "reading",
    "compare": "labels.comparison",
    "split_pairs": "labels.splitting",
    "complete": "ratings",
    "mix": "mixtures",
    "embed": "embeddings",
    "interval": "evaluation",
    "posterior": "labels",
    "reliability": "evaluation",
    "method": "catalogue",
    "METHODS": "catalogue",
    "Method": "methods.record",
    "register": "catalogue",
    "Text": "labels.text",
    "Estimate": "labels.estimate",
    "LanguageModel": "labels.language",
    "Ratings": "ratings",
    "LabelledPosterior": "labels.posterior_samples",
    "Comparison": "labels.comparison",
    "Difference": "evaluation",
    "Interval": "evaluation",
    "Score": "evaluation",
    "UnseenContextWarning": "labels.estimate",
    "BigramMixture": "text.bigram_mixture",
    "Checkpoint": "files.checkpoints",
    "ConditionalMatrix": "matrix",
    "ConditionalModel": "model",
    "ConvergenceWarning": "methods.low_rank",
    "CountMatrix": "counts",
    "Embedding": "embeddings",
    "Estimator": "estimator",
    "HistoryModel": "text.histories",
    "LinkedMatrix": "methods.linked_matrix",
    "LogLinearMatrix": "methods.structured.log_linear_matrix",
    "LogLinearModel": "methods.structured.log_linear_model",
    "LowRankMatrix": "sparse_plus_low_rank",
    "MixtureMatrix": "mixtures",
    "Model": "synthetic",
    "PairsInOrder": "counts",
    "PitmanYorMatrix": "methods.pitman_yor.matrix",
    "Posterior": "methods.uncertainty",
    "Sentences": "text.sentences",
    "SequenceModel": "text",
    "SparsePlusLowRank": "sparse_plus_low_rank",
    "Vocabulary": "vocabulary",
    "add_shards": "shards",
    "cross_entropy": "evaluation",
    "draw_model": "synthetic",
    "kl_risk": "risk",
    "perplexity": "evaluation",
    "sample_counts": "synthetic",
}
__all__ = [*_MODULES]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
