"""A fitted matrix in parts, each a file of a folder: `DistributedMatrix`, `save` and `load`.

`distributed.fit` writes one. The file of the model is written last, and has the shape and the
checksum of each part. Both are compared when a part is opened. No name in it is absolute, so the
folder may be moved or copied.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from condprob.entries import check_labels, check_rising
from condprob.io import FORMAT, VERSION, read_arrays, write_arrays
from condprob.io import load as load_model
from condprob.matrix import ConditionalMatrix, at_pairs
from condprob.model import ENDS, Ended, worst_end
from condprob.shards import digest
from condprob.stored import Array

KIND, MODEL = "distributed", "model.npz"


def save(model: "DistributedMatrix", folder: str | PathLike[str]) -> None:
    """Copy a model to a folder that is empty or not there; each part is compared first.

    Raises
    ------
    ValueError
        If the folder has files, or a part is not the one that the fit has written.
    OSError
        If a file cannot be read or written.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    if next(target.iterdir(), None) is not None:
        raise ValueError(f"{target}: has files; an empty folder, or a new name, is needed")
    for number, file in enumerate(model.files):
        model.part(number)
        shutil.copyfile(file, target / file.name)
    write_arrays(target / MODEL, read_arrays(model.folder / MODEL))


def load(folder: str | PathLike[str]) -> "DistributedMatrix":
    """Read a model that `fit` or `save` has written; its folder may have been moved or copied.

    Raises
    ------
    ValueError
        If the folder has no finished model. Shape and checksum of a part are compared when it is
        opened first: another part raises ValueError there.
    OSError
        If a file cannot be read.
    """
    path = Path(os.path.abspath(folder))
    path = path.parent if path.name == MODEL else path
    if not (file := path / MODEL).exists():
        raise ValueError(f"{folder}: has no {MODEL}, which is written last: no finished fit")
    arrays = read_arrays(file)
    if arrays.get(FORMAT, np.array(0)).tolist() != [KIND, VERSION]:
        raise ValueError(f"{file}: not the model of a distributed fit, or of another version")
    try:
        checksums = tuple(Array("U", ("parts",)).read("checksums", arrays, {}).tolist())
        bounds = Array("i", (len(checksums) + 1,)).read("bounds", arrays, {})
        check_rising(bounds, bounds[-1], "bounds")
        columns = Array("i", low=1).read("columns", arrays, {})
        ended = Array("U", choices=ENDS).read("ended", arrays, {})
    except ValueError as error:
        raise ValueError(f"{file}: damaged, {error}") from None
    return DistributedMatrix(path, bounds, columns, checksums, ended)


def write_model(
    folder: Path, bounds: np.ndarray, columns: int, parts: Sequence[tuple[str, Ended]]
) -> None:
    """Write the file of a model, by the checksum of each part and how its fit ended."""
    checksums, ended = zip(*parts, strict=True)
    head = {FORMAT: [KIND, VERSION], "bounds": bounds, "columns": columns}
    head |= {"checksums": checksums, "ended": worst_end(ended)}
    write_arrays(folder / MODEL, {name: np.array(value) for name, value in head.items()})


def file_of(folder: Path, part: int) -> Path:
    """Return the file of a part."""
    return folder / f"part-{part}.npz"


@dataclass(frozen=True, eq=False, repr=False)
class DistributedMatrix(ConditionalMatrix):
    """A matrix of which the file of part ``b`` has rows ``bounds[b]..bounds[b + 1] - 1``.

    A part is opened when one of its rows is asked for, and its arrays stay on disk.

    Attributes
    ----------
    folder : pathlib.Path
    bounds : numpy.ndarray of int64, shape (parts + 1,)
    columns : int
        The number of outcomes.
    checksums : tuple of str
        Of the files of the parts, compared whenever one is opened.
    ended : str
        See `ConditionalModel.ended`.
    """

    kind = KIND  # of a file that `io.load` does not read
    folder: Path
    bounds: np.ndarray
    columns: int
    checksums: tuple[str, ...]
    ended: Ended = "direct"

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of contexts and of outcomes."""
        return int(self.bounds[-1]), self.columns

    @property
    def files(self) -> list[Path]:
        """The files of the parts."""
        return [file_of(self.folder, number) for number in range(len(self.checksums))]

    def part(self, number: int) -> ConditionalMatrix:
        """Return the matrix of a part; a low-rank one has ``W`` of its rows, ``H`` and history.

        Raises ValueError if the file is not the one that the fit has written.
        """
        shape = int(self.bounds[number + 1] - self.bounds[number]), self.columns
        file = self.files[number]
        found = file.stat()
        return _open_part(file, self.checksums[number], shape, (found.st_mtime_ns, found.st_ino))

    def rows(self, contexts: ArrayLike) -> np.ndarray:
        contexts = check_labels(contexts, self.shape[0], "contexts").ravel()
        found = np.empty((contexts.size, self.columns))
        for part, these, within in self._by_part(contexts):
            found[these] = part.rows(within)
        return found

    def at(self, contexts: ArrayLike, outcomes: ArrayLike) -> np.ndarray:
        return at_pairs(self._at, self.shape, contexts, outcomes)

    def _at(self, contexts: np.ndarray, outcomes: np.ndarray) -> np.ndarray:
        found = np.empty(contexts.size)
        for part, these, within in self._by_part(contexts):
            found[these] = part.at(within, outcomes[these])
        return found

    def _by_part(self, contexts: np.ndarray) -> Iterator[tuple]:
        """Yield each part that is asked, the places of its contexts, and their numbers in it."""
        part_of = np.searchsorted(self.bounds, contexts, side="right") - 1
        for number in np.unique(part_of):
            these = np.flatnonzero(part_of == number)
            yield self.part(number), these, contexts[these] - self.bounds[number]

    def arrays(self) -> dict[str, np.ndarray]:
        """Raise ValueError: its rows are in a folder."""
        raise ValueError("a model in parts is no single file: condprob.distributed.save copies it")

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> "DistributedMatrix":
        """Raise ValueError: see `load`."""
        raise ValueError("a model in parts is read by condprob.distributed.load")


@lru_cache(maxsize=64)
def _open_part(file: Path, expected: str, shape: tuple, stamp: tuple) -> ConditionalMatrix:
    """Return the mapped matrix of a part; another stamp is another file of the name."""
    matrix = load_model(file, mmap=True) if digest(file) == expected else None
    if matrix is None or matrix.shape != shape:
        raise ValueError(f"{file}: not the part that the fit has written; copy or fit it again")
    return matrix
