"""The low-rank methods against slow dense versions, by hand, and within their memory."""

import tracemalloc

import numpy as np
import pytest
import reference
from inputs import (
    EDGES,
    LOW_RANK_IDS,
    NAIVE_IDS,
    cell_counts,
    exactly,
    in_case,
    random_counts,
    random_start,
)

from condprob import CountMatrix, cross_entropy, kl_risk, method
from condprob.methods.direct import unigram
from condprob.synthetic import draw_model, sample_counts

SMOOTHED_IDS = ("lr", "add-half-lr", "ad-lr")
INPUTS = {
    "sparse, much unseen": random_counts(1, k=30, n=50),  # the kernel over pairs
    "sparse, all seen": CountMatrix.from_dense(
        random_counts(2, k=30, n=60).dense() + np.eye(30, dtype=int)
    ),
    "dense": random_counts(3, k=8, n=300, exponent=0.3),  # the kernel over rows
    **EDGES,
}


def smoothers(id, constant=0.5, discount=0.75):
    """What smooths the rows of W and of H."""

    def add(c, constant=constant):
        return reference.add_constant(c, constant)

    def normalise(c):
        return reference.add_constant(c, 0)

    def take_away(c):
        return reference.absolute_discount(c, discount)

    return {"add-half-lr": (add, add), "ad-lr": (add, take_away)}.get(id, (normalise, normalise))


@pytest.mark.parametrize(
    ("id", "W", "H"),
    [
        ("lr", [[5 / 8, 3 / 8], [1 / 4, 3 / 4]], [[3 / 4, 1 / 4], [1 / 4, 3 / 4]]),
        # (5/2 + 1/2)/(4 + 1), (1/2 + 1/2)/(2 + 1); (9/4 + 1/2)/(3 + 1).
        ("add-half-lr", [[3 / 5, 2 / 5], [1 / 3, 2 / 3]], [[11 / 16, 5 / 16], [5 / 16, 11 / 16]]),
        # alpha = 1/2 on (9/4, 3/4): S = 3, D = 1, d = 3/4, k - D - d = 1/4. 9/4 - 1/2 = 7/4;
        # 1/2 3/4 + 1/2 7/4 (1/4)/(1/4) = 5/4.
        ("ad-lr", [[3 / 5, 2 / 5], [1 / 3, 2 / 3]], [[7 / 12, 5 / 12], [5 / 12, 7 / 12]]),
        # Counts of S = (7/2, 3/2), (1/2, 5/2). 7/2 3/4 + 3/2 1/4 = 3, 2; 1, 2. Columns 4 and 4.
        ("naive-add-half-lr", [[3 / 5, 2 / 5], [1 / 3, 2 / 3]], [[3 / 4, 1 / 4], [1 / 4, 3 / 4]]),
        # Row 0 has nobody to give to: (3/4, 1/4). Row 1: (2 - 1/2)/2 and 1/2 1/2. Each times 6:
        # S = (9/2, 3/2), (3/2, 9/2). 9/2 3/4 + 3/2 1/4 = 15/4, 9/4. Columns 6 and 6.
        ("naive-ad-lr", [[5 / 8, 3 / 8], [3 / 8, 5 / 8]], [[3 / 4, 1 / 4], [1 / 4, 3 / 4]]),
    ],
)
def test_one_iteration_by_hand(id, W, H):
    # W H = 1/2 everywhere. Soft counts of l in i, W_il sum_j C_ij/(1/2) H_lj:
    #   i=0: 1/2 (6 3/4 + 2 1/4) = 5/2, 1/2 (6 1/4 + 2 3/4) = 3/2;  i=1: 1/2 4 1/4 = 1/2, 3/2.
    # Of j in l, H_lj sum_i C_ij/(1/2) W_il:
    #   l=0: 3/4 3 = 9/4, 1/4 (1 + 2) = 3/4;  l=1: 1/4 3 = 3/4, 3/4 (1 + 2) = 9/4.
    counts = CountMatrix.from_dense([[3, 1], [0, 2]])
    start = ([[1 / 2, 1 / 2], [1 / 2, 1 / 2]], [[3 / 4, 1 / 4], [1 / 4, 3 / 4]])
    options = {"discount": 0.5} if "ad-lr" in id else {}
    matrix = method(id, rank=2, iterations=1, initial=start, **options).fit(counts)
    np.testing.assert_allclose(matrix.W, W)
    np.testing.assert_allclose(matrix.H, H)
    if id in NAIVE_IDS:
        return
    # n R_n = 3 log((3/4)/(1/2)) + 1 log((1/4)/(1/2)) + 2 log(1/(1/2)), n = 6.
    risk = 3 * np.log(1.5) - np.log(2) + 2 * np.log(2)
    if id == "add-half-lr":  # 1/2 sum log(1/W) + 1/2 sum log(1/H)
        risk += (4 * np.log(2) + 2 * np.log(4 / 3) + 2 * np.log(4)) / 2
    np.testing.assert_allclose(matrix.history[0], risk / 6)


