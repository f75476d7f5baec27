"""Files of models, of counts and of plain arrays: NumPy's npz format, whole or not at all.

An npz file is a zip archive with an array in each member, which `numpy.load` reads as well. Nothing
in it is a pickle. Arrays begin at multiples of 64 bytes, so that they can be mapped where they lie;
the checksums of the archive are compared even then.
"""

import errno
import math
import os
import secrets
import stat
import struct
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from os import PathLike
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any, BinaryIO

import numpy as np
from numpy.lib import format as npy

from condprob.checks import (
    LARGEST_INTEGER,
    check_memory,
    check_rising,
    in_brief,
    shorten,
    spell_out,
)
from condprob.counts import CountMatrix
from condprob.entries import take
from condprob.interrupts import unfinished
from condprob.model import KINDS, ConditionalModel

Name = str | PathLike[str]
FORMAT = "condprob"  # the array that has the kind of a file, and the version of the format
VERSION = "2"
OLD = "of an older format, which this version does not read: save it anew, from the data"
NUMBERS_AND_TEXTS = "biufU"  # kinds of arrays that are written, and read
LARGEST_HEAD = 1 << 16  # bytes of the array that has the kind of a file
# Where the kinds of models are: a file is read in a process that has imported none of them yet.
MODULES = (
    "condprob.mixtures",
    "condprob.models.linked_matrix",
    "condprob.models.structured.log_linear_matrix",
    "condprob.models.structured.log_linear_model",
    "condprob.models.survey.neural_model",
    "condprob.pitman_yor.matrix",
    "condprob.text.backoff_model",
    "condprob.text.bigram_mixture",
    "condprob.text.histories",
    "condprob.sparse_plus_low_rank",
)
# Kinds that files of earlier versions have, and what is done with such a file.
WITHDRAWN = {
    "grown histories": "this version does not read; fit the text again",
    "shards": "this version does not read; condprob.distributed.fit fits the shards again",
    "distributed": "condprob.distributed.load reads, by its folder",
}
# How the arrays of labels begin, which are no part of a model, and how they end.
LABELS, TEXT, ENDS, SAME = "labels_", "_text", "_ends", "_same"
LONGEST_NAME = 1000  # characters of a name of labels; zip has room for 16,000 of any script
PART = ".part"  # how the name of a file ends while it is written
STREAMS = (1, 2)  # standard output and standard error
# Characters of a name that the name of its part has: in UTF-8 both stay below 255 bytes.
LONGEST_STEM = 40
LEVEL = 1  # of compression: n-grams of Brown are 5 % larger than by 4, in seven tenths of the time
AT_ONCE = 1 << 20  # bytes that are read at a time; not measured
_HEADER, _ZIP64 = 30, 20  # bytes of a zip member's header, and of its field for large sizes
_EXTRA, _PADDING = struct.Struct("<HH"), 0xD935  # kind and length of an extra field; its kind
# NumPy parses the head of an array as Python. In Python 3.11 two threads that do so at once may get
# a SystemError, for one counter has the depth of both (python/cpython#106905).
_PARSER = Lock()
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
            raise ValueError(f"{typed}: is read as {read_as}, and would be replaced")
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

    A file that was there keeps its mode. After any error the old file stays, and no part of the new
    one is left. Only a process that is killed leaves a part.

    Raises
    ------
    ValueError, OSError
        As in `settle`, or if the file cannot be written. They name the file as it was given.
    """
    target = settle(path)
    part = target.with_name(f".{target.name[:LONGEST_STEM]}.{secrets.token_hex(4)}{PART}")
    unfinished.add(str(part))
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
        unfinished.discard(str(part))


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
        As in `replacing`, or if an array holds anything that `read_arrays` refuses, such as dates,
        bytes or Python's objects. Then no file is touched.
    """
    for name, array in arrays.items():
        dtype = np.asanyarray(array).dtype
        if not _is_stored(dtype):
            kind = shorten(str(dtype))
            raise ValueError(f"{in_brief(name)} is of type {kind}: a file has numbers and texts")
    how = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": LEVEL} if packed else {}
    with replacing(path) as file, zipfile.ZipFile(file, "w", **how) as archive:
        for name, array in arrays.items():
            member = f"{name}.npy" if packed else _aligned(file, f"{name}.npy")
            with archive.open(member, "w", force_zip64=True) as opened:
                npy.write_array(opened, np.asanyarray(array), allow_pickle=False)


def _is_stored(dtype: np.dtype) -> bool:
    """Whether arrays of a type are written, and read again."""
    return dtype.kind in NUMBERS_AND_TEXTS and dtype.itemsize > 0


