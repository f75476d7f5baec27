"""Files of models, of counts and of plain arrays, in NumPy's npz format.

An npz file is a zip archive with an array in each member, which `numpy.load` reads as well. Nothing
in it is a pickle. Arrays begin at multiples of 64 bytes, so that they can be mapped where they lie;
the checksums of the archive are compared even then.
"""

import errno
import math
import struct
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from condprob.checks import in_brief, memory_of_machine, shorten, spell_out
from condprob.files import Name, check_regular, replacing
from condprob.label_arrays import LABELS, pack_labels, unpack_labels
from condprob.stored import KINDS, Arrays, Stored

FORMAT, VERSION = "condprob", "2"  # the array with the kind of a file and the format's version
# Kinds and versions that files of earlier releases have, and what is done with such a file.
WITHDRAWN = {
    "grown histories": "this version does not read; fit the text again",
    "shards": "this version does not read; condprob.distributed.fit fits the shards again",
    "distributed": "condprob.distributed.load reads, by its folder",
}
OLD = dict.fromkeys("13", "of an older format, which this version does not read: save it anew")
NUMBERS_AND_TEXTS = "biufU"  # kinds of arrays that are written, and read
LARGEST_HEAD = 1 << 16  # bytes of the array that has the kind of a file
# Of compression: n-grams of Brown are 5 % larger than by 4, in seven tenths of the time.
COMPRESSION_LEVEL = 1
BYTES_AT_ONCE = 1 << 20  # bytes that are read at a time; not measured
_HEADER, _ZIP64 = 30, 20  # bytes of a zip member's header, and of its field for large sizes
_EXTRA, _PADDING = struct.Struct("<HH"), 0xD935  # kind and length of an extra field; its kind
# NumPy parses the head of an array as Python. In Python 3.11 two threads that do so at once may get
# a SystemError, for one counter has the depth of both (python/cpython#106905).
_PARSER = Lock()
_DAMAGE = (  # what zipfile and numpy raise of a file that is no archive of arrays
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError, struct.error, SyntaxError),
    *(ArithmeticError, AttributeError, EOFError, LookupError, RuntimeError, TypeError, ValueError),
)


