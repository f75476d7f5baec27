"""Counts larger than memory: files of counts are added up into one, some rows at a time."""

import os
from collections.abc import Sequence
from itertools import pairwise
from os import PathLike
from tempfile import TemporaryFile
from typing import BinaryIO

import numpy as np

from condprob.counts import CountMatrix
from condprob.entries import AT_ONCE, contexts_of, in_type, narrow_type, read_part, type_of_sum
from condprob.io import settle


def add_shards(shards: Sequence[str | PathLike[str]], path: str | PathLike[str]) -> CountMatrix:
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
    shards = list(shards)
    folder = settle(path, shards).parent
    parts = [CountMatrix.load(shard, mmap=True) for shard in shards]
    if not parts:
        raise ValueError("no shards: at least one is needed")
    shape = parts[0].shape
    for shard, part in zip(shards, parts, strict=True):
        if part.shape != shape:
            raise ValueError(f"{shard}: counts of shape {part.shape} among others of {shape}")
    try:
        with TemporaryFile(dir=folder) as outcomes, TemporaryFile(dir=folder) as values:
            _add_rows(parts, outcomes, values).save(path)
    except OSError as error:  # The files beside it have no names.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    return CountMatrix.load(path, mmap=True)


def _add_rows(parts: list[CountMatrix], outcomes: BinaryIO, values: BinaryIO) -> CountMatrix:
    """Return the sum of mapped counts, mapped from two files that take it."""
    (rows, columns), starts = parts[0].shape, sum(part.indptr for part in parts)
    cuts = np.searchsorted(starts, np.arange(0, starts[-1], AT_ONCE), side="right") - 1
    of_values = type_of_sum([part.values for part in parts])
    of_outcomes = narrow_type(columns - 1)
    lengths = [np.zeros(1, dtype=np.int64)]
    for first, last in pairwise(np.unique([0, *cuts, rows])):
        block = _add_block(parts, first, last, of_values)
        lengths.append(block.distinct_outcomes)
        outcomes.write(block.outcomes.astype(of_outcomes).data)
        values.write(in_type(block.values, of_values).data)
    indptr = np.cumsum(np.concatenate(lengths))
    if not indptr[-1]:  # An empty file cannot be mapped.
        return CountMatrix((rows, columns), indptr, *np.zeros((2, 0), dtype=np.int32))
    for file in (outcomes, values):
        file.flush()
    of_pairs = np.memmap(outcomes, of_outcomes, "r"), np.memmap(values, of_values, "r")
    return CountMatrix((rows, columns), indptr, *of_pairs)


def _add_block(parts: list[CountMatrix], first: int, last: int, kind: type) -> CountMatrix:
    """Return the sum of rows ``first..last-1``, in memory."""
    pairs = [], [], []
    for part in parts:
        these = slice(*part.indptr[[first, last]].tolist())
        pairs[0].append(contexts_of(part.indptr, these) - first)
        pairs[1].append(read_part(part.outcomes, these))
        pairs[2].append(in_type(read_part(part.values, these), kind))
    contexts, outcomes, values = map(np.concatenate, pairs)
    shape = int(last - first), parts[0].shape[1]
    return CountMatrix.from_pairs(contexts, outcomes, shape=shape, weights=values)
