"""Pairs that are held out of the fits, and what the components give to them.

The pairs are dealt into folds. What is left of a fold is fitted, and the fold asks.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.pitman_yor.bases import FittedBase
from condprob.sparse_plus_low_rank import SparsePart
from condprob.splits import Split, take_out, units_of, weigh_units

# So five sixths of the pairs are fitted while a sixth asks. 570a500:benchmarks/constants.csv.
FOLDS = 6

DEALS = 3  # how often few pairs are dealt out, at most; 570a500:benchmarks/constants.csv
# How often those of a short text are. 570a500:docs/settings.md, "Short texts".
DEALS_OF_SHORT = 6


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


def deal_often(
    counts: CountMatrix, fitted: float, asked: float, rng: np.random.Generator
) -> list[Split]:
    """Return folds whose rests have so many distinct pairs in all; all, if they do not.

    Where all folds together have far fewer pairs than ``asked``, they are dealt out anew, up to
    `DEALS` times.
    """
    folds = deal_out(counts, rng)
    sizes = np.cumsum([fold.rest.nnz for fold in folds])
    deals = min(round(asked / counts.n), DEALS) if folds else 1
    for _ in range(deals - 1):
        folds += deal_out(counts, rng)
    return folds if deals > 1 else folds[: np.searchsorted(sizes, fitted) + 1]


def deal_on(counts: CountMatrix, folds: Sequence[Split], rng: np.random.Generator) -> list[Split]:
    """Return further folds, so that few pairs are dealt out `DEALS_OF_SHORT` times in all."""
    done = round(len(folds) / FOLDS)
    return [fold for _ in range(DEALS_OF_SHORT - done) for fold in deal_out(counts, rng)]


def count_once(parts: Sequence[HeldOut], n: float) -> list[HeldOut]:
    """Return the parts with pairs that count for ``n`` in all, however often they were asked."""
    often = max(sum(part.counts.sum() for part in parts) / n, 1.0)
    return [part._replace(counts=part.counts / often) for part in parts]


def split_counts(counts: CountMatrix, folds: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Deal out the pairs at random; return the counts of each fold, shape (nnz,) each.

    Of real counts units are dealt out: see `splits.units_of`.
    """
    units, found = units_of(counts), []
    left = units
    for fold in range(folds):
        drawn = rng.binomial(left, 1 / (folds - fold))
        found.append(weigh_units(counts, units, drawn))
        left = left - drawn
    return found


def ask(fold: Split, fits: Sequence[FittedBase]) -> HeldOut:
    """Return what components that were fitted to the rest of a fold give to its held-out pairs."""
    pairs = fold.held_out.contexts, fold.held_out.outcomes
    bases = np.column_stack([base.at(*pairs) for base in fits])
    return HeldOut(fold.rest, *pairs, fold.held_out.values.astype(float), bases)
