"""Every method on counts of any shape and weight, against the dense reference."""

from itertools import product

import numpy as np
import pytest
import reference
from inputs import (
    CERTIFIED_IDS,
    EDGES,
    METHODS,
    SAMPLED_IDS,
    SHIPPED_IDS,
    WEIGHED_IDS,
    in_case,
    random_counts,
    variants_of,
)
from scipy import sparse

from condprob import CountMatrix, cross_entropy, method

RANK, ITERATIONS = 3, 4


def counts_of(shape, n, weighted=False):
    """Return the dense counts of ``n`` pairs of Zipf's law, perhaps with real weights."""
    rng = np.random.default_rng(shape[0])
    pairs = [rng.choice(size, n, p=law(size)) for size in shape]
    C = CountMatrix.from_pairs(*pairs, shape=shape).dense().astype(float)
    return C * np.round(rng.uniform(0.05, 2, C.shape), 3) if weighted else C


def law(size):
    """Return Zipf's law over all but a fifth of the labels, which stay unseen."""
    steep = np.arange(1, size + 1) ** -1.0
    steep[-size // 5 :] = 0
    return steep / steep.sum()


CASES = {
    "500 x 20": counts_of((500, 20), 1500),
    "3 x 500": counts_of((3, 500), 900),
    "40 x 7, real": counts_of((40, 7), 200, weighted=True),
    "6 x 30, real": counts_of((6, 30), 150, weighted=True),
    "9 x 9, all below one": counts_of((9, 9), 40) * 0.2,
    "1 x 4": np.array([[2.0, 0, 1, 0]]),
    "4 x 1": np.array([[2.0], [0], [1], [0]]),
}


# A mean over random samples is no formula.
@pytest.mark.parametrize("id", [id for id in METHODS if id not in SAMPLED_IDS])
def test_any_shape_and_weight_agrees_with_the_dense_reference(id):
    if id not in reference.IDS:
        pytest.skip(f"{id} has no slow reference")
    for name, C in CASES.items():
        with in_case(name):
            compare_with_the_dense_reference(id, C)


def compare_with_the_dense_reference(id, C):
    """Compare a fit, its parts and its risk with those of the formula."""
    options, given = {}, {}
    if "initial" in METHODS[id].options:
        rng = np.random.default_rng(1)
        start = rng.dirichlet(np.ones(RANK), len(C)), rng.dirichlet(np.ones(C.shape[1]), RANK)
        given = {"start": start, "iterations": ITERATIONS}
        options = {"rank": RANK, "iterations": ITERATIONS, "initial": start}
    if id in WEIGHED_IDS:
        options, given = options | {"weight": 0.3}, given | {"weight": 0.3}
    rtol = 1e-9
    atol = 1e-15
    if id in CERTIFIED_IDS:  # two ways to a minimum, of which the dense one is slow
        C = C[:60]
        options, given, rtol, atol = {"penalty": 0.6, "tol": 1e-6}, {"penalty": 0.6}, 0, 1e-3
    matrix = method(id, **options).fit(sparse.csr_array(C))
    Q = reference.fit(id, C, **given)
    np.testing.assert_allclose(matrix.dense(), Q, rtol=rtol, atol=atol)
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1, atol=1e-9)
    contexts, outcomes = np.indices(C.shape).reshape(2, -1)[:, :: max(C.size // 500, 1)]
    np.testing.assert_allclose(
        matrix.at(contexts, outcomes), Q[contexts, outcomes], rtol=rtol, atol=atol
    )
    if C.size < 2000:
        expected = reference.cross_entropy(C, Q)
        assert cross_entropy(C, matrix) == pytest.approx(expected, rel=1e-6, abs=atol)


def test_every_shipped_method_has_a_slow_reference():
    assert set(SHIPPED_IDS) - set(SAMPLED_IDS) == set(reference.IDS)


TALL = counts_of((30, 6), 80).astype(int)
TALL[0] = 1 + np.arange(6) % 3  # every outcome was seen after one context
INPUTS = {
    "tall": TALL,
    "wide": TALL.T,
    "few pairs": random_counts(1, 12, 30).dense(),
    "many pairs": random_counts(2, 6, 400).dense(),
    **{name: counts.dense() for name, counts in EDGES.items()},
}
# Options beside each other, of which `variants_of` has one at a time.
TOGETHER = {
    "add-half": {"constant": [0, 2.0]},
    "ad": {"discount": [0.75, 0.2], "unseen": ["unigram", "uniform"]},
    "sb": {"weight": [0.4, 1.0], "discount": [0.75, 0.2], "normalised": [True, False]},
    "kn": {
        "discount": [0.75, 0.2, "estimated", "modified"],
        "continuation": ["discounted", "uniform", "floor"],
        "form": ["interpolated", "backoff"],
        "unseen": ["continuation", "unigram"],
    },
    "jm": {"weight": [0.0, 0.3, 1.0]},
    "wb": {},
    "good-turing": {"largest": [1, 3, 5]},
    "katz": {"largest": [1, 3, 5]},
}


@pytest.mark.parametrize("id", TOGETHER)
def test_every_option_of_a_direct_method_agrees_with_the_dense_reference(id):
    names, values = TOGETHER[id].keys(), TOGETHER[id].values()
    together = [dict(zip(names, chosen, strict=True)) for chosen in product(*values)]
    for options in (*variants_of(id), *together):
        # Seen minus unseen is kept: 1e15 counts. A learned weight is where a slope is zero.
        rtol = 1e-11 if id in ("ad", "kn") else 1e-12
        rtol = 1e-9 if options.get("weight") == "learned" else rtol
        for name, C in INPUTS.items():
            with in_case(f"{options}, {name}"):
                Q = method(id, **options).fit(C).dense()
                expected = reference.fit(id, C, **options)
                np.testing.assert_allclose(Q, expected, rtol=rtol, atol=1e-16)


@pytest.mark.parametrize("shape", [(2000, 20), (3, 500), (300, 4)])
def test_clusters_of_a_rectangle(shape):
    counts = CountMatrix.from_dense(counts_of(shape, 3000))
    matrix = method("ad-lr", rank=6, iterations=3, initial="clusters").fit(counts, seed=0)
    assert (matrix.W.shape, matrix.H.shape) == ((shape[0], 6), (6, shape[1]))
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1, atol=1e-12)


# With the prior, all is as many times as large; the other methods discount a constant.
FEW = {"rank": 3, "iterations": 4}
WITH_A_PRIOR = {"add-half": {}, "add-half-lr": FEW, "naive-add-half-lr": FEW, "lr": FEW}


@pytest.mark.parametrize("id", WITH_A_PRIOR)
def test_counts_and_prior_a_hundred_times_as_large_change_nothing(id):
    C, options = CASES["40 x 7, real"], WITH_A_PRIOR[id]
    has_prior = "constant" in METHODS[id].options
    one, other = (
        method(id, **options, **({"constant": times / 2} if has_prior else {}))
        .fit(times * C, seed=1)
        .dense()
        for times in (1, 100)
    )
    np.testing.assert_allclose(other, one, rtol=1e-9)
