"""Rows around a base: against the slow formula, and as a matrix in a file."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, load, method
from condprob.io import read_arrays, write_arrays
from condprob.models.rivals.rows_around_base import (
    FittedBase,
    Learned,
    assemble,
    end_of,
    rows_around,
)
from condprob.pitman_yor.novelty import BINS, bin_of

K = 30
COUNTS = random_counts(1, K, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)


@pytest.mark.parametrize("discount", [0, 0.3, "modified"])
@pytest.mark.parametrize("strength", [0.0, 0.7, 40.0, np.inf])
def test_rows_are_the_slow_formula(strength, discount):
    base = np.random.default_rng(1).dirichlet(np.ones(K), size=K)
    for counts in (COUNTS, *([] if discount == "modified" else [REAL])):
        entries, left = rows_around(counts, strength, discount)
        Q = left[:, None] * base
        if entries is not None:
            Q[counts.contexts, counts.outcomes] += entries
        expected = reference.rows_around(counts.dense(), base, strength, discount)
        np.testing.assert_allclose(Q, expected, rtol=1e-12)


def fit(counts=COUNTS, **options):
    return method("aggregate-rows", classes=2, starts=2, **options).fit(counts, seed=1)


@pytest.mark.parametrize("counts", [COUNTS, REAL], ids=["whole", "real"])
def test_the_settings_come_back_from_a_file(counts, tmp_path):
    matrix = fit(counts)
    matrix.save(tmp_path / "matrix.npz")
    again = load(tmp_path / "matrix.npz")
    assert type(again) is type(matrix)
    assert type(again.strength) is float
    assert (again.strength, again.ended) == (matrix.strength, matrix.ended)
    np.testing.assert_array_equal(again.dense(), matrix.dense())


def test_a_file_of_the_py_lr_of_version_0_2_0_is_such_a_matrix(tmp_path):
    # It has more arrays, such as the names of the components, and does not say how it ended.
    matrix, path = fit(), tmp_path / "old.npz"
    matrix.save(path)
    arrays = read_arrays(path) | {"components": np.array(["types 2", "tokens 2"])}
    del arrays["ended"]
    write_arrays(path, arrays)
    again = load(path)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    assert (again.strength, again.ended) == (matrix.strength, "limit")


def test_how_it_ended_follows_from_the_last_iteration_of_every_base():
    still, moving = [3.0, 2.0, 2.0 - 0.9e-5], [3.0, 2.0, 2.0 - 1.1e-5]
    for courses, ended in (
        ([still], "settled"),
        ([moving], "limit"),
        ([still, moving], "limit"),
        ([still, []], "settled"),  # a background
        ([[2.0]], "limit"),  # nothing to compare it with
        ([[]], "direct"),
    ):
        assert end_of([FittedBase(None, None, np.array(course)) for course in courses]) == ended


def test_the_base_is_the_mean_of_its_fits_mixed_by_the_bins_of_the_contexts():
    rng = np.random.default_rng(4)
    bases = [
        FittedBase(rng.dirichlet(np.ones(3), K), rng.dirichlet(np.ones(K), 3), np.ones(1))
        for _ in range(3)
    ]
    shares = rng.dirichlet(np.ones(2), BINS.size + 1)
    bins = bin_of(COUNTS.row_sums)
    matrix = assemble(COUNTS, [bases[:2], bases[2:]], Learned(4.0, "modified", shares, np.nan))
    one, two, other = (base.W @ base.H for base in bases)
    base = shares[bins, :1] * (one + two) / 2 + shares[bins, 1:] * other
    Q = reference.rows_around(COUNTS.dense(), base, 4.0, "modified")
    Q, _ = reference.with_novelty(COUNTS.dense(), Q, bins, 50)
    np.testing.assert_allclose(matrix.dense(), Q, rtol=1e-9)