def _aligned(file: BinaryIO, name: str) -> zipfile.ZipInfo:
    """Return the head of a member whose array will begin at a multiple of 64 bytes.

    Room for that is an extra field of the zip format, as in Android's archives.
    """
    member = zipfile.ZipInfo(name)
    fields = _HEADER + len(name.encode()) + _ZIP64 + _EXTRA.size
    fill = -(file.tell() + fields) % npy.ARRAY_ALIGN
    member.extra = _EXTRA.pack(_PADDING, fill) + bytes(fill)
    return member


def read_arrays(path: Name, *, mmap: bool = False) -> dict[str, np.ndarray]:
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
        if not mmap:
            check_memory(f"{path}: reading it", sum(member.file_size for member in members))
        with _in_one_line(path):
            _check_members(members)
            return {
                member.filename.removesuffix(".npy"): _read_array(file, archive, member, mmap)
                for member in members
            }


@contextmanager
def _archive_of(path: Name) -> Iterator[tuple[BinaryIO, zipfile.ZipFile]]:
    """Open a regular file as an archive."""
    check_regular(path)
    with open(path, "rb") as file:
        with _in_one_line(path):
            if not zipfile.is_zipfile(file):
                raise ValueError("it is no archive of arrays")
            archive = zipfile.ZipFile(file)
        yield file, archive


