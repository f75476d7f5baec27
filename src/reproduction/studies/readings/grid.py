"""AD-LR and Kneser-Ney under every defensible reading of the open points of the paper.

A reading is one value on each of `plan.AXES`. Those of the text decide the counts; those of
Kneser-Ney are crossed with each other, and so are the result's with the starts of AD-LR. The first
value of each axis is the project's own. Rank, added constant and discount of AD-LR are those that
the paper states.
"""

from itertools import product

import numpy as np
from tqdm import tqdm

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.em.clusters import cluster_factors
from condprob.methods.em.starts import random_factors
from condprob.methods.kneser_ney import estimate_discount
from condprob.methods.smoothing import AbsoluteDiscount
from reproduction.scores.estimators import has_converged
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.near_optimal.printed import STATED
from reproduction.studies.readings.plan import OF_KNESER_NEY
from reproduction.studies.readings.texts import split_text, vary_vocabulary

FORMS = {"discounted": "interpolated", "uniform": "interpolated", "floor": "backoff"}
WITHOUT_CHANCE = "frequent"  # the start that has no randomness


def score_readings(root, text, read, grid):
    """Fit and score both methods under every reading of one split of a text.

    The text is its corpus, tokenizer and split; of the grid count ``axes``, ``rank``,
    ``iterations`` and ``seeds``. Yields `columns.COLUMNS` and `plan.AXES`: ``loss`` in nats over
    the test ``pairs``; an axis that says nothing to the method is empty.
    """
    *pairs, k = split_text(root, text, read)
    starts = Starts(root, text, CountMatrix.from_pairs(*pairs[0], k))
    axes = grid["axes"]
    for vocabulary, train, test, kept in vary_vocabulary(text, *pairs, k, axes["vocabulary"]):
        counts = CountMatrix.from_pairs(*train, kept.size)
        place = dict(zip(("corpus", "tokenizer", "split"), text, strict=True))
        place |= {"vocabulary": vocabulary, "k": kept.size, "n": counts.n, "pairs": test[0].size}
        for row in _score_kneser_ney(counts, test, axes):
            yield place | row
        for row in _score_ad_lr(counts, test, grid, starts, kept):
            yield place | row


class Starts:
    """Starting factors of one training text, each found once.

    They are sampled for all types of the text. A smaller vocabulary takes its rows and columns,
    normalised: its fits then differ from the others' only by the vocabulary.
    """

    def __init__(self, root, text, counts):
        """Take the root of the random numbers, the names of the text, and its counts."""
        self._root, self._text, self._counts, self._found = root, text, counts, {}

    def get(self, initial, rank, seed, kept):
        """Return ``(W, H)`` for the words ``kept``, shapes (kept, rank) and (rank, kept)."""
        key = (initial, rank, seed)
        if key not in self._found:
            place = "multiverse", *self._text, rank, seed
            rng = np.random.default_rng(spawn_seed(self._root, *place))
            self._found[key] = _START[initial](self._counts, rank, rng)
        W, H = self._found[key]
        W, H = W[kept], H[:, kept]
        return W, H / H.sum(axis=1, keepdims=True)


def start_near_uniform(counts, rank, rng):
    """Draw every entry of both factors uniformly from (1, 1.1), then normalise the rows."""
    W = 1 + 0.1 * rng.random((counts.k, rank))
    H = 1 + 0.1 * rng.random((rank, counts.k))
    return W / W.sum(axis=1, keepdims=True), H / H.sum(axis=1, keepdims=True)


def start_frequent(counts, rank, rng=None):
    """Start from the smoothed rows of the ``m`` most frequent contexts; ``rng`` is not used.

    As in `condprob.methods.em.clusters.cluster_factors`, each of these contexts is half in a latent
    class of its own.
    """
    leaders = np.argsort(-counts.row_sums, kind="stable")[:rank]
    own = {context: latent for latent, context in enumerate(leaders)}
    inside = np.isin(counts.contexts, leaders)
    pooled = np.zeros((rank, counts.k))
    rows = [own[context] for context in counts.contexts[inside]]
    pooled[rows, counts.outcomes[inside]] = counts.values[inside]
    W = np.full((counts.k, rank), 1 / rank)
    W[leaders] *= 0.5
    W[leaders, np.arange(leaders.size)] += 0.5
    return W, AbsoluteDiscount()(pooled)


def start_clusters(counts, rank, rng):
    """Start from clusters of contexts, with the discount of the paper."""
    return cluster_factors(counts, rank, rng, discount=STATED["ad-lr"]["discount"])


_START = {
    "clusters": start_clusters,
    "random": random_factors,
    "near-uniform": start_near_uniform,
    WITHOUT_CHANCE: start_frequent,
}


def _score_kneser_ney(counts, test, axes):
    """Yield the score of each variant of Kneser-Ney."""
    for choices in product(*(axes[axis] for axis in OF_KNESER_NEY)):
        chosen = dict(zip(OF_KNESER_NEY, choices, strict=True))
        options = chosen | {"form": FORMS[chosen["continuation"]]}
        if chosen["discount"] == "estimated":
            options["discount"] = estimate_discount(counts)
        yield {"method": "kn"} | chosen | _score(method("kn", **options).fit(counts), test)


def _score_ad_lr(counts, test, grid, starts, kept):
    """Yield the scores of AD-LR from each start."""
    stated = STATED["ad-lr"] | {key: grid[key] for key in ("rank", "iterations")}
    for initial in tqdm(grid["axes"]["initial"], unit="start", mininterval=1):
        for seed in range(1 if initial == WITHOUT_CHANCE else grid["seeds"]):
            start = starts.get(initial, grid["rank"], seed, kept)
            fit = method("ad-lr", initial=start, **stated).fit(counts)
            yield {
                "method": "ad-lr",
                "initial": initial,
                "rank": grid["rank"],
                "seed": seed,
            } | _score(fit, test)


def _score(fit, test):
    return {"loss": -fit.log_prob(*test).sum(), "converged": has_converged(fit)}
