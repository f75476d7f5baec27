"""Rows around a base keep what they were made of in a file."""

from dataclasses import replace

import numpy as np
import pytest
from inputs import random_counts

from condprob import load, method

COUNTS = random_counts(4, k=15, n=200)


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("strength", ["learned", "infinite", 0, 1.5])
def test_the_settings_come_back_from_a_file(strength, mmap, tmp_path):
    options = {"largest_rank": 3, "iterations": 4, "strength": strength, "discount": 0.5}
    matrix = method("py-lr", **options).fit(COUNTS, seed=1)
    matrix.save(tmp_path / "matrix.npz")
    again = load(tmp_path / "matrix.npz", mmap=mmap)
    assert type(again) is type(matrix)
    assert type(again.strength) is float
    assert again.strength == matrix.strength
    if strength != "learned":
        assert again.strength == float("inf" if strength == "infinite" else strength)
    assert again.ended == matrix.ended
    for name in ("discounts", "components", "shares", "bins", "novel", "history"):
        np.testing.assert_array_equal(getattr(again, name), getattr(matrix, name))
    assert again.discounts.tolist() == [0 if np.isinf(matrix.strength) else 0.5] * 3
    assert (again.sparse is None) == np.isinf(matrix.strength)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    np.testing.assert_array_equal(again.row_sums(), matrix.row_sums())
    for found, expected in zip(again.seen, matrix.seen, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_how_it_ended_follows_from_the_last_iteration_of_every_base():
    nan, matrix = np.nan, method("py-lr", largest_rank=2, iterations=2).fit(COUNTS, seed=1)
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


def test_an_old_file_without_the_course_of_its_fits_ended_at_the_limit(tmp_path):
    matrix = method("py-lr", largest_rank=2, iterations=500).fit(COUNTS, seed=1)
    old = replace(matrix, history=None)
    assert "history" not in old.arrays()
    old.save(tmp_path / "old.npz")
    again = load(tmp_path / "old.npz")
    assert again.history is None
    assert again.ended == "limit"
    np.testing.assert_array_equal(again.dense(), matrix.dense())
