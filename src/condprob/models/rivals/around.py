"""The rows of PY-LR around any bases: a rival takes the place of its low-rank ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Protocol

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.pitman_yor.bases import BACKGROUNDS, Background, FittedBase
from condprob.pitman_yor.held_out import count_once, deal_often, predict_fold
from condprob.pitman_yor.matrix import PitmanYorMatrix, assemble
from condprob.pitman_yor.settings import (
    PRIOR_OF_ALL,
    PRIOR_OF_LOW_RANK,
    TELLING,
    Learned,
    learn,
    list_candidates,
    without_pairs,
)
from condprob.runtime.progress import Parts
from condprob.splits import Split

# Distinct pairs: folds are held out in turn until so many have been fitted. Not measured.
ENOUGH = 20000


class Base(Protocol):
    """What stands in the place of PY-LR's low-rank bases.

    Attributes
    ----------
    name : str
        What a `PitmanYorMatrix` calls it.
    """

    name: str

    def fit(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """Return a fit; contexts without counts are alike in it, and so are such outcomes."""


def learn_rows(
    bases: Sequence[Base],
    counts: CountMatrix,
    folds: Sequence[Split],
    fit: Callable[[Base, CountMatrix], FittedBase],
) -> Learned:
    """Learn strength and shares of bases, and then of PY-LR's backgrounds, from held-out pairs."""
    parts = []
    for fold in folds:
        fits = [fit(base, fold.rest) for base in bases]
        parts.append(predict_fold(fold, [*fits, *fit_backgrounds(fold.rest)]))
    candidates = list_candidates("learned", "learned", counts.is_whole)
    size = len(bases) + len(BACKGROUNDS)
    prior = np.full(size, PRIOR_OF_ALL / size)
    prior[: len(bases)] += PRIOR_OF_LOW_RANK / max(len(bases), 1)
    if not parts:
        return without_pairs(candidates, size)
    return learn(count_once(parts, counts.n), candidates, [prior])


def fit_backgrounds(counts: CountMatrix) -> list[FittedBase]:
    """Return PY-LR's backgrounds."""
    return [Background(name).fit(counts) for name in BACKGROUNDS]


@dataclass(frozen=True)
class RowsAround(Estimator):
    """PY-LR's rows, backgrounds, learned settings and Good-Turing rule around other bases.

    A subclass has an option ``starts``: as in PY-LR settings are learned of one fit of each base,
    and then the mean of so many is taken. Its ``base`` is a dataclass whose fields are options of
    the same names; a subclass with several bases has `bases` of its own.
    """

    base: ClassVar[type]

    @property
    def bases(self) -> Sequence[Base]:
        """What is mixed besides the backgrounds."""
        return (self.base(**{part.name: getattr(self, part.name) for part in fields(self.base)}),)

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> PitmanYorMatrix:
        """See `Estimator.fit`."""
        rng = np.random.default_rng(seed)
        bases = self.bases if counts.nnz else ()
        folds = deal_often(counts, ENOUGH, TELLING, rng)
        told = Parts("fit", (len(folds) + self.starts) * len(bases), progress)

        def fit(base, these):
            with told.next():
                return base.fit(these, rng, progress)

        learned = learn_rows(bases, counts, folds, fit)
        fits = [[fit(base, counts) for _ in range(self.starts)] for base in bases]
        fits += [[background] for background in fit_backgrounds(counts)]
        names = [*(base.name for base in bases), *BACKGROUNDS]
        return assemble(counts, names, fits, learned, 1.0)
