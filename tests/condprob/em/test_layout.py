"""Factors stored by cache lines."""

import numpy as np
import pytest

from condprob.em.layout import LINE, in_lines, lines, with_padding


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (4, 8), (3, 50), (2, 7, 5), (0, 4), (2, 0, 4)])
def test_every_row_starts_at_a_cache_line(shape):
    stored = lines(shape)
    assert stored.shape == shape
    assert (stored == 0).all()
    for index in np.ndindex(shape[:-1]):
        assert stored[index].ctypes.data % (8 * LINE) == 0
        assert stored[index].flags.c_contiguous


def test_a_factor_keeps_its_numbers_and_is_copied_once():
    factor = np.arange(15.0).reshape(5, 3)
    stored = in_lines(factor)
    np.testing.assert_array_equal(stored, factor)
    assert in_lines(stored) is stored
    assert not np.shares_memory(stored, factor)


def test_the_padding_is_zero_and_belongs_to_the_same_memory():
    stored = in_lines(np.ones((5, 3)))
    padded = with_padding(stored)
    assert padded.shape == (5, LINE)
    assert padded.flags.c_contiguous
    assert (padded[:, 3:] == 0).all()
    padded[2, 1] = 7
    assert stored[2, 1] == 7
