"""Strength, discount and shares of a base's components, by the likelihood of held-out pairs.

Pairs are dealt out into folds, and each fold is held out in turn. The counts of the other pairs
give a held-out pair the probability of `rows_around_base`, with the base ``sum_b share_b B_b``.
Strengths and discounts are compared one by one, each with its maximum-likelihood shares.
"""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.methods.pitman_yor.constants import BINS
from condprob.methods.pitman_yor.novelty import bin_of
from condprob.methods.pitman_yor.rows import weigh
from condprob.sparse_plus_low_rank import SparsePart
from condprob.splits import Split, take_out, units_of, weigh_units
from reproduction.studies.beyond.rivals.rows_around_base import FittedBase, Learned, take_discounts
from reproduction.studies.beyond.rivals.shares import MixedPairs, fit_shares

# The comments "constants.csv" name 570a500:benchmarks/constants.csv, where each constant is halved
# and doubled on training halves and models.
FOLDS = 6  # five sixths of the pairs are fitted, and a sixth is held out; constants.csv
DEALS = 3  # how often few pairs are dealt out, at most; constants.csv
TELLING = 1000  # held-out pairs that show whether a component is useful; constants.csv
# With so many pairs, a component with a smaller share is left out; constants.csv.
SMALLEST_SHARE = 0.003
# Strengths to compare. With 0 the base has only the mass that discounts free; with infinity the
# rows are the base. A finer and a coarser grid: constants.csv.
STRENGTHS = (0.0, *(2.0**power for power in range(-2, 11)), np.inf)
# Discounts to compare where the counts are not whole: constants.csv. For whole counts the three of
# modified Kneser-Ney are better (with 1,000 words of Genesis by .08 nats).
DISCOUNTS = (0.0, 0.5, 0.75, 0.9)
PRIOR_OF_BIN = 50.0  # pseudo-pairs that hold the shares of a bin near those of all; constants.csv
# Nats per pair by which settings may differ and still be as likely: above the rounding of sums.
LIKELIHOOD_TOLERANCE = 1e-9


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


def deal_out(counts: CountMatrix, rng: np.random.Generator) -> list[Split]:
    """Deal out the pairs at random, and return the folds, each held out in turn.

    Real counts are dealt out by units: see `splits.units_of`. A split with an empty part is left
    out.
    """
    units, splits = units_of(counts), []
    left = units
    for fold in range(FOLDS):
        drawn = rng.binomial(left, 1 / (FOLDS - fold))
        splits.append(take_out(counts, weigh_units(counts, units, drawn)))
        left = left - drawn
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


def predict_fold(fold: Split, fits: Sequence[FittedBase]) -> FoldPairs:
    """Return the held-out pairs of a fold with their probabilities by fits to its other part."""
    pairs = fold.held_out.contexts, fold.held_out.outcomes
    bases = np.column_stack([base.at(*pairs) for base in fits])
    return FoldPairs(fold.rest, *pairs, fold.held_out.values.astype(float), bases)


def count_once(parts: Sequence[FoldPairs], n: float) -> list[FoldPairs]:
    """Return the parts with counts that sum to ``n``, however often pairs were dealt out."""
    often = max(sum(part.counts.sum() for part in parts) / n, 1.0)
    return [part._replace(counts=part.counts / often) for part in parts]


def without_pairs(discounts: Sequence[float | str], components: int) -> Learned:
    """Return the settings where no pair could be held out.

    Shares are equal. The strength is the smallest, so that the seen pairs weigh most; the discount
    is the largest, so that every outcome has some probability.
    """
    shares = np.full((len(BINS) + 1, components), 1 / components)
    return Learned(STRENGTHS[0], discounts[-1], shares, np.nan)


