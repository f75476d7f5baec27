"""Files of models, counts and plain arrays, in the layout of safetensors.

A file consists of the size of its head (8 bytes), the head in JSON, and the arrays one after the
other, so that each can be mapped where it lies. ``safetensors.numpy.load_file`` opens it as well.
The format has numbers only: texts stand in the head, under ``__metadata__``, and all labels
together are one array of bytes, again in JSON. Nothing in a file is a pickle.
"""

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple
from zlib import crc32

import numpy as np

from condprob.checks import in_brief, memory_of_machine, shorten, spell_out
from condprob.checks.values import as_labels
from condprob.files import Name, check_regular, replacing
from condprob.files.stored import CLASSES_OF_KINDS, Arrays, Stored

FORMAT, VERSION = "condprob", "4"  # the text with the kind of a file and the format's version
LABELS = "labels"  # the array with all labels
METADATA = "__metadata__"  # what is no array in the head: a name of the format, as are the types
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BOOL": "|b1", "I64": "<i8", "I32": "<i4"}
TYPES |= {"I16": "<i2", "I8": "|i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1"}
NAMES_OF_TYPES = {np.dtype(form): name for name, form in TYPES.items()}
LARGEST_HEAD = 1 << 24  # bytes: some 100,000 arrays; more would be parsed into a lot of memory
ALIGNED = 64  # where arrays begin, a multiple of this: NumPy's own files do the same
BYTES_AT_ONCE = 1 << 20  # bytes between two checksums, which find them in the cache
# Errors that a made-up head may cause.
OF_HEADS = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
ZIP = b"PK\x03\x04"  # how files of version 0.2 begin


class Head(NamedTuple):
    """The head of a file."""

    entries: dict[str, dict]  # type, shape and place of each array, by name
    texts: dict[str, Any]  # texts, and lists of texts, by name
    transposed: list[str]  # arrays that are stored with their columns first
    checksums: dict[str, int]  # of the bytes of each array
    start: int  # where the arrays begin


@dataclass(frozen=True)
class Pieces:
    """An array that is written piece by piece, one below the other; each is read when it is due.

    Attributes
    ----------
    dtype : numpy.dtype
    shape : tuple of int
        That of all pieces together.
    pieces : iterable of numpy.ndarray
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    pieces: Iterable[np.ndarray]

    @property
    def nbytes(self) -> int:
        """Bytes of all pieces."""
        return math.prod(self.shape) * self.dtype.itemsize


def write_arrays(path: Name, arrays: Mapping[str, np.ndarray | Pieces]) -> None:
    """Write arrays by name to a file, whole or not at all.

    Parameters
    ----------
    path : str or path
    arrays : dict of numpy.ndarray or Pieces
        Numbers, truth values and texts.

    Raises
    ------
    ValueError, OSError
        As in `files.replacing`, or if an array holds anything that `read_arrays` refuses, such as
        dates, bytes or Python's objects. Then no file is touched.
    """
    given = {
        name: array if isinstance(array, Pieces) else np.asanyarray(array)
        for name, array in arrays.items()
    }
    texts: dict[str, Any] = {}
    entries: dict[str, dict] = {}
    transposed, end = [], 0
    # The largest items first: so every array begins at a multiple of its items' size.
    for name, array in sorted(given.items(), key=lambda each: -each[1].dtype.itemsize):
        kind = NAMES_OF_TYPES.get(array.dtype.newbyteorder("<"))
        if array.dtype.kind == "U" and array.dtype.itemsize:
            texts[name] = array.tolist()
        elif kind is None:
            found = shorten(str(array.dtype))
            raise ValueError(f"{in_brief(name)} is of type {found}: a file has numbers and texts")
        else:
            if not isinstance(array, Pieces) and array.flags.fnc:  # of Fortran's order alone
                transposed.append(name)
                array = given[name] = array.T
            place = [end, end := end + array.nbytes]
            entries[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": place}
    told = {"texts": texts, "transposed": transposed}
    checksums = dict.fromkeys(entries, 0)
    first = _written_head(told, entries, checksums)
    if len(first) > LARGEST_HEAD:
        raise ValueError(f"{os.fspath(path)}: {len(entries)} arrays are too many for one file")
    with replacing(path) as file:
        file.write(first)
        for name in entries:
            array = given[name]
            for piece in array.pieces if isinstance(array, Pieces) else [array]:
                for part in _parts_of(np.asarray(piece, array.dtype.newbyteorder("<"))):
                    checksums[name] = crc32(part, checksums[name])
                    file.write(part)
        if file.tell() != len(first) + end:
            raise ValueError(f"{os.fspath(path)}: its arrays are not as large as they should be")
        file.seek(0)
        file.write(_written_head(told, entries, checksums))


def _written_head(told: dict, entries: dict[str, dict], checksums: dict[str, int]) -> bytes:
    """Return the head of a file as its bytes: as many whatever the checksums are."""
    summed = {name: f"{value:08x}" for name, value in checksums.items()}
    texts = {name: json.dumps(value) for name, value in (told | {"checksums": summed}).items()}
    own = f"{crc32(json.dumps([texts, entries]).encode()):08x}"
    raw = json.dumps({METADATA: texts | {"checksum": own}} | entries).encode()
    raw += b" " * (-(len(raw) + 8) % ALIGNED)
    return len(raw).to_bytes(8, "little") + raw


def _parts_of(array: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the bytes of an array part by part."""
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for start in range(0, raw.size, BYTES_AT_ONCE):
        yield raw[start : start + BYTES_AT_ONCE]


