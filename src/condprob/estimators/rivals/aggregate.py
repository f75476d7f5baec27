"""The aggregate Markov model by tempered EM, in PY-LR's rows.

``P(j | i) = sum_l W_il H_lj`` (Saul and Pereira 1997). Tempered EM (Hofmann 1999) has the
responsibilities ``gamma_ijl`` in proportion to ``(W_il H_lj)^temperature``; below one they are
softer than EM's, which fits the pairs less closely. At one it is EM.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from condprob.counts import CountMatrix
from condprob.em.starts import random_factors
from condprob.estimators.options import AtLeastOne, Proportion
from condprob.estimators.pitman_yor.bases import FittedBase
from condprob.estimators.rivals.around import RowsAround, options_in

LEAST = 1e-200  # of a product of factors, beside which counts of 1e-99 and of 1e15 are numbers


def iterate_tempered(
    counts: csr_array, W: np.ndarray, H: np.ndarray, temperature: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the factors after an iteration, and the log-likelihood before it, nats.

    With ``U = W^temperature`` and ``V = H^temperature`` the soft counts are those of EM of
    ``U V``, as if these were the factors.

    Parameters
    ----------
    counts : scipy.sparse.csr_array, shape (contexts, outcomes)
        No context and no outcome is without counts.
    W : numpy.ndarray, shape (contexts, m)
    H : numpy.ndarray, shape (outcomes, m)
        Transposed.
    temperature : float
    """
    contexts = np.repeat(np.arange(len(W)), np.diff(counts.indptr))
    now = np.einsum("sl,sl->s", W[contexts], H[counts.indices])
    likelihood = counts.data @ np.log(np.maximum(now, LEAST))
    # Each row is divided by its largest, which the soft counts do not see: none vanishes.
    U, V = ((each / each.max(axis=1, keepdims=True)) ** temperature for each in (W, H))
    product = np.maximum(np.einsum("sl,sl->s", U[contexts], V[counts.indices]), LEAST)
    ratio = csr_array((counts.data / product, counts.indices, counts.indptr), counts.shape)
    soft_W, soft_H = U * (ratio @ V), V * (ratio.T @ U)
    soft_H[:, soft_H.sum(axis=0) == 0] = 1.0  # a class that has died
    return (
        soft_W / soft_W.sum(axis=1, keepdims=True),
        soft_H / soft_H.sum(axis=0),
        float(likelihood),
    )


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

    def fit(self, counts: CountMatrix, rng: np.random.Generator) -> FittedBase:
        """See `around.Base`; outcomes without counts have nothing."""
        contexts, outcomes = counts.seen_contexts, counts.seen_outcomes
        start = random_factors(counts, self.classes, rng)
        W, H = start[0][contexts], start[1][:, outcomes].T
        among, history = counts.sparse()[contexts][:, outcomes], []
        most = among.data @ np.log(among.data / counts.row_sums[counts.contexts])
        for _ in range(self.iterations):
            W, H, likelihood = iterate_tempered(among, W, H, self.temperature)
            history.append((most - likelihood) / counts.n)
        of_contexts = np.full((counts.shape[0], self.classes), 1 / self.classes)
        of_classes = np.zeros((self.classes, counts.shape[1]))
        of_contexts[contexts], of_classes[:, outcomes] = W, H.T
        return FittedBase(of_contexts, of_classes, np.array(history))


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

    classes: AtLeastOne = 34
    starts: AtLeastOne = 4
    iterations: AtLeastOne = 30
    temperature: Proportion = 0.6

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every start."""
        return 16 * sum(shape) * self.classes * self.starts

    @property
    def bases(self) -> tuple[TemperedBase, ...]:
        """See `RowsAround`."""
        return (options_in(self, TemperedBase),)
