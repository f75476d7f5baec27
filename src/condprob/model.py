"""What every estimate is: a distribution of outcomes, given a condition.

A condition is a context of a `matrices.ConditionalMatrix`, or a whole history of a
`sequences.SequenceModel`. What the two share is here: an estimate that gives `rows`, and the
probabilities `at` pairs, has logarithms, samples and the likeliest outcomes for nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from os import PathLike
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from condprob import storage
from condprob.annotations import Conditions, Seed
from condprob.checks import check_integer, check_seed

KINDS: dict[str, type["ConditionalModel"]] = {}  # each class by what its files call themselves
# Where the kinds are: a file is read in a process that has imported none of them yet.
MODULES = (
    *("condprob.matrices.around_base", "condprob.matrices.log_linear"),
    *("condprob.matrices.mixture", "condprob.matrices.posterior"),
    *("condprob.matrices.sparse_plus_low_rank", "condprob.sequences.grown"),
    *("condprob.sequences.histories", "condprob.sequences.kneser_ney"),
    "condprob.sequences.log_linear",
)
LABELS = "labels_"  # arrays of a file whose names start so are labels, no part of the model
CELLS_AT_ONCE = 1 << 22  # floats of rows that are held at a time: 32 MB
# Nats per pair: a fit whose objective moves less in its last iteration has settled.
SETTLED = 1e-5
Ended = Literal["direct", "settled", "limit"]
UNIT = 1e-6  # how far from one a row's sum may be for the row to be drawn from


class ConditionalModel(ABC):
    """A distribution of ``outcomes`` outcomes for each condition.

    A subclass that names its kind, ``class Softmax(ConditionalMatrix, kind="softmax")``, can be
    saved, and files of that kind are read by its `from_arrays`.
    """

    kind: str

    def __init_subclass__(cls, kind: str | None = None, **options) -> None:
        super().__init_subclass__(**options)
        if kind is not None:
            cls.kind = kind
            KINDS[kind] = cls

    @property
    def ended(self) -> Ended:
        """How the fit ended.

        ``"direct"``: it has no iterations that could stop too early. ``"settled"``: its iterations
        came to where they lead; the objective moved by less than `SETTLED` in the last, or by as
        little as was asked for. ``"limit"``: they stopped before, or nothing measured whether they
        had.
        """
        return "direct"

    @property
    @abstractmethod
    def outcomes(self) -> int:
        """Number of outcomes."""

    @abstractmethod
    def rows(self, conditions: Conditions) -> np.ndarray:
        """Return the distribution after each condition, shape (len(conditions), outcomes)."""

    @abstractmethod
    def at(self, conditions: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its condition, broadcast together."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Return what a file has to hold; `from_arrays` takes it back."""

    @classmethod
    @abstractmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "ConditionalModel":
        """Build the model from its `arrays`."""

    def log_prob(self, conditions: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the logarithm of `at`, nats; ``-inf`` where the probability is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.at(conditions, outcomes))

    def sample(self, conditions: Conditions, seed: Seed = 0) -> np.ndarray:
        """Draw an outcome after each condition.

        Parameters
        ----------
        conditions : sequence of length n
        seed : int, numpy.random.SeedSequence or numpy.random.Generator

        Returns
        -------
        numpy.ndarray of int64, shape (n,)

        Raises
        ------
        ValueError
            If a row does not sum to one (stupid backoff as published gives scores), or the seed
            is none.
        """
        check_seed(seed)
        distinct, row_of = self._distinct(conditions)
        uniforms = np.random.default_rng(seed).random(row_of.size)
        order = np.argsort(row_of, kind="stable")
        drawn = np.empty(row_of.size, dtype=np.int64)
        for start, rows in self._blocks(distinct):
            if (abs(rows.sum(axis=1) - 1) > UNIT).any():
                raise ValueError("a row does not sum to one: there is nothing to sample from")
            edges = np.searchsorted(row_of[order], [start, start + len(rows)])
            which = order[slice(*edges)]
            drawn[which] = draw_by_inversion(rows, row_of[which] - start, uniforms[which])
        return drawn

    def top(self, condition: int | Sequence[int], n: int = 10) -> tuple[np.ndarray, np.ndarray]:
        """Return the likeliest outcomes after one condition, the likeliest first.

        Returns
        -------
        outcomes : numpy.ndarray of int64, shape (min(n, outcomes),)
            Among equals, the smaller number comes first.
        probabilities : numpy.ndarray, the same shape
        """
        n = check_integer("n", n, 0)
        (row,) = self.rows([condition])
        best = np.argsort(-row, kind="stable")[:n]
        return best, row[best]

    def save(self, path: str | PathLike, **labels: np.ndarray) -> None:
        """Write the model to a file: arrays in NumPy's npz format, without pickle.

        It holds what the estimate is made of, and not the counts that it was fitted to.

        Parameters
        ----------
        path : str or path
        **labels : numpy.ndarray
            Further arrays to be kept beside it, such as the words of the outcomes: `load` passes
            them over, `load_labels` returns them.
        """
        kept = {f"{LABELS}{name}": np.asarray(array) for name, array in labels.items()}
        storage.write(path, self.kind, self.arrays() | kept)

    def _distinct(self, conditions) -> tuple[list, np.ndarray]:
        """Return the distinct conditions, and the place of each condition among them."""
        place = {}
        found = [place.setdefault(condition, len(place)) for condition in conditions]
        return list(place), np.array(found, dtype=np.int64)

    def _blocks(self, conditions) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows of all conditions, some at a time, each with the place of its first."""
        step = max(CELLS_AT_ONCE // self.outcomes, 1)
        for start in range(0, len(conditions), step):
            yield start, self.rows(conditions[start : start + step])


def worst_end(ends: Iterable[Ended]) -> Ended:
    """Return how a whole ended whose parts ended so: "limit" if any did, else "settled"."""
    return max(ends, key=("direct", "settled", "limit").index, default="direct")


def pack(name: str, model: ConditionalModel) -> dict[str, np.ndarray]:
    """Return the arrays of a model that is a part of another, to be kept in the file of that."""
    arrays = {f"{name}_{key}": array for key, array in model.arrays().items()}
    return {name: np.array(model.kind)} | arrays


def unpack(name: str, arrays: dict[str, np.ndarray]) -> ConditionalModel:
    """Build the part from what `pack` returned, among the arrays of the whole."""
    prefix = f"{name}_"
    of_part = {
        key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)
    }
    return KINDS[str(arrays[name])].from_arrays(of_part)


def draw_by_inversion(rows: np.ndarray, which: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Draw a label from ``rows[which[s]]`` for each ``s``, by inversion of all rows at once.

    Parameters
    ----------
    rows : numpy.ndarray, shape (r, labels)
        Distributions.
    which : numpy.ndarray of int, shape (n,)
        The row of each draw.
    uniforms : numpy.ndarray, shape (n,)
        Uniform on [0, 1).

    Returns
    -------
    numpy.ndarray of int64, shape (n,)
    """
    steps = np.cumsum(rows, axis=1)
    steps /= steps[:, -1:]  # The last step is exactly one: no draw falls off the end.
    steps += np.arange(len(rows))[:, None]
    found = np.searchsorted(steps.ravel(), which + uniforms, side="right")
    return np.minimum(found - which * rows.shape[1], rows.shape[1] - 1)


def known_kinds() -> tuple[str, ...]:
    """Return what files of models call themselves."""
    for module in MODULES:
        import_module(module)
    return tuple(KINDS)


def load(path: str | PathLike, *, mmap: bool = False) -> ConditionalModel:
    """Read a matrix or another model that was written by its `save`.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk and read of them what is used.

    Raises
    ------
    ValueError
        If the file does not hold a model.
    OSError
        If it cannot be read.
    """
    kind, arrays = storage.read(path, known_kinds(), mmap)
    arrays = {name: array for name, array in arrays.items() if not name.startswith(LABELS)}
    try:
        return KINDS[kind].from_arrays(arrays)
    except KeyError as missing:
        raise ValueError(f"{path}: damaged, the array {missing} is missing") from None
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"{path}: damaged: {error}") from error


def load_labels(path: str | PathLike) -> dict[str, np.ndarray]:
    """Return the labels that were saved beside a model, by name; none if there were none."""
    _, arrays = storage.read(path, known_kinds())
    return {
        name.removeprefix(LABELS): array
        for name, array in arrays.items()
        if name.startswith(LABELS)
    }
