"""Files of models, of counts and of plain arrays: NumPy's npz format, whole or not at all.

An npz file is a zip archive with an array in each member, which `numpy.load` reads as well. Nothing
in it is a pickle. Arrays begin at multiples of 64 bytes, so that they can be mapped where they lie;
the checksums of the archive are compared even then.
"""

import errno
import math
import os
import secrets
import struct
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

import numpy as np

from condprob.checks import check_memory, in_brief, shorten

Name = str | PathLike[str]
PART = ".part"  # how the name of a file ends while it is written
STREAMS = (1, 2)  # standard output and standard error
# Characters of a name that the name of its part has: in UTF-8 both stay below 255 bytes.
LONGEST_STEM = 40
LEVEL = 4  # of compression: n-grams of Brown are 1 % larger than by 6, in two fifths of the time
AT_ONCE = 1 << 20  # bytes that are read at a time; not measured
_HEADER, _ZIP64 = 30, 20  # bytes of a zip member's header, and of its field for large sizes
_EXTRA, _PADDING = struct.Struct("<HH"), 0xD935  # kind and length of an extra field; its kind
_DAMAGE = (  # what zipfile and numpy raise of a file that is no archive of arrays
    zipfile.BadZipFile,
    zlib.error,
    tokenize.TokenError,
    struct.error,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


def settle(path: Name, inputs: Sequence[Name | int] = ()) -> Path:
    """Return the file that a name stands for, if it can be written.

    A symbolic link stands for the file that it points to: that file is replaced, the link stays.

    Parameters
    ----------
    path : str or path
    inputs : sequence of str, path or int
        Files that are read, and must not be replaced. A number is that of an open file.

    Raises
    ------
    ValueError
        If the name stands for a device or another file that is not regular, for an input, or for
        the file that standard output or standard error goes to.
    OSError
        If it stands for a folder, the folder is missing, or the file must not be written.
    """
    typed = os.fspath(path)
    target = Path(os.path.realpath(typed))
    found = target.stat() if target.exists() else None
    if target.is_dir() or os.path.basename(typed) in ("", ".", ".."):
        raise _error(errno.EISDIR if typed else errno.ENOENT, typed)
    if target.is_symlink():  # links that point to each other have no end
        raise _error(errno.ELOOP, typed)
    if found and not target.is_file():
        raise ValueError(f"{typed}: not a regular file: it is not replaced")
    if not target.parent.is_dir():
        raise _error(errno.ENOTDIR if target.parent.exists() else errno.ENOENT, typed)
    is_writable = os.access(target.parent, os.W_OK | os.X_OK)
    if not is_writable or (found and not os.access(target, os.W_OK)):
        raise _error(errno.EACCES, typed)
    for name in inputs if found else ():
        if _is(found, name):
            read_as = "standard input" if isinstance(name, int) else os.fspath(name)
            raise ValueError(f"{typed}: is what is read as {read_as}, and would be replaced")
    if found and any(_is(found, stream) for stream in STREAMS):
        raise ValueError(f"{typed}: is where messages go, and would be replaced")
    return target


def _is(found: os.stat_result, name: Name | int) -> bool:
    try:
        return os.path.samestat(found, os.stat(name))
    except (OSError, ValueError):
        return False


def _error(number: int, typed: str) -> OSError:
    return OSError(number, os.strerror(number), typed)


@contextmanager
def replacing(path: Name) -> Iterator[BinaryIO]:
    """Open a file that takes the place of another when all of it is written, and not before.

    A file that was there keeps its mode. Whatever goes wrong, the old file stays, and no part of
    the new one is left unless the process is killed.

    Raises
    ------
    ValueError, OSError
        As in `settle`, or if the file cannot be written. They name the file as it was given.
    """
    target = settle(path)
    part = target.with_name(f".{target.name[:LONGEST_STEM]}.{secrets.token_hex(4)}{PART}")
    try:
        with open(part, "xb") as file:
            if target.exists():
                part.chmod(target.stat().st_mode)
            yield file
            file.flush()
            # Or the name might outlive a failure of power, and not the data.
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(part), part):
            raise
        raise _error(error.errno, os.fspath(path)) from error
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Name, text: str) -> None:
    """Write a text in UTF-8, whole or not at all; see `replacing`."""
    raw = text.encode()
    with replacing(path) as file:
        file.write(raw)


