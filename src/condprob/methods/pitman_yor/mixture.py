"""The mixture of rows, and what outcomes never seen get: Eq. (8) and (9) of docs/py-lr-model.md.

The rows are those with three discounts, those with one, and Kneser-Ney's. Each is conditional on an
outcome that was seen in training; how probable any other outcome is, is learned apart.
"""

from typing import NamedTuple

import numpy as np

from condprob.checks.entries import weighted_logs
from condprob.counts import CountMatrix
from condprob.methods.pitman_yor import constants
from condprob.methods.pitman_yor.rows import MOST_DISCOUNTS, Rows, discounts_by_count
from condprob.products import products_of_pairs
from condprob.sparse_plus_low_rank import SparsePart
from condprob.text.ngrams import continuation_of, estimate_discounts
from condprob.weights import mixture_weights

PARTS = 3  # three discounts, one discount, Kneser-Ney; and masses: own, Kneser-Ney's, all
LEAST_WEIGHT = 1e-9  # pseudo-pairs of a part without weight: a bin of its own may want it


class Base(NamedTuple):
    """What rows are mixed around.

    Attributes
    ----------
    left, right : numpy.ndarray, shapes (contexts, classes) and (classes, outcomes)
        Of the chains, whose weights are in ``left``.
    lower : numpy.ndarray, shape (outcomes,)
        Lower order of Kneser-Ney, among outcomes that were seen.
    unseen : numpy.ndarray, shape (classes + 1,)
        Probability of all outcomes never seen in each class, and in Kneser-Ney's lower order.
    """

    left: np.ndarray
    right: np.ndarray
    lower: np.ndarray
    unseen: np.ndarray


class RowParts(NamedTuple):
    """The three rows ``own + share * base`` of each context.

    Attributes
    ----------
    own : numpy.ndarray, shape (3, nnz)
    shares : numpy.ndarray, shape (3, contexts)
    unseen : numpy.ndarray, shape (3, contexts)
        Probability of all outcomes never seen.
    """

    own: np.ndarray
    shares: np.ndarray
    unseen: np.ndarray


class Evidence(NamedTuple):
    """Pairs held out, and how probable they are by fits without them.

    Attributes
    ----------
    chances : numpy.ndarray, shape (3, pairs)
        By each row, given that the outcome was seen.
    masses : numpy.ndarray, shape (3, pairs)
        See `masses_of`.
    is_new : numpy.ndarray of bool, shape (pairs,)
        Whether the outcome was never seen in training.
    bins : numpy.ndarray of int, shape (pairs,)
        Of the context.
    times : numpy.ndarray, shape (pairs,)
        Tokens of the pair that are held out.
    """

    chances: np.ndarray
    masses: np.ndarray
    is_new: np.ndarray
    bins: np.ndarray
    times: np.ndarray


class Shares(NamedTuple):
    """Weights of the mixture for each bin of contexts, both of shape (3, bins).

    Attributes
    ----------
    rows : numpy.ndarray
        Of the three rows among outcomes that were seen.
    unseen : numpy.ndarray
        Of the three masses, whose mean is the probability of outcomes never seen.
    """

    rows: np.ndarray
    unseen: np.ndarray


def first_alone() -> Shares:
    """Return the weights of only the first rows, and of what they give to outcomes never seen."""
    weights = np.zeros((PARTS, len(constants.BINS) + 1))
    weights[0] = 1.0
    return Shares(weights, weights)


def is_unseen(counts: CountMatrix) -> np.ndarray:
    """Return whether each outcome was never seen while others were, shape (outcomes,)."""
    return (counts.column_sums == 0) & (counts.nnz > 0)


def base_of(counts: CountMatrix, left: np.ndarray, right: np.ndarray) -> Base:
    """Return what rows of these counts are mixed around, from the factors of all chains."""
    new, distinct = is_unseen(counts), counts.distinct_contexts
    taken = discounts_by_count(distinct, np.minimum(estimate_discounts(distinct), MOST_DISCOUNTS))
    lower = continuation_of(distinct, taken, taken.sum(), "discounted")
    unseen = np.append(right[:, new].sum(axis=1), lower[new].sum())
    lower = np.where(new, 0.0, lower)
    return Base(left, right, lower / lower.sum(), unseen)


def parts_of(rows: Rows, strength: float, base: Base) -> RowParts:
    """Return the rows with three discounts, those with one, and Kneser-Ney's, by Eq. (1)."""
    every = (rows, strength), (rows.with_one_discount(), strength), (rows, 0.0)
    own, shares = map(np.array, zip(*(row.around(at) for row, at in every), strict=True))
    in_classes = base.left @ base.unseen[:-1]
    return RowParts(
        own, shares, shares * [in_classes, in_classes, base.unseen[-1:] + 0 * in_classes]
    )


