"""Passes over entries in parts: whatever the size of a part, they are those of the dense array."""

import numpy as np
import pytest
from inputs import exactly

from condprob import entries

RNG = np.random.default_rng(0)
DENSE = RNG.poisson(0.5, (9, 6))
DENSE[[0, 4, 8]] = 0  # empty rows at both ends and in the middle
CONTEXTS, OUTCOMES = (labels.astype(np.int64) for labels in np.nonzero(DENSE))
VALUES = DENSE[CONTEXTS, OUTCOMES]
INDPTR = np.concatenate([[0], np.cumsum((DENSE > 0).sum(axis=1))])


@pytest.fixture(params=[1, 2, 3, 7, 1000])
def at_once(request, monkeypatch):
    """So many entries at a time: parts that end within rows, and parts of many rows."""
    monkeypatch.setattr(entries, "AT_ONCE", request.param)
    return request.param


def test_parts_have_each_entry_once_with_its_context(at_once):
    parts = [*entries.blocks(VALUES.size)]
    assert all(part.stop - part.start <= at_once for part in parts)
    places = np.concatenate([np.arange(part.start, part.stop) for part in parts])
    np.testing.assert_array_equal(places, np.arange(VALUES.size))
    found = np.concatenate([entries.contexts_of(INDPTR, part) for part in parts])
    np.testing.assert_array_equal(found, CONTEXTS)


def test_a_sum_of_counts_has_room_for_all_that_may_meet():
    half = np.array([2**30], dtype=np.int32)
    # 2^30 + (2^30 - 1) is the last that fits; a fraction anywhere makes all floats.
    assert entries.type_of_sum([half, half - 1]) is np.int32
    assert entries.type_of_sum([half, half]) is np.int64
    assert entries.type_of_sum([half, np.array([0.5])]) is np.float64


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(
    ("indptr", "outcomes", "is_right"),
    [
        ([0, 2, 4], [0, 2, 0, 1], True),
        ([0, 0, 4], [0, 1, 2, 3], True),
        ([0, 2, 4], [1, 0, 0, 1], False),  # falls within the first row
        ([0, 2, 4], [0, 1, 1, 1], False),  # an outcome twice
        ([0, 3, 4], [0, 1, 1, 0], False),
        ([0, 2, 4], [0, 1, 0, 4], False),  # beyond the last
        ([0, 2, 4], [-1, 1, 0, 1], False),
    ],
)
def test_outcomes_must_rise_within_a_row(indptr, outcomes, is_right):
    given = np.array(indptr), np.array(outcomes), np.ones(4), (2, 4)
    if is_right:
        entries.check_sparse_rows(*given)
        return
    with pytest.raises(ValueError, match=exactly("the outcomes of a row must rise within 0..3")):
        entries.check_sparse_rows(*given)


@pytest.mark.usefixtures("at_once")
def test_values_are_integers_where_all_are_whole():
    assert entries.check_values([1.0, 2.0, 3.0]).dtype == np.int32
    assert entries.check_values([1.0, 2.0, 3.5]).tolist() == [1, 2, 3.5]
    with pytest.raises(ValueError, match="counts that are stored must be > 0"):
        entries.check_values([1, 2, 0])


@pytest.mark.parametrize("column", [-1, 6])
def test_a_column_outside_is_told(column):
    with pytest.raises(ValueError, match=exactly("the outcomes of a row must rise within 0..5")):
        entries.count_columns(np.array([0, column]), 6)


def test_a_part_of_a_mapped_array_is_read_from_its_file(tmp_path):
    np.save(tmp_path / "values.npy", VALUES)
    mapped = np.load(tmp_path / "values.npy", mmap_mode="r")
    part = entries.read_part(mapped, slice(2, 5))
    assert not isinstance(part, np.memmap)
    np.testing.assert_array_equal(part, VALUES[2:5])
    np.testing.assert_array_equal(entries.read_part(VALUES, slice(2, 5)), VALUES[2:5])


@pytest.mark.parametrize("rank", [0, 1, 4])
@pytest.mark.parametrize("pairs", [0, 5, 40])  # fewer than the outcomes, and more
@pytest.mark.parametrize("at_a_time", [1, 7, 1000])
def test_products_of_pairs_are_cells_of_the_product(monkeypatch, rank, pairs, at_a_time):
    monkeypatch.setattr(entries, "FLOATS_AT_ONCE", at_a_time)
    left, right = RNG.standard_normal((9, rank)), RNG.standard_normal((rank, 6))
    rows, columns = RNG.integers(9, size=pairs), RNG.integers(6, size=pairs)
    found = entries.products_of_pairs(left, right, rows, columns)
    np.testing.assert_allclose(found, (left @ right)[rows, columns], rtol=0, atol=1e-14)
    assert found.shape == (pairs,)
