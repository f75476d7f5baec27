"""Pitman-Yor rows around a base that mixes several components, as a matrix.

    Q_ij = (C_ij - d_ij) / (strength + C_i) + left_i B_ij,
    left_i = (strength + d_i) / (strength + C_i),

where ``d_ij`` is the discount of a count and ``d_i`` the sum of the discounts over the row. The
base ``B`` mixes components with shares that depend on how often a context was seen.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.methods.kneser_ney import KneserNey
from condprob.methods.pitman_yor.constants import BINS
from condprob.methods.pitman_yor.novelty import bin_of
from condprob.methods.pitman_yor.rows import weigh
from condprob.mixtures import MixtureMatrix
from condprob.model import SETTLED_BELOW, Ended
from condprob.products import products_of_pairs
from reproduction.studies.beyond.rivals.novelty import RowsOfFactors, add_novelty


class FittedBase(NamedTuple):
    """A component of the base as it was fitted.

    Attributes
    ----------
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (m, outcomes)
        Both row-stochastic.
    history : numpy.ndarray, shape (iterations + 1,)
        Empirical risk at the start and after each iteration, nats per token: a constant minus the
        mean log likelihood. Empty for a component without iterations.
    """

    W: np.ndarray
    H: np.ndarray
    history: np.ndarray

    def at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``W H`` at pairs, shape (pairs,)."""
        return products_of_pairs(self.W, self.H, contexts, outcomes)


class Learned(NamedTuple):
    """The settings of the rows: see `learning.learn`.

    Attributes
    ----------
    strength : float
        Infinite where the rows are the base.
    discount : float or "modified"
    shares : numpy.ndarray, shape (bins + 1, components)
        For contexts by how often they were seen: see `novelty.bin_of`.
    likelihood : float
        Of the held-out pairs, nats, with one share of each component for all contexts.
    """

    strength: float
    discount: float | str
    shares: np.ndarray
    likelihood: float


def take_discounts(counts: CountMatrix, discount: float | str) -> tuple[np.ndarray, np.ndarray]:
    """Return a discount of each count, shape (nnz,), and their sums by rows, shape (contexts,).

    Parameters
    ----------
    counts : CountMatrix
    discount : float or "modified"
        Zero, or see `kneser_ney.KneserNey`; "modified" needs whole counts.
    """
    if discount == 0.0:
        return np.zeros(counts.nnz), np.zeros(counts.shape[0])
    discounted = KneserNey(discount).discounted(counts)
    return discounted.taken, discounted.freed


def rows_around(
    counts: CountMatrix, strength: float, discount: float | str
) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the entries and ``left`` of rows around a base: see the module.

    The parameters are those of `weigh` and `take_discounts`. Shapes are (nnz,) and (contexts,);
    there are no entries where the rows are the base.
    """
    if np.isinf(strength):
        return None, np.ones(counts.shape[0])
    taken, freed = take_discounts(counts, discount)
    divisor, left = weigh(counts.row_sums, freed, strength)
    return (counts.values - taken) / divisor[counts.contexts], left


def assemble(
    counts: CountMatrix, fits: Sequence[Sequence[FittedBase]], learned: Learned
) -> MixtureMatrix:
    """Return the matrix of fits to all the counts, with Good-Turing for outcomes never seen.

    ``fits`` has the fits of each component, which is their mean.
    """
    shares = learned.shares[bin_of(counts.row_sums)]
    entries, of_base = rows_around(counts, learned.strength, learned.discount)
    left, right = [], []
    for of_component, share in zip(fits, shares.T, strict=True):
        weights = (of_base * share / len(of_component))[:, None]
        left += [weights * base.W for base in of_component]
        right += [base.H for base in of_component]
    rows = move_to_unseen(counts, RowsOfFactors(np.hstack(left), np.vstack(right), entries))
    return MixtureMatrix.on_pattern(
        counts,
        rows.left,
        np.asfortranarray(rows.right),
        rows.entries,
        weights=np.ones(1),
        ended=end_of([base for of_component in fits for base in of_component]),
    )


def move_to_unseen(counts: CountMatrix, rows: RowsOfFactors) -> RowsOfFactors:
    """Return rows whose outcomes never seen have the share that `novelty.add_novelty` says."""
    return add_novelty(counts, rows, bin_of(counts.row_sums), len(BINS) + 1)[0]


def end_of(fits: Sequence[FittedBase]) -> Ended:
    """Return how fits of a base ended.

    "settled" if the last iteration of each moved its likelihood by less than `SETTLED_BELOW`, and
    "limit" if one was ended by the number of its iterations before; "direct" where no base has
    iterations.
    """
    courses = [base.history for base in fits if base.history.size]
    settled = all(c.size > 1 and abs(c[-1] - c[-2]) < SETTLED_BELOW for c in courses)
    return "direct" if not courses else "settled" if settled else "limit"
