"""A posterior of labelled counts, which answers in labels."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from condprob.checks import Seed
from condprob.labelled_model import LabelledModel
from condprob.labels.pairs import is_many, listed_in_order
from condprob.methods.uncertainty import IntervalEnds, Posterior


@dataclass(frozen=True, eq=False, repr=False)
class LabelledPosterior:
    """Samples from the posterior of labelled data; the result of `condprob.posterior`.

    Attributes
    ----------
    draws : Posterior
        The same in numbers: rows and columns in the order of the labels, and a last row for unseen
        contexts.
    estimate : Estimate
        The estimate whose labels it uses.

    Examples
    --------
    >>> from condprob import posterior
    >>> pairs = [("ann", "tea")] * 80 + [("ann", "milk")] * 20 + [("bob", "milk")]
    >>> low, high = posterior(pairs, seed=0).interval("ann", "tea")
    >>> 0.6 < low < high
    True
    """

    draws: Posterior
    estimate: LabelledModel

    def interval(
        self, context: Any, outcome: Any, level: float = 0.95, *, seed: Seed = 0
    ) -> IntervalEnds:
        """Credible interval of the probability of an outcome in a context, with equal tails.

        Parameters
        ----------
        context, outcome : label, or list of labels
            Lists of the same length are pairs. A single label goes with each entry of a list.
        level : float
            Between 0 and 1, both excluded.

        Returns
        -------
        Range
            ``low`` and ``high``: two numbers, or for lists two arrays.

        Raises
        ------
        ValueError
            If an outcome is not known, or the level is out of its range.

        Warns
        -----
        UnseenContextWarning
            If a context was never seen: it gets the interval of a context without counts.
        """
        rows = self.estimate.conditions(listed_in_order(context))
        columns = self.estimate.number_outcomes(listed_in_order(outcome))
        found = self.draws.interval(rows, columns, level, seed)
        if is_many(context) or is_many(outcome):
            return found
        return IntervalEnds(*(end.item() for end in found))

    def draw(self, context: Hashable, *, seed: Seed = 0) -> dict[Hashable, np.ndarray]:
        """Sample the probability of every outcome in a context, shape (samples,) each."""
        (row,) = self.estimate.conditions([context]).tolist()
        drawn = self.draws.draw(row, seed)
        return dict(zip(self.estimate.outcomes, drawn.T, strict=True))

    def __repr__(self) -> str:
        rows, columns = map(len, self.estimate.labels)
        return f"<LabelledPosterior: {rows:,} x {columns:,}, {self.draws.strength.size} draws>"
