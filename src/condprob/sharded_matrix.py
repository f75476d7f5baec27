"""A matrix whose rows are in several files, such as a fit on many machines leaves behind."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import check_integer, check_labels, check_rising
from condprob.counts import CountMatrix
from condprob.entries import take
from condprob.io import load
from condprob.matrix import ConditionalMatrix, at_pairs, is_counts
from condprob.model import Ended, take_ended
from condprob.shards import Shards, add_rows, check_shapes


@dataclass(frozen=True, eq=False, repr=False)
class ShardedMatrix(ConditionalMatrix, kind="shards"):
    """A matrix of which file ``b`` has the rows ``bounds[b]..bounds[b + 1] - 1``.

    With a client, answers of many rows come from its workers, each from its own files; without one
    this process opens the files. ``save`` keeps the names of the files, not their rows.

    Attributes
    ----------
    bounds : numpy.ndarray of int64, shape (files + 1,)
    files : tuple of str
        Files of matrices, as `ConditionalModel.save` writes them.
    columns : int
        The number of outcomes.
    end : str
        See `ended`.
    client : dask.distributed.Client, optional
    """

    bounds: np.ndarray = field(repr=False)
    files: tuple[str, ...] = field(repr=False)
    columns: int
    end: Ended
    client: Any = field(repr=False, default=None)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return int(self.bounds[-1]), self.columns

    @property
    def ended(self) -> Ended:
        """See `ConditionalModel.ended`."""
        return self.end

    def part(self, number: int) -> ConditionalMatrix:
        """Return the matrix of a file; a low-rank one has ``W`` of its rows, ``H`` and history."""
        return _open(self.files[number])

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """See `ConditionalModel.rows`."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        return self._by_part("rows", contexts)[0]

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """See `ConditionalModel.at`."""
        at = partial(self._by_part, "at")
        return at_pairs(lambda *pairs: at(*pairs)[0], self.shape, contexts, outcomes)

    def top(
        self, condition: ArrayLike, n: int = 10, *, exclude: Any = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """See `ConditionalModel.top`; only the likeliest outcomes leave the workers."""
        if is_counts(exclude) or np.ndim(condition) > 1:
            return super().top(condition, n, exclude=exclude)
        contexts = check_labels(condition, self.shape[0], "contexts")
        n = check_integer("n", n, 0)
        best = self._by_part("top", contexts.ravel(), n=n, exclude=exclude)
        return tuple(found.reshape(*contexts.shape, found.shape[1]) for found in best)

    def cross_entropy(self, shards: Shards) -> float:
        """Return `risk.cross_entropy` of held-out counts in files of the matrix's shape, nats.

        Raises
        ------
        ValueError
            If the shapes differ, or there is no test pair.
        """
        files, rows = [os.path.abspath(shard) for shard in shards], list(pairwise(self.bounds))
        found = self._each(partial(_loss_of, files, self.shape), self.files, rows)
        loss, n = map(sum, zip(*found, strict=True))
        if n == 0:
            raise ValueError("cross-entropy on no pairs: at least one test pair is needed")
        return loss / n

    def _by_part(self, name: str, contexts: np.ndarray, *more: np.ndarray, **how: Any) -> list:
        """Return the arrays that a method of each part gives for its contexts, in their order."""
        of_context = np.searchsorted(self.bounds, contexts, side="right") - 1
        parts = np.unique(of_context) if contexts.size else [0]
        places = [np.flatnonzero(of_context == number) for number in parts]
        files = [self.files[number] for number in parts]
        within = contexts - self.bounds[of_context]
        arguments = ([array[place] for place in places] for array in (within, *more))
        answers = self._each(partial(_answer, name, how), files, *arguments)
        order = np.argsort(np.concatenate(places), kind="stable")
        return [np.concatenate(arrays)[order] for arrays in zip(*answers, strict=True)]

    def _each(self, function: Callable, *arguments: list) -> list:
        """Return what a function gives for each file, computed where the client says."""
        if self.client is None:
            return list(map(function, *arguments))
        return self.client.gather(self.client.map(function, *arguments, pure=False))

    def arrays(self) -> dict[str, np.ndarray]:
        """See `ConditionalModel.arrays`."""
        plain = {"files": self.files, "columns": self.columns, "ended": self.end}
        return {"bounds": self.bounds} | {name: np.array(value) for name, value in plain.items()}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "ShardedMatrix":
        """See `ConditionalModel.from_arrays`."""
        files = tuple(take(arrays, "files", "U", (None,)).tolist())
        bounds = take(arrays, "bounds", "i", (len(files) + 1,))
        check_rising(bounds, bounds[-1], "bounds")
        columns = take(arrays, "columns", "i", (), 1).item()
        return cls(bounds, files, columns, take_ended(arrays))


def _answer(name: str, how: dict[str, Any], file: str, *arguments: np.ndarray) -> tuple:
    """Return the arrays that a method of the matrix in a file gives."""
    found = getattr(_open(file), name)(*arguments, **how)
    return found if isinstance(found, tuple) else (found,)


def _open(file: str, read: Callable = load) -> Any:
    return _open_version(file, read, os.stat(file).st_mtime_ns)


@lru_cache(maxsize=64)  # of the files of one machine; not measured
def _open_version(file: str, read: Callable, written: int) -> Any:
    return read(file, mmap=True)


def _loss_of(shards: list, shape: tuple, file: str, rows: tuple) -> tuple[float, int | float]:
    """Return ``sum C log(1 / Q)`` over some rows of held-out counts, nats, and ``sum C``."""
    parts = [_open(shard, CountMatrix.load) for shard in shards]
    check_shapes(["the matrix", *shards], [shape, *(part.shape for part in parts)])
    counts = add_rows(parts, rows)
    chances = _open(file).log_prob(counts.contexts, counts.outcomes)
    return -float(counts.values @ chances), counts.n