def check_factors(matrix, W, H):
    """Compare the factors of a fit with those of a slow algorithm."""
    np.testing.assert_allclose(matrix.W, W, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(matrix.H, H, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize("id", SMOOTHED_IDS)
def test_smoothed_methods_are_the_slow_algorithm(id, update):
    for name, counts in INPUTS.items():
        for rank, iterations in ((3, 1), (3, 12), (counts.k + 2, 5)):
            W, H = random_start(4, counts.k, rank)
            options = {"rank": rank, "iterations": iterations, "update": update}
            slow = reference.low_rank(counts.dense(), W, H, *smoothers(id), iterations, update)
            with in_case(f"{name}, {iterations} iterations of rank {rank}"):
                check_factors(method(id, initial=(W, H), **options).fit(counts), *slow)


@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("naive-add-half-lr", {}),
        ("naive-add-half-lr", {"constant": 0.1}),
        ("naive-ad-lr", {}),
        ("naive-ad-lr", {"discount": 0.3, "weighting": "counts"}),
    ],
)
def test_naive_methods_are_the_slow_algorithm_from_class_means(id, options, update):
    # A random start differs between labels that the counts cannot tell apart: they start from the
    # mean. A start which is that mean already gives the same.
    options_of_fit = {"rank": 3, "iterations": 8, "update": update} | options
    for name, counts in INPUTS.items():
        C = counts.dense()
        given = random_start(4, counts.k, 3)
        means = reference.class_means(C, *given)
        smoothed = reference.naive_counts(C, id, **options)
        slow = reference.low_rank(smoothed, *means, *smoothers(id), 8, update)
        for start in (given, means):
            with in_case(name):
                check_factors(method(id, initial=start, **options_of_fit).fit(counts), *slow)


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_history_is_the_slow_objective_before_and_after_every_iteration(id):
    for name in ("sparse, much unseen", "sparse, all seen", "dense"):
        counts = INPUTS[name]
        C = counts.dense()
        start = random_start(4, counts.k, 3)
        if id in NAIVE_IDS:
            start = reference.class_means(C, *start)
            C = reference.naive_counts(C, id)
        options = {"rank": 3, "initial": start, "history": True}
        history = method(id, iterations=6, **options).fit(counts).history
        assert history.shape == (7,)
        for t in range(7):
            matrix = method(id, iterations=t, **options).fit(counts)
            expected = reference.empirical_risk(C, matrix.W @ matrix.H)
            if id == "add-half-lr":
                expected = reference.penalised_risk(C, matrix.W, matrix.H)
            np.testing.assert_allclose(history[t], expected, rtol=1e-10)
            np.testing.assert_allclose(matrix.history, history[: t + 1], rtol=1e-12)


@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_unseen_contexts_get_the_factors_or_the_unigram(id):
    counts = INPUTS["sparse, much unseen"]
    unseen = counts.row_sums == 0
    assert unseen.any()
    options = {"rank": 3, "iterations": 5} | ({"discount": 0.6} if "ad-lr" in id else {})
    options |= {"weight": 0.0} if id == "plsa" else {}
    factors = method(id, **options).fit(counts, seed=1)
    np.testing.assert_allclose(factors.dense(), factors.W @ factors.H, rtol=1e-13)
    patched = method(id, unseen="unigram", **options).fit(counts, seed=1).dense()
    np.testing.assert_allclose(patched[~unseen], factors.dense()[~unseen], rtol=1e-13)
    expected = unigram(counts, options.get("discount", 0.75))
    np.testing.assert_allclose(patched[unseen], np.tile(expected, (unseen.sum(), 1)), rtol=1e-13)


