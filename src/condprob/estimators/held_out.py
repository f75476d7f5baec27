"""What held-out pairs say of rows around a mixed base: strength, discounts and shares.

A pair that was held out has, by the counts of the others,

    Q = sparse + left sum_b share_b B_b,    sparse = (c - taken) / (strength + C_i),
                                            left = (strength + freed_i) / (strength + C_i).

For a given strength and given discounts the likelihood is concave in the shares, and Newton's
method finds them; strengths and discounts are few and are tried one by one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.counts import CountMatrix
from condprob.estimators.backoff import KneserNey
from condprob.matrices.sparse_plus_low_rank import SparsePart
from condprob.runtime.jit import JIT
from condprob.runtime.simd import AT_ONCE, weighted_logs

STRENGTHS = (0.0, *(2.0**power for power in range(-2, 11)), np.inf)
BINS = 4.0 ** np.arange(6)  # contexts seen less than once, 4, 16, ... 1024 times share shares
ALIKE = 50.0  # pseudo-pairs that hold the shares of a bin near those of all
EVEN = 1e-9  # nats per pair by which settings may differ and still be as likely
TELLING = 1000  # held-out pairs that can tell a good kind of base from a bad one
TINY = 0.003  # a smaller share is none, where they can tell
STEPS, ENOUGH = 100, 1e-12  # of Newton, at most; the gain still to be had that ends them, per pair
INSIDE = 0.95  # of the way to where a share is zero: no step goes further


class Learned(NamedTuple):
    """The settings of the rows.

    Attributes
    ----------
    strength : float
        Infinite where the rows are the base.
    discount : float or "estimated" or "modified"
    shares : numpy.ndarray, shape (bins + 1, components)
        For contexts by how often they were seen: see `bin_of`.
    likelihood : float
        Of the held-out pairs, nats, with one share of each component for all contexts.
    """

    strength: float
    discount: float | str
    shares: np.ndarray
    likelihood: float


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


class Rows(NamedTuple):
    """Rows around a base, but for the base: see the module.

    Attributes
    ----------
    entries : numpy.ndarray, shape (nnz,)
    left : numpy.ndarray, shape (contexts,)
    """

    entries: np.ndarray
    left: np.ndarray


def rows_around(counts: CountMatrix, strength: float, discount: float | str) -> Rows:
    """Return the rows of counts around a base; an infinite strength leaves nothing but the base."""
    if np.isinf(strength):
        return Rows(np.zeros(counts.nnz), np.ones(counts.shape[0]))
    taken, freed = take(counts, discount)
    totals, left = _weigh(counts.row_sums, freed, strength)
    return Rows((counts.values - taken) / totals[counts.contexts], left)


def _weigh(sums, freed, strength):
    """Return what divides the counts of rows, and what they leave to the base; all of it, unseen.

    Parameters
    ----------
    sums, freed : numpy.ndarray, shape (rows,)
    strength : float
        Finite.
    """
    seen = sums > 0
    totals = np.where(seen, sums + strength, 1.0)
    return totals, np.where(seen, (strength + freed) / totals, 1.0)


def take(counts: CountMatrix, discount: float | str) -> tuple[np.ndarray, np.ndarray]:
    """Return what is taken of each entry, and in all of each row."""
    if discount == 0.0:
        return np.zeros(counts.nnz), np.zeros(counts.shape[0])
    return KneserNey(discount).discounted(counts)[:2]


def bin_of(row_sums: np.ndarray) -> np.ndarray:
    """Return the bin of each context, shape (contexts,), by how often it was seen."""
    return np.searchsorted(BINS, row_sums, side="right")


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


def take_out(counts: CountMatrix, drawn: np.ndarray) -> tuple[CountMatrix, CountMatrix]:
    """Return what is left of counts and what was drawn of them, shape (nnz,), as counts."""
    pairs = counts.contexts, counts.outcomes
    rest, held_out = (
        CountMatrix.from_pairs(*pairs, shape=counts.shape, weights=values)
        for values in (counts.values - drawn, drawn)
    )
    return rest, held_out


def learn(
    parts: Sequence[HeldOut],
    strengths: Sequence[float],
    discounts: Sequence[float | str],
    prior: np.ndarray,
) -> Learned:
    """Return the settings under which the held-out pairs are likeliest.

    Parameters
    ----------
    parts : sequence of HeldOut
        At least one.
    strengths, discounts : sequence
        Those to try.
    prior : numpy.ndarray, shape (components,)
        Pseudo-pairs that each component has explained beforehand.
    """
    counts = np.concatenate([part.counts for part in parts])
    bases = np.concatenate([part.bases for part in parts]).T.copy()
    components = len(bases)
    pairs = {discount: _discounted_pairs(parts, discount) for discount in discounts}
    tried = []
    for discount in discounts:
        shares = np.full(components, 1 / components)
        for strength in strengths:
            if discount == strength == 0 and len(strengths) * len(discounts) > 1:
                continue  # a seen row would give everything to what it has seen
            rows = pairs[discount].around(strength)
            shares, likelihood = _likeliest(*rows, bases, counts, shares, prior)
            tried.append(Learned(strength, discount, shares, likelihood))
    # Where the pairs cannot tell, as where no context of theirs is among the others, the base.
    most = max(one.likelihood for one in tried)
    best = [one for one in tried if one.likelihood >= most - EVEN * counts.sum()][-1]
    best_rows, shares = pairs[best.discount].around(best.strength), best.shares
    if counts.sum() >= TELLING:
        shares = np.where(shares < TINY, 0.0, shares)
        shares, _ = _likeliest(*best_rows, bases, counts, shares / shares.sum(), prior)
    bins = np.concatenate([bin_of(part.rest.row_sums[part.contexts]) for part in parts])
    of_bins = np.tile(shares, (BINS.size + 1, 1))
    for bin, of_bin in enumerate(of_bins):
        inside = bins == bin
        if inside.any():
            rows = (part[inside] for part in best_rows)
            given = bases[:, inside], counts[inside], shares, ALIKE * shares
            of_bin[:], _ = _likeliest(*rows, *given)
    return best._replace(shares=of_bins)


class _Pairs(NamedTuple):
    """Held-out pairs by the counts of the others, arrays of shape (pairs,)."""

    discounted: np.ndarray
    freed: np.ndarray
    sums: np.ndarray

    def around(self, strength):
        """Return ``sparse`` and ``left`` of the pairs."""
        if np.isinf(strength):
            return np.zeros_like(self.freed), np.ones_like(self.freed)
        totals, left = _weigh(self.sums, self.freed, strength)
        return self.discounted / totals, left


def _discounted_pairs(parts, discount):
    """Return the `_Pairs` of all parts."""
    found = []
    for part in parts:
        taken, freed = take(part.rest, discount)
        entries = SparsePart(part.rest.indptr, part.rest.outcomes, part.rest.values - taken)
        discounted = entries.at(part.contexts, part.outcomes)
        sums = part.rest.row_sums[part.contexts].astype(float)
        found.append((discounted, freed[part.contexts], sums))
    return _Pairs(*map(np.concatenate, zip(*found, strict=True)))


def _likeliest(sparse, left, bases, counts, shares, prior):
    """Return the shares under which the pairs are likeliest, and the likelihood, nats.

    Where a pair has probability zero, the likelihood is minus infinity and the shares stay.

    Parameters
    ----------
    sparse, left, counts : numpy.ndarray, shape (pairs,)
    bases : numpy.ndarray, shape (components, pairs)
    shares : numpy.ndarray, shape (components,)
        To begin with; a share of zero stays.
    prior : numpy.ndarray, shape (components,)
        Positive.
    """
    used = np.flatnonzero(shares)
    given = sparse, left, bases if used.size == shares.size else bases[used], counts
    found, prior, enough = shares[used], prior[used], ENOUGH * counts.sum()
    likelihood, slope, bend = _explain(*given, found)
    if likelihood == -np.inf:
        return shares, likelihood
    for _ in range(STEPS):
        # Of share (1 + u), where the sum of the shares stays, with the least norm if many do it.
        gradient = np.append(slope + prior, 0.0)
        system = np.block([[bend + np.diag(prior), found[:, None]], [found, np.zeros(1)]])
        u = np.linalg.lstsq(system, gradient)[0][:-1]
        gain = gradient[:-1] @ u / 2
        if not gain > enough:
            break
        step, now = INSIDE / max(-u.min(), INSIDE), likelihood + prior @ np.log(found)
        while True:
            tried = found * (1 + step * u)
            tried /= tried.sum()
            likelihood, slope, bend = _explain(*given, tried)
            if likelihood + prior @ np.log(tried) >= now or step * gain < enough:
                break
            step /= 2
        found = tried
    shares = np.zeros_like(shares)
    shares[used] = found
    return shares, likelihood


@njit(**JIT)
def _explain(sparse, left, bases, counts, shares):
    """Return the likelihood of the pairs, nats, and its derivatives.

    The parameters are those of `_likeliest`. The first derivatives, shape (components,), and the
    second, shape (components, components) and negated, are by the relative changes of the shares.
    Vectors run over pairs, of which so many are worked on at a time as stay near.
    """
    components, likelihood = shares.size, 0.0
    slope, bend = np.zeros(components), np.zeros((components, components))
    q, weighted, explained = np.empty(AT_ONCE), np.empty(AT_ONCE), np.empty((components, AT_ONCE))
    for start in range(0, counts.size, AT_ONCE):
        pairs = min(AT_ONCE, counts.size - start)
        for s in range(pairs):
            q[s] = 0.0
        for b in range(components):
            for s in range(pairs):
                explained[b, s] = shares[b] * bases[b, start + s]
            for s in range(pairs):
                q[s] += explained[b, s]
        for s in range(pairs):
            q[s] = sparse[start + s] + left[start + s] * q[s]
        likelihood += weighted_logs(counts[start : start + pairs], q[:pairs])
        for s in range(pairs):
            q[s] = left[start + s] / q[s]
        for b in range(components):
            for s in range(pairs):
                explained[b, s] *= q[s]
            for s in range(pairs):
                weighted[s] = counts[start + s] * explained[b, s]
            # The sums by themselves: see `em.leave_one_out.left_out_pass`.
            total = 0.0
            for s in range(pairs):
                total += weighted[s]
            slope[b] += total
            for c in range(b + 1):
                total = 0.0
                for s in range(pairs):
                    total += weighted[s] * explained[c, s]
                bend[b, c] += total
    for b in range(components):
        for c in range(b):
            bend[c, b] = bend[b, c]
    return likelihood, slope, bend
