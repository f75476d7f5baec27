"""The hierarchical Pitman-Yor language model: Kneser-Ney as a posterior mean."""

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix
from condprob.entries import take
from condprob.estimator import Estimator
from condprob.model import Ended
from condprob.models.rivals.seatings import BASE, ROWS, Parameters, Restaurants, sweep
from condprob.options import AtLeastOne, Discount, Positive, Whole
from condprob.progress import chunks
from condprob.sparse_plus_low_rank import SparsePlusLowRank

# Pairs, each of which is seated in every sweep. Measured on one core: of so many a sweep takes five
# seconds, a fit at its defaults a quarter of an hour, and the seats a quarter of a gigabyte.
MOST = 10**7
# Sampled parameters begin at their prior means. Not measured.
FIRST_DISCOUNT, FIRST_STRENGTH = 0.5, 1.0


@dataclass(frozen=True, eq=False, repr=False)
class PosteriorMatrix(SparsePlusLowRank, kind="hierarchical Pitman-Yor"):
    """A posterior mean with the samples of the parameters behind it.

    The latent classes are the samples: row ``s`` of `right` is the base ``G_0`` of sample ``s``,
    column ``s`` of `left` the mass that each context leaves to it, over the number of samples.

    Attributes
    ----------
    discounts, strengths : numpy.ndarray, shape (samples, 2)
        Of the base, then of the rows.
    tables : numpy.ndarray, shape (nnz,)
        Mean number of tables of each pair seen, in the order of the counts.
    """

    discounts: np.ndarray = field(repr=False, default=None)
    strengths: np.ndarray = field(repr=False, default=None)
    tables: np.ndarray = field(repr=False, default=None)

    @property
    def ended(self) -> Ended:
        """At its limit: nothing measures whether the sampler has mixed."""
        return "limit"

    @classmethod
    def own_fields(cls, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
        """See `SparsePlusLowRank`."""
        return {
            "discounts": take(arrays, "discounts", "f", (None, 2), 0, 1),
            "strengths": take(arrays, "strengths", "f", (None, 2)),
            "tables": take(arrays, "tables", "f", (None,), 0),
        }


@dataclass(frozen=True)
class HierarchicalPitmanYor(Estimator):
    """HPY (Teh 2006), the bigram: rows ``G_i ~ PY(d, theta, G_0)``, ``G_0 ~ PY(d_0, theta_0, u)``.

    ``u`` is the uniform distribution. The pairs ``i, j`` sit at ``t_ij`` tables, which are pairs
    ``c_0j = sum_i t_ij`` of the base, at ``t_0j`` tables in their turn. Given the tables, ::

        Q_ij = (C_ij - d t_ij + (theta + d t_i) q_j) / (theta + C_i)
        q_j = (c_0j - d_0 t_0j + (theta_0 + d_0 t_0) / k) / (theta_0 + c_0),

    with ``k`` outcomes, and sums over indices that are left out. With one table for each pair and
    ``theta = theta_0 = 0`` this is Kneser-Ney (``continuation="uniform"``). The estimate is the
    mean over samples of the posterior by Gibbs sampling (`seatings`). A context never seen has the
    mean base as its row.

    Attributes
    ----------
    samples : int
        How many are averaged.
    burn_in : int
        Sweeps over all pairs before the first sample.
    thinning : int
        Sweeps from each sample to the next.
    discount, strength : float or "sampled"
        Of the rows, ``d`` and ``theta``. The priors of sampled ones are Teh's: a discount is
        uniform, a strength exponential with mean one.
    base_discount, base_strength : float or "sampled"
        Of the base, ``d_0`` and ``theta_0``.
    """

    samples: AtLeastOne = 50
    burn_in: Whole = 50
    thinning: AtLeastOne = 2
    discount: Discount | Literal["sampled"] = "sampled"
    strength: Positive | Literal["sampled"] = "sampled"
    base_discount: Discount | Literal["sampled"] = "sampled"
    base_strength: Positive | Literal["sampled"] = "sampled"

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the mass that each sample leaves to the base, and its base."""
        return 8 * sum(shape) * self.samples

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> PosteriorMatrix:
        """See `Estimator.fit`; counts that are not whole, or too many, are a ValueError."""
        check_customers(counts)
        rng = np.random.default_rng(seed)
        rows = Restaurants.empty(counts.indptr, counts.values)
        base = Restaurants.empty(np.array([0, counts.shape[1]]), counts.column_sums)
        parameters = self._first_parameters()
        pairs = counts.outcomes, counts.values.astype(np.int64)
        collected = Samples(counts, self.samples)
        total = 1 + self.burn_in + self.samples * self.thinning  # the first sweep seats everyone
        for done, now in chunks(total, 1, progress, "sweep"):
            sweep(*pairs, rows, base, parameters, done == 0, rng)
            sampling = now - 1 - self.burn_in
            if sampling > 0 and sampling % self.thinning == 0:
                collected.add(rows, base, parameters)
        return collected.mean()

    def _first_parameters(self) -> Parameters:
        """Return the fixed parameters, and where the sampled ones begin."""
        given = (self.base_discount, self.discount), (self.base_strength, self.strength)
        drawn = np.array([[value == "sampled" for value in pair] for pair in given])
        first = [
            [start if value == "sampled" else float(value) for value in pair]
            for pair, start in zip(given, (FIRST_DISCOUNT, FIRST_STRENGTH), strict=True)
        ]
        return Parameters(*np.array(first), *drawn)


class Samples:
    """The samples of the parameters and of the seating so far, and their mean.

    Parameters
    ----------
    counts : CountMatrix
    samples : int
        How many there will be.
    """

    def __init__(self, counts: CountMatrix, samples: int) -> None:
        self.counts, self.samples, self.taken = counts, samples, 0
        self.left = np.empty((counts.shape[0], samples))
        self.right = np.empty((samples, counts.shape[1]))
        self.entries, self.tables = np.zeros((2, counts.nnz))
        self.discounts, self.strengths = np.empty((2, samples, 2))

    def add(self, rows: Restaurants, base: Restaurants, parameters: Parameters) -> None:
        """Take a sample: the predictive distribution given this seating."""
        counts, s = self.counts, self.taken
        self.discounts[s], self.strengths[s] = parameters.discounts, parameters.strengths
        discount, strength = self.discounts[s, ROWS], self.strengths[s, ROWS]
        totals = strength + counts.row_sums
        row_tables = np.bincount(counts.contexts, rows.dishes["tables"], minlength=counts.shape[0])
        self.left[:, s] = (strength + discount * row_tables) / totals / self.samples
        kept = counts.values - discount * rows.dishes["tables"]
        self.entries += kept / totals[counts.contexts] / self.samples
        self.tables += rows.dishes["tables"] / self.samples
        discount, strength = self.discounts[s, BASE], self.strengths[s, BASE]
        rest = (strength + discount * base.dishes["tables"].sum()) / base.dishes["tables"].size
        self.right[s] = base.dishes["customers"] - discount * base.dishes["tables"] + rest
        self.right[s] /= strength + base.dishes["customers"].sum()
        self.taken += 1

    def mean(self) -> PosteriorMatrix:
        """Return the mean of all samples."""
        drawn = {name: getattr(self, name) for name in ("discounts", "strengths", "tables")}
        return PosteriorMatrix.on_pattern(self.counts, self.left, self.right, self.entries, **drawn)


def check_customers(counts: CountMatrix) -> None:
    """Raise ValueError unless counts are whole and at most `MOST`: each pair is a customer."""
    if not counts.is_whole:
        raise ValueError("hpy needs whole counts, and these have fractions: kn takes any")
    if counts.n > MOST:
        raise ValueError(f"hpy seats at most {MOST} pairs, and these are {counts.n}: kn takes any")
