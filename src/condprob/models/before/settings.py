"""Strength, discounts and shares of the rows, chosen by the likelihood of held-out pairs.

The counts of the other pairs give a held-out pair the probability of `rows`, with the base
``sum_b share_b B_b``. Strengths and discounts are compared one by one, each with its likeliest
shares (`shares.fit_shares`).
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from condprob.models.before.bases import KINDS_COMPARED, Component, is_kind, is_low_rank
from condprob.models.before.held_out import Evidence, FoldPairs, weigh_types
from condprob.models.before.rows import BINS, Rows, bin_of, take, weigh
from condprob.models.rivals.shares import MixedPairs, fit_shares
from condprob.sparse_plus_low_rank import SparsePart

# Strengths to compare. With 0 the base has only the mass that discounts free; with infinity the
# rows are the base. A finer and a coarser grid: 570a500:benchmarks/constants.csv.
STRENGTHS = (0.0, *(2.0**power for power in range(-2, 11)), np.inf)
# Discounts to compare where the counts are not whole: constants.csv. For
# whole counts Kneser-Ney's three are better (with 1,000 words of Genesis by .08 nats).
DISCOUNTS = (0.0, 0.5, 0.75, 0.9)
PRIOR_OF_ALL = 0.1  # pseudo-pairs that all components share equally; constants.csv
# Pseudo-pairs that the low-rank components share in addition: they decide where a dozen held-out
# pairs cannot. constants.csv.
PRIOR_OF_LOW_RANK = 3.0
PRIOR_OF_BIN = 50.0  # pseudo-pairs that hold the shares of a bin near those of all; constants.csv
# Nats per pair by which settings may differ and still be as likely: above the rounding of sums.
EVEN = 1e-9
TELLING = 1000  # held-out pairs that show whether a component is useful; constants.csv
TINY = 0.003  # with so many pairs, a component with a smaller share is left out; constants.csv


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
    """Return the settings to compare under the options of `estimator.PitmanYorLowRank`.

    ``is_whole``: whether all counts are integers.
    """
    named = {"learned": STRENGTHS, "infinite": (np.inf,)}
    strengths = named.get(strength, (strength,))
    if discount != "learned":
        return Candidates(strengths, (discount,))
    if strength == "infinite":  # the counts are not used, so there is nothing to take from
        return Candidates(strengths, (0.0,))
    return Candidates(strengths, ("modified",) if is_whole else DISCOUNTS)


def prior_of(components: Sequence[Component], without: str | None = None) -> np.ndarray:
    """Return the pseudo-pairs of each component, shape (components,).

    Low-rank components of the kind ``without`` have none, and so no share.
    """
    used = ~is_kind(components, without)
    low_rank = is_low_rank(components) & used
    of_all = used * PRIOR_OF_ALL / used.sum()
    return of_all + PRIOR_OF_LOW_RANK * low_rank / max(low_rank.sum(), 1)


def without_pairs(candidates: Candidates, components: int) -> Learned:
    """Return the settings where there is no choice, or no pair that could be held out.

    Shares are equal. The strength is the smallest, so that the seen pairs weigh most; the discount
    is the largest, so that every outcome has some probability.
    """
    shares = np.full((BINS.size + 1, components), 1 / components)
    return Learned(candidates.strengths[0], candidates.discounts[-1], shares, np.nan)


class HeldOutPairs(NamedTuple):
    """The held-out pairs of all folds, with their probabilities by fits to the others.

    Attributes
    ----------
    counts : numpy.ndarray, shape (pairs,)
    bases : numpy.ndarray, shape (components, pairs)
    bins : numpy.ndarray of int, shape (pairs,)
        Of the contexts of the pairs.
    is_new : numpy.ndarray of bool, shape (pairs,)
        Whether the others lack it.
    discounted : dict of float or str to DiscountedPairs
        By discount.
    """

    counts: np.ndarray
    bases: np.ndarray
    bins: np.ndarray
    is_new: np.ndarray
    discounted: dict

    @classmethod
    def of(cls, parts: Sequence[FoldPairs], discounts: Sequence[float | str]) -> "HeldOutPairs":
        """Gather the pairs of all parts, at least one, under all discounts."""
        return cls(
            np.concatenate([part.counts for part in parts]),
            np.concatenate([part.bases for part in parts]).T.copy(),
            np.concatenate([bin_of(part.rest.row_sums[part.contexts]) for part in parts]),
            np.concatenate([part.is_new for part in parts]),
            {each: discount_pairs(parts, each) for each in discounts},
        )

    def under(self, settings: Learned) -> MixedPairs:
        """Return the pairs under a strength and a discount."""
        rows = self.discounted[settings.discount].around(settings.strength)
        return MixedPairs(*rows, self.bases, self.counts)


def learn(
    parts: Sequence[FoldPairs],
    candidates: Candidates,
    priors: Sequence[np.ndarray],
    weights: Sequence[float] = (1.0,),
) -> Learned:
    """Return the settings under which the held-out pairs are likeliest.

    Parameters
    ----------
    parts : sequence of FoldPairs
        At least one.
    candidates : Candidates
    priors : sequence of numpy.ndarray, shape (components,)
        Pseudo-pairs of each component; a component with zero has no share. The shares are the
        likeliest under each prior, and their weighted mean is returned.
    weights : sequence of float
        Of the priors in that mean.
    """
    priors = [prior for prior, weight in zip(priors, weights, strict=True) if weight]
    weights = [weight for weight in weights if weight]
    held_out = HeldOutPairs.of(parts, candidates.discounts)
    results = [try_settings(held_out, candidates, prior) for prior in priors]
    mixed = [mix_learned(same, weights) for same in zip(*results, strict=True)]
    best = choose(mixed, candidates.discounts, EVEN * held_out.counts.sum())
    found = next(same for same in zip(*results, strict=True) if same[0][:2] == best[:2])
    refined = [refine(held_out, each, prior) for each, prior in zip(found, priors, strict=True)]
    return mix_learned(refined, weights)


def try_settings(
    held_out: HeldOutPairs, candidates: Candidates, prior: np.ndarray
) -> list[Learned]:
    """Return each strength and discount with its likeliest shares, the same for all contexts."""
    results = []
    for discount in candidates.discounts:
        shares = (prior > 0) / np.count_nonzero(prior)
        for strength in candidates.strengths:
            if discount == strength == 0 and candidates.number > 1:
                continue  # a seen row would give nothing to unseen outcomes
            settings = Learned(strength, discount, shares, np.nan)
            shares, likelihood = fit_shares(held_out.under(settings), shares, prior)
            results.append(settings._replace(shares=shares, likelihood=likelihood))
    return results


def refine(held_out: HeldOutPairs, settings: Learned, prior: np.ndarray) -> Learned:
    """Drop tiny shares if there are enough pairs, and fit the shares of each bin."""
    pairs, shares = held_out.under(settings), settings.shares
    if held_out.counts.sum() >= TELLING:
        shares = np.where(shares < TINY, 0.0, shares)
        shares = fit_shares(pairs, shares / shares.sum(), prior).shares
    return settings._replace(shares=shares_of_bins(pairs, held_out.bins, shares))


def mix_learned(same: Sequence[Learned], weights: Sequence[float]) -> Learned:
    """Return the weighted mean of the shares learned under one strength and one discount."""
    shares = sum(weight * one.shares for weight, one in zip(weights, same, strict=True))
    likelihood = sum(weight * one.likelihood for weight, one in zip(weights, same, strict=True))
    return same[0]._replace(shares=shares, likelihood=likelihood)


class KindComparison(NamedTuple):
    """Held-out pairs, and their likeliest settings with tokens alone and with types alone."""

    held_out: HeldOutPairs
    tokens: Learned
    types: Learned

    @classmethod
    def of(
        cls, parts: Sequence[FoldPairs], candidates: Candidates, components: Sequence[Component]
    ) -> "KindComparison":
        """Compare components of both kinds on the pairs of all parts, at least one."""
        held_out = HeldOutPairs.of(parts, candidates.discounts)
        priors = (prior_of(components, other) for other in KINDS_COMPARED)
        return cls(held_out, *(find_best(held_out, candidates, prior) for prior in priors))

    def weigh(self) -> Evidence:
        """Return how much likelier the pairs are by types alone than by tokens alone."""
        tokens, types = (
            explain(self.held_out.under(b), b.shares) for b in (self.tokens, self.types)
        )
        return compare(self.held_out, types, tokens)

    def gain_of_tokens(self, components: Sequence[Component]) -> Evidence:
        """Return how much likelier the pairs are by both kinds than by types alone.

        Strength and discount are those of types alone.
        """
        pairs, prior = self.held_out.under(self.types), prior_of(components)
        both = fit_shares(pairs, np.full(prior.size, 1 / prior.size), prior)
        alone = explain(pairs, self.types.shares)
        return compare(self.held_out, explain(pairs, both.shares), alone)


def compare(held_out: HeldOutPairs, better: np.ndarray, worse: np.ndarray) -> Evidence:
    """Return how much likelier pairs are by the first logarithms than by the others."""
    # A pair that is impossible under both, minus infinity twice, counts as no gain.
    gains = np.subtract(better, worse, out=np.zeros_like(worse), where=better != worse)
    return weigh_types(held_out.counts, gains, held_out.is_new)


def explain_best(held_out: HeldOutPairs, candidates: Candidates, prior: np.ndarray) -> np.ndarray:
    """Return `explain` under the likeliest settings."""
    best = find_best(held_out, candidates, prior)
    return explain(held_out.under(best), best.shares)


def find_best(held_out: HeldOutPairs, candidates: Candidates, prior: np.ndarray) -> Learned:
    """Return the likeliest settings, with the same shares for all contexts."""
    return max(try_settings(held_out, candidates, prior), key=attrgetter("likelihood"))


def explain(pairs: MixedPairs, shares: np.ndarray) -> np.ndarray:
    """Return the log probability of each pair, nats, shape (pairs,)."""
    with np.errstate(divide="ignore"):
        return np.log(pairs.sparse + pairs.left * (shares @ pairs.bases))


def choose(results: Sequence[Learned], discounts: Sequence[float | str], even: float) -> Learned:
    """Return the likeliest settings; in a tie the smallest discount, and its largest strength.

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
        Count of the pair among the others, less its discount.
    freed, sums : numpy.ndarray
        Sum of the discounts in the row of its context, and the sum of that row.
    """

    kept: np.ndarray
    freed: np.ndarray
    sums: np.ndarray

    def around(self, strength: float) -> Rows:
        """Return the entries at the pairs and the weight of the base in their rows, (pairs,)."""
        weights = weigh(self.sums, self.freed, strength)
        return Rows(self.kept / weights.divisor, weights.left)


def discount_pairs(parts: Sequence[FoldPairs], discount: float | str) -> DiscountedPairs:
    """Return the pairs of all parts; for the discount see `rows.take`."""
    found = []
    for part in parts:
        rest, taken = part.rest, take(part.rest, discount)
        entries = SparsePart(rest.indptr, rest.outcomes, rest.values - taken.of_counts)
        kept = entries.at(part.contexts, part.outcomes)
        sums = rest.row_sums[part.contexts].astype(float)
        found.append(DiscountedPairs(kept, taken.of_rows[part.contexts], sums))
    return DiscountedPairs(*map(np.concatenate, zip(*found, strict=True)))
