"""Counts that are rectangular, weighted, labelled, sparse, added up, or stored."""

from fractions import Fraction

import numpy as np
import pytest
from inputs import EDGES, exactly

from condprob import CountMatrix, Vocabulary
from condprob.checks import entries

RNG = np.random.default_rng(0)
RECTANGLE = RNG.poisson(0.4, (40, 7))
WEIGHTS = np.round(RECTANGLE * RNG.uniform(0.1, 3, RECTANGLE.shape), 3)


def same(counts, array):
    """Whether counts hold this array and nothing else, with all that is derived from it."""
    np.testing.assert_array_equal(counts.dense(), array)
    np.testing.assert_array_equal(counts.sparse().toarray(), array)
    assert counts.shape == array.shape
    assert counts.nnz == np.count_nonzero(array)
    np.testing.assert_allclose(counts.n, array.sum())
    for found, expected in [
        (counts.row_sums, array.sum(axis=1)),
        (counts.column_sums, array.sum(axis=0)),
        (counts.distinct_outcomes, (array > 0).sum(axis=1)),
        (counts.distinct_contexts, (array > 0).sum(axis=0)),
        (counts.clipped_row_sums, np.minimum(array, 1).sum(axis=1)),
        (counts.clipped_column_sums, np.minimum(array, 1).sum(axis=0)),
    ]:
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    return True


def test_a_rectangle_of_pairs():
    counts = CountMatrix.from_pairs([0, 2, 0], [1, 1, 1], shape=(3, 2))
    assert same(counts, np.array([[0, 2], [0, 0], [0, 1]]))
    assert counts.is_whole
    assert same(CountMatrix.from_pairs([0, 2, 0], [1, 1, 1], (3, 2)), counts.dense())
    with pytest.raises(ValueError, match=exactly("a 3 x 2 matrix has no k: see its shape")):
        _ = counts.k


def test_labels_and_their_vocabularies():
    users, items = Vocabulary(["ann", "bob"]), Vocabulary(["tea", "coffee", "milk"])
    counts = CountMatrix.from_labels(["bob", "ann", "bob"], ["milk", "tea", "milk"], (users, items))
    assert same(counts, np.array([[1, 0, 0], [0, 0, 2]]))
    words = ["a", "rose", "is", "a", "rose"]
    counts = CountMatrix.from_labels(words[:-1], words[1:], Vocabulary(words))
    assert same(counts, np.array([[0, 2, 0], [0, 0, 1], [1, 0, 0]]))
    message = "'sugar' is not in the vocabulary of 3 labels"
    with pytest.raises(ValueError, match=f"^{message}"):
        CountMatrix.from_labels(["ann"], ["sugar"], (users, items))


@pytest.mark.parametrize("array", [RECTANGLE, WEIGHTS])
def test_shards_add_up_to_the_whole(array):
    shards = np.array_split(array, 3)
    empty = np.zeros_like(array)
    parts, start = [], 0
    for shard in shards:
        part = empty.copy()
        part[start : start + len(shard)] = shard
        parts.append(CountMatrix.from_dense(part))
        start += len(shard)
    assert same(parts[0] + parts[1] + parts[2], array)
    assert same(parts[0] + parts[0], 2 * parts[0].dense())


