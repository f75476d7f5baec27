"""Archives of arrays: NumPy's npz format with arrays of numbers and texts, and nothing else."""

import math
import os
import struct
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import BinaryIO

import numpy as np

from condprob.checks import check_memory, in_brief, shorten
from condprob.contents import Head

_HEADER, _ZIP64 = 30, 20  # bytes of a zip member's header, and of its field for large sizes
_EXTRA, _PADDING = struct.Struct("<HH"), 0xD935  # kind and length of an extra field; its kind
_AT_ONCE = 1 << 20  # bytes that are read at a time; not measured
_LEVEL = 4  # of packing: n-grams of Brown are 1 % larger than by 6, in two fifths of the time
# How the name of a packed array of whole numbers ends: see `_planes_of`.
_PLANES = ".planes"
DAMAGE = (  # what reading a file that is no archive of arrays may raise
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
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def write_archive(file: BinaryIO, arrays: dict[str, np.ndarray], packed: bool = False) -> None:
    """Write what `numpy.savez` would, with every array at a multiple of 64 bytes.

    Mapped arrays are then aligned as those in memory are. Room for that is an extra field of the
    zip format, as Android's archives have it. ``packed`` ones are compressed, and cannot be mapped;
    of those of whole numbers the bytes are sorted, see `_planes_of`.
    """
    how = {"compression": zipfile.ZIP_DEFLATED, "compresslevel": _LEVEL} if packed else {}
    with zipfile.ZipFile(file, "w", **how) as archive:
        for name, array in arrays.items():
            array, member = np.asanyarray(array), f"{name}.npy"
            if packed and array.dtype.kind == "i" and array.ndim == 1:
                array, member = _planes_of(array), member + _PLANES
            told = member if packed else _aligned(file, member)
            with archive.open(told, "w", force_zip64=True) as opened:
                np.lib.format.write_array(opened, array, allow_pickle=False)


def _planes_of(array: np.ndarray) -> np.ndarray:
    """Return the bytes of whole numbers, all lowest ones first, shape (bytes, numbers).

    Those that are much alike, as the highest of numbers that rise, stand together and pack well:
    n-grams of Brown take 12 % less. HDF5 calls it shuffling.
    """
    lowest_first = array.astype(array.dtype.newbyteorder("<"), copy=False)
    bytes_of = np.ascontiguousarray(lowest_first).view(np.uint8)
    return np.ascontiguousarray(bytes_of.reshape(array.size, array.itemsize).T)


def _of_planes(told: str, planes: np.ndarray) -> np.ndarray:
    """Return the whole numbers, of 32 or 64 bits, whose bytes `_planes_of` has sorted."""
    _check_planes(told, planes.dtype, planes.shape)
    numbers = np.ascontiguousarray(planes.T).reshape(-1).view(f"<i{len(planes)}")
    return numbers.astype(numbers.dtype.newbyteorder("="), copy=False)


def _check_planes(told: str, dtype: np.dtype, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless an array may be what `_planes_of` returns."""
    if dtype != np.uint8 or len(shape) != 2 or shape[0] not in (4, 8):
        raise ValueError(f"{told} is of no bytes of whole numbers")


def _aligned(file: BinaryIO, name: str) -> zipfile.ZipInfo:
    """Return the head of a member whose array will begin at a multiple of 64 bytes."""
    member = zipfile.ZipInfo(name)
    fields = _HEADER + len(name) + _ZIP64 + _EXTRA.size
    fill = -(file.tell() + fields) % np.lib.format.ARRAY_ALIGN
    member.extra = _EXTRA.pack(_PADDING, fill) + bytes(fill)
    return member


@contextmanager
def open_archive(path: str | PathLike[str]) -> Iterator["Archive"]:
    """Open an archive to read its arrays. It raises what is in `DAMAGE` if it is none."""
    with open(path, "rb") as file, zipfile.ZipFile(file) as archive:
        yield Archive(file, archive)


class Archive:
    """The arrays of an archive by name, each read when it is asked for.

    Nothing is taken on trust: sizes are compared with those of the file before there is room for
    an array, and no type but numbers, truths and texts is known.
    """

    def __init__(self, file: BinaryIO, archive: zipfile.ZipFile) -> None:
        self.file, self.archive, self.members = file, archive, {}
        end = os.fstat(file.fileno()).st_size
        for member in archive.infolist():
            stored = member.filename.removesuffix(_PLANES)
            name = stored.removesuffix(".npy")
            if name == stored or name in self.members:
                raise ValueError(f"{in_brief(member.filename)} is no array, or is there twice")
            is_stored = member.compress_type == zipfile.ZIP_STORED
            if not is_stored and member.compress_type != zipfile.ZIP_DEFLATED:
                raise ValueError(f"the array {in_brief(name)} is packed in another way than ours")
            if (is_stored and member.file_size != member.compress_size) or (
                member.header_offset + member.compress_size > end
            ):
                raise ValueError(f"the array {in_brief(name)} is larger than the file")
            self.members[name] = member

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def __iter__(self) -> Iterator[str]:
        return iter(self.members)

    def head(self, name: str) -> Head:
        """Return the type and the shape that `read` will give an array, which it does not read."""
        member, told = self.members[name], f"the array {in_brief(name)}"
        with self.archive.open(member) as opened:
            shape, _, dtype = _read_header(opened, told)
            _check_size(opened, told, shape, dtype, member)
        if member.filename.endswith(_PLANES):
            _check_planes(told, dtype, shape)
            return Head(np.dtype(f"i{shape[0]}"), shape[1:])
        return Head(dtype.newbyteorder("="), shape)

    def read(self, name: str, mmap: bool = False) -> np.ndarray:
        """Return an array, in the order of bytes of this machine; on request it stays on disk.

        What cannot be mapped, being compressed, empty, of another order of bytes or in no place
        for its numbers, is read.
        """
        member, told = self.members[name], f"the array {in_brief(name)}"
        if member.filename.endswith(_PLANES):
            return _of_planes(told, self._read(member, told, False))
        return self._read(member, told, mmap)

    def _read(self, member: zipfile.ZipInfo, told: str, mmap: bool) -> np.ndarray:
        """Return an array as it is stored; see `read`."""
        with self.archive.open(member) as opened:
            shape, is_fortran, dtype = _read_header(opened, told)
            size = _check_size(opened, told, shape, dtype, member)
            begin, is_stored = opened.tell(), member.compress_type == zipfile.ZIP_STORED
            if mmap and size and is_stored and dtype.isnative:
                found = self._map(member, begin, shape, is_fortran, dtype)
                if found.flags.aligned:
                    while opened.read(_AT_ONCE):  # At its end the checksum is compared.
                        pass
                    _check_values(told, found)
                    return found
            check_memory(told, size)
            flat = np.empty(math.prod(shape), dtype)
            _fill(opened, flat)
        flat = flat.astype(dtype.newbyteorder("="), copy=False)
        _check_values(told, flat)
        return flat.reshape(shape[::-1]).T if is_fortran else flat.reshape(shape)

    def _map(self, member, begin, shape, is_fortran, dtype) -> np.memmap:
        """Map an array, which lies in the archive as it is.

        The zip format puts a header, the member's name and an extra field before each member; the
        last four bytes of the header are the lengths of these two.
        """
        self.file.seek(member.header_offset + _HEADER - 4)
        lengths = int(np.frombuffer(self.file.read(4), dtype="<u2").sum())
        start = member.header_offset + _HEADER + lengths + begin
        return np.memmap(self.file, dtype, "r", start, shape, "F" if is_fortran else "C")


def _read_header(opened: BinaryIO, told: str) -> tuple[tuple[int, ...], bool, np.dtype]:
    """Return the shape of an array, whether its columns are stored one by one, and its type."""
    try:
        shape, is_fortran, dtype = _HEADERS[np.lib.format.read_magic(opened)](opened)
    except (*DAMAGE, MemoryError) as error:
        raise ValueError(f"{told}: {error}") from None
    is_known = dtype.kind in "biufU" and dtype.itemsize and dtype.names is None
    if not is_known or dtype.subdtype or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"{told} is of type {shorten(str(dtype))}: neither numbers nor texts")
    return shape, is_fortran, dtype


def _check_size(opened, told, shape, dtype, member) -> int:
    """Return the bytes of an array whose header was read, once as many are said to be stored."""
    size = math.prod(shape) * dtype.itemsize
    if opened.tell() + size != member.file_size:
        raise ValueError(f"{told} of shape {shape} is not as large as what is stored")
    return size


def _check_values(told: str, array: np.ndarray) -> None:
    """Raise ValueError if bytes are no values of their type: numpy takes them as they are."""
    numbers = {"b": (np.uint8, 1, "true and false"), "U": (np.uint32, sys.maxunicode, "characters")}
    if array.size and array.dtype.kind in numbers:
        kind, most, values = numbers[array.dtype.kind]
        if array.ravel("K").view(kind).max() > most:
            raise ValueError(f"{told} has more than {values}")


def _fill(opened: BinaryIO, flat: np.ndarray) -> None:
    """Read an array to its end, where the archive compares its checksum."""
    room, done = memoryview(flat.view(np.uint8)), 0
    while read := opened.readinto(room[done : done + _AT_ONCE]):
        done += read
    if done != len(room) or opened.read(1):
        raise EOFError("it ends too early")
