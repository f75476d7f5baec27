"""The multiverse: every method under every defensible reading of the open points of the paper.

A universe is one choice on each axis. Axes of the text decide the counts; those of the direct
methods are crossed in full; those of AD-LR are crossed in full where the paper leaves them open
(start, order of the updates), at the values that it states for the rest (m, 1/2, alpha), and other
combinations are drawn at random, anew for each reading of the text. The first value of each axis
is the project's own.
"""

from itertools import product

import numpy as np
from tqdm import tqdm

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.direct import with_unigram
from condprob.em.starts import cluster_factors, random_factors
from condprob.kneser_ney import estimate_discount
from condprob.smoothing import AbsoluteDiscount
from reproduction.corpora.receipts import read_receipt
from reproduction.scores.estimators import has_converged
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.readings.axes import LR_AXES, STATED_AXES, TEXT_AXES, UNSEEN
from reproduction.studies.readings.texts import read_given, split_text, vary_vocabulary

FORMS = {"discounted": "interpolated", "uniform": "interpolated", "floor": "backoff"}


def score_file(root, inputs, methods, given):
    """Score one corpus, tokenizer and split under every reading: a scorer (`study.Job`).

    A corpus that its ``receipt`` says could not be had has no scores. Given are the
    arguments of `texts.read_given`, and the grid of `score_readings`.
    """
    if "reason" not in read_receipt(inputs["receipt"]):
        yield from score_readings(root, given["text"], read_given(given), given)


def score_readings(root, text, read, grid):
    """Fit and score every method under every reading of one split of a text.

    The text is its corpus, tokenizer and split; of the grid count ``axes``, ``others``,
    ``iterations`` and ``seeds``. Yields `columns.COLUMNS`, the axes of the text and `CHOICES`:
    ``loss`` in nats over the test ``pairs``; an axis that says nothing to the method is empty.
    """
    *pairs, k = split_text(root, text, read)
    starts = Starts(root, text, CountMatrix.from_pairs(*pairs[0], k))
    vocabularies = grid["axes"]["vocabulary"]
    for vocabulary, train, test, kept in vary_vocabulary(text, *pairs, k, vocabularies):
        counts = CountMatrix.from_pairs(*train, kept.size)
        place = dict(zip(TEXT_AXES, (*text, vocabulary), strict=True))
        place |= {"k": kept.size, "n": counts.n, "pairs": test[0].size}
        choices = low_rank_choices(grid, spawn_seed(root, "multiverse", "cells", *text, vocabulary))
        for row in _score_direct(counts, test, grid["axes"]):
            yield place | row
        for row in _score_low_rank(counts, test, grid, choices, starts, kept):
            yield place | row


def low_rank_choices(grid, seed):
    """Return the combinations of AD-LR's axes to be fitted, each a dict of `LR_AXES`.

    First those at the values that the paper states, then ``others`` drawn from the rest.
    """
    axes = grid["axes"]
    values = product(*(axes[axis] for axis in LR_AXES))
    every = [dict(zip(LR_AXES, chosen, strict=True)) for chosen in values]
    stated = [choice for choice in every if all(choice[a] == axes[a][0] for a in STATED_AXES)]
    others = [choice for choice in every if choice not in stated]
    drawn = np.random.default_rng(seed).permutation(len(others))[: grid["others"]]
    return stated + [others[i] for i in sorted(drawn)]


class Starts:
    """Starting factors of one training text, each found once.

    They are drawn for all types of the text. A smaller vocabulary takes its rows and columns,
    normalised: its fits then differ from the others' by the vocabulary alone.
    """

    def __init__(self, root, text, counts):
        """Take the root of the random numbers, the names of the text, and its counts."""
        self._root, self._text, self._counts, self._found = root, text, counts, {}

    def get(self, initial, rank, seed, kept):
        """Return ``(W, H)`` for the words ``kept``, shapes (kept, rank) and (rank, kept)."""
        key = (initial, rank, seed)
        if key not in self._found:
            rng = np.random.default_rng(
                spawn_seed(self._root, "multiverse", *self._text, rank, seed)
            )
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

    As in `condprob.em.starts.cluster_factors`, each of these contexts is half in a latent class of
    its own.
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


def _start_clusters(counts, rank, rng):
    """Start from clusters; smoothed by the paper's discount whatever that of the fit."""
    return cluster_factors(counts, rank, rng, discount=0.75)


_START = {
    "random": random_factors,
    "clusters": _start_clusters,
    "near-uniform": start_near_uniform,
    "frequent": start_frequent,
}


def _score_direct(counts, test, axes):
    """Yield the scores of the methods without randomness, over all their axes."""
    readings = [("add-half", {}, {})]
    for discount in axes["discount"]:
        alpha = estimate_discount(counts) if discount == "estimated" else discount
        for unseen in dict.fromkeys(UNSEEN[u]["ad"] for u in axes["unseen"]):
            options = {"discount": alpha, "unseen": unseen}
            readings.append(("ad", options, {"discount": discount, "unseen": unseen}))
        for backoff in axes["backoff"]:
            options = {"discount": alpha, "normalised": backoff == "normalised"}
            readings.append(("sb", options, {"discount": discount, "backoff": backoff}))
        for continuation in axes["continuation"]:
            for unseen in dict.fromkeys(UNSEEN[u]["kn"] for u in axes["unseen"]):
                choice = {"continuation": continuation, "unseen": unseen}
                options = {"discount": alpha, "form": FORMS[continuation]} | choice
                readings.append(("kn", options, {"discount": discount} | choice))
    for id, options, choices in readings:
        yield {"method": id} | choices | _score(method(id, **options).fit(counts), test)


def _score_low_rank(counts, test, grid, choices, starts, kept):
    """Yield the scores of AD-LR from each start, with contexts never seen in both readings."""
    for choice in tqdm(choices, unit="reading", mininterval=1):
        seeds = 1 if choice["initial"] == "frequent" else grid["seeds"]
        for seed in range(seeds):
            matrix = method(
                "ad-lr",
                rank=choice["rank"],
                iterations=grid["iterations"],
                initial=starts.get(choice["initial"], choice["rank"], seed, kept),
                update=choice["update"],
                constant=choice["constant"],
                discount=choice["lr_discount"],
            ).fit(counts)
            for unseen in dict.fromkeys(UNSEEN[u]["ad-lr"] for u in grid["axes"]["unseen"]):
                row = {"method": "ad-lr", "unseen": unseen, "seed": seed} | choice
                estimate = matrix
                if unseen == "unigram":  # as the option of the same name does after the fit
                    estimate = with_unigram(matrix, counts, choice["lr_discount"])
                yield row | _score(estimate, test)


def _score(matrix, test):
    return {"loss": -matrix.log_prob(*test).sum(), "converged": has_converged(matrix)}
