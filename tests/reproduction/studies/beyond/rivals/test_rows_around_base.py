"""Rows around a base: against the slow formula, and as a matrix in a file."""

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix
from condprob.methods.pitman_yor.constants import BINS
from condprob.methods.pitman_yor.novelty import bin_of
from reproduction.studies.beyond.rivals.rows_around_base import (
    FittedBase,
    Learned,
    assemble,
    end_of,
    rows_around,
)

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
    shares = rng.dirichlet(np.ones(2), len(BINS) + 1)
    bins = bin_of(COUNTS.row_sums)
    matrix = assemble(COUNTS, [bases[:2], bases[2:]], Learned(4.0, "modified", shares, np.nan))
    one, two, other = (base.W @ base.H for base in bases)
    base = shares[bins, :1] * (one + two) / 2 + shares[bins, 1:] * other
    Q = reference.rows_around(COUNTS.dense(), base, 4.0, "modified")
    Q, _ = reference.with_novelty(COUNTS.dense(), Q, bins, 50)
    np.testing.assert_allclose(matrix.dense(), Q, rtol=1e-9)