def discount_pairs(
    parts: Sequence[FoldPairs], discount: float | str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the held-out pairs of all parts by the discounted counts of the others.

    Three arrays of shape (pairs,): the count of the pair among the others less its discount, the
    sum of that row, and the sum of its discounts (`rows_around_base.take_discounts`).
    """
    found = []
    for part in parts:
        rest, (taken, freed) = part.rest, take_discounts(part.rest, discount)
        entries = SparsePart(rest.indptr, rest.outcomes, rest.values - taken)
        kept = entries.at(part.contexts, part.outcomes)
        sums = rest.row_sums[part.contexts].astype(float)
        found.append((kept, sums, freed[part.contexts]))
    return tuple(map(np.concatenate, zip(*found, strict=True)))


def learn(
    parts: Sequence[FoldPairs], discounts: Sequence[float | str], prior: np.ndarray
) -> Learned:
    """Return the settings under which the held-out pairs are most probable.

    Parameters
    ----------
    parts : sequence of FoldPairs
        At least one.
    discounts : sequence of float or str
        To compare, in ascending order: see `rows_around_base.take_discounts`.
    prior : numpy.ndarray, shape (components,)
        Pseudo-pairs of each component, positive.
    """
    counts = np.concatenate([part.counts for part in parts])
    bases = np.concatenate([part.bases for part in parts]).T.copy()
    discounted = {each: discount_pairs(parts, each) for each in discounts}

    def pairs_under(settings):
        kept, sums, freed = discounted[settings.discount]
        if np.isinf(settings.strength):  # nothing but the base
            return MixedPairs(np.zeros(kept.shape), np.ones(sums.shape), bases, counts)
        divisor, left = weigh(sums, freed, settings.strength)
        return MixedPairs(kept / divisor, left, bases, counts)

    results = compare_settings(pairs_under, discounts, prior)
    best = choose(results, discounts, LIKELIHOOD_TOLERANCE * counts.sum())
    pairs, shares = pairs_under(best), best.shares
    if counts.sum() >= TELLING:
        shares = np.where(shares < SMALLEST_SHARE, 0.0, shares)
        shares = fit_shares(pairs, shares / shares.sum(), prior).shares
    bins = np.concatenate([bin_of(part.rest.row_sums[part.contexts]) for part in parts])
    return best._replace(shares=shares_of_bins(pairs, bins, shares))


def compare_settings(
    pairs_under: Callable[[Learned], MixedPairs],
    discounts: Sequence[float | str],
    prior: np.ndarray,
) -> list[Learned]:
    """Return each strength and discount with its best shares, the same for all contexts."""
    results = []
    for discount in discounts:
        shares = np.full(prior.size, 1 / prior.size)
        for strength in STRENGTHS:
            if discount == strength == 0:
                continue  # a seen row would give nothing to unseen outcomes
            settings = Learned(strength, discount, shares, np.nan)
            shares, likelihood = fit_shares(pairs_under(settings), shares, prior)
            results.append(settings._replace(shares=shares, likelihood=likelihood))
    return results


def choose(results: Sequence[Learned], discounts: Sequence[float | str], even: float) -> Learned:
    """Return the most probable settings; in a tie the smallest discount and its largest strength.

    If no context of a held-out pair occurs among the others, all settings are as likely. The
    strength is then infinite, and the rows are the base.

    Parameters
    ----------
    results : sequence of Learned
    discounts : sequence
        All discounts of ``results``, in ascending order.
    even : float
        Settings count as equally likely if their likelihoods differ by less, nats.
    """
    most = max(one.likelihood for one in results)
    likeliest = [one for one in results if one.likelihood >= most - even]
    preferred = min((one.discount for one in likeliest), key=discounts.index)
    of_discount = [one for one in likeliest if one.discount == preferred]
    return max(of_discount, key=attrgetter("strength"))


def shares_of_bins(pairs: MixedPairs, bins: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Return the shares for contexts of each bin, shape (bins + 1, components).

    Parameters
    ----------
    pairs : MixedPairs
    bins : numpy.ndarray of int, shape (pairs,)
        Of the contexts of the pairs.
    shares : numpy.ndarray, shape (components,)
        Of all contexts. A bin stays near them, and has them where no pair is of it.
    """
    found = np.tile(shares, (len(BINS) + 1, 1))
    for bin, of_bin in enumerate(found):
        inside = bins == bin
        if inside.any():
            of_bin[:] = fit_shares(pairs.where(inside), shares, PRIOR_OF_BIN * shares).shares
    return found
