"""What every estimator is: hyperparameters in a frozen dataclass, and a `fit`."""

from abc import ABC, abstractmethod

from condprob.annotations import Seed
from condprob.checks import check_memory, check_seed
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimators.options import check_options
from condprob.matrices.contract import ConditionalMatrix


class Estimator(ABC):
    """From counts to a matrix of conditional probabilities.

    A subclass is a frozen dataclass whose fields are its hyperparameters, annotated as `options`
    says, and has `fit_counts`. Making one checks every field.
    """

    def __post_init__(self) -> None:
        check_options(self)

    def fit(self, counts: Counts, seed: Seed = 0, *, progress: bool = False) -> ConditionalMatrix:
        """Fit counts.

        Parameters
        ----------
        counts : CountMatrix, scipy sparse matrix or 2-D array
            Contexts by outcomes, numbers >= 0.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Of all randomness; a method without any ignores it.
        progress : bool
            Show a bar of a fit that has iterations.

        Returns
        -------
        ConditionalMatrix
            Of the shape of the counts. The estimator itself is not changed.

        Raises
        ------
        ValueError
            If the counts are no counts, the method is not defined for them, or the fit takes more
            memory than there is.
        """
        return self.fit_counts(self.checked(counts, seed), seed, progress)

    def checked(self, counts: Counts, seed: Seed) -> CountMatrix:
        """Return what `fit` fits, once it is known that it can be fitted; see there."""
        counts = as_counts(counts)
        check_seed(seed)
        rows, columns = counts.shape
        check_memory(f"a fit to {rows:,} x {columns:,} counts", self.memory(counts.shape))
        return counts

    def memory(self, shape: tuple[int, int]) -> int:
        """Return how many bytes a fit holds at least, besides counts of this shape."""
        return 16 * sum(shape)

    @abstractmethod
    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> ConditionalMatrix:
        """Do what `fit` says for a `CountMatrix`."""
