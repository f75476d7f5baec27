"""Memory that is used again: never while anybody has an array in it, and by no copy."""

import copy
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from condprob import CountMatrix, distributed
from condprob.io import write_arrays
from condprob.memory import Memory
from condprob.shards import Part, Totals
from condprob.smoothing import Smoothing
from condprob.vectors import empty_lines, in_lines

SIZE = 1000


def place_of(array):
    return array.__array_interface__["data"][0]


def test_memory_of_an_array_that_is_gone_is_used_again():
    memory = Memory()
    found = memory.empty(SIZE)
    assert (found.shape, found.dtype) == ((SIZE,), np.float64)
    place = place_of(found)
    del found
    assert place_of(memory.empty(SIZE)) == place


@pytest.mark.parametrize(
    "keep",
    [
        lambda found: found,
        lambda found: found[3:700].reshape(-1, 41)[2:, 5],
        lambda found: found.view(np.uint8)[8:],
        lambda found: memoryview(found),
        lambda found: np.frombuffer(found, np.int64),
        lambda found: pickle.PickleBuffer(found[5:]),
    ],
    ids=["itself", "rows", "bytes", "buffer", "array of a buffer", "pickle"],
)
def test_no_array_shares_memory_with_one_that_somebody_has(keep):
    memory = Memory()
    kept = keep(memory.empty(SIZE))
    before = bytes(kept)
    others = [memory.empty(SIZE) for _ in range(3)]
    for other in others:
        other[:] = np.nan
    assert bytes(kept) == before
    assert len({place_of(other) for other in others}) == 3


def test_memory_is_of_one_size():
    memory = Memory()
    memory.empty(SIZE)
    smaller, kept = memory.empty(SIZE - 1), memory.empty(SIZE)
    assert not np.shares_memory(smaller, kept)
    assert (smaller.size, kept.size) == (SIZE - 1, SIZE)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda memory: pickle.loads(pickle.dumps(memory))]
)
def test_a_copy_has_no_memory(copied):
    memory = Memory()
    memory.empty(SIZE)
    other = copied(memory)
    assert memory.free[SIZE]
    assert not other.free
    mine, theirs = memory.empty(SIZE), other.empty(SIZE)
    assert not np.shares_memory(mine, theirs)


def test_arrays_outlive_their_memory():
    memory = Memory()
    found = memory.empty(SIZE)
    found[:] = 7.0
    del memory
    gc.collect()
    others = [np.empty(SIZE) for _ in range(9)]
    for other in others:
        other[:] = 0.0
    assert (found == 7.0).all()


def test_threads_share_no_array():
    memory = Memory()

    def take(number):
        for _ in range(300):
            found = memory.empty(SIZE)
            found[:] = number
            if not (found == number).all():
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(take, range(8)))
    assert len(memory.free[SIZE]) <= 16  # a thread has its next array before the last one goes


@pytest.mark.parametrize("m", [3, 8, 13])
def test_lines_have_the_same_place_in_any_memory(m):
    memory = Memory()
    memory.empty(100 * 16 + 8)[:] = np.nan
    rows = np.random.default_rng(0).random((100, m))
    expected, found = in_lines(rows), empty_lines(100, m, memory.empty)
    assert found.shape == expected.shape
    assert place_of(found) % 64 == 0
    assert found.strides == expected.strides


def test_a_pass_changes_no_result_of_one_before(tmp_path):
    """Each ``W`` that somebody has stays; the task may be done again, and gives the same bits."""
    rng = np.random.default_rng(0)
    counts = CountMatrix.from_pairs(*rng.integers(0, [[50], [40]], (2, 600)), shape=(50, 40))
    part = Part.of(counts, Totals.of(counts))
    prepared, W, _ = distributed._begin(part, (0, 50), seed=1, m=5)
    H = rng.dirichlet(np.ones(part.seen_outcomes.size), 5).T
    write_arrays(tmp_path / "H.npz", {"H": H})
    how = {"H": str(tmp_path / "H.npz"), "smoothing": Smoothing(0.5, 0.5, 0.0)}
    how |= {"update_W": True, "wanted": True}
    results, before = [W], [W.copy()]
    for _ in range(4):
        results.append(distributed._pass(prepared, results[-1], **how)[0])
        before.append(results[-1].copy())
    for k, result in enumerate(results):
        np.testing.assert_array_equal(result, before[k])
        assert not any(np.shares_memory(result, other) for other in results[:k])
    place = place_of(results[1])
    result, results[1] = None, None
    again = distributed._pass(prepared, before[2], **how)[0]
    assert place_of(again) == place  # that of the result which nobody has any more
    for found in (again, distributed._pass(prepared, before[2], **how)[0]):
        np.testing.assert_array_equal(found, before[3])
