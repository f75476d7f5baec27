"""Counts for the tests: random ones, and every edge an estimator has to bear."""

import contextlib
import re

import numpy as np

from condprob import METHODS, CountMatrix
from condprob.methods.low_rank import LowRank
from condprob.options import Range


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


@contextlib.contextmanager
def in_case(name):
    """Say of which case of a loop a failure is: a line below its message."""
    try:
        yield
    except BaseException as failure:  # pytest's own are no `Exception`
        failure.add_note(f"in the case: {name}")
        raise


LOW_RANK_IDS = [id for id, record in METHODS.items() if issubclass(record.estimator, LowRank)]
NAIVE_IDS = [id for id in LOW_RANK_IDS if id.startswith("naive")]
# What a sceptic would put beside PY-LR. Its study has an oracle for each:
# what is averaged over random starts, or learned on random pairs, is no formula of the counts.
RIVALS = ("kn-ad-lr-bins", "gibbs-rows", "py-lr-ablated")
# L-BFGS goes another way where rows are in another order; test_sdr has a dense oracle.
SDR_IDS = ("sdr", "sdr-conditional")
# What goes through the pairs, or the rows, one after the other: no two orders of them give the same
# digits, and a formula has none of them. The tests of pitman_yor compare many
# samples. test_classes, test_completion, test_aso and the folder neural have oracles of
# their own: a descent that is cut short repeats every rounding.
SAMPLED_IDS = ["py-lr", "class-kmeans", "class-exchange", "mf-sgd", "aso", "nplm"]
SAMPLED_IDS += [*SDR_IDS, *RIVALS]
WEIGHED_IDS = ("lsa", "plsa")  # which learn a weight on pairs drawn at random
FEW = {"rank": 3, "iterations": 4}
FEW_OF_RIVALS = {"classes": 3, "starts": 2, "samples": 2, "burn_in": 3}
FEW_OF_NETWORKS = {"embedding": 3, "hidden": 4, "epochs": 2}
FEW_OF_PY = {"largest_rank": 3, "chains": 1, "sweeps": 8}
# Whose fits stop at a gap, or once an iteration gains little enough.
CERTIFIED_IDS = ["ll-l1", "ll-l2", "ll-tree2", "ll-treeinf", *SDR_IDS]
# Those that come with the library: each has a row in the README's table, and all but the sampled
# ones have a slow reference. A method of one's own needs neither.
SHIPPED_IDS = (
    *("add-half", "ad", "naive-add-half-lr", "naive-ad-lr", "sb", "kn", "add-half-lr", "ad-lr"),
    *("lr", "jm", "wb", "good-turing", "katz", "py-lr"),
    *("ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"),
    *("mle", "laplace", "interpolated", "class-kmeans", "class-exchange", "mf-sgd"),
    *("lsa", "plsa", "aso", "nplm", *SDR_IDS),
)
# What would be learned, where that is the default: it is a variant of its own.
KNOWN = {"strength": 1.5, "penalty": 0.7, "ridge": 0.02, "weight": 0.5}
SMALL = FEW | FEW_OF_PY | FEW_OF_RIVALS | FEW_OF_NETWORKS | KNOWN


def small_options(record):
    """Return the options that make a fit of a method quick, where it has them."""
    return {
        name: value
        for name, value in SMALL.items()
        if name in record.options
        and (name not in KNOWN or isinstance(record.options[name].default, str))
    }


def list_examples(option):
    """Return allowed values besides the default: all names, and two numbers of a range."""
    found = []
    for kind, limits in option.kinds:
        if kind is str:
            found += limits
        elif kind is bool:
            found += [True, False]
        elif isinstance(limits, Range):
            low = max(limits.low, 0)
            width = limits.high - low if np.isfinite(limits.high) else 2
            found += [low, low + 3] if kind is int else [low + 0.1 * width, low + 0.9 * width]
    return [value for value in found if value != option.default]


def derive_variants():
    """Yield every method at its defaults and at each other value of each option.

    The catalogue and the annotations of the classes say what there is: a new method, or option, is
    tested without a line here.
    """
    for record in METHODS.values():
        small = small_options(record)
        yield record.id, small
        for name, option in record.options.items():
            for value in list_examples(option):
                if value != small.get(name):
                    yield record.id, small | {name: value}
            if name in small and isinstance(option.default, str):  # what it chooses by itself
                yield record.id, small | {name: option.default}


# Some options bear on each other.
TOGETHER = [
    *(
        ("kn", {"continuation": continuation, "form": form, "unseen": unseen})
        for continuation in ("discounted", "uniform", "floor")
        for form in ("interpolated", "backoff")
        for unseen in ("continuation", "unigram")
    ),
    *((id, FEW | {"rank": 40}) for id in LOW_RANK_IDS),
    *(
        (
            id,
            FEW | {"initial": "clusters", "rank": 40, "update": "alternating", "unseen": "unigram"},
        )
        for id in LOW_RANK_IDS
    ),
    ("py-lr", FEW_OF_PY | {"chains": 2, "mixed": False}),
]
VARIANTS = [*derive_variants(), *TOGETHER]


def variants_of(id):
    """Return the options of each variant of a method."""
    return [options for tried_id, options in VARIANTS if tried_id == id]


def is_distribution(id, options):
    """Every method returns one, but stupid backoff as published: its rows are scores."""
    return options.get("normalised", True)


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
