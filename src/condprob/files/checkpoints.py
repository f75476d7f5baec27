"""Checkpoints: the state of a fit in a file, from which an interrupted fit goes on.

EM and full gradient steps have no randomness after their start; steps on mini-batches draw those of
an epoch from a seed of its own. So a fit needs its factors or weights, and the course of its
objective, to end with the same numbers as a fit without interruption.
"""

import hashlib
import time
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from condprob import __version__
from condprob.files import settle
from condprob.files.arrays import read_arrays, write_arrays
from condprob.files.stored import Array, Arrays

SECONDS_BETWEEN_WRITES = 60.0  # not measured
_OTHERS = (  # how a checkpoint of another fit differs
    "by another version of condprob",
    "of other counts",
    "from another start (its seed, rank or initial factors)",
    # More iterations may have learned another temperature, or another penalty.
    "with other options, given or learned",
)


@dataclass(frozen=True)
class Checkpoint:
    """File in which a fit saves its state, and from which it resumes.

    Pass it, or only its path, as ``checkpoint=``.

    Attributes
    ----------
    path : str or path
        The file. It is also written before the first iteration and after the last.
    seconds : float
        Least time between two writes.

    Examples
    --------
    >>> from condprob import Checkpoint
    >>> Checkpoint("fit.safetensors", seconds=600).seconds
    600
    """

    path: str | PathLike[str]
    seconds: float = SECONDS_BETWEEN_WRITES


class Keeper:
    """Saves a fit in its checkpoint, and restores it; without a checkpoint it does neither.

    Checksums name the fit: the checkpoint of another fit is refused. A fit begun by another version
    of the library is another fit.

    Parameters
    ----------
    checkpoint : Checkpoint or None
    fit : tuple
        Its counts and its start, each a tuple of arrays, and its options, a tuple of numbers, names
        and None.
    state : dict of numpy.ndarray
        Floats that iterations change in place.
    course : dict of numpy.ndarray, shape (iterations + 1,)
        Floats that iteration ``t`` records at entry ``t``.
    """

    def __init__(
        self,
        checkpoint: Checkpoint | None,
        fit: tuple[tuple, tuple, tuple],
        state: dict[str, np.ndarray],
        course: dict[str, np.ndarray],
    ) -> None:
        self.checkpoint, self.state, self.course = checkpoint, state, course
        self.written, self.when = -1, -np.inf
        if checkpoint:
            counts, start, given = fit
            plain = [
                each if each is None or isinstance(each, str) else float(each) for each in given
            ]
            sums = [checksum(*part) for part in (counts, start, (repr(plain),))]
            self.identity = np.array([__version__, *sums])

    def restore(self) -> int:
        """Copy the arrays of the file into state and course; return the iterations done.

        A file that does not exist is written: a missing folder or a full disk is an error before
        the first iteration.

        Raises
        ------
        ValueError
            If the file is no checkpoint, is damaged, or belongs to another fit or a longer one.
        OSError
            If it cannot be read or written.
        """
        if not self.checkpoint:
            return 0
        path = self.checkpoint.path
        if not settle(path).exists():
            self.save(0)
            return 0
        found = read_arrays(path)
        of_any = {"identity": Array("U", ("parts",)), "done": Array("i", low=0)}
        identity, done = _read_arrays_of(path, found, of_any).values()
        if not np.array_equal(identity, self.identity):
            differs = identity != self.identity if identity.size == len(_OTHERS) else [True]
            message = f"the checkpoint of a fit {_OTHERS[int(np.argmax(differs))]}"
            raise ValueError(f"{path}: {message}; name another file, or remove this one")
        most = min(array.size for array in self.course.values()) - 1
        if done > most:
            raise ValueError(f"{path}: {done} iterations are done already, more than {most}")
        parts = {name: array[: done + 1] for name, array in self.course.items()}
        # The objective of an iteration is infinite where nobody wanted it.
        wanted = {name: Array("f", part.shape, -np.inf, np.inf) for name, part in parts.items()}
        if done:  # before the first iteration some arrays of the state are empty
            parts |= self.state
            wanted |= {name: Array("f", part.shape) for name, part in self.state.items()}
        for name, array in _read_arrays_of(path, found, wanted).items():
            parts[name][...] = array
        self.written, self.when = done, time.monotonic()
        return done

    def save(self, done: int, is_last: bool = False) -> None:
        """Write the file after ``done`` iterations, if it is time or they are the last."""
        if not self.checkpoint or self.written == done:
            return
        if not is_last and time.monotonic() - self.when < self.checkpoint.seconds:
            return
        course = {name: array[: done + 1] for name, array in self.course.items()}
        fields = {"identity": self.identity, "done": np.array(done)}
        write_arrays(self.checkpoint.path, fields | self.state | course)
        self.written, self.when = done, time.monotonic()


def _read_arrays_of(
    path: str | PathLike[str], found: Arrays, wanted: dict[str, Array]
) -> dict[str, Any]:
    """Return what a checkpoint must have, by name, or raise ValueError."""
    try:
        return {name: form.read(name, found, {}) for name, form in wanted.items()}
    except ValueError as error:
        raise ValueError(f"{path}: not a checkpoint, or a damaged one: {error}") from None


def checksum(*parts) -> str:
    """Return a checksum of arrays and numbers, their types and shapes included."""
    digest = hashlib.blake2b(digest_size=16)
    for part in map(np.asarray, parts):
        digest.update(f"{part.dtype.str}{part.shape}".encode())
        digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()
