"""Rows around a base: against the slow formula, and as a matrix in a file."""

from dataclasses import replace

import numpy as np
import pytest
import reference
from inputs import random_counts

from condprob import CountMatrix, load, method
from condprob.io import read_arrays, write_arrays
from condprob.models.rivals.rows_around_base import rows_around, three_discounts

K = 30
COUNTS = random_counts(1, K, 400)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)


@pytest.mark.parametrize("discount", [0, 0.3, "modified"])
@pytest.mark.parametrize("strength", [0.0, 0.7, 40.0, np.inf])
def test_rows_are_the_slow_formula(strength, discount):
    base = np.random.default_rng(1).dirichlet(np.ones(K), size=K)
    for counts in (COUNTS, *([] if discount == "modified" else [REAL])):
        rows = rows_around(counts, strength, discount)
        Q = rows.left[:, None] * base
        if rows.entries is not None:
            Q[counts.contexts, counts.outcomes] += rows.entries
        expected = reference.rows_around(counts.dense(), base, strength, discount)
        np.testing.assert_allclose(Q, expected, rtol=1e-12)


def test_discounts_by_the_size_of_the_count():
    # n1 = 4, n2 = 2, n3 = n4 = 1: Y = 4 / 8; 1 - 2 Y 2 / 4 = 1/2, 2 - 3 Y 1 / 2 = 5/4,
    # 3 - 4 Y 1 / 1 = 1.
    counts = CountMatrix.from_dense([[1, 1, 1, 1], [2, 2, 3, 4]])
    assert three_discounts(counts, 1.0, "modified").tolist() == [0.5, 1.25, 1]
    assert three_discounts(counts, 0.0, 0.3).tolist() == [0.3] * 3
    assert not three_discounts(counts, np.inf, "modified").any()


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
    for name in ("discounts", "components", "shares", "bins", "novel", "history"):
        np.testing.assert_array_equal(getattr(again, name), getattr(matrix, name))
    np.testing.assert_array_equal(again.dense(), matrix.dense())


def test_a_file_of_the_py_lr_of_version_0_2_0_is_such_a_matrix(tmp_path):
    # It has one more array, the evidence for one of two kinds of components.
    matrix, path = fit(), tmp_path / "old.npz"
    matrix = replace(matrix, components=np.array(["types 2", *matrix.components[1:]]))
    matrix.save(path)
    evidence = np.array([1200.0, 0.012, 0.0034, 0.7])
    write_arrays(path, read_arrays(path) | {"evidence": evidence})
    again = load(path)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    assert again.summary() == matrix.summary()


def test_how_it_ended_follows_from_the_last_iteration_of_every_base():
    nan, matrix = np.nan, fit()
    still, moving = [3.0, 2.0, 2.0 - 0.9e-5], [3.0, 2.0, 2.0 - 1.1e-5]
    for history, ended in (
        ([[still]], "settled"),
        ([[moving]], "limit"),
        ([[still], [moving]], "limit"),
        ([[still, moving]], "limit"),
        ([[still], [[nan] * 3]], "settled"),  # a background
        ([[[2.0, 2.0, nan]]], "settled"),  # it ended before
        ([[[2.0, nan, nan]]], "limit"),  # nothing to compare it with
        ([[[nan] * 3]], "direct"),
    ):
        assert replace(matrix, history=np.array(history)).ended == ended


def test_a_summary_says_which_settings_were_chosen():
    matrix = fit()
    changed = replace(
        matrix,
        strength=2.0,
        discounts=np.array([0.5, 0.75, 1.25]),
        components=np.array(["types 2", "tokens 2", "types 3", "uniform"]),
        shares=np.tile([0.1, 0.2, 0.3, 0.4], (matrix.bins.size + 1, 1)),
        history=np.array([[[3.0, 2.0, 1.75]], [[2.0, 1.5, np.nan]]]),
    )
    lines = changed.summary().splitlines()
    assert lines[0].startswith("30 contexts, 30 outcomes")
    assert lines[1] == "strength 2; of counts of 1, 2 and more are taken 0.5, 0.75 and 1.25"
    shares = {line.split()[2]: line.split()[3:] for line in lines if "share of" in line}
    assert shares == {
        kind: [value] * 7
        for kind, value in (("types", "0.400"), ("tokens", "0.200"), ("uniform", "0.400"))
    }
    assert lines[-1] == "fits: limit; a last iteration moved 5.0e-01 nats at most"
