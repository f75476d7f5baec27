"""Maximum likelihood of a row-stochastic matrix with a nuclear norm, or of a given rank.

Zhu, Li, Wang and Zhang (2022, Operations Research 70; 2018, ICML) minimise

    -(1/n) sum_ij C_ij log P_ij + penalty |P|_*        over row-stochastic P,

and, with a rank in place of the penalty, the same by "difference of convex functions": the nuclear
norm less the sum of the ``rank`` largest singular values, times a penalty so large that it ends at
zero. The second term is replaced by its tangent ``<U_r V_r', P>`` at the last P, again and again.
Bigot and Deledalle (2020, Computational Statistics and Data Analysis) minimise the first for
multinomial rows; theirs is the choice of the penalty by an unbiased risk (`chosen`).

Both problems are solved by the alternating direction method of multipliers: likelihood and
constraint on the one side, which a root of each row solves, the nuclear norm on the other. READING:
Zhu et al. solve the dual by a similar method, and have bounds on the entries of P, and a proximal
term, for their proofs; these are left out. Contexts without counts are not part of the problem.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from condprob.models.since.chosen import Chosen, Estimate, list_ranks
from condprob.options import AtLeastOne, Positive

# The step of the multipliers, and how far an iteration goes beyond its solution. Of steps of .03 to
# 3 those of 1 and of 3 were nearest to the minimum after 40 iterations, on three drawn models.
STEP, RELAXED = 2.0, 1.6
SHARES = tuple(0.7**power for power in range(1, 11))  # a learned penalty is one of these
# Penalties of the tangents, in the unit of `largest_penalty`. They grow, because a fit that begins
# at the last one ends up to .2 nats per pair above EM's minimum of the same rank.
TANGENTS = np.minimum(np.geomspace(0.1, 1.8, 15), 1.0)
ROOT_STEPS, ROOT_ERROR = 100, 1e-13  # of Newton's method


class State(NamedTuple):
    """The point of the iterations, arrays of the shape of the counts."""

    P: np.ndarray  # row-stochastic
    X: np.ndarray  # of low rank
    Y: np.ndarray  # multipliers, divided by the step
    rank: int  # of X


@dataclass(frozen=True)
class NuclearLikelihood(Chosen):
    """Maximum likelihood with a nuclear norm.

    Attributes
    ----------
    penalty : float or "learned"
        In shares of the norm beyond which the unigram distribution would be stationary, if it were
        free: the largest singular value of ``C_ij / (n u_j) - C_i / n``.
    criterion : "held-out" or "unbiased"
        How a penalty is learned: by held-out pairs, or by the unbiased risk.
    iterations : int
        For each penalty, from the solution of the larger one before.
    """

    penalty: Positive | Literal["learned"] = "learned"
    criterion: Literal["held-out", "unbiased"] = "held-out"
    iterations: AtLeastOne = 40

    def settings(self, block: np.ndarray) -> Sequence[float]:
        """See `Chosen`."""
        return SHARES if self.penalty == "learned" else [float(self.penalty)]

    def estimate(self, block: np.ndarray, settings: Sequence[float]) -> Iterator[Estimate]:
        """See `Chosen`."""
        state, unit = start(block), largest_penalty(block)
        for share in settings:
            state = iterate(block, state, share * unit, 0.0, self.iterations)
            yield Estimate(state.P, np.eye(block.shape[1]), state.rank, "limit")


@dataclass(frozen=True)
class RankLikelihood(Chosen):
    """Maximum likelihood of a given rank.

    Attributes
    ----------
    rank : int or "learned"
        The largest rank of the solution; held-out pairs choose a learned one.
    iterations : int
        After each of fifteen tangents.
    """

    rank: AtLeastOne | Literal["learned"] = "learned"
    iterations: AtLeastOne = 4

    def settings(self, block: np.ndarray) -> Sequence[int]:
        """See `Chosen`."""
        return list_ranks(self.rank, block)

    def estimate(self, block: np.ndarray, settings: Sequence[int]) -> Iterator[Estimate]:
        """See `Chosen`: the tangents begin at the solution with a nuclear norm."""
        unit = largest_penalty(block)
        first = iterate(block, start(block), TANGENTS[0] * unit, 0.0, 10 * self.iterations)
        for rank in settings:
            state = first
            for share in TANGENTS:
                U, _, V = np.linalg.svd(state.P, full_matrices=False)
                slope = share * unit * U[:, :rank] @ V[:rank]
                state = iterate(block, state, share * unit, slope, self.iterations)
            yield Estimate(state.P, np.eye(block.shape[1]), state.rank, "limit")


def start(block: np.ndarray) -> State:
    """Return the unigram distribution in every row."""
    P = np.tile(block.sum(axis=0) / block.sum(), (len(block), 1))
    return State(P, P, np.zeros_like(P), 1)


def largest_penalty(block: np.ndarray) -> float:
    """Return the unit of penalties: see `NuclearLikelihood`."""
    n = block.sum()
    slopes = block / block.sum(axis=0) - block.sum(axis=1, keepdims=True) / n
    return max(float(np.linalg.norm(slopes, 2)), np.finfo(float).eps)


def iterate(
    block: np.ndarray, state: State, penalty: float, slope: np.ndarray | float, iterations: int
) -> State:
    """Run iterations for ``-(1/n) sum C log P + penalty |P|_* - <slope, P>``."""
    _, X, Y, rank = state
    weights = block / block.sum() / STEP
    for _ in range(iterations):
        P = step_of_likelihood(X - Y, weights)
        ahead = RELAXED * P + (1 - RELAXED) * X + Y
        U, s, V = np.linalg.svd(ahead + slope / STEP, full_matrices=False)
        kept = np.maximum(s - penalty / STEP, 0.0)
        X, rank = (U * kept) @ V, int((kept > 0).sum())
        Y = ahead - X
    return State(P, X, Y, rank)


def step_of_likelihood(V: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the rows that minimise ``-sum_j w_j log p_j + |p - v|^2 / 2`` on the simplex.

    With a multiplier ``t`` for the sum, ``p_j = (x_j + sqrt(x_j^2 + 4 w_j)) / 2``, ``x = v - t``.
    The sum is convex and falls in ``t``: Newton's method rises to the root from ``max(v) - 1``.
    """
    t = V.max(axis=1, keepdims=True) - 1
    for _ in range(ROOT_STEPS):
        x = V - t
        root = np.sqrt(x * x + 4 * weights)
        P = (x + root) / 2
        excess = P.sum(axis=1, keepdims=True) - 1
        if excess.max() < ROOT_ERROR:
            break
        slopes = np.divide(P, root, out=np.zeros_like(P), where=root > 0)
        t += excess / slopes.sum(axis=1, keepdims=True)
    # Where x is negative digits cancel. The two roots have the product -w.
    other = np.divide(2 * weights, root - x, out=np.zeros_like(P), where=x < 0)
    P = np.where(x < 0, other, P)
    return P / P.sum(axis=1, keepdims=True)
