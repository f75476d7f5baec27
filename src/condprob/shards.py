"""Counts larger than memory: files of counts are added up, some rows at a time.

`add_shards` writes the sum to one file. A fit on Dask workers (`distributed`) adds up the rows of
each part where that part is fitted. A `Part` has rows of its own and sums over all contexts.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import file_digest
from itertools import pairwise
from os import PathLike
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import (
    ENTRIES_AT_ONCE,
    contexts_of,
    in_type,
    narrow_type,
    read_part,
    type_of_sum,
)
from condprob.files import check_regular, settle
from condprob.io import read_arrays

Shards = Sequence[str | PathLike[str]]  # files that `CountMatrix.save` wrote


def add_shards(shards: Shards, path: str | PathLike[str]) -> CountMatrix:
    """Add up the counts of files into one file, in memory that does not grow with them.

    It holds the rows of about four million pairs of all shards together, one row at least. The
    counts equal ``CountMatrix + CountMatrix``; beside the new file the disk needs room for
    its pairs once more while it is written.

    Parameters
    ----------
    shards : sequence of str or path
        Files that `CountMatrix.save` wrote, all of one shape.
    path : str or path
        The file to write: whole, or not at all.

    Returns
    -------
    CountMatrix
        Of the new file, whose arrays stay on disk.

    Raises
    ------
    ValueError
        If there is no shard, a file does not hold counts, the shapes differ, or the file to write
        is one of the shards.
    OSError
        If a file cannot be read or written.
    """
    files = list(shards)
    folder = settle(path, files).parent
    parts = [Shard.of(os.path.abspath(file)) for file in files]
    check_shapes(files, [part.shape for part in parts])
    try:
        add_rows(parts, (0, parts[0].shape[0]), folder).save(path)
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
    checksum: str = ""  # of its bytes, or empty

    @classmethod
    def of(cls, file: str, *, with_checksum: bool = False) -> "Shard":
        """Read a file; ValueError if it does not hold counts."""
        stamp = stamp_of(file)
        shape = CountMatrix.load(file, mmap=True).shape
        return cls(file, shape, stamp, digest(file) if with_checksum else "")

    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return ``indptr``, ``outcomes`` and ``values``, mapped.

        Raises ValueError if the file has changed since it was read. A file with another stamp, such
        as a copy on another machine, is read once more for its checksum.
        """
        if (stamp := stamp_of(self.file)) != self.stamp:
            with _ONE_AT_A_TIME:
                _check(self, stamp)
        arrays = read_arrays(self.file, mmap=True)
        return arrays["indptr"], arrays["outcomes"], arrays["values"]


def stamp_of(file: str) -> tuple[int, ...]:
    """Return what changes with a file: its size, and when its content and its status changed."""
    found = os.stat(file)
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


_ONE_AT_A_TIME = Lock()  # or each thread of a worker would read the same file


@lru_cache(maxsize=1 << 16)
def _check(shard: Shard, stamp: tuple[int, ...]) -> None:
    """Raise ValueError unless a file has the bytes that it had, whatever its new stamp is."""
    if not shard.checksum or digest(shard.file) != shard.checksum or stamp_of(shard.file) != stamp:
        raise ValueError(f"{shard.file}: its counts have changed since they were first read")


def check_shapes(shards: Shards, shapes: Sequence[tuple[int, int]]) -> None:
    """Raise ValueError unless there are shards, and all are of one shape."""
    if not shapes:
        raise ValueError("no shards: at least one is needed")
    for shard, shape in zip(shards, shapes, strict=True):
        if shape != shapes[0]:
            raise ValueError(f"{shard}: counts of shape {shape} among others of {shapes[0]}")


def digest(file: str | PathLike[str]) -> str:
    """Return the checksum of the bytes of a regular file."""
    check_regular(file)
    with open(file, "rb") as opened:
        return file_digest(opened, "blake2b").hexdigest()


def add_rows(
    shards: Sequence[Shard], rows: tuple[int, int], folder: Path | None = None
) -> CountMatrix:
    """Return the sum of the rows ``start..stop-1`` of counts in files.

    Its arrays are in temporary files of the folder, which are deleted after their last use. The
    shards are opened one after the other, once for each block of rows.
    """
    (start, stop), columns = rows, shards[0].shape[1]
    before, largest = np.zeros(stop - start + 1, dtype=np.int64), []
    for shard in shards:
        indptr, _, values = shard.arrays()
        before += indptr[start : stop + 1] - indptr[start]
        end = slice(*indptr[[start, stop]].tolist())
        largest.append(np.array([values[end].max(initial=0)]))
    steps = np.arange(0, before[-1], ENTRIES_AT_ONCE)
    cuts = start + np.searchsorted(before, steps, side="right") - 1
    of_values, of_outcomes = type_of_sum(largest), narrow_type(columns - 1)
    lengths = [np.zeros(1, dtype=np.int64)]
    with TemporaryFile(dir=folder) as outcomes, TemporaryFile(dir=folder) as values:
        for first, last in pairwise(np.unique([start, *cuts, stop])):
            block = _add_block(shards, first, last, of_values)
            lengths.append(block.distinct_outcomes)
            outcomes.write(block.outcomes.astype(of_outcomes).data)
            values.write(in_type(block.values, of_values).data)
        indptr, shape = np.cumsum(np.concatenate(lengths)), (stop - start, columns)
        if not indptr[-1]:  # An empty file cannot be mapped.
            return CountMatrix(shape, indptr, *np.zeros((2, 0), dtype=np.int32))
        for file in (outcomes, values):
            file.flush()
        of_pairs = np.memmap(outcomes, of_outcomes, "r"), np.memmap(values, of_values, "r")
    return CountMatrix(shape, indptr, *of_pairs)


def _add_block(shards: Sequence[Shard], first: int, last: int, kind: type) -> CountMatrix:
    """Return the sum of rows ``first..last-1``, in memory."""
    pairs = [], [], []
    for shard in shards:
        indptr, outcomes, values = shard.arrays()
        these = slice(*indptr[[first, last]].tolist())
        pairs[0].append(contexts_of(indptr, these) - first)
        pairs[1].append(read_part(outcomes, these))
        pairs[2].append(in_type(read_part(values, these), kind))
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
class Part(CountMatrix):
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
    def of(cls, counts: CountMatrix, whole: tuple) -> "Part":
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
