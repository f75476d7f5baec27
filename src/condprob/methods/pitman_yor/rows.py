"""Pitman-Yor rows around a base, Eq. (1) of docs/py-lr-model.md, and their likelihood by (7)."""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar

from condprob.checks.entries import weighted_logs
from condprob.counts import CountMatrix
from condprob.methods.pitman_yor import constants
from condprob.splits import units_of
from condprob.text.ngrams import estimate_discounts

ONE_DISCOUNT = 0.75  # of each count, as `kn` has it
MOST_DISCOUNTS = (0.98, 1.96, 2.94)  # of counts of 1, 2 and more: some of each count is kept


class Tokens(NamedTuple):
    """Counts as observations: themselves if they are whole, otherwise over a unit.

    Attributes
    ----------
    values : numpy.ndarray, shape (nnz,)
    whole : numpy.ndarray of int64, shape (nnz,)
        The same, at least one, without fractions.
    unit : float
        What one token counts: see `splits.units_of`. A factor of all counts changes nothing else.
    """

    values: np.ndarray
    whole: np.ndarray
    unit: float


def count_tokens(counts: CountMatrix) -> Tokens:
    """Return the counts in tokens."""
    whole = units_of(counts)
    unit = 1.0 if counts.is_whole or not counts.nnz else float(counts.values.sum() / whole.sum())
    values = counts.values / unit
    if np.allclose(values, whole, rtol=1e-9, atol=0.0):
        values = whole.astype(float)
    return Tokens(values, whole, unit)


def learn_discounts(tokens: Tokens) -> np.ndarray:
    """Return the three discounts of modified Kneser-Ney, each below its count, shape (3,)."""
    return np.minimum(np.array(estimate_discounts(tokens.whole)), MOST_DISCOUNTS)


def discounts_by_count(values: np.ndarray, discounts: np.ndarray) -> np.ndarray:
    """Return the discount of each count, shape (nnz,), by ``discounts`` of 1, 2 and more.

    A count has the discount of the whole number below it; below one, that part of the first.
    """
    return discounts[np.clip(values, 1, 3).astype(int) - 1] * np.minimum(values, 1.0)


def weigh(sums: np.ndarray, freed: np.ndarray, strength: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the divisor of a row's counts and the weight of its base, which is one if none is.

    ``sums`` and ``freed`` are the sums of a row's counts and of their discounts, of one shape.
    """
    seen = sums > 0
    divisor = np.where(seen, sums + strength, 1.0)
    return divisor, np.where(seen, (strength + freed) / divisor, 1.0)


class Rows:
    """The rows of counts, without their base.

    Parameters
    ----------
    counts : CountMatrix
    values : numpy.ndarray, shape (nnz,)
        Of the counts, in tokens.
    discounts : numpy.ndarray, shape (3,)
    """

    def __init__(self, counts: CountMatrix, values: np.ndarray, discounts: np.ndarray) -> None:
        self.counts, self.values, self.discounts = counts, values, discounts
        self.contexts = counts.contexts
        rows = counts.shape[0]
        self.taken = discounts_by_count(values, discounts)
        self.freed = np.bincount(self.contexts, self.taken, minlength=rows)
        self.sums = np.bincount(self.contexts, values, minlength=rows)

    def with_one_discount(self) -> "Rows":
        """Return the same counts with one discount for all."""
        return Rows(self.counts, self.values, np.full(3, ONE_DISCOUNT))

    def around(self, strength: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the entries of the rows, shape (nnz,), and the base's share, (contexts,)."""
        divisor, of_base = weigh(self.sums, self.freed, strength)
        return (self.values - self.taken) / divisor[self.contexts], of_base

    @cached_property
    def left_out(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is kept of each count, and freed and counted in its row, without one token of it."""
        out = np.minimum(self.values, 1.0)
        rest = self.values - out
        less = np.where(rest > 0, discounts_by_count(rest, self.discounts), 0.0)
        freed = (self.freed[self.contexts] - self.taken) + less
        return rest - less, freed, self.sums[self.contexts] - out

    def given(self, base: np.ndarray, strength: float) -> np.ndarray:
        """Return the probability of a token of each pair by the others, shape (nnz,).

        ``base``, shape (nnz,), is the probability of the pair in a base without the token.
        """
        return _add_base(*self.left_out, base, strength)

    def likelihood(self, base: np.ndarray, strength: float) -> float:
        """Return the likelihood of all tokens, each by the others, nats."""
        return weighted_logs(self.values, self.given(base, strength))

    def learn_strength(self, base: np.ndarray) -> float:
        """Return the maximum-likelihood strength around a base."""
        found = minimize_scalar(
            lambda log: -self.likelihood(base, np.exp(log)),
            bounds=(-np.log(constants.MOST_STRENGTH), np.log(constants.MOST_STRENGTH)),
            method="bounded",
            options={"xatol": 0.05},
        )
        return float(np.exp(found.x))

    def share_of_base(self, strength: float) -> float:
        """Return the mean over tokens of ``theta / (theta + C_i)``."""
        seen = self.sums[self.sums > 0]
        return float(seen @ (strength / (strength + seen)) / seen.sum()) if seen.size else 1.0


def _add_base(kept, freed, sums, base, strength):
    """Return Eq. (1) for each pair, shape (nnz,); its base where the row has nothing else."""
    divisor = strength + np.maximum(sums, 0.0)
    mixed = kept + (strength + freed) * base
    return np.divide(mixed, divisor, out=base.copy(), where=divisor > 0)