def masses_of(parts: RowParts, lacking: np.ndarray) -> np.ndarray:
    """Return three probabilities of all outcomes never seen, shape (3, contexts).

    The first rows' own, raised by the share, shape (contexts,), of the rows that these outcomes
    lack; Kneser-Ney's; and one.
    """
    own, _, kneser_ney = parts.unseen
    return np.array([own + (1 - own) * lacking, kneser_ney, np.ones(own.size)])


def chances_at(
    counts: CountMatrix, parts: RowParts, base: Base, contexts: np.ndarray, outcomes: np.ndarray
) -> np.ndarray:
    """Return the probability of pairs by each row, given that the outcome was seen, (3, pairs)."""
    of_classes = products_of_pairs(base.left, base.right, contexts, outcomes)
    found = parts.shares[:, contexts] * [of_classes, of_classes, base.lower[outcomes]]
    found[2] *= 1 - base.unseen[-1]
    for row, own in zip(found, parts.own, strict=True):
        row += SparsePart(counts.indptr, counts.outcomes, own).at(contexts, outcomes)
    return found / (1 - parts.unseen[:, contexts])


def learn_shares(evidence: Evidence, in_order: bool) -> Shares:
    """Return the maximum-likelihood weights for held-out pairs.

    Pseudo-tokens are with the first row and the first mass, and those of a bin are shared as the
    weights of all bins. In a sequence all bins have the same masses.
    """
    chances, masses, is_new, bins, times = evidence
    like = constants.LIKE_PAIRS if in_order else constants.LIKE_TOKENS
    told = np.where(is_new, masses, 1 - masses)
    can_be, is_seen = told.max(axis=0) > 0, ~is_new
    rows = _by_bins(chances[:, is_seen], times[is_seen], bins[is_seen], like)
    of_masses = np.where(in_order, -1, bins)[can_be]
    return Shares(rows, _by_bins(told[:, can_be], times[can_be], of_masses, like))


def loss_of(evidence: Evidence, shares: Shares) -> float:
    """Return the loss of pairs held out, nats per token; unseen outcomes are taken as one."""
    chances, masses, is_new, bins, times = evidence
    unseen = (shares.unseen[:, bins] * masses).sum(axis=0)
    among = (shares.rows[:, bins] * chances).sum(axis=0)
    mixed = np.where(is_new, unseen, (1 - unseen) * among)
    counted = mixed > 0
    return -weighted_logs(times[counted], mixed[counted]) / max(times.sum(), 1.0)


def _by_bins(chances, times, bins, like):
    """Return the weights of each bin, shape (3, bins); pairs of bin -1 are in none."""
    first = np.eye(len(chances))[0]
    weights = mixture_weights(chances, times, like * first)
    found = np.tile(weights[:, None], len(constants.BINS) + 1)
    prior = constants.LIKE_TOKENS * weights + LEAST_WEIGHT
    for each in np.unique(bins[bins >= 0]):
        inside = bins == each
        found[:, each] = mixture_weights(chances[:, inside], times[inside], prior)
    return found


def mix_rows(
    contexts: np.ndarray, parts: RowParts, base: Base, unseen: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mixture, Eq. (8): ``left`` of the factors, and the entries on the pattern.

    The columns of ``left`` are of the classes, of outcomes never seen, and of Kneser-Ney.

    Parameters
    ----------
    contexts : numpy.ndarray of int, shape (nnz,)
        Of the entries.
    parts, base
        See the classes.
    unseen : numpy.ndarray, shape (contexts,)
        Probability of all outcomes never seen. It is no less than what classes give them.
    weights : numpy.ndarray, shape (3, contexts)
        Of the rows.
    """
    scale = weights / (1 - parts.unseen)
    in_classes = base.left @ base.unseen[:-1]
    least = (scale[:2] * parts.shares[:2]).sum(axis=0) * in_classes
    unseen = np.maximum(unseen, least / (1 + least))
    scale *= 1 - unseen
    entries = sum(own * part[contexts] for own, part in zip(parts.own, scale, strict=True))
    of_classes = (scale[:2] * parts.shares[:2]).sum(axis=0)
    of_lower = scale[2] * parts.shares[2] * (1 - base.unseen[-1])
    to_unseen = np.maximum(unseen - of_classes * in_classes, 0.0)
    return np.column_stack([of_classes[:, None] * base.left, to_unseen, of_lower]), entries
