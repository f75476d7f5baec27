"""The aggregate Markov model by tempered EM, in PY-LR's rows.

``P(j | i) = sum_l W_il H_lj`` (Saul and Pereira 1997). Tempered EM (Hofmann 1999) has the
responsibilities ``gamma_ijl`` in proportion to ``(W_il H_lj)^temperature``; below one they are
softer than EM's, which fits the pairs less closely. At one it is EM.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.counts import CountMatrix
from condprob.em import Schedule, run
from condprob.em.starts import random_factors
from condprob.em.tempering import Tempered
from condprob.models.rivals.around import RowsAround
from condprob.options import AtLeastOne, Proportion
from condprob.pitman_yor.bases import FittedBase


@dataclass(frozen=True)
class TemperedBase:
    """A fit from a random start; the fields are options of `AggregateRows`."""

    classes: int
    iterations: int
    temperature: float

    @property
    def name(self) -> str:
        """See `around.Base`."""
        return f"aggregate {self.classes}"

    def fit(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `around.Base`; outcomes without counts have nothing."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        start = random_factors(counts, self.classes, rng)
        W, H = start[0][contexts], start[1][:, outcomes].T
        schedule = Schedule(self.iterations, progress=progress)
        fit = run(Tempered(counts, W, H, self.temperature), schedule)
        of_contexts = np.full((counts.shape[0], self.classes), 1 / self.classes)
        of_classes = np.zeros((self.classes, counts.shape[1]))
        of_contexts[contexts], of_classes[:, outcomes] = W, H.T
        return FittedBase(of_contexts, of_classes, fit.risk[:-1] / counts.n)


@dataclass(frozen=True)
class AggregateRows(RowsAround):
    """Rows around aggregate Markov models by tempered EM.

    Attributes
    ----------
    classes : int
        Latent classes.
    starts : int
        Random starts, whose models are averaged.
    iterations : int
        Of tempered EM.
    temperature : float
        Exponent of the responsibilities: at 1 it is EM.
    """

    base: ClassVar[type] = TemperedBase
    classes: AtLeastOne = 34
    starts: AtLeastOne = 4
    iterations: AtLeastOne = 30
    temperature: Proportion = 0.6

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 16 * sum(shape) * self.classes * self.starts
