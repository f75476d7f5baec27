"""Scores of pairs, of low rank, that a link turns into distributions."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import ROW_SUM_TOLERANCE
from condprob.checks.entries import check_labels
from condprob.checks.frozen import protected, read_only
from condprob.files.stored import stored
from condprob.matrix import Classes, ConditionalMatrix, at_pairs
from condprob.model import CELLS_AT_ONCE, ENDS, Ended
from condprob.products import products_of_pairs
from condprob.sparse_plus_low_rank import seen_and_one, stored_seen

Link = Literal["clip", "square", "softmax"]
# A highest score of less, beside the sizes of its terms, is but rounding of them: of 50 terms the
# largest errors are then a millionth of it. Not measured.
SCORE_TOLERANCE = 1e-8
# Nats by which rounding may move the logarithm of a softmax; not measured.
LOG_SOFTMAX_TOLERANCE = 1e-3


@dataclass(frozen=True, eq=False, repr=False)
class LinkedMatrix(ConditionalMatrix, kind="linked scores"):
    """Matrix of conditional probabilities from scores ``s = left right`` and a link function.

    Attributes
    ----------
    left : numpy.ndarray, shape (contexts, r)
        Left factor of the scores.
    right : numpy.ndarray, shape (r, outcomes)
        Right factor. Biases are one more class, against a row or a column of ones.
    base : numpy.ndarray, shape (outcomes,)
        The distribution ``q``.
    weight : float
        Weight of ``q``, between zero and one.
    link : {"clip", "square", "softmax"}
        The link function ``f``: ``max(s, 0)``, its square, or ``exp(s)``.
    seen : (numpy.ndarray, numpy.ndarray) or None
        Observed contexts and outcomes; see `SparsePlusLowRank`.
    ended : {"direct", "settled", "limit"}
        How the fit ended: closed form, converged, or iteration limit.
    penalty : float or None
        Ridge of the scores, given or learned; None if there is none.

    Notes
    -----
    ``Q_ij = (1 - weight) f(s_ij) / Z_i + weight q_j``. A row without a positive score is ``q``, and
    so is a row whose positive scores are only rounding errors of their terms, unless the link is
    softmax. Rows must be added up to be normalised: `rows` does so at each call, whereas for pairs
    the sums are computed once, for some contexts at a time. Contexts or outcomes that are alike are
    added up as one.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("lsa", rank=2).fit([[4, 3, 0], [3, 4, 0], [0, 0, 5]])
    >>> matrix.link
    'square'
    """

    left: np.ndarray = stored("f", "contexts", "r")
    right: np.ndarray = stored("f", "r", "outcomes")
    base: np.ndarray = stored("f", "outcomes", low=0, high=1 + ROW_SUM_TOLERANCE)
    weight: float = stored("f", low=0, high=1)
    link: Link = stored("U", choices=get_args(Link))
    seen: tuple[np.ndarray, np.ndarray] | None = stored_seen()
    ended: Ended = stored("U", default="direct", choices=ENDS)
    penalty: float | None = stored("f", default=None, optional=True, low=0)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return (len(self.left), self.right.shape[1])

    def classes(self) -> tuple[Classes, Classes]:
        """Return the contexts and outcomes that stand for all: the seen, and one unseen."""
        if self.seen is None:
            return super().classes()
        return tuple(map(seen_and_one, self.seen, self.shape))

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """See `ConditionalModel.factors`: of the scores, without the biases of a softmax."""
        if self.link != "softmax":
            return self.left, self.right
        # A class of ones on the left holds the biases of the outcomes.
        is_bias = (self.left == 1).all(axis=0)
        return self.left[:, ~is_bias], self.right[~is_bias]

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        """Return ``Q[contexts, outcomes]``, broadcast together; see `SparsePlusLowRank.at`."""
        return at_pairs(self._at, self.shape, contexts, outcomes)

    def _at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        scores = products_of_pairs(self.left, self.right, contexts, outcomes)
        return self._mixed(scores, self.base[outcomes], *self._normalisers_of(contexts))

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        """Return the rows ``Q[contexts]``, shape (len(contexts), outcomes)."""
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        scores = self.left[contexts] @ self.right
        highest = self._highest(scores, contexts)[:, None]
        totals = self._linked(scores, highest).sum(axis=1, keepdims=True)
        return self._mixed(scores, self.base, highest, totals)

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        scores = self.left[contexts] @ self.right[:, outcomes]
        return self._mixed(scores, self.base[outcomes], *self._normalisers_of(contexts[:, None]))

    def _normalisers_of(self, contexts):
        """Return the highest score of each context, and the sum of its links."""
        return tuple(part[contexts] for part in self._normalisers)

    def _mixed(self, scores, base, highest, totals):
        """Return cells of rows whose scores are given; all broadcast together."""
        is_empty = totals == 0
        shares = self._linked(scores, highest) / np.where(is_empty, 1.0, totals)
        return (1 - self.weight) * np.where(is_empty, base, shares) + self.weight * base

    def _linked(self, scores, highest):
        """Return the link of scores, divided by that of the highest of their row.

        A score that was added up in another order may be above the highest by rounding: it is that.
        """
        scores = np.minimum(scores, highest)
        if self.link == "softmax":
            return np.exp(scores - highest)
        shares = np.maximum(scores, 0.0) / np.where(highest > 0, highest, 1.0)
        return shares if self.link == "clip" else shares**2

    def _highest(self, scores, contexts):
        """Return the highest of all scores of each context; zero where that is but rounding."""
        highest = scores.max(axis=1)
        if self.link == "softmax":
            return highest
        return np.where(
            highest > SCORE_TOLERANCE * (abs(self.left[contexts]) @ self._largest), highest, 0.0
        )

    @cached_property
    def _largest(self) -> np.ndarray:
        """The largest term that each class can add to a score, per unit on the left, (r,)."""
        return read_only(_largest_of(self.right, 1))

    @cached_property
    def _normalisers(self) -> tuple[np.ndarray, np.ndarray]:
        """The highest score of each row, and the sum of its links, both (contexts,)."""
        (contexts, class_of), (outcomes, class_of_outcome) = self.classes()
        right, sizes, found = self.right[:, outcomes], np.bincount(class_of_outcome), []
        step = max(CELLS_AT_ONCE // outcomes.size, 1)
        for start in range(0, contexts.size, step):
            some = contexts[start : start + step]
            scores = self.left[some] @ right
            highest = self._highest(scores, some)
            found.append((highest, self._linked(scores, highest[:, None]) @ sizes))
        sums = zip(*found, strict=True)
        return protected(tuple(np.concatenate(part)[class_of] for part in sums))

    def __post_init__(self) -> None:
        """Refuse scores whose rounding would count, and make the arrays read-only.

        A score is off by as much as its terms, times the value of a bit; in a softmax the logarithm
        of a probability is off by as much. Other links require only finite scores.
        """
        if self.left.dtype != np.float64 or self.right.dtype != np.float64:
            raise ValueError("the factors of scores must be numbers of 64 bits")
        bits = np.finfo(np.float64)
        most = LOG_SOFTMAX_TOLERANCE / bits.eps if self.link == "softmax" else np.sqrt(bits.max)
        with np.errstate(over="ignore"):
            scores = _largest_of(self.left, 0) @ _largest_of(self.right, 1)
        if not scores <= most:
            raise ValueError(f"scores of up to {scores:.2g} are too large: at most {most:.2g}")
        super().__post_init__()


def _largest_of(array: np.ndarray, axis: int | None = None) -> np.ndarray:
    """Return the largest size of a number, or along an axis, in 64 bits; zero of none."""
    return np.maximum(array.max(axis, initial=0), -array.min(axis, initial=0)).astype(float)
