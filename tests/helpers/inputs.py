"""Counts for the tests: random ones, and every edge an estimator has to bear."""

import re

import numpy as np

from condprob import CountMatrix


def random_counts(seed, k, n, exponent=1.0):
    """``n`` pairs of independent Zipf-like labels: some contexts and outcomes stay unseen."""
    rng = np.random.default_rng(seed)
    law = np.arange(1, k + 1) ** -float(exponent)
    labels = rng.choice(k, size=(2, n), p=law / law.sum())
    return CountMatrix.from_pairs(*labels, k)


def random_start(seed, k, rank):
    """Factors with rows uniform on the simplex."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(rank), size=k), rng.dirichlet(np.ones(k), size=rank)


def cell_counts(k, cells):
    """Counts given as ``{(context, outcome): count}``."""
    array = np.zeros((k, k), dtype=np.int64)
    for cell, count in cells.items():
        array[cell] = count
    return CountMatrix.from_dense(array)


EDGES = {
    "rows and columns without counts": random_counts(1, k=12, n=30),
    "a context after which every outcome was seen": cell_counts(
        4, {(1, 0): 1, (1, 1): 3, (1, 2): 1, (1, 3): 2, (2, 3): 1}
    ),
    "a context after which all but one were seen": cell_counts(3, {(0, 0): 5, (0, 1): 1}),
    "every cell seen": CountMatrix.from_dense(1 + np.arange(25).reshape(5, 5) % 4),
    "every outcome seen once": CountMatrix.from_dense(np.eye(5, dtype=int)),
    "one context": cell_counts(4, {(2, 0): 1, (2, 3): 2}),
    "one outcome": cell_counts(4, {(0, 1): 1, (3, 1): 2}),
    "one pair": cell_counts(5, {(3, 1): 1}),
    "one pair many times": cell_counts(5, {(3, 1): 9}),
    "no pairs": CountMatrix.from_pairs([], [], 4),
    "k = 1": cell_counts(1, {(0, 0): 3}),
    "k = 1 and no pairs": CountMatrix.from_pairs([], [], 1),
    "huge counts": cell_counts(4, {(0, 0): 10**15, (0, 1): 1, (1, 2): 10**12, (2, 2): 3}),
}

LOW_RANK_IDS = ("lr", "add-half-lr", "ad-lr", "naive-add-half-lr", "naive-ad-lr")
NAIVE_IDS = LOW_RANK_IDS[3:]
FEW = {"rank": 3, "iterations": 4}

# Every method, every option: each at its default and at each of its other readings.
VARIANTS = [
    ("add-half", {}),
    ("add-half", {"constant": 2.0}),
    ("ad", {}),
    ("ad", {"discount": 0.1, "unseen": "uniform"}),
    ("sb", {}),
    ("sb", {"weight": 1.5, "discount": 0.3}),
    ("sb", {"normalised": False}),
    *(
        ("kn", {"continuation": continuation, "form": form, "unseen": unseen})
        for continuation in ("discounted", "uniform", "floor")
        for form in ("interpolated", "backoff")
        for unseen in ("continuation", "unigram")
    ),
    ("kn", {"discount": "estimated"}),
    *(
        (id, FEW | options)
        for id in LOW_RANK_IDS
        for options in (
            {},
            {"rank": 1},
            {"rank": 40},
            {"iterations": 0},
            {"initial": "clusters"},
            {"update": "alternating"},
            {"unseen": "unigram"},
            {"threads": 3},
            {"initial": "clusters", "rank": 40, "update": "alternating", "unseen": "unigram"},
        )
    ),
    *((id, FEW | {"constant": 0.1}) for id in ("add-half-lr", "ad-lr", "naive-add-half-lr")),
    *((id, FEW | {"discount": 0.2}) for id in ("ad-lr", "naive-ad-lr")),
    ("naive-ad-lr", FEW | {"weighting": "counts"}),
]


def is_distribution(id, options):
    """Every method returns one, but stupid backoff as published: its rows are scores."""
    return id != "sb" or options.get("normalised", True)


def variant_name(value):
    """Readable test ids."""
    if isinstance(value, dict):
        return ",".join(f"{key}={option}" for key, option in value.items())
    return str(value)


def exactly(message):
    """What `pytest.raises` has to match: this message and nothing else."""
    return rf"\A{re.escape(message)}\Z"


def nltk_scores(model, ngrams, contexts, k, **options):
    """Score the outcomes ``0..k-1`` after each of ``contexts`` (tuples) by a model of `nltk.lm`.

    ``ngrams`` is ``{tuple: count}``; NLTK counts what it is given, whatever its origin, so that
    each order may have counts of its own.
    """
    from nltk.lm import NgramCounter

    def words(labels):
        return tuple(map(str, labels))

    counter = NgramCounter([[words(ngram)] * int(count) for ngram, count in ngrams.items()])
    fitted = model(order=max(map(len, ngrams)), counter=counter, **options)
    return np.array(
        [[fitted.unmasked_score(str(j), words(context)) for j in range(k)] for context in contexts]
    )
