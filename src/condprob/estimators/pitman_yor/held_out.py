"""Pairs that are held out of the fits, and what the components give to them.

The pairs are dealt into folds. What is left of a fold is fitted, and the fold asks.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.estimators.pitman_yor.bases import FittedBase
from condprob.estimators.splits import Split, take_out
from condprob.matrices.sparse_plus_low_rank import SparsePart

FOLDS = 6  # so five sixths of the pairs are fitted while a sixth asks; not measured


class HeldOut(NamedTuple):
    """Held-out pairs, and what the others say of them.

    Attributes
    ----------
    rest : CountMatrix
        The counts of the other pairs.
    contexts, outcomes : numpy.ndarray of int, shape (pairs,)
    counts : numpy.ndarray of float, shape (pairs,)
        How often each was held out.
    bases : numpy.ndarray, shape (pairs, components)
        What each component, fitted to the others, gives to each.
    """

    rest: CountMatrix
    contexts: np.ndarray
    outcomes: np.ndarray
    counts: np.ndarray
    bases: np.ndarray

    @property
    def is_new(self) -> np.ndarray:
        """Whether the others lack it, shape (pairs,)."""
        rest = self.rest
        known = SparsePart(rest.indptr, rest.outcomes, rest.values)
        return known.at(self.contexts, self.outcomes) == 0


def deal_out(counts: CountMatrix, rng: np.random.Generator) -> list[Split]:
    """Return the folds in turn as what is held out, but those where one of the two is empty."""
    splits = [take_out(counts, drawn) for drawn in split_counts(counts, FOLDS, rng)]
    return [split for split in splits if split.rest.nnz and split.held_out.nnz]


def split_counts(counts: CountMatrix, folds: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Deal out the pairs at random; return the counts of each fold, shape (nnz,) each.

    Of real counts each distinct pair goes to one fold, with all its weight.
    """
    if not counts.is_whole:
        fold_of = rng.integers(folds, size=counts.nnz)
        return [np.where(fold_of == fold, counts.values, 0.0) for fold in range(folds)]
    left, found = counts.values.astype(np.int64), []
    for fold in range(folds):
        found.append(rng.binomial(left, 1 / (folds - fold)))
        left = left - found[-1]
    return found


def first_folds(folds: Sequence[Split], sizes: Sequence[float], enough: float) -> Sequence[Split]:
    """Return the first folds whose sizes add up to enough; all, if they do not."""
    return folds[: np.searchsorted(np.cumsum(sizes), enough) + 1]


def ask(fold: Split, fits: Sequence[FittedBase]) -> HeldOut:
    """Return what components that were fitted to the rest of a fold give to its held-out pairs."""
    pairs = fold.held_out.contexts, fold.held_out.outcomes
    bases = np.column_stack([base.at(*pairs) for base in fits])
    return HeldOut(fold.rest, *pairs, fold.held_out.values.astype(float), bases)
