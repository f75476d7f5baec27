"""Class bigrams of random starts, averaged (Emami and Jelinek 2005), in PY-LR's rows.

The exchange algorithm ends in a maximum of its own from each start: the mean of such class bigrams
is better than any of them.

READING: recalled, for the paper was not at hand. Its classes are of words, before and after alike;
here, as in `classes.ClassBigram`, contexts and outcomes have classes of their own.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from condprob.counts import CountMatrix
from condprob.models.rivals.around import RowsAround
from condprob.models.textbook.classes import ExchangeClasses, exchange
from condprob.options import AtLeastOne, Discount
from condprob.pitman_yor.bases import FittedBase


@dataclass(frozen=True)
class ClassBase:
    """A class bigram from a random start; the fields are options of `ClassRows`."""

    classes: int
    iterations: int
    discount: float

    @property
    def name(self) -> str:
        """See `around.Base`."""
        return f"classes {self.classes}"

    def fit(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `around.Base`."""
        labels, history, _ = exchange(counts, self.classes, self.iterations, rng, progress)
        bigram = ExchangeClasses(self.classes, self.discount)
        return FittedBase(*bigram.factors(counts, labels), history)


@dataclass(frozen=True)
class ClassRows(RowsAround):
    """Rows around the mean of class bigrams.

    Attributes
    ----------
    classes : int
        Of contexts, and of outcomes.
    starts : int
        Random starts, whose models are averaged.
    iterations : int
        Sweeps over all labels, at most.
    discount : float
        Of the pairs of classes.
    """

    base: ClassVar[type] = ClassBase
    classes: AtLeastOne = 50
    starts: AtLeastOne = 10
    iterations: AtLeastOne = 20
    discount: Discount = 0.75

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 8 * sum(shape) * self.classes * self.starts