def write_arrays(path: Name, arrays: Arrays, *, packed: bool = False) -> None:
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
        As in `files.replacing`, or if an array holds anything that `read_arrays` refuses, such as
        dates, bytes or Python's objects. Then no file is touched.
    """
    for name, array in arrays.items():
        _check_type(in_brief(name), np.asanyarray(array).dtype)
    how = (
        {"compression": zipfile.ZIP_DEFLATED, "compresslevel": COMPRESSION_LEVEL} if packed else {}
    )
    with replacing(path) as file, zipfile.ZipFile(file, "w", **how) as archive:
        for name, array in arrays.items():
            member = f"{name}.npy" if packed else _aligned(file, f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as opened:
                npy.write_array(opened, np.asanyarray(array), allow_pickle=False)


def _check_type(name: str, dtype: np.dtype) -> None:
    """Raise ValueError unless arrays of a type are written, and read again."""
    if dtype.kind not in NUMBERS_AND_TEXTS or not dtype.itemsize:
        kind = shorten(str(dtype))
        raise ValueError(f"{name} is of type {kind}: a file has numbers and texts")


def _aligned(file: BinaryIO, name: str) -> zipfile.ZipInfo:
    """Return the head of a member whose array will begin at a multiple of 64 bytes.

    Room for that is an extra field of the zip format, as in Android's archives.
    """
    member = zipfile.ZipInfo(name)
    fields = _HEADER + len(name.encode()) + _ZIP64 + _EXTRA.size
    fill = -(file.tell() + fields) % npy.ARRAY_ALIGN
    member.extra = _EXTRA.pack(_PADDING, fill) + bytes(fill)
    return member


def read_arrays(path: Name, *, mmap: bool = False) -> Arrays:
    """Return the arrays of a file by name, in the order of bytes of this machine.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk until they are used. They are read once, for their checksums.
        Some arrays cannot be mapped and are read: compressed or empty arrays, arrays of another
        order of bytes, and arrays that another program has not aligned.

    Raises
    ------
    ValueError
        If the file is not regular, is no archive of arrays, is damaged, or does not fit in memory.
    OSError
        If it cannot be read.
    """
    with _archive_of(path) as (file, archive):
        members = archive.infolist()
        if not mmap and sum(member.file_size for member in members) > memory_of_machine():
            raise MemoryError
        _check_members(members)
        return {
            member.filename.removesuffix(".npy"): _read_array(file, archive, member, mmap)
            for member in members
        }


@contextmanager
def _archive_of(path: Name) -> Iterator[tuple[BinaryIO, zipfile.ZipFile]]:
    """Open a regular file as an archive; errors of zipfile or numpy get one line with its name."""
    check_regular(path)
    problem = f"{path}: not a file of condprob, or damaged"
    with open(path, "rb") as file:
        try:
            if not zipfile.is_zipfile(file):
                raise ValueError("it is no archive of arrays")
            with zipfile.ZipFile(file) as archive:
                yield file, archive
        except _DAMAGE as error:
            reason = shorten(" ".join(str(error).split()), 200)  # characters; not measured
            raise ValueError(f"{problem} ({reason})") from None
        except OSError as error:
            if error.errno != errno.EINVAL:  # a place before the begin of the file
                raise
            raise ValueError(f"{problem} ({error})") from None
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
        is_first = npy.read_magic(opened) == (1, 0)
        read = npy.read_array_header_1_0 if is_first else npy.read_array_header_2_0
        with _PARSER:
            shape, is_fortran, dtype = read(opened)
        begin, size = opened.tell(), math.prod(shape) * dtype.itemsize
        _check_type(name, dtype)
        if begin + size != member.file_size:
            raise ValueError(f"{name} of shape {shape} is not as large as its member")
        if mmap and size and is_stored and dtype.isnative:
            order = "F" if is_fortran else "C"
            found = np.memmap(file, dtype, "r", _place(file, member) + begin, shape, order)
            if found.flags.aligned:
                while opened.read(BYTES_AT_ONCE):
                    pass
                return _checked(name, found)
        opened.seek(0)
        with _PARSER:
            found = npy.read_array(opened, allow_pickle=False)
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


def save(path: Name, thing: Stored, **labels: Iterable) -> None:
    """Write a model, or counts, and labels beside it; see `model.ConditionalModel.save`.

    What `load` would refuse is refused before the file is touched.
    """
    arrays = thing.arrays()
    thing.check(arrays)
    head = {FORMAT: np.array([thing.kind, VERSION])}
    write_arrays(path, head | arrays | pack_labels(labels), packed=thing.packed)


def load(path: Name, *forms: type[Stored], mmap: bool = False) -> Any:
    """Read a model, or counts, without its labels; see `load_with_labels`."""
    return load_with_labels(path, *forms, mmap=mmap)[0]


def load_with_labels(
    path: Name, *forms: type[Stored], mmap: bool = False
) -> tuple[Any, dict[str, np.ndarray]]:
    """Return the object of a file, and the labels that were saved beside it, by name.

    Parameters
    ----------
    path : str or path
    *forms : class
        Of which the object is, one or the other; by default any class in `stored.KINDS`. Classes
        are there once their modules are imported: `condprob.load` imports those of methods.
    mmap : bool
        Leave the arrays on disk until they are used.

    Raises
    ------
    ValueError
        If the file does not hold such an object, or is damaged.
    OSError
        If it cannot be read.
    """
    form = _form_of(path, forms or (Stored,))
    arrays = read_arrays(path, mmap=mmap)
    labels = {name: arrays.pop(name) for name in [*arrays] if name.startswith(LABELS)}
    try:
        return form.from_arrays(arrays), unpack_labels(labels)
    except RecursionError:
        raise ValueError(f"{path}: damaged, its models stand too deep in each other") from None
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged, {error}") from None


def kind_of(path: Name) -> tuple[str, str]:
    """Return the kind of the object in a file, and the version of the format.

    No array but the first is read. Raises ValueError if the file names no kind.
    """
    with _archive_of(path) as (file, archive):
        found, head = [m for m in archive.infolist() if m.filename == f"{FORMAT}.npy"], np.array(0)
        if len(found) == 1 and found[0].file_size <= LARGEST_HEAD:
            _check_members(found)
            head = _read_array(file, archive, found[0], mmap=False)
    if head.dtype.kind != "U" or head.shape != (2,):
        raise ValueError(f"{path}: not a file of condprob, which names its kind")
    kind, version = head.tolist()
    return kind, version


def _form_of(path: Name, wanted: tuple[type[Stored], ...]) -> type[Stored]:
    """Return the class of the object in a file; ValueError if it is none of those wanted."""
    kind, version = kind_of(path)
    held, form = f"{path}: holds {spell_out(shorten(kind))}", KINDS.get(kind)
    if form is None:
        known = "a kind that no class known here has: import the module of the class first"
        raise ValueError(f"{held}, {f'which {WITHDRAWN[kind]}' if kind in WITHDRAWN else known}")
    if not issubclass(form, wanted):
        raise ValueError(f"{held}, which {form.reader} reads")
    if version != VERSION:
        mend = OLD.get(version, f"of format {spell_out(shorten(version))}")
        raise ValueError(f"{path}: {mend}; format {VERSION} is needed")
    return form
