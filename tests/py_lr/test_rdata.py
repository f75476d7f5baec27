"""Data sets of R, written here by hand as "R Internals" says."""

import bz2
import gzip
import lzma
import struct
import zlib

import pytest
from py_lr.rdata import HAS_ATTRIBUTES, HAS_TAG, MISSING, read_data_set

NULL = struct.pack(">i", 254)


def integer(*values, kind=13, attributes=b""):
    flags = kind | (HAS_ATTRIBUTES if attributes else 0)
    return struct.pack(f">ii{len(values)}i", flags, len(values), *values) + attributes


def double(*values, attributes=b""):
    flags = 14 | (HAS_ATTRIBUTES if attributes else 0)
    return struct.pack(f">ii{len(values)}d", flags, len(values), *values) + attributes


def word(text):
    if text is None:
        return struct.pack(">ii", 9, -1)
    raw = text.encode()
    return struct.pack(">ii", 9 | 1 << 15, len(raw)) + raw


def words(*texts):
    return struct.pack(">ii", 16, len(texts)) + b"".join(map(word, texts))


def several(*items, attributes=b""):
    flags = 19 | (HAS_ATTRIBUTES if attributes else 0)
    return struct.pack(">ii", flags, len(items)) + b"".join(items) + attributes


def tagged(**values):
    """Write a pairlist, whose tags are symbols."""
    tags = (struct.pack(">ii", 2 | HAS_TAG, 1) + word(tag) + each for tag, each in values.items())
    return b"".join(tags) + NULL


def whole(item, version=2):
    head = struct.pack(">iii", version, 0, 0)
    return b"X\n" + head + (struct.pack(">i", 5) + b"UTF-8" if version == 3 else b"") + item


FACTOR = integer(2, MISSING, 1, attributes=tagged(levels=words("no", "yes")))
FRAME = several(FACTOR, double(0.5, 1, 2), attributes=tagged(names=words("vote", "x")))
MATRIX = integer(
    *(1, 2, 3, 4, 5, 6),
    attributes=tagged(dim=integer(2, 3), dimnames=several(NULL, words("a", "b", "c"))),
)
READ = {"vote": ["yes", None, "no"], "x": [0.5, 1.0, 2.0]}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, bytes])
def test_a_file_of_data_is_read(version, pack):
    raw = b"RDX%d\n" % version + whole(tagged(frame=FRAME, lines=words("ö", None)), version)
    files = {"one.rda": pack(raw)}
    assert read_data_set(files, "frame") == READ
    assert read_data_set(files, "lines") == ["ö", None]
    with pytest.raises(ValueError, match=r"^no data set 'other' is in one\.rda$"):
        read_data_set(files, "other")


def test_matrices_and_slots_are_read():
    slots = struct.pack(">i", 25 | HAS_ATTRIBUTES) + tagged(tab=MATRIX)
    bare = integer(1, 2, 3, 4, attributes=tagged(dim=integer(2, 2)))
    files = {"a.rda": b"RDX2\n" + whole(tagged(slots=slots, bare=bare))}
    assert read_data_set(files, "slots") == {"tab": {"a": [1, 2], "b": [3, 4], "c": [5, 6]}}
    assert read_data_set(files, "bare") == {0: [1, 2], 1: [3, 4]}


def test_a_symbol_that_comes_twice_is_read():
    first = tagged(n=integer(7))[: -len(NULL)]
    again = struct.pack(">ii", 2 | HAS_TAG, 255 | 1 << 8) + integer(9) + NULL
    assert read_data_set({"a.rda": b"RDX2\n" + whole(first + again)}, "n") == [9]


@pytest.mark.parametrize(("pack", "letter"), [(zlib.compress, b""), (bz2.compress, b"2")])
def test_a_database_is_read(pack, letter):
    item = whole(FRAME)
    packed = struct.pack(">I", len(item)) + letter + pack(item)
    places = several(integer(3, len(packed)), attributes=tagged(names=words("frame")))
    index = whole(several(places, attributes=tagged(names=words("variables"))))
    files = {"Rdata.rdx": zlib.compress(index), "Rdata.rdb": b"abc" + packed}
    assert read_data_set(files, "frame") == READ
    with pytest.raises(ValueError, match="packed data cannot be unpacked"):
        read_data_set(files | {"Rdata.rdb": b"abc" + packed[:-9] + bytes(9)}, "frame")
    with pytest.raises(ValueError, match="no data of R"):
        read_data_set({"Rdata.rdx": files["Rdata.rdx"]}, "frame")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"col1,col2\n", "does not begin as"),
        (b"RDX2\n" + b"A\n" + bytes(20), "not the XDR form"),
        (b"RDX2\n" + whole(tagged(it=FRAME))[:-30], "damaged: no data of R"),
        (b"RDX2\n" + whole(tagged(it=struct.pack(">ii", 22, 1))), "type 22 is not read here"),
    ],
)
def test_what_is_no_data_of_r_is_one_line(raw, message):
    with pytest.raises(ValueError, match=message) as error:
        read_data_set({"a.rda": raw}, "it")
    assert "\n" not in str(error.value)
