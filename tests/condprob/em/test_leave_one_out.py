"""Soft counts with one token left out: by hand, against the slow formula, and how a fit ends."""

import numpy as np
import pytest
import reference
from inputs import EDGES, cell_counts, in_case, random_counts, random_start

from condprob import CountMatrix, draw_model, kl_risk, method, sample_counts
from condprob.em.problem import Problem

COUNTS = random_counts(3, k=40, n=600)
REAL = CountMatrix.from_dense(
    random_counts(5, 12, 60).dense() * np.random.default_rng(1).uniform(0.05, 2, (12, 12))
)
INPUTS = {
    "sparse": random_counts(1, k=14, n=40),
    "dense": random_counts(3, k=8, n=300, exponent=0.3),
    "real": REAL,
    "all below one": CountMatrix.from_sparse(random_counts(2, 10, 40).sparse() * 0.2),
    **EDGES,
}
SMOOTHERS = {"add-half-lr": reference.add_constant, "ad-lr": reference.absolute_discount}
both_methods = pytest.mark.parametrize("id", SMOOTHERS)


def fit(id, counts=COUNTS, **options):
    options = {"rank": 4, "iterations": 12, "soft_counts": "leave-one-out"} | options
    return method(id, **options).fit(counts, seed=5)


def arrays(matrix):
    return matrix.W, matrix.H, matrix.history


def test_one_pass_by_hand():
    # From W = 1/2 the first responsibilities are the columns of H over their sum:
    #   (0, 0): 3/4, 1/4;  (0, 1) and (1, 1): 1/4, 3/4.
    # Soft counts of l in i: (1, 1), (1/4, 3/4); of j in l: (3/4, 1/2), (1/4, 3/2).
    # One token out, 1/2 added:
    #   (0, 0): row (1/4 + 1/2, 3/4 + 1/2); H: (0 + 1/2)/(1/2 + 1) = 1/3, (0 + 1/2)/(3/2 + 1) = 1/5.
    #           Products 1/4, 1/4: even; their sum over 2 - 1 + 1 is 1/4.
    #   (0, 1): row (5/4, 3/4); H: (1/4 + 1/2)/(1 + 1) = 3/8, (3/4 + 1/2)/(1 + 1) = 5/8.
    #           Products 15/32, 15/32: even; 15/32.
    #   (1, 1): row (0 + 1/2, 0 + 1/2); H as before. Products 3/16, 5/16: 3/8, 5/8; 1/2.
    # New soft counts of l in i: (1, 1), (3/8, 5/8); of j in l: (1/2, 7/8), (1/2, 9/8).
    start = np.full((2, 2), 1 / 2), [[3 / 4, 1 / 4], [1 / 4, 3 / 4]]
    counts = CountMatrix.from_dense([[1, 1], [0, 1]])
    matrix = fit("add-half-lr", counts, rank=2, iterations=2, initial=start)
    np.testing.assert_allclose(matrix.W, [[1 / 2, 1 / 2], [7 / 16, 9 / 16]], rtol=1e-14)
    np.testing.assert_allclose(matrix.H, [[8 / 19, 11 / 19], [8 / 21, 13 / 21]], rtol=1e-14)
    # Of three pairs, the empirical distribution gives 1/2, 1/2, 1; the start 1/2 each.
    Q = matrix.W @ matrix.H
    least = np.log(1 / 4)
    course = [
        least - np.log(1 / 8),
        least - np.log(1 / 4 * 15 / 32 * 1 / 2),
        least - np.log(Q[0, 0] * Q[0, 1] * Q[1, 1]),
    ]
    np.testing.assert_allclose(matrix.history, np.array(course) / 3, rtol=1e-14)


@both_methods
def test_it_is_the_slow_formula_at_every_step(id):
    for name, counts in INPUTS.items():
        with in_case(name):
            compare_with_the_slow_formula(id, counts)


