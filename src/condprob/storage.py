"""Files of ours: arrays that say of what kind they are, whole or not at all, mapped on request."""

from collections.abc import Sequence
from os import PathLike

import numpy as np

from condprob.archives import DAMAGE, Archive, open_archive, write_archive
from condprob.checks import shorten
from condprob.contents import check_contents
from condprob.file_kinds import KINDS, mark_old_scores
from condprob.files import replacing
from condprob.labels import LABELS

FORMAT = "condprob"  # the array that says what a file holds, and in which version of the format
# 1 had labels in arrays of text; since 3 the whole numbers of packed files are sorted by bytes.
VERSION, PACKED = "2", "3"
VERSIONS = ("1", VERSION, PACKED)  # which are read


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
    try:
        with open_archive(path) as archive:
            kind, version = _kind_of(archive)
            if kind is not None and kind in kinds and version in VERSIONS:
                arrays = {name: archive.read(name, mmap) for name in archive if name != FORMAT}
    except DAMAGE as error:
        told = shorten(" ".join(str(error).split()), 200)
        raise ValueError(f"{path}: not a file of condprob, or damaged ({told})") from None
    wanted = called or " or ".join(kinds)
    if kind is None:
        raise ValueError(f"{path}: not a file of condprob; {wanted} is needed")
    if kind not in kinds or version not in VERSIONS:
        held = f"{shorten(' '.join(kind.split()))} (format {shorten(version)})"
        reader = "; CountMatrix.load reads counts" if kind == "counts" else ""
        raise ValueError(f"{path}: holds {held}; {wanted} is needed{reader}")
    try:
        of_model = {name: a for name, a in arrays.items() if not name.startswith(LABELS)}
        if version == "1":
            mark_old_scores(kind, of_model)
        check_contents(KINDS, kind, of_model)
    except ValueError as error:
        raise ValueError(f"{path}: damaged, {error}") from None
    return kind, arrays


def _kind_of(archive: Archive) -> tuple[str, str] | tuple[None, None]:
    """Return what a file says that it holds, and in which version; nothing of another's file."""
    if FORMAT not in archive:
        return None, None
    told = archive.read(FORMAT)
    if told.dtype.kind != "U" or told.shape != (2,):
        raise ValueError("it does not say what it holds")
    return tuple(told.tolist())
