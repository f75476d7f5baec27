"""Checkpoints: what a fit has so far, in a file, so that an interrupted fit can go on from there.

EM has no randomness once it has started, and gradient steps on all places have none; steps on
mini-batches draw those of an epoch from a seed of its own. What they need to go on are their
factors or weights and the course of their objective, so that a fit that was interrupted ends with
the very numbers of one that was not.
"""

import hashlib
import time
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

import numpy as np

from condprob import __version__
from condprob.checks import UNIT
from condprob.entries import take

SECONDS = 60.0  # not measured
_OTHERS = {  # what differs where a checkpoint is of another fit
    "version": "by another version of condprob",
    "counts": "of other counts",
    "start": "from another start (its seed, rank or initial factors)",
    # More iterations may have learned another temperature, or another penalty.
    "options": "with other options, given or learned",
}
# Of an impossible start the log-likelihood is minus infinity, and so is the first lower bound.
_MAY_BE_ENDLESS = {"likelihood", "penalty", "objective", "state"}
_ANY_SIGN = {"ahead", "of_W", "of_H", "last_W", "last_H", "network", "best_network"}


@dataclass(frozen=True)
class Checkpoint:
    """A file that a fit writes while it goes on, and goes on from where there is one.

    Attributes
    ----------
    path : str or path
    seconds : float
        At least so long apart it is written, between two steps of the fit's progress; and before
        the first iteration and after the last.
    """

    path: str | PathLike[str]
    seconds: float = SECONDS

    @classmethod
    def at(cls, given: "str | PathLike[str] | Checkpoint | None") -> "Checkpoint | None":
        """Return what a fit was given, a path as a checkpoint with the usual time between."""
        return given if given is None or isinstance(given, cls) else cls(given)


class Identity(NamedTuple):
    """What a fit is of: a checkpoint of another is refused. Each is a checksum, but the version.

    A fit that another version of the library has begun would end with numbers of neither.
    """

    counts: str
    start: str
    options: str
    version: str = __version__

    @classmethod
    def of(cls, counts: tuple, start: tuple, options: tuple) -> "Identity":
        """Return that of counts and a start, which are arrays, and options, which print alike."""
        return cls(checksum(*counts), checksum(*start), checksum(repr(options)))


class Keeper:
    """Keeps a fit in its checkpoint; without one it keeps nothing.

    ``identity`` returns the `Identity` of the fit, and is called before anything has changed. The
    state has the arrays that the iterations change in place, the course those in which they record:
    entry ``t`` of iteration ``t``, and room for one that is yet to come. ``add_up`` takes the state
    of a file and returns arrays of sums, all of which are one in what iterations leave.
    """

    def __init__(self, checkpoint, identity, state, course, add_up=lambda state: ()):
        self.checkpoint, self.state, self.course = checkpoint, state, course
        self.add_up = add_up
        self.identity = identity
        self.written, self.when = None, -np.inf

    def restore(self) -> int:
        """Put what the file has into the state and the course; return the iterations done.

        Where there is no file it is written: a folder that is missing, or a disk that is full, is
        told before the first iteration. Raises ValueError if the file is no checkpoint, is damaged,
        or is of another fit or a longer one, and OSError if it cannot be read or written.
        """
        if not self.checkpoint:
            return 0
        from condprob.io import read_arrays, settle

        path = self.checkpoint.path
        if not settle(path).exists():
            self.save(0, is_last=True)
            return 0
        found = read_arrays(path)
        done = self._check(path, found)
        for name, array in self.state.items():
            array[...] = found[name]
        for name, array in self.course.items():
            array[: done + 1] = found[name]
        self.written, self.when = done, time.monotonic()
        return done

    def _check(self, path, found):
        """Return the iterations that a file's arrays are of, or raise ValueError."""
        wanted = {name: array.shape for name, array in self.state.items()}
        if not {"identity", "done"} <= found.keys():
            raise ValueError(f"{path}: not a checkpoint, or a damaged checkpoint")
        try:
            identity = take(found, "identity", "U", (None,)).tolist()
            done = take(found, "done", "i", (), 0).item()
        except ValueError as error:
            raise ValueError(f"{path}: a damaged checkpoint: {error}") from None
        # One of 0.1.0 says no version, and has no checksum.
        if len(identity) not in (len(_OTHERS) - 1, len(_OTHERS)):
            raise ValueError(f"{path}: a damaged checkpoint")
        its_own = dict(zip(Identity._fields, identity, strict=False))
        for name, told in _OTHERS.items():
            if getattr(self.identity, name) != its_own.get(name):
                raise ValueError(
                    f"{path}: the checkpoint of a fit {told}; name another file, or remove this one"
                )
        wanted |= dict.fromkeys(self.course, (done + 1,))
        for name, shape in wanted.items():
            if name not in found or found[name].shape != shape or found[name].dtype.kind != "f":
                raise ValueError(f"{path}: a damaged checkpoint: {name}")
            if done and not _is_possible(name, found[name]):
                raise ValueError(f"{path}: a damaged checkpoint: impossible numbers in {name}")
        if done and not all((abs(sums - 1) <= UNIT).all() for sums in self.add_up(found)):
            raise ValueError(f"{path}: a damaged checkpoint: its rows do not sum to one")
        if found.get("checksum", np.array("")).item() != checksum_of(found):
            raise ValueError(f"{path}: a damaged checkpoint: its checksum is not that of the rest")
        most = min(array.size for array in self.course.values()) - 1
        if done > most:
            raise ValueError(f"{path}: {done} iterations are done already, more than {most}")
        return done

    def save(self, done: int, is_last: bool = False) -> None:
        """Write the file after ``done`` iterations, if it is due or they are the last."""
        if not self.checkpoint or self.written == done:
            return
        if not is_last and time.monotonic() - self.when < self.checkpoint.seconds:
            return
        course = {name: array[: done + 1] for name, array in self.course.items()}
        told = {"identity": np.array(self.identity), "done": np.array(done)}
        arrays = told | self.state | course
        arrays["checksum"] = np.array(checksum_of(arrays))
        from condprob.io import write_arrays

        write_arrays(self.checkpoint.path, arrays)
        self.written, self.when = done, time.monotonic()


def _is_possible(name: str, numbers: np.ndarray) -> bool:
    """Whether numbers are what iterations leave: finite but for an objective, factors >= 0."""
    if name in _MAY_BE_ENDLESS:
        return not (np.isnan(numbers) | (numbers == np.inf)).any()
    return np.isfinite(numbers).all() and (name in _ANY_SIGN or (numbers >= 0).all())


def checksum_of(arrays: dict[str, np.ndarray]) -> str:
    """Return that of all arrays of a checkpoint but the checksum itself, whatever their order."""
    told = sorted(arrays.keys() - {"checksum"})
    return checksum(*(part for name in told for part in (name, arrays[name])))


def checksum(*parts) -> str:
    """Return a checksum of arrays and numbers, their types and shapes included."""
    found = hashlib.blake2b(digest_size=16)
    for part in map(np.asarray, parts):
        found.update(f"{part.dtype.str}{part.shape}".encode())
        found.update(np.ascontiguousarray(part).data)
    return found.hexdigest()
