"""The aggregate model by collapsed Gibbs sampling, its samples averaged, in Pitman-Yor rows.

Each distinct pair ``i, j`` belongs to one of ``m`` classes. The classes of a context have a
Dirichlet prior with weights ``a_l``, and a class has a distribution of the outcomes around a base
``v``. Given the classes of all other pairs, a pair is of class ``l`` with a probability in
proportion to ::

    (n_il + a_l) (x_lj - d [x_lj > 0] + (theta + d T_l) v_j) / (theta + x_l)

where ``n_il`` and ``x_lj`` count the other pairs, and ``T_l`` the outcomes that the class has.

READING: with ``d = 0`` this is the posterior of a Dirichlet prior (Griffiths and Steyvers 2004).
With a discount it is that of Pitman-Yor classes with one table for each outcome, in place of tables
that are sampled.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numba import njit

from condprob.counts import CountMatrix
from condprob.jit import EXACT
from condprob.models.rivals.rows import RowsAround, continuation_of
from condprob.models.rivals.rows_around_base import FittedBase
from condprob.options import AtLeastOne, AtLeastZero, Discount, Positive, Whole
from condprob.pitman_yor.chain import learn_constants
from condprob.progress import chunks

# The share of the continuation in the base of a class: 570a500:benchmarks/constants.csv. Where
# weights that are learned begin, and after how many sweeps they are learned: not measured.
CONTINUATION, FIRST_CONSTANT, SETTLING = 0.25, 0.1, 5
THINNING = 3  # sweeps from one sample of a chain to the next; not measured


class Classes(NamedTuple):
    """The class of each pair, and the sums over pairs of each class.

    Attributes
    ----------
    of_pairs : numpy.ndarray of int, shape (nnz,)
        -1 before the first sweep.
    of_contexts : numpy.ndarray, shape (contexts, m)
    of_outcomes : numpy.ndarray, shape (outcomes, m)
    sizes, distinct : numpy.ndarray, shape (m,)
        Pairs of each class, and outcomes that are in them.
    """

    of_pairs: np.ndarray
    of_contexts: np.ndarray
    of_outcomes: np.ndarray
    sizes: np.ndarray
    distinct: np.ndarray

    @classmethod
    def empty(cls, counts: CountMatrix, m: int) -> "Classes":
        """Return classes without pairs."""
        tables = (np.zeros((size, m)) for size in counts.shape)
        return cls(np.full(counts.nnz, -1), *tables, *np.zeros((2, m)))


@njit(**EXACT)
def sweep(contexts, outcomes, classes, a, discount, strength, v, rng):
    """Draw the class of every pair, given the classes of all others.

    Returns the sum of the log-probabilities of the pairs given all others, nats.

    Parameters
    ----------
    contexts, outcomes : numpy.ndarray of int, shape (nnz,)
    classes : Classes
        Changed in place.
    a : numpy.ndarray, shape (m,)
    discount, strength : float
    v : numpy.ndarray, shape (outcomes,)
    rng : numpy.random.Generator
    """
    of_pairs, of_contexts, of_outcomes, sizes, distinct = classes
    m, log_likelihood = a.size, 0.0
    weights = np.empty(m)
    for p in range(contexts.size):
        i, j = contexts[p], outcomes[p]
        old = of_pairs[p]
        if old >= 0:
            of_contexts[i, old] -= 1
            of_outcomes[j, old] -= 1
            sizes[old] -= 1
            distinct[old] -= of_outcomes[j, old] == 0
        total, of_row = 0.0, 0.0
        for l in range(m):
            seen, x = of_outcomes[j, l], sizes[l]
            own = seen - discount if seen > 0 else 0.0
            given = own + (strength + discount * distinct[l]) * v[j]
            given = given / (strength + x) if x > 0 else v[j]
            total += (of_contexts[i, l] + a[l]) * given
            of_row += of_contexts[i, l] + a[l]
            weights[l] = total
        log_likelihood += np.log(total / of_row)
        drawn, new = rng.random() * total, 0
        while new < m - 1 and weights[new] <= drawn:
            new += 1
        distinct[new] += of_outcomes[j, new] == 0
        of_pairs[p] = new
        of_contexts[i, new] += 1
        of_outcomes[j, new] += 1
        sizes[new] += 1
    return log_likelihood


@dataclass(frozen=True)
class GibbsRows(RowsAround):
    """Rows around the mean of Gibbs samples of the aggregate model of the distinct pairs.

    Attributes
    ----------
    classes : int
        ``m``.
    starts : int
        Chains.
    samples : int
        Of each chain, every third sweep.
    burn_in : int
        Sweeps before the first.
    constant : float or "learned"
        ``a_l``: the same for every class, or one for each, by Minka's fixed point.
    discount, strength : float
        ``d`` and ``theta``.
    """

    classes: AtLeastOne = 30
    starts: AtLeastOne = 3
    samples: AtLeastOne = 8
    burn_in: Whole = 60
    constant: Positive | Literal["learned"] = "learned"
    discount: Discount = 0.7
    strength: AtLeastZero = 0.0

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every sample."""
        return 8 * sum(shape) * self.classes * self.starts * self.samples

    def fit_base(
        self, counts: CountMatrix, rng: np.random.Generator, progress: bool = False
    ) -> FittedBase:
        """See `RowsAround`.

        The history is one number, the mean of the samples' risks, each pair given all others: with
        no change to judge by a fit is at its limit, for nothing measures whether a chain has mixed.
        """
        outcomes = counts.shape[1]
        v = np.full(outcomes, (1 - CONTINUATION) / outcomes)
        v += CONTINUATION * continuation_of(counts)
        of_contexts, of_classes, likelihoods = zip(*self.run(counts, v, rng, progress), strict=True)
        W = np.hstack(of_contexts) / len(of_contexts)
        entropy = -np.log(np.diff(counts.indptr)[counts.contexts]).mean()
        return FittedBase(W, np.vstack(of_classes), np.array([entropy - np.mean(likelihoods)]))

    def run(
        self, counts: CountMatrix, v: np.ndarray, rng: np.random.Generator, progress: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
        """Yield the samples of a chain: means of ``W`` and of ``H`` given the classes.

        With each comes the result of `sweep`, nats per pair.
        """
        pairs = counts.contexts.astype(np.int64), counts.outcomes.astype(np.int64)
        classes, seen = Classes.empty(counts, self.classes), counts.seen_contexts
        is_learned = self.constant == "learned"
        a = np.full(self.classes, FIRST_CONSTANT if is_learned else float(self.constant))
        total = self.burn_in + self.samples * THINNING
        for _, done in chunks(total, 1, progress, "sweep"):
            found = sweep(*pairs, classes, a, self.discount, self.strength, v, rng)
            if is_learned and done > SETTLING:
                counted = classes.of_contexts[seen]
                a = learn_constants(counted, counted.sum(axis=1), a)
            after = done - self.burn_in
            if after > 0 and after % THINNING == 0:
                W = classes.of_contexts + a
                W /= W.sum(axis=1, keepdims=True)
                yield W, self.mean_of_classes(classes, v), found / counts.nnz

    def mean_of_classes(self, classes: Classes, v: np.ndarray) -> np.ndarray:
        """Return the distribution of each class, shape (m, outcomes)."""
        x, left = classes.of_outcomes.T, self.strength + self.discount * classes.distinct
        kept = np.where(x > 0, x - self.discount, 0.0) + left[:, None] * v
        is_empty = classes.sizes == 0
        divisor = np.where(is_empty, 1.0, self.strength + classes.sizes)
        return np.where(is_empty[:, None], v, kept / divisor[:, None])
