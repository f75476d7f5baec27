"""Settings of the rows by what held-out pairs say of them: strength, discounts and shares.

A pair that was held out has, by the counts of the others, the probability of `rows`, with the base
``sum_b share_b B_b``. Strengths and discounts are few and are tried one by one, each at its best
shares, which `shares.fit_shares` finds.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from condprob.estimators.pitman_yor.bases import Component, is_low_rank
from condprob.estimators.pitman_yor.held_out import HeldOut
from condprob.estimators.pitman_yor.rows import BINS, Rows, bin_of, take, weigh
from condprob.estimators.shares import MixedPairs, fit_shares
from condprob.matrices.sparse_plus_low_rank import SparsePart

# Tried, where the strength is learned: from nothing of the base but what the discounts free, to
# nothing but the base. This grid: not measured.
STRENGTHS = (0.0, *(2.0**power for power in range(-2, 11)), np.inf)
# Tried, where the discount is learned and the counts are not whole. These four: not measured. For
# whole counts Kneser-Ney's three are better (docs/beyond.md, "Strength, discounts and shares").
DISCOUNTS = (0.0, 0.5, 0.75, 0.9)
PRIOR_OF_ALL = 0.1  # pseudo-pairs that all components share equally; not measured
# Pseudo-pairs that the low-rank components share beside: what a dozen held-out pairs cannot tell is
# left to them. Not measured.
PRIOR_OF_LOW_RANK = 3.0
PRIOR_OF_BIN = 50.0  # pseudo-pairs that hold the shares of a bin near those of all; not measured
# Nats per pair by which settings may differ and still be as likely: above the rounding of sums.
EVEN = 1e-9
TELLING = 1000  # held-out pairs that can tell a useful component from a useless one; not measured
TINY = 0.003  # with so many pairs, a component with a smaller share is left out; not measured


class Candidates(NamedTuple):
    """Strengths and discounts to try, both in ascending order; see `Learned`."""

    strengths: Sequence[float]
    discounts: Sequence[float | str]

    @property
    def number(self) -> int:
        """How many settings they are."""
        return len(self.strengths) * len(self.discounts)


class Learned(NamedTuple):
    """The settings of the rows.

    Attributes
    ----------
    strength : float
        Infinite where the rows are the base.
    discount : float or "estimated" or "modified"
    shares : numpy.ndarray, shape (bins + 1, components)
        For contexts by how often they were seen: see `rows.bin_of`.
    likelihood : float
        Of the held-out pairs, nats, with one share of each component for all contexts.
    """

    strength: float
    discount: float | str
    shares: np.ndarray
    likelihood: float


def list_candidates(strength: float | str, discount: float | str, is_whole: bool) -> Candidates:
    """Return what is tried under the options of `estimator.PitmanYorLowRank`.

    ``is_whole`` says whether the counts are.
    """
    named = {"learned": STRENGTHS, "infinite": (np.inf,)}
    strengths = named.get(strength, (strength,))
    if discount != "learned":
        return Candidates(strengths, (discount,))
    if strength == "infinite":  # the counts are not used, so there is nothing to take from
        return Candidates(strengths, (0.0,))
    return Candidates(strengths, ("modified",) if is_whole else DISCOUNTS)


def prior_of(components: Sequence[Component]) -> np.ndarray:
    """Return the pseudo-pairs of each component, shape (components,)."""
    low_rank = is_low_rank(components).astype(float)
    of_all = np.full(low_rank.size, PRIOR_OF_ALL / low_rank.size)
    return of_all + PRIOR_OF_LOW_RANK * low_rank / max(low_rank.sum(), 1.0)


def without_pairs(candidates: Candidates, components: int) -> Learned:
    """Return the settings where there is no choice, or no pair that could be held out.

    Shares are equal. The smallest strength and the largest discount are taken: so what was seen
    weighs as much as a row without strength lets it, and no outcome is left with nothing.
    """
    shares = np.full((BINS.size + 1, components), 1 / components)
    return Learned(candidates.strengths[0], candidates.discounts[-1], shares, np.nan)


def learn(parts: Sequence[HeldOut], candidates: Candidates, prior: np.ndarray) -> Learned:
    """Return the settings under which the held-out pairs are likeliest.

    Parameters
    ----------
    parts : sequence of HeldOut
        At least one.
    candidates : Candidates
    prior : numpy.ndarray, shape (components,)
        Pseudo-pairs that each component has explained beforehand.
    """
    counts = np.concatenate([part.counts for part in parts])
    bases = np.concatenate([part.bases for part in parts]).T.copy()
    discounted = {each: discount_pairs(parts, each) for each in candidates.discounts}
    tried = []
    for discount in candidates.discounts:
        shares = np.full(len(bases), 1 / len(bases))
        for strength in candidates.strengths:
            if discount == strength == 0 and candidates.number > 1:
                continue  # a seen row would give everything to what it has seen
            pairs = MixedPairs(*discounted[discount].around(strength), bases, counts)
            shares, likelihood = fit_shares(pairs, shares, prior)
            tried.append(Learned(strength, discount, shares, likelihood))
    best = choose(tried, candidates.discounts, EVEN * counts.sum())
    pairs = MixedPairs(*discounted[best.discount].around(best.strength), bases, counts)
    shares = best.shares
    if counts.sum() >= TELLING:
        shares = np.where(shares < TINY, 0.0, shares)
        shares = fit_shares(pairs, shares / shares.sum(), prior).shares
    bins = np.concatenate([bin_of(part.rest.row_sums[part.contexts]) for part in parts])
    return best._replace(shares=shares_of_bins(pairs, bins, shares))


def choose(tried: Sequence[Learned], discounts: Sequence[float | str], even: float) -> Learned:
    """Return the likeliest settings; in a tie the smallest discount, and its largest strength.

    So where the held-out pairs cannot tell, as where none of their contexts is among the others,
    an infinite strength is taken, and the rows are the base.

    Parameters
    ----------
    tried : sequence of Learned
    discounts : sequence
        Of those tried, in ascending order.
    even : float
        By how much the likelihood of settings may be below the largest, nats, and they are still
        as likely.
    """
    most = max(one.likelihood for one in tried)
    likeliest = [one for one in tried if one.likelihood >= most - even]
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
    found = np.tile(shares, (BINS.size + 1, 1))
    for bin, of_bin in enumerate(found):
        inside = bins == bin
        if inside.any():
            of_bin[:] = fit_shares(pairs.where(inside), shares, PRIOR_OF_BIN * shares).shares
    return found


class DiscountedPairs(NamedTuple):
    """Held-out pairs by the discounted counts of the others, arrays of shape (pairs,).

    Attributes
    ----------
    kept : numpy.ndarray
        What discounts leave of the count that the others have of a pair.
    freed, sums : numpy.ndarray
        What they take of the row of its context, and the sum of the row before.
    """

    kept: np.ndarray
    freed: np.ndarray
    sums: np.ndarray

    def around(self, strength: float) -> Rows:
        """Return the entries at the pairs and what their rows leave to the base, (pairs,) each."""
        weights = weigh(self.sums, self.freed, strength)
        return Rows(self.kept / weights.divisor, weights.left)


def discount_pairs(parts: Sequence[HeldOut], discount: float | str) -> DiscountedPairs:
    """Return the pairs of all parts; for the discount see `rows.take`."""
    found = []
    for part in parts:
        rest, taken = part.rest, take(part.rest, discount)
        entries = SparsePart(rest.indptr, rest.outcomes, rest.values - taken.of_counts)
        kept = entries.at(part.contexts, part.outcomes)
        sums = rest.row_sums[part.contexts].astype(float)
        found.append(DiscountedPairs(kept, taken.of_rows[part.contexts], sums))
    return DiscountedPairs(*map(np.concatenate, zip(*found, strict=True)))
