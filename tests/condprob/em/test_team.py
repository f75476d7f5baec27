"""Work shared out among threads: nothing is left out, nothing is done twice."""

import threading

import numpy as np
import pytest

from condprob.em.threads import Team, share_out, split_evenly


def test_rows_are_shared_out_by_their_pairs():
    # Rows of 6, 1, 1, 4 pairs: half of twelve is in the first row.
    indptr = np.array([0, 6, 7, 8, 12])
    assert share_out(indptr, 2) == [(0, 1), (1, 4)]
    assert share_out(indptr, 1) == [(0, 4)]


@pytest.mark.parametrize("parts", [1, 2, 3, 60])  # more than rows, too
def test_every_row_belongs_to_one_part(parts):
    indptr = np.append(0, np.cumsum(np.random.default_rng(0).integers(0, 9, size=20)))
    for found in (share_out(indptr, parts), split_evenly(20, parts)):
        assert len(found) == parts
        assert [row for start, stop in found for row in range(start, stop)] == list(range(20))


def test_parts_are_even():
    assert split_evenly(10, 3) == [(0, 3), (3, 6), (6, 10)]


@pytest.mark.parametrize("size", [1, 3])
def test_each_thread_works_at_the_same_time(size):
    barrier = threading.Barrier(size, timeout=10)  # breaks unless all of them come to it
    with Team(size) as team:
        assert team.each(lambda r: (barrier.wait(), 10 * r)[1]) == [10 * r for r in range(size)]
