"""Good-Turing and empirical-Bayes estimates of each row by itself.

Orlitsky and Suresh (2015, NIPS) prove a bound for a simple variant of Good-Turing. Its KL risk is
at most ``(3 + o(1)) / n^(1/3)`` above that of the best natural estimator. A natural estimator gives
outcomes with the same count the same probability. With ``N_t`` outcomes that have the count ``t``,
the probability of each of them is in proportion to

    t                                if t > N_(t+1),
    (t + 1) (N_(t+1) + 1) / N_t      else.

Empirical Bayes puts the ratio that a prior lets expect in the place of ``N_(t+1) / N_t``, and keeps
large counts as they are. READING: Hao and Orlitsky (2019, ICML) smooth ``N_t`` by means of its
neighbours, up to counts of about ``log^2 n``. Their weights are not at hand. Here the prior of the
expected counts is that under which the counts of a row are likeliest: a mixture of Poisson
distributions (Kiefer and Wolfowitz 1956). Counts above `SMALL` are kept.

READING: the distribution of a context without counts is the estimate of the pooled counts. Counts
that are not whole are rounded before they are compared.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import gammaln, xlogy

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.direct import with_row
from condprob.estimator import Estimator
from condprob.sparse_plus_low_rank import SparsePlusLowRank

SMALL = 20  # larger counts are kept by empirical Bayes; not measured
LEVELS = np.arange(2 * SMALL + 2)  # counts by which the prior is learned
MEANS = np.geomspace(1e-3, 2 * SMALL + 2, 60)  # of the Poisson distributions
POISSON = np.exp(xlogy(LEVELS, MEANS[:, None]) - MEANS[:, None] - gammaln(LEVELS + 1))
STEPS = 200  # of EM for the prior; not measured


@dataclass(frozen=True)
class GoodTuringRows(Estimator):
    """Good-Turing, or empirical Bayes, in each row.

    Attributes
    ----------
    rule : "good-turing" or "empirical-bayes"
        The first is Good and Turing's estimate, the second a posterior mean with a learned prior.
    """

    rule: Literal["good-turing", "empirical-bayes"] = "good-turing"

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> SparsePlusLowRank:
        """See `Estimator.fit`."""
        contexts, outcomes = counts.shape
        if not counts.nnz:
            uniform = np.full((1, outcomes), 1 / outcomes)
            return SparsePlusLowRank.on_pattern(counts, np.ones((contexts, 1)), uniform)
        pooled = CountMatrix.from_dense(counts.column_sums[None])
        row = self._fit_rows(pooled).rows([0])[0]
        return with_row(self._fit_rows(counts), counts.row_sums == 0, row)

    def _fit_rows(self, counts):
        """Return the estimate; a row without counts is uniform."""
        levels = np.maximum(np.rint(counts.values), 1).astype(np.int64)
        hidden = counts.shape[1] - counts.distinct_outcomes
        score = good_turing if self.rule == "good-turing" else empirical_bayes
        seen, unseen = score(counts.contexts, levels, hidden)
        total = np.bincount(counts.contexts, seen, hidden.size) + unseen * hidden
        unseen = unseen / total
        entries = seen / total[counts.contexts] - unseen[counts.contexts]
        ones = np.ones((1, counts.shape[1]))
        return SparsePlusLowRank.on_pattern(counts, unseen[:, None], ones, entries)


def good_turing(
    contexts: np.ndarray, levels: np.ndarray, hidden: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the variant by Orlitsky and Suresh.

    Parameters
    ----------
    contexts, levels : numpy.ndarray of int, shape (nnz,)
        Context and count of each entry.
    hidden : numpy.ndarray of int, shape (contexts,)
        Outcomes that a context was not seen with.

    Returns
    -------
    seen : numpy.ndarray, shape (nnz,)
    unseen : numpy.ndarray, shape (contexts,)
        Of each unseen outcome; zero where there is none.
    """
    kinds, kind, sizes = np.unique(
        np.column_stack([contexts, levels]), axis=0, return_inverse=True, return_counts=True
    )
    follows = (np.diff(kinds, axis=0) == [0, 1]).all(axis=1)
    after = np.where(np.append(follows, False), np.append(sizes[1:], 0), 0)
    N, N_after = sizes[kind.ravel()], after[kind.ravel()]
    seen = np.where(levels > N_after, levels, (levels + 1.0) * (N_after + 1) / N)
    once = np.bincount(contexts[levels == 1], minlength=hidden.size)
    return seen, np.where(hidden > 0, (once + 1) / np.maximum(hidden, 1), 0.0)


def empirical_bayes(
    contexts: np.ndarray, levels: np.ndarray, hidden: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores by a prior for each row; parameters and result are as above.

    With the distribution ``f`` of counts under the prior, the mean of an outcome with the count
    ``t`` is ``(t + 1) f(t + 1) / f(t)`` (Robbins 1956).
    """
    N = np.zeros((hidden.size, LEVELS.size))
    N[:, 0] = hidden
    few = levels < LEVELS.size
    np.add.at(N, (contexts[few], levels[few]), 1)
    prior = learn_priors(N)
    f = np.maximum(prior @ POISSON, np.finfo(float).tiny)
    means = LEVELS[1:] * f[:, 1:] / f[:, :-1]
    inside = np.minimum(levels, SMALL)
    return np.where(levels <= SMALL, means[contexts, inside], levels), means[:, 0]


def learn_priors(N: np.ndarray) -> np.ndarray:
    """Return the weights of `MEANS` under which counts are likeliest, shape (contexts, means).

    ``N``, shape (contexts, levels), has the number of outcomes with each count.
    """
    prior = np.full((len(N), MEANS.size), 1 / MEANS.size)
    for _ in range(STEPS):
        ratios = np.divide(N, prior @ POISSON, out=np.zeros(N.shape), where=N > 0)
        prior *= ratios @ POISSON.T
        prior /= np.maximum(prior.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return prior