def read_arrays(path: Name, *, mmap: bool = False, checked: bool = False) -> Arrays:
    """Return the arrays of a file by name, in the order of bytes of this machine.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk until they are used.
    checked : bool
        Compare the checksums of arrays on disk as well, for which they are read once.

    Raises
    ------
    ValueError
        If the file is not regular, is not of this format, is damaged, or does not fit in memory.
    OSError
        If it cannot be read.
    """
    with _opened(path) as (file, head):
        if not mmap and os.fstat(file.fileno()).st_size > memory_of_machine():
            raise MemoryError
        texts = {name: _as_texts(text, name) for name, text in head.texts.items()}
        return texts | {name: _read_array(file, head, name, mmap, checked) for name in head.entries}


@contextmanager
def _opened(path: Name) -> Iterator[tuple[BinaryIO, Head]]:
    """Open a file and read its head; whatever is wrong with it is one line with its name."""
    check_regular(path)
    with open(path, "rb") as file:
        if file.read(len(ZIP)) == ZIP:
            what = "a NumPy archive, as condprob 0.2 wrote it, which this version does not read"
            mend = "fit again and save it, or read it with condprob 0.2"
            raise ValueError(f"{os.fspath(path)}: {what}; {mend}")
        file.seek(0)
        try:
            yield file, _read_head(file)
        except MemoryError:
            raise ValueError(f"{path}: there is no room in memory for its arrays") from None
        except OF_HEADS as error:
            reason = shorten(" ".join(str(error).split()), 200)  # characters (chosen by hand)
            what = f"not a condprob file, or damaged ({reason})"
            raise ValueError(f"{path}: {what}; copy it again or save it again") from None


def _read_head(file: BinaryIO) -> Head:
    """Return the head of a file, or raise ValueError unless its arrays fill the rest of the file.

    A made-up head may cause any other error of `OF_HEADS`.
    """
    first = file.read(8)
    size = int.from_bytes(first, "little")
    whole = os.fstat(file.fileno()).st_size
    if len(first) < 8 or size > min(LARGEST_HEAD, whole - 8):
        raise ValueError("it does not begin with a valid header")
    entries = json.loads(file.read(size), object_pairs_hook=_unique)
    texts = entries.pop(METADATA, {})
    own = texts.pop("checksum", None)
    if own is None:
        raise ValueError("another program wrote it")
    if own != f"{crc32(json.dumps([texts, entries]).encode()):08x}":
        raise ValueError("its head has another checksum")
    told = {name: json.loads(text, object_pairs_hook=_unique) for name, text in texts.items()}
    checksums = {name: int(value, 16) for name, value in told["checksums"].items()}
    end = 0
    for name, each in entries.items():
        begin, stop = each["data_offsets"]
        numbers = [*each["shape"], begin, stop]
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError(f"{in_brief(name)} has a shape or place that is not made of integers")
        width = np.dtype(TYPES[each["dtype"]]).itemsize
        if begin != end or stop - begin != math.prod(each["shape"]) * width:
            raise ValueError(f"{in_brief(name)} is not as large as its place")
        if (8 + size + begin) % width:
            raise ValueError(f"{in_brief(name)} does not begin at a multiple of its items' size")
        end = stop
    if 8 + size + end != whole:
        raise ValueError(f"{whole:,} bytes, and its arrays need {8 + size + end:,}")
    return Head(entries, told["texts"], told["transposed"], checksums, 8 + size)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a dictionary of pairs; ValueError if a name is there twice, which JSON allows."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _read_array(file: BinaryIO, head: Head, name: str, mmap: bool, checked: bool) -> np.ndarray:
    """Return an array of an open file, or raise ValueError."""
    each = head.entries[name]
    dtype, shape, order = np.dtype(TYPES[each["dtype"]]), tuple(each["shape"]), "C"
    begin, stop = (head.start + place for place in each["data_offsets"])
    if name in head.transposed:
        shape, order = shape[::-1], "F"
    is_mapped = mmap and stop > begin and dtype.isnative
    if is_mapped:
        found = np.memmap(file, dtype, "r", begin, shape, order)
    else:
        found = np.empty(shape, dtype, order)
    raw = found.ravel("K").view(np.uint8)
    if checked or not is_mapped:
        checksum = 0
        file.seek(begin)
        for part in _parts_of(raw):
            if not is_mapped and file.readinto(part.data) < part.size:
                raise ValueError("it ends too early")
            checksum = crc32(part, checksum)
        if checksum != head.checksums[name]:
            raise ValueError(f"{in_brief(name)} has another checksum")
    # NumPy takes any byte for a truth value, and would count a third one wrongly.
    if dtype.kind == "b" and raw.max(initial=0) > 1:
        raise ValueError(f"{in_brief(name)} has more than true and false")
    return found.astype(dtype.newbyteorder("="), copy=False)


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _as_texts(value: Any, name: str) -> np.ndarray:
    """Return a text of a head, or a list of texts, as an array of NumPy; or raise ValueError."""
    listed = value if isinstance(value, list) else [value]
    if not all(map(_is_string, listed)):
        raise ValueError(f"{in_brief(name)} is neither a text nor a list of texts")
    if len(listed) * max(map(len, listed), default=0) > LARGEST_HEAD:
        raise ValueError(f"{in_brief(name)} has texts of too different lengths")
    return np.array(value, dtype=str)


