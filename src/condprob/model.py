"""What every estimate is: a distribution of outcomes, given a condition.

A condition is a context of a `matrices.ConditionalMatrix`, or a whole history of a
`sequences.SequenceModel`. What the two share is here: an estimate that gives `rows`, and the
probabilities `at` pairs, has logarithms, samples and the likeliest outcomes for nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

CELLS_AT_ONCE = 1 << 22  # floats of rows that are held at a time: 32 MB
UNIT = 1e-6  # how far from one a row's sum may be for the row to be drawn from


class ConditionalModel(ABC):
    """A distribution of ``outcomes`` outcomes for each condition."""

    @property
    @abstractmethod
    def outcomes(self) -> int:
        """Number of outcomes."""

    @abstractmethod
    def rows(self, conditions) -> np.ndarray:
        """Return the distribution after each condition, shape (len(conditions), outcomes)."""

    @abstractmethod
    def at(self, conditions, outcomes) -> np.ndarray:
        """Return the probability of each outcome after its condition, broadcast together."""

    def log_prob(self, conditions, outcomes) -> np.ndarray:
        """Return the logarithm of `at`, nats; ``-inf`` where the probability is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.at(conditions, outcomes))

    def sample(self, conditions, seed=0) -> np.ndarray:
        """Draw an outcome after each condition.

        Parameters
        ----------
        conditions : sequence of length n
        seed : int, numpy.random.SeedSequence or numpy.random.Generator

        Returns
        -------
        numpy.ndarray of int64, shape (n,)

        Raises
        ------
        ValueError
            If a row does not sum to one: stupid backoff as published gives scores.
        """
        distinct, row_of = self._distinct(conditions)
        uniforms = np.random.default_rng(seed).random(row_of.size)
        order = np.argsort(row_of, kind="stable")
        drawn = np.empty(row_of.size, dtype=np.int64)
        for start, rows in self._blocks(distinct):
            if (abs(rows.sum(axis=1) - 1) > UNIT).any():
                raise ValueError("a row does not sum to one: there is nothing to sample from")
            edges = np.searchsorted(row_of[order], [start, start + len(rows)])
            which = order[slice(*edges)]
            drawn[which] = draw_by_inversion(rows, row_of[which] - start, uniforms[which])
        return drawn

    def top(self, condition, n: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Return the likeliest outcomes after one condition, the likeliest first.

        Returns
        -------
        outcomes : numpy.ndarray of int64, shape (min(n, outcomes),)
            Among equals, the smaller number comes first.
        probabilities : numpy.ndarray, the same shape
        """
        (row,) = self.rows([condition])
        best = np.argsort(-row, kind="stable")[:n]
        return best, row[best]

    def _distinct(self, conditions) -> tuple[list, np.ndarray]:
        """Return the distinct conditions, and the place of each condition among them."""
        place = {}
        found = [place.setdefault(condition, len(place)) for condition in conditions]
        return list(place), np.array(found, dtype=np.int64)

    def _blocks(self, conditions) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows of all conditions, some at a time, each with the place of its first."""
        step = max(CELLS_AT_ONCE // self.outcomes, 1)
        for start in range(0, len(conditions), step):
            yield start, self.rows(conditions[start : start + step])


def draw_by_inversion(rows: np.ndarray, which: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Draw a label from ``rows[which[s]]`` for each ``s``, by inversion of all rows at once.

    Parameters
    ----------
    rows : numpy.ndarray, shape (r, labels)
        Distributions.
    which : numpy.ndarray of int, shape (n,)
        The row of each draw.
    uniforms : numpy.ndarray, shape (n,)
        Uniform on [0, 1).

    Returns
    -------
    numpy.ndarray of int64, shape (n,)
    """
    steps = np.cumsum(rows, axis=1)
    steps /= steps[:, -1:]  # The last step is exactly one: no draw falls off the end.
    steps += np.arange(len(rows))[:, None]
    found = np.searchsorted(steps.ravel(), which + uniforms, side="right")
    return np.minimum(found - which * rows.shape[1], rows.shape[1] - 1)
