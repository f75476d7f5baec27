"""Counts in files: added up and used some entries at a time, with the results of all at once."""

import gc
import os
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import add
from pathlib import Path

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, Vocabulary, add_shards, method, shards
from condprob.checks import entries
from condprob.methods.em import engines

FIELDS = ("indptr", "outcomes", "values")
WHOLE = [random_counts(seed, k=50, n=400) for seed in range(4)]
HALVES = [CountMatrix.from_dense(counts.dense() / 2) for counts in WHOLE]
LARGE = [CountMatrix.from_dense([[2**31 - 1, 0], [0, 1]])] * 2
EMPTY = [CountMatrix.from_pairs([], [], shape=(2, 3))] * 2
RECTANGLES = [CountMatrix.from_pairs([1, 1], [2, each], shape=(3, 4)) for each in (0, 2)]
SHARDS = {
    "whole": WHOLE,
    "fractions": [*HALVES, WHOLE[0]],
    "beyond 32 bits": LARGE,
    "no pairs": EMPTY,
    "some without pairs": [*EMPTY, CountMatrix.from_pairs([1], [2], shape=(2, 3))],
    "rectangles": RECTANGLES,
    "one": WHOLE[:1],
}


@pytest.fixture(params=[1, 7, 10**6])
def at_once(request, monkeypatch):
    """How many entries are held at a time: fewer than a row has, some rows, all."""
    monkeypatch.setattr(entries, "ENTRIES_AT_ONCE", request.param)
    monkeypatch.setattr(shards, "ENTRIES_AT_ONCE", request.param)


def saved(parts, folder):
    paths = [folder / f"{number}.npz" for number in range(len(parts))]
    for part, path in zip(parts, paths, strict=True):
        part.save(path)
    return paths


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("name", SHARDS)
def test_files_add_up_to_the_sum_of_their_counts(name, tmp_path):
    parts = SHARDS[name]
    paths = saved(parts, tmp_path)
    found = add_shards(paths, tmp_path / "total.npz")
    expected = sum(part.dense() for part in parts)
    np.testing.assert_array_equal(found.dense(), expected)
    again, total = CountMatrix.load(tmp_path / "total.npz"), reduce(add, parts)
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(again, field), getattr(total, field))
        assert getattr(again, field).dtype == getattr(total, field).dtype
    assert isinstance(found.values, np.memmap) == (found.nnz > 0)
    assert sorted(tmp_path.iterdir()) == sorted([*paths, tmp_path / "total.npz"])


def test_a_shard_is_not_replaced(tmp_path):
    paths = saved(WHOLE, tmp_path)
    linked = tmp_path / "link"
    linked.symlink_to(paths[1])
    for target in (paths[0], linked):
        with pytest.raises(ValueError, match=r"is read as .*, and would be replaced"):
            add_shards(paths, target)
    assert CountMatrix.load(paths[0]).n == WHOLE[0].n


def test_large_whole_counts_beside_fractions_are_told_and_nothing_is_written(tmp_path):
    parts = [CountMatrix.from_dense([[count]]) for count in (2**53 + 1, 0.5)]
    paths = saved(parts, tmp_path)
    with pytest.raises(ValueError, match="counts have the value 9007199254740993: floats"):
        add_shards(paths, tmp_path / "total.npz")
    assert sorted(tmp_path.iterdir()) == paths


def test_an_interrupted_sum_leaves_nothing(tmp_path, monkeypatch):
    paths = saved(WHOLE, tmp_path)

    def interrupted(counts, path):
        raise KeyboardInterrupt

    monkeypatch.setattr(CountMatrix, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        add_shards(paths, tmp_path / "total.npz")
    assert sorted(tmp_path.iterdir()) == paths


def test_a_disk_without_room_is_told_with_the_name_of_the_sum(tmp_path):
    resource = pytest.importorskip("resource", reason="the system has no limits")
    paths, before = saved(WHOLE, tmp_path), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, before[1]))  # bytes of a file
    try:
        with pytest.raises(OSError, match=r"\A\[Errno \d+\] File too large: '.*total\.npz'\Z"):
            add_shards(paths, tmp_path / "total.npz")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert sorted(tmp_path.iterdir()) == paths


def test_shards_that_do_not_go_together_are_told_and_nothing_is_written(tmp_path):
    paths = saved([WHOLE[0], RECTANGLES[0]], tmp_path)
    with pytest.raises(ValueError, match=r"1\.npz: counts of shape \(3, 4\) among others of"):
        add_shards(paths, tmp_path / "total.npz")
    with pytest.raises(ValueError, match="no shards"):
        add_shards([], tmp_path / "total.npz")
    with pytest.raises(FileNotFoundError):
        add_shards([*paths[:1], tmp_path / "absent.npz"], tmp_path / "total.npz")
    with pytest.raises(FileNotFoundError):
        add_shards(paths[:1], tmp_path / "absent" / "total.npz")
    assert sorted(tmp_path.iterdir()) == paths


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("counts", [WHOLE[0], HALVES[0], LARGE[0], EMPTY[0], RECTANGLES[0]])
def test_sums_over_some_entries_at_a_time_are_those_of_the_dense_array(counts, tmp_path):
    counts.save(tmp_path / "counts.npz")
    mapped, C = CountMatrix.load(tmp_path / "counts.npz", mmap=True), counts.dense()
    for found in (mapped, CountMatrix.load(tmp_path / "counts.npz")):
        np.testing.assert_array_equal(found.row_sums, C.sum(axis=1))
        np.testing.assert_array_equal(found.column_sums, C.sum(axis=0))
        np.testing.assert_array_equal(found.distinct_contexts, (C > 0).sum(axis=0))
        np.testing.assert_array_equal(found.clipped_row_sums, np.minimum(C, 1).sum(axis=1))
        np.testing.assert_array_equal(found.clipped_column_sums, np.minimum(C, 1).sum(axis=0))


