"""Held-out pairs: how they are dealt into folds, and the evidence they give for types or tokens.

Types count each distinct pair once; tokens count a pair as often as it was seen. The better kind is
not simply chosen. Where types alone explain the held-out pairs clearly better, both kinds stand
side by side and learn their shares, as for a text. Where types alone are worse, tokens stand alone,
as for draws from a model of low rank. Between the two, the weight of types changes slowly, so that
no accident of the folds decides.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.models.before.bases import FittedBase
from condprob.sparse_plus_low_rank import SparsePart
from condprob.splits import Split, take_out, units_of, weigh_units

# Five sixths of the pairs are fitted, and a sixth is held out. 570a500:benchmarks/constants.csv.
FOLDS = 6

DEALS = 3  # how often few pairs are dealt out, at most; 570a500:benchmarks/constants.csv
# How often the pairs of a short text are dealt out. 570a500:docs/settings.md, "Short texts".
DEALS_OF_SHORT = 6

# Nats per new pair by which types must beat tokens to have some weight, and all of it. In texts of
# 400 words and more types win by .05 to .33; in models of low rank they lose, but for accidents of
# few pairs (570a500:docs/settings.md, "The kinds of base"; 570a500:benchmarks/design.csv).
SOME, ALL = 0.007, 0.02
# Nats per new pair: keep bases by tokens beside types if adding them may gain more than this.
# 570a500:docs/settings.md, "Tokens beside types".
ADDED = 0.014
# Standard errors that make a difference clear:
# 570a500:benchmarks/constants.csv.
CLEAR = 3.0


class FoldPairs(NamedTuple):
    """The held-out pairs of a fold, and their probabilities by fits to the others.

    Attributes
    ----------
    rest : CountMatrix
        The counts of the other pairs.
    contexts, outcomes : numpy.ndarray of int, shape (pairs,)
    counts : numpy.ndarray of float, shape (pairs,)
        How often each pair was held out.
    bases : numpy.ndarray, shape (pairs, components)
        Probability of each pair by each component, fitted to the others.
    """

    rest: CountMatrix
    contexts: np.ndarray
    outcomes: np.ndarray
    counts: np.ndarray
    bases: np.ndarray

    @property
    def is_new(self) -> np.ndarray:
        """Whether a pair does not occur among the others, shape (pairs,)."""
        rest = self.rest
        known = SparsePart(rest.indptr, rest.outcomes, rest.values)
        return known.at(self.contexts, self.outcomes) == 0


def deal_out(counts: CountMatrix, rng: np.random.Generator) -> list[Split]:
    """Return the folds, each held out in turn; a split with an empty part is left out."""
    splits = [take_out(counts, drawn) for drawn in split_counts(counts, FOLDS, rng)]
    return [split for split in splits if split.rest.nnz and split.held_out.nnz]


def deal_often(
    counts: CountMatrix, fitted: float, wanted: float, rng: np.random.Generator
) -> list[Split]:
    """Return folds until their training parts hold ``fitted`` distinct pairs.

    If all folds together have far fewer held-out pairs than ``wanted``, the pairs are dealt out
    again, up to `DEALS` times.
    """
    folds = deal_out(counts, rng)
    sizes = np.cumsum([fold.rest.nnz for fold in folds])
    deals = min(round(wanted / counts.n), DEALS) if folds else 1
    for _ in range(deals - 1):
        folds += deal_out(counts, rng)
    return folds if deals > 1 else folds[: np.searchsorted(sizes, fitted) + 1]


def deal_on(counts: CountMatrix, folds: Sequence[Split], rng: np.random.Generator) -> list[Split]:
    """Return further folds, so that few pairs are dealt out `DEALS_OF_SHORT` times in all."""
    done = round(len(folds) / FOLDS)
    return [fold for _ in range(DEALS_OF_SHORT - done) for fold in deal_out(counts, rng)]


def count_once(parts: Sequence[FoldPairs], n: float) -> list[FoldPairs]:
    """Return the parts with counts that sum to ``n``, however often pairs were dealt out."""
    often = max(sum(part.counts.sum() for part in parts) / n, 1.0)
    return [part._replace(counts=part.counts / often) for part in parts]


def split_counts(counts: CountMatrix, folds: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Deal out the pairs at random; return the counts of each fold, shape (nnz,) each.

    Real counts are dealt out by units: see `splits.units_of`.
    """
    units, found = units_of(counts), []
    left = units
    for fold in range(folds):
        drawn = rng.binomial(left, 1 / (folds - fold))
        found.append(weigh_units(counts, units, drawn))
        left = left - drawn
    return found


def predict_fold(fold: Split, fits: Sequence[FittedBase]) -> FoldPairs:
    """Return the held-out pairs of a fold with their probabilities by fits to its other part."""
    pairs = fold.held_out.contexts, fold.held_out.outcomes
    bases = np.column_stack([base.at(*pairs) for base in fits])
    return FoldPairs(fold.rest, *pairs, fold.held_out.values.astype(float), bases)


class Evidence(NamedTuple):
    """How much better types alone explain held-out pairs than tokens alone.

    Attributes
    ----------
    pairs : float
        Number of new held-out pairs, which do not occur among the others; zero without any.
    gain, error : float
        Lead of types alone over tokens alone, nats per new pair, and its standard error over all
        held-out pairs. (Rows explain repeated pairs; the base is needed for new ones.)
    weight : float
        Weight of types and tokens side by side; tokens alone have the rest.
    """

    pairs: float
    gain: float
    error: float
    weight: float

    @property
    def loser(self) -> str | None:
        """The kind that is clearly behind, if one is."""
        if self.is_above(ALL):
            return "tokens"
        return None if self.may_be_above(SOME) else "types"

    def is_above(self, least: float) -> bool:
        """Return whether the gain is clearly above so many nats."""
        return self.gain - CLEAR * self.error > least

    def may_be_above(self, least: float) -> bool:
        """Return whether the gain is not clearly below so many nats."""
        return self.gain + CLEAR * self.error >= least

    @classmethod
    def of_no_pairs(cls, are_types: bool) -> "Evidence":
        """Return the evidence where there is one kind only, or none."""
        return cls(0.0, 0.0, 0.0, float(are_types))


def weigh_types(counts: np.ndarray, gains: np.ndarray, is_new: np.ndarray) -> Evidence:
    """Weigh types by their gain on held-out pairs.

    Parameters
    ----------
    counts : numpy.ndarray, shape (pairs,)
        How often each pair was held out.
    gains : numpy.ndarray, shape (pairs,)
        Log probability of each pair by types alone minus by tokens alone, nats.
    is_new : numpy.ndarray of bool, shape (pairs,)
        Whether the pair does not occur among the others.
    """
    new = float(counts @ is_new)
    if not new:
        return Evidence.of_no_pairs(are_types=False)
    deviations = gains - counts @ gains / counts.sum()
    gain, error = float(counts @ gains) / new, float(np.sqrt(counts @ deviations**2)) / new
    return Evidence(new, gain, error, float(np.clip((gain - SOME) / (ALL - SOME), 0.0, 1.0)))
