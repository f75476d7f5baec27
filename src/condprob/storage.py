"""Files of arrays: NumPy's npz format without pickle, whole or not at all, mapped on request."""

import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np

FORMAT = "condprob"  # the array that says what a file holds, and in which version of the format
VERSION = "1"
_HEADER, _ZIP64 = 30, 20  # bytes of a zip member's header, and of its field for large sizes
_EXTRA, _PADDING = struct.Struct("<HH"), 0xD935  # kind and length of an extra field; its kind
_DAMAGE = (  # what reading a file that is no archive of arrays may raise
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    struct.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def write(path: str | PathLike, kind: str, arrays: dict[str, np.ndarray]) -> None:
    """Write arrays to a file that says of what kind it is.

    The file appears under its name when it is complete, so that an interruption leaves no half.
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            _write_arrays(file, {FORMAT: np.array([kind, VERSION])} | arrays)
            file.flush()
            # Or the name might outlive a failure of power, and not the data.
            os.fsync(file.fileno())
        os.replace(part, target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _write_arrays(file: BinaryIO, arrays: dict[str, np.ndarray]) -> None:
    """Write what `numpy.savez` would, with every array at a multiple of 64 bytes.

    Mapped arrays are then aligned as those in memory are. Room for that is an extra field of the
    zip format, as Android's archives have it.
    """
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            fields = _HEADER + len(member.filename) + _ZIP64 + _EXTRA.size
            fill = -(file.tell() + fields) % np.lib.format.ARRAY_ALIGN
            member.extra = _EXTRA.pack(_PADDING, fill) + bytes(fill)
            with archive.open(member, "w", force_zip64=True) as opened:
                np.lib.format.write_array(opened, np.asanyarray(array), allow_pickle=False)


def read(
    path: str | PathLike, kinds: Sequence[str], mmap: bool = False
) -> tuple[str, dict[str, np.ndarray]]:
    """Read what `write` wrote.

    Parameters
    ----------
    path : str or path
    kinds : sequence of str
        Kinds that are accepted.
    mmap : bool
        Map the arrays instead of reading them: they stay on disk until they are used.

    Returns
    -------
    kind : str
    arrays : dict of numpy.ndarray

    Raises
    ------
    ValueError
        If the file is not of these kinds, or damaged.
    OSError
        If it cannot be read.
    """
    wanted = " or ".join(kinds)
    try:
        with open(path, "rb") as opened, np.load(opened, allow_pickle=False) as file:
            if FORMAT not in file:
                raise ValueError(f"{path}: not a file of condprob; {wanted} is needed")
            kind, version = map(str, file[FORMAT])
            names = [name for name in file if name != FORMAT]
            arrays = {} if mmap else {name: file[name] for name in names}
        if mmap:
            arrays = _map_arrays(path, names)
    except _DAMAGE as error:
        if str(path) in str(error):
            raise
        told = " ".join(str(error).split())
        raise ValueError(f"{path}: not a file of condprob, or damaged ({told})") from error
    if version != VERSION or kind not in kinds:
        raise ValueError(f"{path}: holds {kind} (format {version}); {wanted} is needed")
    return kind, arrays


def _map_arrays(path: str | PathLike, names: list[str]) -> dict[str, np.ndarray]:
    """Map the arrays of an npz file, each of which lies in it as it is.

    The zip format puts a header, the member's name and an extra field before each member; the last
    four bytes of the header are the lengths of these two. NumPy's own header follows.
    """
    found = {}
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        for name in names:
            member = archive.getinfo(f"{name}.npy")
            if member.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"the array {name!r} is compressed and cannot be mapped")
            start = member.header_offset
            file.seek(start + _HEADER - 4)
            lengths = np.frombuffer(file.read(4), dtype="<u2")
            file.seek(start + _HEADER + int(lengths.sum()))
            version = np.lib.format.read_magic(file)
            read_header = _HEADERS[version]
            shape, fortran, dtype = read_header(file)
            order = "F" if fortran else "C"
            if not all(shape):  # An empty array cannot be mapped.
                found[name] = np.empty(shape, dtype)
                continue
            found[name] = np.memmap(path, dtype, "r", file.tell(), shape, order)
    return found