def check_regular(path: Name) -> None:
    """Raise ValueError if a path is a pipe or a device, which may never end, or never answer."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a folder cannot be opened
        raise ValueError(f"{path}: a pipe or a device: a regular file is needed")


def _head_of(path: Name) -> np.ndarray:
    """Return the array that has the kind of a file and its format, before any other is read."""
    with _archive_of(path) as (file, archive), _in_one_line(path):
        found = [each for each in archive.infolist() if each.filename == f"{FORMAT}.npy"]
        if len(found) != 1 or found[0].file_size > LARGEST_HEAD:
            return np.array(0)
        _check_members(found)
        return _read_array(file, archive, found[0], mmap=False)


@contextmanager
def _in_one_line(path: Name) -> Iterator[None]:
    """Name the file in an error of zipfile or numpy."""
    try:
        yield
    except _DAMAGE as error:
        reason = shorten(" ".join(str(error).split()), 200)  # characters; not measured
        raise ValueError(f"{path}: not a file of condprob, or damaged ({reason})") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # a place before the begin of the file
            raise
        raise ValueError(f"{path}: not a file of condprob, or damaged ({error})") from None
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
        if not _is_stored(dtype):
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


def save(path: Name, model: Any, **labels: Iterable) -> None:
    """Write a model, or counts, and labels beside it; see `model.ConditionalModel.save`."""
    head = {FORMAT: np.array([model.kind, VERSION])}
    packed = getattr(model, "packed", False)
    write_arrays(path, head | model.arrays() | pack_labels(labels), packed=packed)


def load(path: Name, *, mmap: bool = False) -> ConditionalModel:
    """Read a model, without its labels; see `load_with_labels`."""
    return load_with_labels(path, mmap=mmap)[0]


def load_with_labels(
    path: Name, *, mmap: bool = False, further: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Any, dict[str, np.ndarray]]:
    """Return the model of a file, and the labels that were saved beside it, by name.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk until they are used.
    further : mapping of str to class
        Kinds of files that are no conditional model, and are read as well.

    Raises
    ------
    ValueError
        If the file does not hold a model.
    OSError
        If it cannot be read.
    """
    for module in MODULES:
        import_module(module)
    return _load(path, mmap, {**KINDS, **further}, "a model")


def load_counts(path: Name, *, mmap: bool = False) -> CountMatrix:
    """Return the counts of a file; see `CountMatrix.load`."""
    return _load(path, mmap, {CountMatrix.kind: CountMatrix}, "counts")[0]


def _load(path: Name, mmap: bool, kinds: dict[str, Any], wanted: str) -> tuple[Any, dict]:
    """Return the object of a file, which is of one of some kinds, and its labels."""
    head = _head_of(path)
    if head.dtype.kind != "U" or head.shape != (2,):
        raise ValueError(f"{path}: not a file of condprob; {wanted} is needed")
    kind, version = head.tolist()
    if kind in WITHDRAWN:
        raise ValueError(f"{path}: holds {spell_out(kind)}, which {WITHDRAWN[kind]}")
    if kind not in kinds:
        reader = "; CountMatrix.load reads counts" if kind == CountMatrix.kind else ""
        raise ValueError(f"{path}: holds {spell_out(shorten(kind))}; {wanted} is needed{reader}")
    if version != VERSION:
        mend = OLD if version in ("1", "3") else f"of format {spell_out(shorten(version))}"
        raise ValueError(f"{path}: {mend}; format {VERSION} is needed")
    arrays = read_arrays(path, mmap=mmap)
    arrays.pop(FORMAT, None)
    labels = {name: arrays.pop(name) for name in [*arrays] if name.startswith(LABELS)}
    try:
        return kinds[kind].from_arrays(arrays), unpack_labels(labels)
    except KeyError as missing:
        raise ValueError(f"{path}: damaged, the array {missing} is missing") from None
    except RecursionError:
        raise ValueError(f"{path}: damaged, its models stand too deep in each other") from None
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged, {error}") from None


def pack_labels(labels: dict[str, Iterable]) -> dict[str, np.ndarray]:
    """Return the arrays of labels; lists of texts that are equal are stored once.

    Texts are in one text of UTF-8, beside the places where each ends: NumPy's arrays of texts give
    each the room of the longest, and drop a NUL at an end. Other labels are stored as they are.
    """
    found: dict[str, np.ndarray] = {}
    stored: dict[str, list[str]] = {}
    for name, given in labels.items():
        if name.endswith((TEXT, ENDS, SAME)) or len(name) > LONGEST_NAME:
            marks = f"no end {TEXT}, {ENDS} or {SAME}"
            raise ValueError(
                f"labels {in_brief(name)}: a name of at most {LONGEST_NAME} "
                f"characters and with {marks} is needed"
            )
        listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
        same = next((other for other, texts in stored.items() if texts == listed), None)
        if not all(isinstance(label, str) for label in listed):
            found[LABELS + name] = _in_numbers(given, listed, name)
        elif same is not None:
            found[LABELS + name + SAME] = np.frombuffer(same.encode(), np.uint8)
        else:
            stored[name] = listed
            # Encodings such as UTF-7 may give halves of a pair of surrogates, which UTF-8 has not.
            raw = [label.encode("utf-8", "surrogatepass") for label in listed]
            found[LABELS + name + TEXT] = np.frombuffer(b"".join(raw), np.uint8)
            found[LABELS + name + ENDS] = np.cumsum([0, *map(len, raw)], dtype=np.int64)
    return found


def _in_numbers(given: Iterable, listed: list, name: str) -> np.ndarray:
    """Return labels that are no texts as an array, each as it was, or raise ValueError.

    What is read again is taken: numbers and truths, and neither bytes nor dates.
    """
    is_whole = all(isinstance(label, int) for label in listed)
    above = is_whole and max(listed, default=0) > LARGEST_INTEGER
    try:
        found = (
            given
            if isinstance(given, np.ndarray)
            else np.array(listed, dtype=np.uint64 if above else None)
        )
    except (OverflowError, ValueError):  # of integers, and of tuples beside other labels
        found = np.array(None)
    is_same = found is given or found.tolist() == listed
    if found.dtype.kind not in "biuf" or not is_same:
        wanted = "texts alone, or numbers that fit one array, are needed"
        raise ValueError(f"labels {name!r}: {wanted}; make texts of them first, by str")
    return found


def unpack_labels(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return labels by name, texts in arrays of Python's own, or raise ValueError."""
    forms: dict[str, set[str]] = {}
    for key in arrays:
        name = key.removeprefix(LABELS)
        end = next((end for end in (TEXT, ENDS, SAME) if name.endswith(end)), "")
        forms.setdefault(name.removesuffix(end), set()).add(end)
    found: dict[str, np.ndarray] = {}
    for name, ends in sorted(forms.items(), key=lambda form: SAME in form[1]):  # the same last
        key = LABELS + name
        other = arrays[key + SAME].tobytes().decode("utf-8", "replace") if SAME in ends else None
        if ends == {""}:
            found[name] = arrays[key]
        elif ends == {TEXT, ENDS}:
            found[name] = _cut(arrays[key + TEXT], take(arrays, key + ENDS, "i", (None,)), name)
        elif ends == {SAME} and other in found:
            found[name] = found[other]
        else:
            raise ValueError(f"the labels {in_brief(name)} are there in part, or twice")
    return found


def _cut(text: np.ndarray, ends: np.ndarray, name: str) -> np.ndarray:
    """Return the labels of a text that end at these places."""
    if text.dtype != np.uint8 or text.ndim != 1:
        raise ValueError(f"the text of the labels {name!r} is none")
    check_rising(ends, text.size, f"the ends of the labels {name!r}")
    raw, places = text.tobytes(), ends.tolist()
    found = np.empty(len(places) - 1, dtype=object)
    found[:] = [
        raw[start:stop].decode("utf-8", "surrogatepass") for start, stop in pairwise(places)
    ]
    return found