@pytest.mark.parametrize(
    ("id", "smoothed"),
    [
        ("lr", lambda c: c / c.sum()),
        ("add-half-lr", lambda c: reference.add_constant(c, 0.5)),
        ("ad-lr", lambda c: reference.absolute_discount(c, 0.75)),
        ("naive-add-half-lr", lambda c: reference.add_constant(c, 0.5 * len(c))),
    ],
)
def test_of_rank_one_every_row_is_the_smoothed_unigram(id, smoothed):
    # W is a column of ones; soft counts are the column sums (plus k/2 where that was added to C).
    inputs = [
        random_counts(1, k=30, n=50),
        *(random_counts(seed, k=7, n=50, exponent=0.5) for seed in range(10)),
        # Every outcome was seen, some once: a soft count of 1 that may be a rounding below it.
        CountMatrix.from_dense(np.diag([1, 5, 6, 3, 6, 8])),
        *(cell_counts(3, {(0, 0): 2, (1, 0): 2, (1, 1): 1, (2, 2): times}) for times in (1, 2)),
    ]
    for number, counts in enumerate(inputs):
        expected = np.tile(smoothed(counts.column_sums), (counts.k, 1))
        for seed in range(5):
            with in_case(f"counts {number}, seed {seed}"):
                Q = method(id, rank=1, iterations=30).fit(counts, seed).dense()
                np.testing.assert_allclose(Q, expected, rtol=1e-10)


@pytest.mark.parametrize("id", SMOOTHED_IDS)
def test_a_start_that_rules_out_a_seen_pair_is_one_clear_line(id):
    counts = cell_counts(2, {(0, 0): 1, (1, 1): 1})
    start = (np.eye(2), np.array([[0.0, 1.0], [1.0, 0.0]]))
    message = "initial: the factors give probability zero to an observed pair"
    for iterations in (0, 3):
        with pytest.raises(ValueError, match=exactly(message)):
            method(id, rank=2, iterations=iterations, initial=start).fit(counts)


@pytest.mark.parametrize("id", SMOOTHED_IDS)
def test_a_start_with_zeros_elsewhere_is_borne(id):
    # Not by the naive methods: to them every cell was seen.
    counts = cell_counts(2, {(0, 0): 1, (1, 1): 1})
    options = {"initial": (np.eye(2), np.eye(2)), "history": True}
    matrix = method(id, rank=2, iterations=3, **options).fit(counts)
    np.testing.assert_allclose(matrix.dense().sum(axis=1), 1)
    assert np.isfinite(matrix.history[1:]).all()
    assert (matrix.history[0] == np.inf) == (id == "add-half-lr")  # Eq. (3) is infinite there


def peak_memory(call):
    """Return the most bytes that NumPy and Python held at once during ``call``, above before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("initial", ["random", "clusters"])
def test_the_size_of_brown_never_takes_the_memory_of_a_dense_matrix(initial):
    k = 10_452
    train, test = (random_counts(seed, k, n=20_000) for seed in (1, 2))

    def fit_and_score():
        matrix = method("ad-lr", rank=50, iterations=2, initial=initial).fit(train, seed=0)
        assert np.isfinite(cross_entropy(test, matrix))

    method("ad-lr", rank=2, initial=initial).fit(random_counts(1, 200, 1000))  # imports first
    assert peak_memory(fit_and_score) < 0.1 * 8 * k**2


def test_the_naive_method_of_figure_1c_uses_the_structure_of_its_input():
    k = 1000
    model = draw_model(k, 10, rows="power-law", exponent=2.0, seed=1)
    counts = sample_counts(model, 50, seed=2)

    def fit_and_score():
        matrix = method("naive-ad-lr", rank=10, iterations=200).fit(counts, seed=0)
        assert kl_risk(model.pi, (model.A, model.B), matrix, conditional_entropy=0.0) > 0

    assert peak_memory(fit_and_score) < 0.1 * 8 * k**2