def write_arrays(path: Name, arrays: dict[str, np.ndarray], *, packed: bool = False) -> None:
    """Write arrays by name to a file, whole or not at all.

    Parameters
    ----------
    path : str or path
    arrays : dict of numpy.ndarray
        Of numbers, truths and texts.
    packed : bool
        Compress them; they are then read whole, and never mapped.

    Raises
    ------
    ValueError, OSError
        As in `replacing`, or if an array holds Python's objects.
    """
    how = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": LEVEL} if packed else {}
    with replacing(path) as file, zipfile.ZipFile(file, "w", **how) as archive:
        for name, array in arrays.items():
            member = f"{name}.npy" if packed else _aligned(file, f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as opened:
                np.lib.format.write_array(opened, np.asanyarray(array), allow_pickle=False)


def _aligned(file: BinaryIO, name: str) -> zipfile.ZipInfo:
    """Return the head of a member whose array will begin at a multiple of 64 bytes.

    Room for that is an extra field of the zip format, as in Android's archives.
    """
    member = zipfile.ZipInfo(name)
    fields = _HEADER + len(name.encode()) + _ZIP64 + _EXTRA.size
    fill = -(file.tell() + fields) % np.lib.format.ARRAY_ALIGN
    member.extra = _EXTRA.pack(_PADDING, fill) + bytes(fill)
    return member


def read_arrays(path: Name, *, mmap: bool = False) -> dict[str, np.ndarray]:
    """Return the arrays of a file by name, in the order of bytes of this machine.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk until they are used. They are read once, for their checksums.
        Arrays that cannot be mapped are read: compressed ones, those without a number, those of
        another order of bytes, and those that another program has not aligned.

    Raises
    ------
    ValueError
        If the file is no archive of arrays, is damaged, or does not fit in memory.
    OSError
        If it cannot be read.
    """
    with open(path, "rb") as file:
        with _in_one_line(path):
            archive = zipfile.ZipFile(file)
            members = archive.infolist()
            _check_members(members)
        if not mmap:
            check_memory(f"{path}: reading it", sum(member.file_size for member in members))
        with _in_one_line(path):
            return {
                member.filename.removesuffix(".npy"): _read_array(file, archive, member, mmap)
                for member in members
            }


@contextmanager
def _in_one_line(path: Name) -> Iterator[None]:
    """Name the file in an error of zipfile or numpy."""
    try:
        yield
    except _DAMAGE as error:
        reason = shorten(" ".join(str(error).split()), 200)  # characters; not measured
        raise ValueError(f"{path}: not a file of condprob, or damaged ({reason})") from None
    except MemoryError:
        raise ValueError(f"{path}: there is no room in memory for its arrays") from None


def _check_members(members: list[zipfile.ZipInfo]) -> None:
    """Raise ValueError unless each member is an array, stored or deflated, and has its own name."""
    seen: set[str] = set()
    for member in members:
        name = member.filename
        if not name.endswith(".npy") or name in seen:
            raise ValueError(f"{in_brief(name)} is no array, or is there twice")
        if member.comment:  # Nobody writes one: its length hides the members that follow.
            raise ValueError(f"{in_brief(name)} has a comment")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{in_brief(name)} is neither stored nor deflated")
        seen.add(name)


def _read_array(
    file: BinaryIO, archive: zipfile.ZipFile, member: zipfile.ZipInfo, mmap: bool
) -> np.ndarray:
    """Return the array of a member; at the end of a member zipfile compares its checksum."""
    name, is_stored = in_brief(member.filename), member.compress_type == zipfile.ZIP_STORED
    with archive.open(member) as opened:
        is_first = np.lib.format.read_magic(opened) == (1, 0)
        lib = np.lib.format
        read = lib.read_array_header_1_0 if is_first else lib.read_array_header_2_0
        shape, is_fortran, dtype = read(opened)
        begin, size = opened.tell(), math.prod(shape) * dtype.itemsize
        if dtype.kind not in "biufU" or not dtype.itemsize:
            raise ValueError(f"{name} is of type {shorten(str(dtype))}: no numbers, no texts")
        if begin + size != member.file_size:
            raise ValueError(f"{name} of shape {shape} is not as large as its member")
        if mmap and size and is_stored and dtype.isnative:
            order = "F" if is_fortran else "C"
            found = np.memmap(file, dtype, "r", _place(file, member) + begin, shape, order)
            if found.flags.aligned:
                while opened.read(AT_ONCE):
                    pass
                return _checked(name, found)
        opened.seek(0)
        found = lib.read_array(opened, allow_pickle=False)
    return _checked(name, found.astype(dtype.newbyteorder("="), copy=False))


def _place(file: BinaryIO, member: zipfile.ZipInfo) -> int:
    """Return where a stored member begins in its file.

    The zip format puts a header, the member's name and an extra field before each member; the last
    four bytes of the header are the lengths of name and field.
    """
    file.seek(member.header_offset + _HEADER - _EXTRA.size)
    return member.header_offset + _HEADER + sum(_EXTRA.unpack(file.read(_EXTRA.size)))


def _checked(name: str, array: np.ndarray) -> np.ndarray:
    """Return an array whose bytes are values of its type, or raise ValueError.

    NumPy takes any bytes: text beyond Unicode ends the interpreter, a third truth miscounts.
    """
    numbers = {"b": (np.uint8, 1, "true and false"), "U": (np.uint32, sys.maxunicode, "characters")}
    if array.size and array.dtype.kind in numbers:
        kind, most, values = numbers[array.dtype.kind]
        if array.ravel("K").view(kind).max() > most:
            raise ValueError(f"{name} has more than {values}")
    return array
