"""Counts larger than memory: files of counts are added up, some rows at a time.

`add_shards` writes the sum to one file. A fit on Dask workers (`distributed`) adds up the rows of
each part where that part is fitted. A `PartOfCounts` has rows of its own and sums over all
contexts.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import file_digest
from itertools import pairwise
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import BinaryIO, NamedTuple

import numpy as np

from condprob.checks.entries import (
    ENTRIES_AT_ONCE,
    in_type,
    narrow_type,
    type_of_sum,
)
from condprob.counts import CountMatrix
from condprob.files import check_regular, settle
from condprob.files.arrays import read_arrays

Shards = Sequence[str | PathLike[str]]  # files that `CountMatrix.save` wrote


def add_shards(shards: Shards, path: str | PathLike[str]) -> CountMatrix:
    """Add up count files into one file, without holding them in memory.

    It reads the rows of about four million pairs of all shards at a time. The counts equal those of
    ``CountMatrix + CountMatrix``. While it writes, the disk needs room for the pairs of the new
    file twice.

    Parameters
    ----------
    shards : sequence of str or path
        Files that `CountMatrix.save` wrote, all of one shape.
    path : str or path
        File to write; it is written whole or not at all.

    Returns
    -------
    CountMatrix
        The sum; its arrays stay on disk.

    Raises
    ------
    ValueError
        If there is no shard, a file does not contain counts, the shapes differ, or the file to
        write is one of the shards.
    OSError
        If a file cannot be read or written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from condprob import CountMatrix, add_shards
    >>> with TemporaryDirectory() as folder:
    ...     shards = [Path(folder) / f"{n}.safetensors" for n in range(2)]
    ...     for shard in shards:
    ...         CountMatrix.from_dense([[1, 0], [0, 2]]).save(shard)
    ...     add_shards(shards, Path(folder) / "all.safetensors").n
    6
    """
    files = list(shards)
    folder = settle(path, files).parent
    parts = [Shard.of(os.path.abspath(file)) for file in files]
    check_shapes(files, [part.shape for part in parts])
    try:
        _write_sum(parts, folder).save(path)
    except OSError as error:  # The files beside it have no names.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    return CountMatrix.load(path, mmap=True)


class Shard(NamedTuple):
    """A file of counts that was read and checked once; it is open only while its rows are read.

    So any number of files can be added up, whatever number of open files the system allows.
    """

    file: str
    shape: tuple[int, int]
    stamp: tuple[int, ...]  # of the file when it was read: see `stamp_of`
    places: dict[str, tuple[str, int]]  # type of an array's numbers, and where it begins
    largest: np.ndarray  # the largest count, in its type, shape (1,)
    checksum: str = ""  # of its bytes, or empty

    @classmethod
    def of(cls, file: str, *, with_checksum: bool = False) -> "Shard":
        """Read a file; ValueError if it does not hold counts."""
        stamp, counts = stamp_of(os.stat(file)), CountMatrix.load(file, mmap=True)
        arrays = read_arrays(file, mmap=True)
        places = {
            name: (arrays[name].dtype.str, getattr(arrays[name], "offset", 0))
            for name in ("indptr", "outcomes", "values")
        }
        largest = np.array([counts.values.max(initial=0)])
        return cls(file, counts.shape, stamp, places, largest, digest(file) * with_checksum)

    def starts(self, first: int, last: int) -> np.ndarray:
        """Return where the rows ``first..last-1`` begin, and the last ends: see `rows`."""
        with self._opened() as file:
            return self._read(file, "indptr", first, last + 1)

    def rows(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the sizes of the rows ``first..last-1``, and their outcomes and values.

        Raises ValueError if the file has changed since it was read. A file with another stamp, such
        as a copy on another machine, is read once more for its checksum.
        """
        with self._opened() as file:
            starts = self._read(file, "indptr", first, last + 1)
            of_pairs = (self._read(file, name, *starts[[0, -1]]) for name in ("outcomes", "values"))
            return np.diff(starts), *of_pairs

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        with open(self.file, "rb") as file:
            if (stamp := stamp_of(os.fstat(file.fileno()))) != self.stamp:
                with _ONE_AT_A_TIME:
                    _check(self.file, self.checksum, stamp)
            yield file

    def _read(self, file: BinaryIO, name: str, start: int, stop: int) -> np.ndarray:
        """Return the numbers ``start..stop-1`` of an array."""
        kind, place = self.places[name]
        dtype = np.dtype(kind)
        file.seek(place + int(start) * dtype.itemsize)
        return np.fromfile(file, dtype, int(stop - start))


def stamp_of(found: os.stat_result) -> tuple[int, ...]:
    """Return what changes with a file: its size, and when its content and its status changed."""
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


_ONE_AT_A_TIME = Lock()  # or each thread of a worker would read the same file


@lru_cache(maxsize=1 << 16)
def _check(file: str, checksum: str, stamp: tuple[int, ...]) -> None:
    """Raise ValueError unless a file has the bytes that it had, whatever its new stamp is."""
    if not checksum or digest(file) != checksum or stamp_of(os.stat(file)) != stamp:
        raise ValueError(f"{file}: its counts have changed since they were first read")


def check_shapes(shards: Shards, shapes: Sequence[tuple[int, int]]) -> None:
    """Raise ValueError unless there are shards, and all are of one shape."""
    if not shapes:
        raise ValueError("no shards: pass at least one")
    for shard, shape in zip(shards, shapes, strict=True):
        if shape != shapes[0]:
            raise ValueError(f"{shard}: counts of shape {shape} among others of {shapes[0]}")


def digest(file: str | PathLike[str]) -> str:
    """Return the checksum of the bytes of a regular file."""
    check_regular(file)
    with open(file, "rb") as opened:
        return file_digest(opened, "blake2b").hexdigest()


