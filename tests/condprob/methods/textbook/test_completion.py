"""Matrix completion: gradients by differences, the SVD where all is known, small examples."""

import numpy as np
import pytest

from condprob import CountMatrix, cross_entropy, method
from condprob.methods.textbook.completion import Descent, Entries, _descend, complete_matrix
from condprob.run import Run

RNG = np.random.default_rng(8)


def known(M):
    """The entries of an array that are numbers."""
    M = np.array(M, dtype=float)
    rows, columns = np.nonzero(~np.isnan(M))
    return Entries(rows, columns, M[rows, columns])


def test_a_step_goes_along_minus_the_gradient_of_its_sample():
    A, B = RNG.normal(size=(4, 2)), RNG.normal(size=(3, 2))
    parts = [A, B, RNG.normal(size=4), RNG.normal(size=3)]
    given = Entries(np.array([0, 1, 3]), np.array([2, 2, 2]), RNG.normal(size=3))
    ridge, rate, near = 0.3, 1e-3, 1e-6

    def loss(A, B, a, b):
        i, j = given.rows, given.columns
        left = given.values - (A[i] * B[j]).sum(axis=1) - a[i] - b[j]
        squares = (A[i] ** 2).sum(axis=1) + (B[j] ** 2).sum(axis=1) + a[i] ** 2 + b[j] ** 2
        return np.mean(left**2 + ridge * squares)

    moved = [part.copy() for part in parts]
    _descend(given, np.arange(3), np.array([0, 3]), *moved, np.ones(2), rate, ridge)
    for number, part in enumerate(parts):
        for place in np.ndindex(part.shape):
            ends = []
            for step in (near, -near):
                shifted = [each.copy() for each in parts]
                shifted[number][place] += step
                ends.append(loss(*shifted))
            slope = (ends[0] - ends[1]) / (2 * near)
            assert moved[number][place] - part[place] == pytest.approx(-rate * slope, abs=1e-9)


@pytest.mark.parametrize("sampling", ["entries", "columns", "rows"])
def test_where_all_is_known_the_best_factors_are_the_svd(sampling):
    M = RNG.normal(size=(12, 3)) @ RNG.normal(size=(3, 9)) + 0.3 * RNG.normal(size=(12, 9))
    dropped = (np.linalg.svd(M, compute_uv=False)[2:] ** 2).sum() / M.size
    how = {"biases": "none", "sampling": sampling, "rate": 0.02 if sampling == "entries" else 0.1}
    found = complete_matrix(known(M), M.shape, 2, 1500, Descent(**how), Run(1))
    assert dropped - 1e-12 <= found.history[-1] <= 1.005 * dropped
    assert (np.diff(found.history) <= 0).all()
    rows, columns = np.indices(M.shape)
    error = np.mean((M.ravel() - found.at(rows.ravel(), columns.ravel())) ** 2)
    assert error == pytest.approx(found.history[-1])


def test_the_completions_of_the_textbook():
    no = np.nan
    unique = [[1, 1, no, 2], [1, 1, no, no], [4, no, 8, no], [4, no, no, no]]
    whole = np.outer([1, 1, 4, 4], [1, 1, 2, 2])
    found = complete_matrix(
        known(unique), (4, 4), 1, 4000, Descent(biases="none", rate=0.01), Run(1)
    )
    rows, columns = np.indices((4, 4)).reshape(2, -1)
    np.testing.assert_allclose(abs(found.at(rows, columns)), whole.ravel(), atol=1e-3)
    # Two rows that are no multiples of each other have no completion of rank one.
    impossible = [[1, 1, no, no], [1, 7, no, no], [4, no, no, 2], [no, 4, no, no]]
    found = complete_matrix(
        known(impossible), (4, 4), 1, 4000, Descent(biases="none", rate=0.01), Run(1)
    )
    assert found.history[-1] > 0.05


def test_biases_alone_are_those_of_a_table_of_sums():
    M = np.add.outer([0.0, 1, 2], [0.5, -0.5, 3, 1])
    found = complete_matrix(known(M), M.shape, 1, 800, Descent(rate=0.05), Run(0))
    assert found.history[-1] < 1e-4
    rows_alone = complete_matrix(known(M), M.shape, 1, 1, Descent(biases="contexts"), Run(0))
    assert not rows_alone.b.any()
    assert rows_alone.a.any()
    neither = complete_matrix(
        known(M), M.shape, 1, 1, Descent(biases="none", sampling="rows"), Run(0)
    )
    assert not np.concatenate([neither.a, neither.b]).any()


def test_scores_of_the_matrix_are_those_of_the_completion():
    law = RNG.dirichlet(np.full(12, 0.5), size=3)[RNG.integers(3, size=20)]
    counts = CountMatrix.from_dense([RNG.multinomial(30, row) for row in law])
    test = CountMatrix.from_dense([RNG.multinomial(30, row) for row in law])
    found = {}
    for link in ("log", "probability"):
        for negatives in (0, 2):
            how = {"rank": 3, "iterations": 60, "link": link, "negatives": negatives}
            matrix = method("mf-sgd", **how).fit(counts, seed=1)
            assert matrix.ended == "limit"
            assert 0 < matrix.weight < 1
            found[link, negatives] = cross_entropy(test, matrix)
    alone = method("mf-sgd", rank=3, iterations=60, weight=0.0).fit(counts, seed=1)
    scores = alone.left @ alone.right
    seen = counts.contexts, counts.outcomes
    # The softmax leaves each row's own bias open: what differs is the same along a row.
    left = np.log(counts.values) - scores[seen]
    within = left - (np.bincount(seen[0], left) / np.bincount(seen[0]))[seen[0]]
    assert np.sqrt(np.mean(within**2)) < 0.6 * np.log(counts.values).std()
    assert np.isfinite([*found.values()]).all()
    assert found["probability", 2] < cross_entropy(test, method("laplace").fit(counts)) + 0.2


def test_more_negatives_than_memory_holds_are_refused():
    with pytest.raises(ValueError, match=r"negatives = 1000000000000 takes .* GB of memory"):
        method("mf-sgd", negatives=10**12).fit(np.eye(2, dtype=int))
