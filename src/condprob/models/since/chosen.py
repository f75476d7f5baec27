"""Estimates that have zeros: their setting and their smoothing, by one rule for all.

The estimates of this folder are of the contexts and outcomes that have counts. Most of them give
some pairs the probability zero. So each is mixed with a share of the unigram distribution, as LSA
is (`choice`). A tenth of the pairs, drawn at random, is left out, three times. The share, and a
setting such as a rank or a penalty, are those under which these pairs are likeliest. One more pair
counts for the unigram alone: without it a handful of pairs would leave no share at all.

READING: the publications say nothing of smoothing, for their losses are l1 and l2, or a KL
divergence of positive matrices.

The penalty of a nuclear norm may be chosen by the unbiased risk of Bigot and Deledalle (2020)
instead. The part of a KL risk that depends on the estimate is ``-sum_ij E[C_ij] log Q_ij``. An
estimate of it without bias is ``-sum_ij C_ij log Q_ij(C - e_ij)``: the pair is taken out that is
predicted. To the first order that is

    -sum_ij C_ij (log Q_ij(C) - d log Q_ij / d C_ij),

whose second sum is ``E[sum_ij s_ij (log Q_ij(C + e s C) - log Q_ij(C)) / e]`` with random signs
``s``, in the limit of small ``e``.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from condprob.checks import Seed, check_memory
from condprob.counts import CountMatrix
from condprob.direct import unigram
from condprob.estimator import Estimator
from condprob.model import Ended
from condprob.models.choice import UNKNOWN_WEIGHT, learn_share
from condprob.models.linked_matrix import LinkedMatrix
from condprob.options import Discount, Proportion
from condprob.splits import HELD_OUT, hold_out

RELATIVE = 0.01  # the change of the counts that stands for a derivative; not measured
SPLITS = 3  # parts that are left out in turn; not measured
RANKS = (1, 2, 3, 4, 5, 6, 8, 10, 15)  # a learned rank is one of these


class Estimate(NamedTuple):
    """The product of two factors, whose positive part is in proportion to the rows of an estimate.

    Shapes are (seen contexts, r) and (r, seen outcomes). Of some methods ``rank`` is less than r.
    """

    left: np.ndarray
    right: np.ndarray
    rank: int
    ended: Ended = "direct"


class Trial(NamedTuple):
    """One setting: the fit to all pairs, its rank, and the criteria by which it may be chosen."""

    setting: Any
    matrix: LinkedMatrix
    rank: int  # before smoothing
    held_out: float  # nats per held-out pair; NaN where none were held out
    unbiased: float  # nats per pair; NaN unless asked for


@dataclass(frozen=True)
class Chosen(Estimator):
    """The base: a subclass defines `settings` and `estimate`.

    Attributes
    ----------
    weight : float or "learned"
        Of the unigram distribution; learned on three draws of a tenth of the pairs.
    discount : float
        Of the unigram distribution.
    """

    weight: Proportion | Literal["learned"] = "learned"
    discount: Discount = 0.75
    criterion: ClassVar[str] = "held-out"  # what is least at the best: held-out loss, or "unbiased"

    @abstractmethod
    def settings(self, block: np.ndarray) -> Sequence[Any]:
        """Return the settings to choose from; ``block`` is as in `estimate`."""

    @abstractmethod
    def estimate(self, block: np.ndarray, settings: Sequence[Any]) -> Iterator[Estimate]:
        """Yield the estimate of each setting.

        ``block`` has the counts, shape (seen contexts, seen outcomes): no row or column is zero.
        """

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> LinkedMatrix:
        """See `Estimator.fit`."""
        trials = list(self.trace(counts, seed))
        return trials[best_of(trials, self.criterion)].matrix

    def trace(self, counts: CountMatrix, seed: Seed = 0, unbiased: bool = False) -> Iterator[Trial]:
        """Yield a `Trial` of each setting, in order.

        Parameters
        ----------
        counts : CountMatrix
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Of the held-out pairs, and of the signs.
        unbiased : bool
            Whether the unbiased risk is estimated, too: one more fit of each setting.
        """
        rng = np.random.default_rng(seed)
        # Before the signs, so that these do not change them.
        splits = [hold_out(counts, HELD_OUT, rng) for _ in range(SPLITS)]
        size = counts.seen_contexts.size * counts.seen_outcomes.size
        check_memory("the counts of all seen pairs", 64.0 * size)
        settings = self.settings(_block(counts)) if counts.nnz else [None]
        fits = self._matrices(counts, counts.values, settings)
        moved, judged = (None,) * len(settings), [(np.nan, self.weight)] * len(settings)
        if counts.nnz and (unbiased or self.criterion == "unbiased"):
            signs = rng.choice((-1.0, 1.0), counts.nnz)
            moved = self._matrices(counts, counts.values * (1 + RELATIVE * signs), settings)
        if len(settings) > 1 or self.weight == "learned":
            judged = self._judge(splits, settings)
        for setting, (matrix, rank), other, (nats, weight) in zip(
            settings, fits, moved, judged, strict=True
        ):
            weight = UNKNOWN_WEIGHT if weight == "learned" else weight
            found, risk = replace(matrix, weight=float(weight)), np.nan
            if other is not None:
                risk = _unbiased_risk(counts, found, replace(other[0], weight=float(weight)), signs)
            yield Trial(setting, found, rank, nats, risk)

    def _judge(self, splits, settings):
        """Yield for each setting the loss of held-out pairs, and the share that makes it least."""
        splits = [split for split in splits if split.rest.n and split.held_out.n]
        if not splits:
            yield from [(np.nan, self.weight)] * len(settings)
            return
        held_out = [split.held_out for split in splits]
        bases = [unigram(rest, self.discount)[part.outcomes] for rest, part in splits]
        values = np.concatenate([part.values for part in held_out])
        fits = [self._matrices(rest, rest.values, settings) for rest, _ in splits]
        for matrices in zip(*fits, strict=True):
            at = zip(matrices, held_out, strict=True)
            scores = [matrix.at(part.contexts, part.outcomes) for (matrix, _), part in at]
            both = np.column_stack([np.concatenate(scores), np.concatenate(bases)])
            weight = self.weight
            if weight == "learned":
                weight = learn_share(np.vstack([both, [0, 1]]), np.append(values, 1))
            with np.errstate(divide="ignore"):
                yield -values @ np.log(both @ [1 - weight, weight]) / values.sum(), weight

    def _matrices(self, counts, values, settings):
        """Yield the matrix of each setting without a share of the unigram, and its rank.

        The values, shape (nnz,), stand for those of the counts.
        """
        base, seen = unigram(counts, self.discount), (counts.seen_contexts, counts.seen_outcomes)
        if not counts.nnz:
            left, right = np.zeros((counts.shape[0], 1)), np.zeros((1, counts.shape[1]))
            yield from [(LinkedMatrix(left, right, base, 0.0, "clip", seen), 0)] * len(settings)
            return
        for found in self.estimate(_block(counts, values), settings):
            left = np.zeros((counts.shape[0], found.left.shape[1]))
            right = np.zeros((found.left.shape[1], counts.shape[1]))
            left[seen[0]], right[:, seen[1]] = found.left, found.right
            matrix = LinkedMatrix(left, right, base, 0.0, "clip", seen, found.ended)
            yield matrix, found.rank


def best_of(trials: Sequence[Trial], criterion: str) -> int:
    """Return the place of the best by a criterion, "held-out" or "unbiased"; NaN is the worst."""
    found = [getattr(trial, criterion.replace("-", "_")) for trial in trials]
    return int(np.argmin(np.nan_to_num(found, nan=np.inf)))


def list_ranks(rank: int | str, block: np.ndarray) -> list[int]:
    """Return the ranks to choose from: those of `RANKS` that the block can have, or the given."""
    if rank != "learned":
        return [min(rank, *block.shape)]
    return [each for each in RANKS if each <= min(block.shape)]


def _block(counts, values=None):
    """Return the counts of all seen contexts and outcomes, shape (contexts, outcomes), floats."""
    rows = counts.sparse()
    rows.data = np.asarray(counts.values if values is None else values, dtype=float)
    return rows[counts.seen_contexts][:, counts.seen_outcomes].toarray()


def _unbiased_risk(counts, matrix, moved, signs):
    """Return the estimate at the head of this module, nats per pair."""
    logs, after = (np.log(each.at(counts.contexts, counts.outcomes)) for each in (matrix, moved))
    return float(signs @ (after - logs) / RELATIVE - counts.values @ logs) / counts.n
