"""Data sets of R packages, read without R.

An R package keeps its data sets as R's own serialization ("R Internals", section 1.8; here XDR,
versions 2 and 3): each in a file ``.rda``, or all in ``Rdata.rdb`` with an index ``Rdata.rdx``.
A data frame, a list with names and a matrix become dicts of columns; a factor, the list of its
labels; an S4 object, the dict of its slots. What is missing is None.
"""

import bz2
import gzip
import lzma
import struct
import zlib
from contextlib import suppress

HEADS = (b"RDX2\n", b"RDX3\n")  # of a file ``.rda``
MISSING = -(2**31)  # an integer that is not available
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400  # flags of an item
_UNPACKERS = (gzip.decompress, bz2.decompress, lzma.decompress, zlib.decompress)
_BROKEN = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error)
# Numbers of types in the serialization, by what they are read as.
_NOTHING = {254, 253, 252, 251, 242, 241}  # NULL and environments that every R has
_PAIRS = {2, 5, 6, 239, 240}  # pairlists, promises, calls
_INTEGERS, _LISTS = {10, 13}, {16, 19, 20}
_SYMBOL, _ENVIRONMENT, _CHARACTERS, _DOUBLES, _BYTES, _S4, _REFERENCE = 1, 4, 9, 14, 24, 25, 255


def read_data_set(contents, name):
    """Return a data set from the files of an R package.

    Parameters
    ----------
    contents : mapping of str to bytes
        Files, by their names; the two of one database have the same name but for the ending.
    name : str
        Of the data set.

    Raises
    ------
    ValueError
        No file has it; or a file is none of R's, is damaged, or has what is not read here.
    """
    try:
        for file, raw in contents.items():
            if file.endswith(".rdx"):
                places = _Reader(_unpack(raw)).value()["variables"]
                if name in places:
                    start, size = places[name]
                    return _read_packed(contents[f"{file[:-1]}b"][start : start + size])
            elif not file.endswith(".rdb"):
                raw = _unpack(raw)
                if raw[:5] not in HEADS:
                    raise ValueError(f"{file} does not begin as a file of R's data does")
                found = _Reader(raw[5:]).value()
                if name in found:
                    return found[name]
    except (IndexError, KeyError, TypeError, UnicodeError, struct.error) as error:
        raise ValueError(f"damaged: no data of R ({error})") from error
    raise ValueError(f"no data set {name!r} is in {', '.join(contents)}")


def _read_packed(raw):
    """Read a data set of a database: its size, perhaps a letter, and its packed bytes."""
    (size,) = struct.unpack_from(">I", raw)
    for start, unpack in ((4, zlib.decompress), (5, bz2.decompress)):
        with suppress(*_BROKEN):
            if len(found := unpack(raw[start:])) == size:
                return _Reader(found).value()
    raise ValueError("its packed data cannot be unpacked")


def _unpack(raw):
    """Return the content of a packed file, or the bytes of one that is not packed."""
    for unpack in _UNPACKERS:
        with suppress(*_BROKEN):
            return unpack(raw)
    return raw


class _Reader:
    """The items of one serialization, which are read one after the other."""

    def __init__(self, raw):
        if raw[:2] != b"X\n":
            raise ValueError("not the XDR form of R's serialization")
        self.raw, self.place, self.known = raw, 2, []
        version, _, _ = self.numbers("i", 3, 4)
        if version == 3:  # it names an encoding
            size = self.integer()
            self.place += size

    def numbers(self, form, count, size):
        """Return so many numbers of this form and size in bytes."""
        found = struct.unpack_from(f">{count}{form}", self.raw, self.place)
        self.place += count * size
        return list(found)

    def integer(self):
        """Return the next integer."""
        return self.numbers("i", 1, 4)[0]

    def value(self):
        """Return the next item as plain Python."""
        flags = self.integer()
        kind = flags & 0xFF
        if kind in _NOTHING:
            return None
        if kind == _REFERENCE:
            return self.known[(flags >> 8 or self.integer()) - 1]
        if kind == _SYMBOL:
            self.known.append(self.value())
            return self.known[-1]
        if kind == _ENVIRONMENT:
            self.known.append(None)
            self.integer()
            for _ in range(4):
                self.value()
            return None
        if kind in _PAIRS:
            return self.pairs(flags)
        if kind == _S4:
            return self.pairs(self.integer())
        found = self.vector(kind)
        if not flags & HAS_ATTRIBUTES or kind == _CHARACTERS:
            return found
        return _simplify(found, self.pairs(self.integer()))

    def pairs(self, flags):
        """Return the values of a pairlist by their tags; its first item has these flags."""
        found = {}
        while flags & 0xFF in _PAIRS:
            if flags & HAS_ATTRIBUTES:
                self.value()
            tag = self.value() if flags & HAS_TAG else None
            found[tag] = self.value()
            flags = self.integer()
        return found

    def vector(self, kind):
        """Return the elements of a vector, or the characters of a string."""
        size = self.integer()
        if kind == _CHARACTERS:
            start, self.place = self.place, self.place + max(size, 0)
            return None if size < 0 else self.raw[start : self.place].decode("utf-8", "replace")
        if kind in _INTEGERS:
            return [None if v == MISSING else v for v in self.numbers("i", size, 4)]
        if kind == _DOUBLES:
            return self.numbers("d", size, 8)
        if kind in _LISTS:
            return [self.value() for _ in range(size)]
        if kind == _BYTES:
            return self.numbers("B", size, 1)
        raise ValueError(f"an item of type {kind} is not read here")


def _simplify(found, attributes):
    """Return labels of a factor, columns of a matrix or of a list with names; else the vector."""
    if "levels" in attributes:
        return [None if v is None else attributes["levels"][v - 1] for v in found]
    names, shape = attributes.get("names"), attributes.get("dim", ())
    if len(shape) == 2:
        rows, columns = shape
        names = (attributes.get("dimnames") or [None, None])[1] or range(columns)
        found = [found[column * rows : (column + 1) * rows] for column in range(columns)]
    return dict(zip(names, found, strict=True)) if names else found
