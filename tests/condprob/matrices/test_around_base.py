"""Rows around a base keep what they were made of in a file."""

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
    for name in ("discounts", "components", "shares", "bins"):
        np.testing.assert_array_equal(getattr(again, name), getattr(matrix, name))
    assert again.discounts.tolist() == [0 if np.isinf(matrix.strength) else 0.5] * 3
    assert (again.sparse is None) == np.isinf(matrix.strength)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    np.testing.assert_array_equal(again.row_sums(), matrix.row_sums())
    for found, expected in zip(again.seen, matrix.seen, strict=True):
        np.testing.assert_array_equal(found, expected)