def save(path: Name, thing: Stored, **labels: Iterable) -> None:
    """Write a model or counts together with labels; see `model.ConditionalModel.save`.

    What `read_stored` would refuse is refused before the file is touched.
    """
    arrays = thing.arrays()
    thing.check(arrays)
    head = {FORMAT: np.array([thing.kind, VERSION])}
    write_arrays(path, head | arrays | (_pack_labels(labels) if labels else {}))


def read_stored(path: Name, *forms: type[Stored], mmap: bool = False) -> Any:
    """Read a model, or counts, without its labels; see `load_with_labels`."""
    return load_with_labels(path, *forms, mmap=mmap)[0]


def load_with_labels(
    path: Name,
    *forms: type[Stored],
    mmap: bool = False,
    class_of: Callable[[str], type[Stored] | None] = CLASSES_OF_KINDS.get,
) -> tuple[Any, dict[str, list]]:
    """Return the object of a file, and the lists of labels that were saved with it, by name.

    Parameters
    ----------
    path : str or path
    *forms : class
        Of which the object is, one or the other; by default any.
    mmap : bool
        Leave the arrays on disk until they are used.
    class_of : function
        Of a kind: its class, or None. By default those whose modules are imported are known.

    Raises
    ------
    ValueError
        If the file does not hold such an object, or is damaged.
    OSError
        If it cannot be read.
    """
    form = _form_of(path, forms or (Stored,), class_of)
    arrays = read_arrays(path, mmap=mmap)
    try:
        labels = _unpack_labels(arrays.pop(LABELS)) if LABELS in arrays else {}
        return form.from_arrays(arrays), labels
    except (IndexError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged, {error}") from None


def _form_of(
    path: Name,
    wanted: tuple[type[Stored], ...],
    class_of: Callable[[str], type[Stored] | None],
) -> type[Stored]:
    """Return the class of the object in a file; ValueError if it is none of those wanted.

    Only the head is read.
    """
    with _opened(path) as (_, head):
        found = _as_texts(head.texts.get(FORMAT, ""), FORMAT)
    if found.shape != (2,):
        mend = "if it is the checkpoint of a fit, pass it as checkpoint="
        raise ValueError(f"{path}: holds neither a model nor counts; {mend}")
    kind, version = found.tolist()
    form = class_of(kind)
    if form is None or not issubclass(form, wanted):
        known = "a kind that no class known here has: import the module of the class first"
        hint = known if form is None else f"which {form.reader} reads"
        raise ValueError(f"{path}: holds {spell_out(shorten(kind))}, {hint}")
    if version != VERSION:
        other = f"of format {spell_out(shorten(version))}, and this version reads {VERSION}"
        raise ValueError(f"{path}: {other}; read it with the version of condprob that wrote it")
    return form


def _pack_labels(labels: dict[str, Iterable]) -> Arrays:
    """Return the array of all labels: lists by name in JSON, each type as it was.

    A list of texts that is equal to one before it is stored as that one's name. Halves of a pair of
    surrogates, which encodings such as UTF-7 may give, are written as they are.
    """
    found: dict[str, list | str] = {}
    for name, given in labels.items():
        listed = as_labels(given)
        if not _are_labels(listed):
            wanted = "must be only texts or only numbers"
            raise ValueError(f"labels {name!r}: {wanted}; make texts of them first, by str")
        are_texts = bool(listed) and _is_string(listed[0])
        same = (other for other, texts in found.items() if are_texts and texts == listed)
        found[name] = next(same, listed)
    raw = json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return {LABELS: np.frombuffer(raw, np.uint8)}


def _are_labels(listed: object) -> bool:
    """Whether labels are a list of only texts, or of integers, floats and truth values."""
    if not isinstance(listed, list):
        return False
    types = set(map(type, listed))
    return any(all(issubclass(each, kind) for each in types) for kind in (str, (int, float)))


def _unpack_labels(array: np.ndarray) -> dict[str, list]:
    """Return lists of labels by name, or raise ValueError."""
    try:
        text = array.tobytes().decode("utf-8", "surrogatepass")
        found = json.loads(text, object_pairs_hook=_unique)
        found = {name: found[each] if _is_string(each) else each for name, each in found.items()}
        are_right = array.dtype == np.uint8 and all(map(_are_labels, found.values()))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        are_right = False
    if not are_right:
        raise ValueError("its labels are no lists of texts or of numbers")
    return found