def add_rows(shards: Sequence[Shard], rows: tuple[int, int]) -> CountMatrix:
    """Return the sum of the rows ``start..stop-1`` of counts in files, in memory."""
    most, kinds, blocks = _sums_of_rows(shards, rows)
    outcomes, values = (np.empty(most, dtype=kind) for kind in kinds)
    lengths, filled = [np.zeros(1, dtype=np.int64)], 0
    for block in blocks:
        lengths.append(block.distinct_outcomes)
        place = slice(filled, filled := filled + block.nnz)
        outcomes[place], values[place] = block.outcomes, in_type(block.values, kinds[1])
    shape = rows[1] - rows[0], shards[0].shape[1]
    indptr = np.cumsum(np.concatenate(lengths))
    return CountMatrix(shape, indptr, outcomes[:filled], values[:filled])


def _write_sum(shards: Sequence[Shard], folder: Path) -> CountMatrix:
    """Return the sum of counts in files; its arrays are in files of the folder without names."""
    (_, kinds, blocks), shape = _sums_of_rows(shards, (0, shards[0].shape[0])), shards[0].shape
    lengths = [np.zeros(1, dtype=np.int64)]
    with TemporaryFile(dir=folder) as outcomes, TemporaryFile(dir=folder) as values:
        for block in blocks:
            lengths.append(block.distinct_outcomes)
            outcomes.write(block.outcomes.astype(kinds[0]).data)
            values.write(in_type(block.values, kinds[1]).data)
        indptr = np.cumsum(np.concatenate(lengths))
        if not indptr[-1]:  # An empty file cannot be mapped.
            return CountMatrix(shape, indptr, *np.zeros((2, 0), dtype=np.int32))
        for file in (outcomes, values):
            file.flush()
        of_pairs = (
            np.memmap(file, kind, "r") for file, kind in zip((outcomes, values), kinds, strict=True)
        )
        return CountMatrix(shape, indptr, *of_pairs)


def _sums_of_rows(
    shards: Sequence[Shard], rows: tuple[int, int]
) -> tuple[int, tuple[type, type], Iterator[CountMatrix]]:
    """Return the sums of some rows at a time, how many pairs they have at most, and their types.

    The types are those of outcomes and values. The shards are opened one after the other, once for
    each block of rows.
    """
    start, stop = rows
    before = np.zeros(stop - start + 1, dtype=np.int64)
    for shard in shards:
        starts = shard.starts(start, stop)
        before += starts - starts[0]
    steps = np.arange(0, before[-1], ENTRIES_AT_ONCE)
    cuts = start + np.searchsorted(before, steps, side="right") - 1
    of_values = type_of_sum([shard.largest for shard in shards])
    kinds = narrow_type(shards[0].shape[1] - 1), of_values
    blocks = (
        _add_block(shards, first, last, of_values)
        for first, last in pairwise(np.unique([start, *cuts, stop]))
    )
    return int(before[-1]), kinds, blocks


def _add_block(shards: Sequence[Shard], first: int, last: int, kind: type) -> CountMatrix:
    """Return the sum of rows ``first..last-1``, in memory."""
    pairs = [], [], []
    for shard in shards:
        sizes, outcomes, values = shard.rows(first, last)
        pairs[0].append(np.repeat(np.arange(sizes.size), sizes))
        pairs[1].append(outcomes)
        pairs[2].append(in_type(values, kind))
    contexts, outcomes, values = map(np.concatenate, pairs)
    shape = int(last - first), shards[0].shape[1]
    return CountMatrix.from_pairs(contexts, outcomes, shape=shape, weights=values)


class Totals(NamedTuple):
    """What a fit to some rows needs of all rows; the totals of parts add up."""

    # see the attributes of `CountMatrix`
    n: np.ndarray  # shape (): of integers if all counts are whole
    seldom: np.ndarray  # shape (4,)
    column_sums: np.ndarray  # shape (outcomes,), as are the next
    clipped_column_sums: np.ndarray
    distinct_contexts: np.ndarray

    @classmethod
    def of(cls, counts: CountMatrix) -> "Totals":
        """Return the totals of counts."""
        return cls(*(np.asarray(getattr(counts, name)) for name in cls._fields))


@dataclass(frozen=True, eq=False, repr=False)
class PartOfCounts(CountMatrix):
    """Some rows of larger counts; its sums over contexts are of all rows.

    Methods whose rows follow from their own counts and from such sums fit a part as they fit the
    whole.

    Attributes
    ----------
    totals : Totals
        Those of all rows.
    """

    totals: Totals = field(kw_only=True)

    @classmethod
    def of(cls, counts: CountMatrix, whole: tuple) -> "PartOfCounts":
        """Return some rows, ``counts``, with the `Totals` of all."""
        return cls(
            counts.shape,
            counts.indptr,
            counts.outcomes,
            counts.values,
            totals=Totals._make(whole),
        )

    @property
    def n(self) -> int | float:
        """See `CountMatrix`, of all rows."""
        return self.totals.n.item()

    @property
    def is_whole(self) -> bool:
        """See `CountMatrix`, of all rows."""
        return isinstance(self.n, int)

    @property
    def seldom(self) -> np.ndarray:
        """See `CountMatrix`, of all rows."""
        return self.totals.seldom

    @property
    def column_sums(self) -> np.ndarray:
        """See `CountMatrix`, of all rows."""
        return self.totals.column_sums

    @property
    def clipped_column_sums(self) -> np.ndarray:
        """See `CountMatrix`, of all rows."""
        return self.totals.clipped_column_sums

    @property
    def distinct_contexts(self) -> np.ndarray:
        """See `CountMatrix`, of all rows."""
        return self.totals.distinct_contexts