def compare_with_the_slow_formula(id, counts):
    """Compare factors and course, for several ranks and numbers of iterations."""
    entropy = Problem.of_counts(counts).entropy
    for rank, iterations in ((3, 1), (3, 2), (3, 6), (counts.k + 2, 4)):
        start = random_start(4, counts.k, rank)
        matrix = fit(id, counts, rank=rank, iterations=iterations, initial=start)
        W, H, likelihoods = reference.leave_one_out(
            counts.dense(), start, iterations, 0.5, SMOOTHERS[id]
        )
        np.testing.assert_allclose(matrix.W, W, rtol=1e-7)
        np.testing.assert_allclose(matrix.H, H, rtol=1e-7)
        if counts.n:
            course = (entropy - np.array(likelihoods)) / counts.n
            # Of 1e15 pairs the logarithms round to 1e-8 of a nat, of a risk near zero.
            np.testing.assert_allclose(matrix.history, course, rtol=1e-6, atol=2e-8)


def test_products_that_nearly_vanish_leave_numbers():
    # One over the products of this fit without smoothing, below 1e-308, would be infinite.
    counts = [[0, 1, 0, 1, 0], [0, 1, 0, 1, 0], [0, 1, 0, 0, 2], [2, 0, 2, 1, 0]]
    estimator = method(
        "add-half-lr", rank=3, iterations=50, constant=0, soft_counts="leave-one-out"
    )
    np.testing.assert_allclose(estimator.fit(counts, seed=387).dense().sum(axis=1), 1)


@pytest.mark.parametrize("threads", [1, 2])
@both_methods
def test_nothing_added_to_the_row_is_borne(id, threads):
    # A pair may be the only one of its row or class: it keeps its responsibilities, and the
    # likelihood with a token left out is zero.
    for edge, counts in EDGES.items():
        with in_case(edge):
            matrix = fit(id, counts, constant=0, iterations=6, threads=threads)
            np.testing.assert_allclose(matrix.dense().sum(axis=1), 1, atol=1e-12)
            np.testing.assert_allclose(matrix.H.sum(axis=1), 1, atol=1e-12)
            assert (matrix.history >= -1e-6).all()  # and none is NaN


def test_a_pair_whose_row_is_empty_without_it_has_no_likelihood():
    counts = cell_counts(3, {(0, 0): 1, (1, 1): 2, (1, 2): 2})
    matrix = fit("ad-lr", counts, rank=2, constant=0, iterations=3)
    assert np.isfinite(matrix.history).tolist() == [True, False, False, True]


@both_methods
def test_where_arrays_lie_in_memory_changes_nothing(id):
    """A compiled loop may be run by vectors or not, by how far its arrays are apart."""
    rng, kept, found = np.random.default_rng(1), [], set()
    for _ in range(40):
        matrix = fit(id, threads=60)
        found.add(b"".join(array.tobytes() for array in arrays(matrix)))
        kept.append([np.empty(rng.integers(1, 60)) for _ in range(rng.integers(1, 300))])
        if rng.random() < 0.4:  # holes
            kept = [each[::2] for each in kept]
    assert len(found) == 1


def test_with_few_pairs_it_is_nearer_to_the_truth_than_em():
    # Figure 1(a), uniform rows, at n = 300: on forty models .137 against .168 for EM.
    risks = {"expectation": [], "leave-one-out": []}
    for trial in range(10):
        model = draw_model(100, 5, seed=trial)
        counts = sample_counts(model, 300, seed=100 + trial)
        for soft_counts, found in risks.items():
            options = {"rank": 5, "iterations": 100, "soft_counts": soft_counts}
            matrix = method("add-half-lr", **options).fit(counts, seed=trial)
            found.append(kl_risk(model.pi, (model.A, model.B), matrix))
    assert np.mean(risks["leave-one-out"]) < 0.9 * np.mean(risks["expectation"])
    assert np.less(risks["leave-one-out"], risks["expectation"]).sum() >= 9