def test_counts_of_other_shapes_cannot_be_added():
    one, other = CountMatrix.from_dense(np.ones((2, 3))), CountMatrix.from_dense(np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(3, 2\) cannot be added"):
        one + other
    with pytest.raises(TypeError):
        one + np.ones((2, 3))


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize(
    "array", [RECTANGLE, WEIGHTS, np.zeros((3, 2)), *(counts.dense() for counts in EDGES.values())]
)
def test_counts_come_back_from_a_file(tmp_path, array, mmap):
    counts = CountMatrix.from_dense(array)
    counts.save(tmp_path / "counts")
    again = CountMatrix.load(tmp_path / "counts", mmap=mmap)
    assert same(again, array)
    assert again.values.dtype == counts.values.dtype
    assert isinstance(again.values, np.memmap) == (mmap and counts.nnz > 0)
    assert [path.name for path in tmp_path.iterdir()] == ["counts"]


@pytest.mark.parametrize(
    ("shape", "indptr", "outcomes", "values", "message"),
    [
        ((2, 2), [0, 1], [0], [1], "indptr, outcomes and values of shapes"),
        ((2, 2), [0, 1, 2], [0, 0], [1], "indptr, outcomes and values of shapes"),
        ((2, 2), [0, 2, 1], [0], [1], "indptr must rise from 0 to the number of entries, 1"),
        ((2, 2), [1, 1, 1], [0], [1], "indptr must rise from 0 to the number of entries, 1"),
        ((1, 2), [0, 2], [1, 0], [1, 1], "the outcomes of a row must rise within 0..1"),
        ((1, 2), [0, 2], [1, 1], [1, 1], "the outcomes of a row must rise within 0..1"),
        ((2, 4), [0, 3, 4], [0, 1, 1, 0], [1] * 4, "the outcomes of a row must rise within 0..3"),
        ((1, 2), [0, 1], [2], [1], "the outcomes of a row must rise within 0..1"),
        ((1, 2), [0, 1], [-1], [1], "the outcomes of a row must rise within 0..1"),
        ((1, 2), [0, 1], [0], [0], "counts that are stored must be > 0: leave the zeros out"),
        ((1, 2), [0, 1], [0], [-0.5], "counts have the value -0.5: must be finite numbers >= 0"),
        ((0, 2), [0], [], [], "shape = 0: must be an integer >= 1"),
        (3, [0], [], [], "shape = 3: must be a pair (contexts, outcomes)"),
        ((1, 1), [0, 1], [0], 5, "counts of shape (): expected one number for each entry"),
        ((2, 2), [0, 1.5, 2], [0, 1], [1, 1], "indptr of type float64"),
        ((2, 2), [0, 1, 2], [0, 1.2], [1, 1], "outcomes of type float64"),
        ((2, 2), [0, 1, 2], [True, False], [1, 1], "outcomes of type bool"),
        ((2**40, 2**40), [0], [], [], "the matrix must have fewer than 2**63 entries"),
    ],
)
@pytest.mark.parametrize("at_once", [1, 2, 1000])  # parts that end within rows, and all at once
def test_the_constructor_checks(shape, indptr, outcomes, values, message, at_once, monkeypatch):
    monkeypatch.setattr(entries, "ENTRIES_AT_ONCE", at_once)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        CountMatrix(shape, *map(np.array, (indptr, outcomes, values)))
    assert message in str(caught.value)


LARGE = 2**53 + 1  # the first whole number that is no float


@pytest.mark.parametrize("numbers", [[LARGE, 1], [Fraction(3), Fraction(1)]])
def test_whole_numbers_are_themselves(numbers):
    assert CountMatrix.from_pairs([0, 1], [1, 1], 2, weights=numbers).values.tolist() == numbers
    assert CountMatrix.from_dense([numbers, [0, 1]]).dense().tolist() == [numbers, [0, 1]]


@pytest.mark.parametrize(
    "numbers",
    [[LARGE, 0.5], [LARGE, 1.0], [np.uint64(LARGE), np.int64(1)], [Fraction(LARGE), 0.5]],
)
def test_large_whole_numbers_as_floats_are_refused(numbers):
    with pytest.raises(ValueError, match=r"weights have the value 9007199254740992.0: floats"):
        CountMatrix.from_pairs([0, 1], [1, 1], 2, weights=numbers)


@pytest.mark.parametrize("numbers", [[10**400, 1], [-(2**60), 1.0], [2**63, 1], [10**400, 0.5]])
def test_numbers_beyond_every_type_are_one_line(numbers):
    with pytest.raises(ValueError, match=r"weights (add up to|have (the|a))") as caught:
        CountMatrix.from_pairs([0, 1], [1, 1], 2, weights=numbers)
    assert "\n" not in str(caught.value)


def test_what_is_masked_is_not_counted():
    masked = np.ma.array([1, 2], mask=[1, 0])
    with pytest.raises(ValueError, match="counts are a masked array: fill it"):
        CountMatrix.from_dense(masked)
    with pytest.raises(ValueError, match="outcomes are a masked array: fill it"):
        CountMatrix((2, 3), np.arange(3), masked, np.ones(2, int))


def on_disk(path, array, mode="r"):
    """Return a mapped array that has a number before those of another."""
    np.concatenate([array[:1], array]).tofile(path)
    return np.memmap(path, array.dtype, mode)


@pytest.mark.parametrize("mode", ["r", "c"])
@pytest.mark.parametrize("bad", [-7, 0])
def test_of_mapped_arrays_that_is_checked_which_is_kept(tmp_path, mode, bad):
    indptr, outcomes = np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    mapped = on_disk(tmp_path / "values", np.array([2, 3, 4, 5]), mode)
    counts = CountMatrix((2, 2), indptr, outcomes, mapped[1:])
    assert counts.dense().tolist() == [[2, 3], [4, 5]]
    assert CountMatrix((2, 2), indptr, outcomes, mapped[1:].astype(float)).n == 14
    assert CountMatrix((2, 1), np.arange(3), np.zeros(2, int), mapped[1::2]).n == 6
    mapped = on_disk(tmp_path / "values", np.array([2, 3, 4, bad]), mode)
    with pytest.raises(ValueError, match=r"must be finite numbers >= 0|must be > 0"):
        CountMatrix((2, 2), indptr, outcomes, mapped[1:])
    with pytest.raises(ValueError, match=r"must be finite numbers >= 0|must be > 0"):
        CountMatrix((2, 1), np.arange(3), np.zeros(2, int), mapped[2::2])
    mapped = on_disk(tmp_path / "outcomes", np.array([0, 1, 0, 10**6]), mode)
    with pytest.raises(ValueError, match="the outcomes of a row must rise"):
        CountMatrix((2, 2), indptr, mapped[1:], np.ones(4, int))


def test_numbers_in_memory_are_checked_and_not_their_file(tmp_path):
    arrays = (2, 2), np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    np.array([1, 2, 3, 4]).tofile(tmp_path / "values")
    mapped = np.memmap(tmp_path / "values", np.int64, "c")
    mapped[3] = -7  # and the file has 4
    with pytest.raises(ValueError, match="counts have the value -7"):
        CountMatrix(*arrays, mapped)
    mapped[3] = 5
    assert CountMatrix(*arrays, mapped).n == 11
    kept = np.memmap(tmp_path / "values", np.int64, "r")
    np.full(4, -1).tofile(tmp_path / "new")
    (tmp_path / "new").replace(tmp_path / "values")
    assert CountMatrix(*arrays, kept).n == 10
