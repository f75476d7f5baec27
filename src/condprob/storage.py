"""Files of ours: arrays that say of what kind they are, whole or not at all, mapped on request."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike

import numpy as np

from condprob.archives import DAMAGE, Archive, open_archive, write_archive
from condprob.checks import check_memory, in_brief, shorten
from condprob.contents import Head, Heads, check_contents
from condprob.file_kinds import KINDS, mark_old_scores
from condprob.files import replacing
from condprob.labels import LABELS, check_label_arrays

FORMAT = "condprob"  # the array that says what a file holds, and in which version of the format
# 1 had labels in arrays of text; since 3 the whole numbers of packed files are sorted by bytes.
VERSION, PACKED = "2", "3"
VERSIONS = ("1", VERSION, PACKED)  # which are read
# Bytes of a text by itself, such as the name of a kind, that is read to know what a file holds; 250
# characters. Not measured.
LONGEST_TEXT = 1000


def write(
    path: str | PathLike[str], kind: str, arrays: dict[str, np.ndarray], packed: bool = False
) -> None:
    """Write arrays to a file that says of what kind it is.

    The file appears under its name when it is complete, so that an interruption leaves no half; see
    `files.replacing`. Arrays that are ``packed`` are compressed: they are read and never mapped.
    """
    told = {FORMAT: np.array([kind, PACKED if packed else VERSION])}
    with replacing(path) as file:
        write_archive(file, told | arrays, packed)


def read(
    path: str | PathLike[str], kinds: Sequence[str], mmap: bool = False, called: str = ""
) -> tuple[str, dict[str, np.ndarray]]:
    """Read what `write` wrote, once it is known to be what a file of its kind must hold.

    Parameters
    ----------
    path : str or path
    kinds : sequence of str
        Kinds that are accepted.
    mmap : bool
        Map the arrays instead of reading them: they stay on disk until they are used. They are
        read once, for their checksums and to be checked. Arrays that cannot be mapped, being of
        another order of bytes or in no place for their numbers, are read.
    called : str
        What files of these kinds are called together, where a message needs it.

    Returns
    -------
    kind : str
    arrays : dict of numpy.ndarray
        Of numbers, truths and texts, and nothing else.

    Raises
    ------
    ValueError
        If the file is not of these kinds, or damaged.
    OSError
        If it cannot be read.
    """
    with _telling_damage(path), open_archive(path) as archive:
        kind, version = _kind_of(archive)
        if kind is not None and kind in kinds and version in VERSIONS:
            heads = {name: _head_of(archive, name) for name in archive if name != FORMAT}
    wanted = called or " or ".join(kinds)
    if kind is None:
        raise ValueError(f"{path}: not a file of condprob; {wanted} is needed")
    if kind not in kinds or version not in VERSIONS:
        told = shorten(kind) if kind.isprintable() else in_brief(kind)
        held = f"{told} (format {shorten(version) if version.isprintable() else in_brief(version)})"
        reader = "; CountMatrix.load reads counts" if kind == "counts" else ""
        raise ValueError(f"{path}: holds {held}; {wanted} is needed{reader}")
    try:
        _check(kind, version, heads, kinds)
        if not mmap:
            taken = sum(math.prod(head.shape) * head.dtype.itemsize for head in heads.values())
            check_memory("what it holds", taken)
    except ValueError as error:
        raise ValueError(f"{path}: damaged, {error}") from None
    with _telling_damage(path), open_archive(path) as archive:
        arrays = {name: archive.read(name, mmap) for name in archive if name != FORMAT}
    try:
        _check(kind, version, arrays, kinds)
    except ValueError as error:
        raise ValueError(f"{path}: damaged, {error}") from None
    return kind, arrays


def _check(kind: str, version: str, arrays: Heads, kinds: Sequence[str]) -> None:
    """Raise ValueError unless arrays, or what is known of them before, are what must be there."""
    labels = {name: array for name, array in arrays.items() if name.startswith(LABELS)}
    check_label_arrays(labels)
    of_model = {name: array for name, array in arrays.items() if name not in labels}
    if version == "1":
        mark_old_scores(kind, of_model)
    check_contents(KINDS, kind, of_model, kinds)


@contextmanager
def _telling_damage(path: str | PathLike[str]) -> Iterator[None]:
    """Tell in one line, with the name of the file, what shows that it is no archive of arrays."""
    try:
        yield
    except DAMAGE as error:
        told = shorten(" ".join(str(error).split()), 200)
        raise ValueError(f"{path}: not a file of condprob, or damaged ({told})") from None
    except MemoryError:
        raise ValueError(f"{path}: there is no room in memory for what it holds") from None


def _kind_of(archive: Archive) -> tuple[str, str] | tuple[None, None]:
    """Return what a file says that it holds, and in which version; nothing of another's file."""
    if FORMAT not in archive:
        return None, None
    head = archive.head(FORMAT)
    if head.dtype.kind != "U" or head.shape != (2,) or head.dtype.itemsize > LONGEST_TEXT:
        raise ValueError("it does not say what it holds")
    return tuple(archive.read(FORMAT).tolist())


def _head_of(archive: Archive, name: str) -> np.ndarray | Head:
    """Return what is known of an array before it is read; a short text by itself is read."""
    head = archive.head(name)
    is_text = head.dtype.kind == "U" and not head.shape
    return archive.read(name) if is_text and head.dtype.itemsize <= LONGEST_TEXT else head
