"""Power low-rank ensembles (Parikh, Saluja, Dyer and Xing 2014), the bigram.

Between the pairs, ``rho = 1`` and full rank, and the lower order of Kneser-Ney, ``rho = 0`` and
rank one, stand matrices of powers ``1 > rho_1 > ... > 0`` of the counts, of low rank. Each frees
the mass that the next one takes. With ``rho_0 = 1``, ``rho_(eta + 1) = 0`` and a discount ``d`` ::

    P_j(w | v) = Z_j(v, w) / sum_w c(v, w)^rho_j,
    Z_j near Y_j(v, w) = c(v, w)^rho_j - d c(v, w)^rho_(j + 1),      Z_0 = Y_0,
    gamma_j(v) = d sum_w c(v, w)^rho_(j + 1) / sum_w c(v, w)^rho_j,
    P = P_0 + gamma_0 (P_1 + gamma_1 (... + gamma_eta P_KN(w))).

``Z_j`` has the smallest generalised Kullback-Leibler divergence from ``Y_j``, as EM finds it, so
that its rows and columns have the sums of ``Y_j``. ``P`` has the marginals of whole counts where
every outcome was seen; where some were not, ``P_KN`` is smoothed, and their mass is taken
from the marginals of the others.

READING: the formulas are recalled, for the paper was not at hand. The powers are evenly apart, and
one rank and one discount serve all levels; the paper tunes them on held-out text. Where a count is
below one, which no count of a text is, its next power is larger than it, and no more than the
smaller of the two is taken.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.estimator import Estimator
from condprob.kneser_ney import KneserNey
from condprob.low_rank import LowRank
from condprob.mixtures import MixtureMatrix
from condprob.model import worst_end
from condprob.options import AtLeastOne, Discount, Whole
from condprob.progress import Parts


@dataclass(frozen=True)
class PowerLowRank(Estimator):
    """PLRE: Kneser-Ney with low-rank matrices of powers of the counts between its two orders.

    The defaults are the best of ranks 3, 10 and 50 and of discounts .7, .85 and .95 on training
    halves of Genesis, Brown and pydoc, halved again, and of one matrix or two.

    Attributes
    ----------
    rank : int
        Of every matrix between.
    matrices : int
        How many there are, ``eta``; without any it is Kneser-Ney.
    discount : float
        ``d``.
    iterations : int
        Of EM.
    """

    rank: AtLeastOne = 10
    matrices: Whole = 1
    discount: Discount = 0.85
    iterations: AtLeastOne = 100

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors."""
        return 16 * sum(shape) * self.rank * max(self.matrices, 1)

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> MixtureMatrix:
        """See `Estimator.fit`."""
        rng, given = np.random.default_rng(seed), counts.values.astype(float)
        shape, contexts = counts.shape, counts.contexts
        left, right, ends = [], [], []
        weights, entries = np.ones(shape[0]), None
        powers = np.linspace(1.0, 0.0, self.matrices + 2)
        parts = Parts("fit", self.matrices, progress)
        for power, lower in pairwise(powers):
            values = given**power
            taken = self.discount * np.minimum(values, given**lower)
            sums = np.bincount(contexts, values, minlength=shape[0])
            freed = np.bincount(contexts, taken, minlength=shape[0])
            sums[counts.row_sums == 0] = 1.0
            freed[counts.row_sums == 0] = 1.0
            if entries is None:
                entries = (values - taken) / sums[contexts]
            elif counts.nnz:
                kept = CountMatrix(shape, counts.indptr, counts.outcomes, values - taken)
                seed = int(rng.integers(2**63))
                with parts.next():
                    fit = LowRank(self.rank, self.iterations).fit(kept, seed, progress=progress)
                left.append((weights * (1 - freed / sums))[:, None] * fit.W)
                right.append(fit.H)
                ends.append(fit.ended)
            weights = weights * freed / sums
        left.append(weights[:, None])
        right.append(KneserNey(self.discount).discounted(counts).lower[None])
        factors = np.hstack(left), np.vstack(right)
        ended = worst_end(ends)
        return MixtureMatrix.on_pattern(counts, *factors, entries, weights=np.ones(1), ended=ended)