@pytest.mark.parametrize(("outcomes", "most"), [(1400, 1), (1401, 5)])
def test_a_fit_takes_no_memory_for_each_pair(outcomes, most, tmp_path, monkeypatch):
    # Of 1401 outcomes one is never seen. The columns of the others, 4 bytes a pair, are on disk if
    # the counts are.
    pairs = np.random.default_rng(0).integers(0, 1400, (2, 1_200_000))
    CountMatrix.from_pairs(*pairs, shape=(1400, outcomes)).save(tmp_path / "counts.npz")
    monkeypatch.setattr(entries, "ENTRIES_AT_ONCE", 1000)
    monkeypatch.setattr(engines, "PRODUCTS_AT_ONCE", 1000)
    fit = method("ad-lr", rank=2, iterations=1).fit
    fit(CountMatrix.from_dense(np.full((1400, 10), 2)))  # compiled
    for mmap, bytes_of_pair in ((False, most), (True, 1)):
        counts = CountMatrix.load(tmp_path / "counts.npz", mmap=mmap)
        tracemalloc.start()
        fit(counts)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < bytes_of_pair * counts.nnz


def test_threads_read_files_at_the_same_time(tmp_path):
    """Dask calls back at collections of garbage, and then another thread may run."""
    EMPTY[0].save(tmp_path / "counts.npz")
    before = gc.get_threshold()
    gc.callbacks.append(lambda phase, info: [0 for _ in range(3000)])
    gc.set_threshold(5)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(CountMatrix.load, [tmp_path / "counts.npz"] * 400))
    finally:
        gc.callbacks.pop()
        gc.set_threshold(*before)
    assert sum(counts.nnz for counts in found) == 0


def test_tables_of_labels_are_numbered_alike():
    """Columns of NumPy, such as DuckDB's, of pandas, as in a partition of Dask, lists, of Arrow."""
    pandas = pytest.importorskip("pandas")
    columns = ["bob", "ann", "bob"], ["tea", "tea", "milk"]
    both = tuple(Vocabulary(sorted({*labels})) for labels in columns)
    for form in (list, pandas.Series, lambda labels: np.array(labels, dtype=object)):
        found = CountMatrix.from_labels(*map(form, columns), both)
        np.testing.assert_array_equal(found.dense(), [[0, 1], [1, 1]])  # ann, bob: milk, tea


def test_more_shards_than_files_may_be_open_are_added_up(tmp_path):
    resource = pytest.importorskip("resource", reason="the system has no limits")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    (first,) = saved([WHOLE[0]], tmp_path)
    raw = first.read_bytes()
    paths = [tmp_path / f"more-{number}" for number in range(200)]
    for path in paths:
        path.write_bytes(raw)
    resource.setrlimit(resource.RLIMIT_NOFILE, (150, before[1]))
    try:
        found = add_shards(paths, tmp_path / "total")
        parts = [shards.Shard.of(str(path), with_checksum=True) for path in paths]
        rows = shards.add_rows(parts, (10, 20))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    np.testing.assert_array_equal(found.dense(), 200 * WHOLE[0].dense())
    np.testing.assert_array_equal(rows.dense(), found.dense()[10:20])


@pytest.mark.parametrize("when", ["replaced", "in place", "in place, with its old time"])
def test_a_shard_that_changes_while_it_is_added_up_is_told(tmp_path, when):
    path = str(saved(WHOLE[:1], tmp_path)[0])
    shard, found = shards.Shard.of(path), os.stat(path)
    raw = bytearray(Path(path).read_bytes())
    raw[-1] ^= 1
    if when == "replaced":
        WHOLE[1].save(path)
    else:
        with open(path, "r+b") as file:
            file.write(raw)
    if when.endswith("time"):
        os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))
    for each in (shard, shard._replace(checksum="of before")):
        with pytest.raises(ValueError, match=r"0\.npz: its counts have changed since they were"):
            shards.add_rows([each], (0, 3))


def test_a_shard_is_read_for_its_checksum_once_by_all_threads(tmp_path, monkeypatch):
    path, read, digest = str(saved(WHOLE[:1], tmp_path)[0]), [], shards.digest

    def noted(file):
        read.append(file)
        return digest(file)

    monkeypatch.setattr(shards, "digest", noted)
    shard = shards.Shard.of(path, with_checksum=True)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda row: shards.add_rows([shard], (row, row + 1)), range(40)))
    assert len(read) == 1
    os.utime(path)  # as of a copy on another machine
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda row: shards.add_rows([shard], (row, row + 1)), range(40)))
    assert len(read) == 2
    assert sum(each.n for each in found) == WHOLE[0].dense()[:40].sum()
