"""The contract of a conditional probability matrix: what every fit of pairs returns."""

from abc import abstractmethod
from os import PathLike

import numpy as np

from condprob import storage
from condprob.checks import check_integer, check_labels
from condprob.model import ConditionalModel

KINDS: dict[str, type["ConditionalMatrix"]] = {}  # Each class by what its files call themselves.


class ConditionalMatrix(ConditionalModel):
    """A matrix of conditional probabilities ``Q``, contexts by outcomes.

    A subclass gives `shape`, `at`, `rows` and its `arrays`; the rest follows, and what it can do
    faster it overrides. Classes of contexts and outcomes that are alike let `risk.kl_risk` cost
    what was seen and not the whole matrix; a matrix that knows of none says nothing.

    A subclass names its kind: ``class Softmax(ConditionalMatrix, kind="softmax")``. Files of that
    kind are then read by its `from_arrays`.
    """

    kind: str

    def __init_subclass__(cls, kind: str | None = None, **options) -> None:
        super().__init_subclass__(**options)
        if kind is not None:
            cls.kind = kind
            KINDS[kind] = cls

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold; `from_arrays` takes it back."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "ConditionalMatrix":
        """Build the matrix from its `arrays`."""

    @property
    def outcomes(self) -> int:
        """Number of outcomes."""
        return self.shape[1]

    @property
    def k(self) -> int:
        """Number of contexts and of outcomes, where they are as many."""
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"a {self.shape[0]} x {self.shape[1]} matrix has no k: see its shape")
        return self.shape[0]

    def dense(self) -> np.ndarray:
        """Build the whole array, shape (contexts, outcomes). Nothing else does."""
        return self.rows(np.arange(self.shape[0]))

    def row_sums(self) -> np.ndarray:
        """Return the sum of every row, shape (contexts,): one, up to rounding."""
        contexts = np.arange(self.shape[0])
        return np.concatenate([rows.sum(axis=1) for _, rows in self._blocks(contexts)])

    def top(self, condition: int, n: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Return the ``n`` likeliest outcomes after a context, and their probabilities."""
        return super().top(condition, check_integer("n", n, 0))

    def classes(self):
        """Return the contexts and the outcomes that stand for all others like them.

        Returns
        -------
        contexts, outcomes : tuple of (representatives, class_of)
            ``representatives`` are numbers, shape (classes,); ``class_of``, shape (contexts,) or
            (outcomes,), says for each context or outcome which of them stands for it.
        """
        return tuple((everyone, everyone) for everyone in map(np.arange, self.shape))

    def block(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        """Return ``Q[contexts][:, outcomes]`` for distinct numbers."""
        return self.rows(contexts)[:, outcomes]

    def save(self, path: str | PathLike, **labels: np.ndarray) -> None:
        """Write the matrix to a file: arrays in NumPy's npz format, without pickle.

        It holds what the estimate is made of, and not the counts that it was fitted to.

        Parameters
        ----------
        path : str or path
        **labels : numpy.ndarray
            Further arrays to be kept beside it, such as the words of the outcomes. The command
            line does so; `load` passes them over.
        """
        kept = {f"{LABELS}{name}": np.asarray(array) for name, array in labels.items()}
        storage.write(path, self.kind, self.arrays() | kept)

    def _distinct(self, conditions):
        contexts = check_labels(conditions, self.shape[0], "contexts").ravel()
        return np.unique(contexts, return_inverse=True)


LABELS = "labels_"  # Arrays of a file whose names start so are labels, no part of the matrix.


def load(path: str | PathLike, *, mmap: bool = False) -> ConditionalMatrix:
    """Read a matrix that was written by `ConditionalMatrix.save`.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk and read of them what is used.

    Raises
    ------
    ValueError
        If the file does not hold a matrix.
    OSError
        If it cannot be read.
    """
    kind, arrays = storage.read(path, tuple(KINDS), mmap)
    arrays = {name: array for name, array in arrays.items() if not name.startswith(LABELS)}
    try:
        return KINDS[kind].from_arrays(arrays)
    except KeyError as missing:
        raise ValueError(f"{path}: damaged, the array {missing} is missing") from None


def load_labels(path: str | PathLike) -> dict[str, np.ndarray]:
    """Return the labels that were saved beside a matrix, by name; none if there were none."""
    _, arrays = storage.read(path, tuple(KINDS))
    return {
        name.removeprefix(LABELS): array
        for name, array in arrays.items()
        if name.startswith(LABELS)
    }
