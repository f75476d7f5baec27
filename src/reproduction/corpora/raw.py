"""The bytes of a corpus: read whole if they are not too many, and compared with a pinned hash."""

import hashlib
import os
import stat
from pathlib import Path

from reproduction.corpora.errors import CorpusError

# Bytes of a corpus, or of an archive: a text is read whole, and its words take more.
LARGEST = 2**28


def read_whole(name, paths):
    """Return the bytes of files, if they are files and not too large together."""
    sizes = 0
    for path in paths:
        found = os.stat(path)
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise CorpusError(name, f"cannot read {path}: not a file")
        sizes += found.st_size
        if sizes > LARGEST:
            raise CorpusError(name, f"{path}: {too_large(sizes)}")
    return tuple(Path(path).read_bytes() for path in paths)


def too_large(size):
    """Say that a text is larger than what is read."""
    return f"{size / 1e6:,.0f} MB of text; at most {LARGEST / 1e6:,.0f} are read"


def compare_hash(name, place, raw, pinned, allow):
    """Return the SHA-256 of the bytes from a place, and how it compares with the pinned one."""
    found = sha256(raw)
    if pinned is None:
        return found, "not pinned"
    if found == pinned:
        return found, "as pinned"
    if allow:
        return found, "differs"
    raise CorpusError(
        name,
        f"the SHA-256 of {place} is {found}, pinned is {pinned}; "
        "allow_other_hashes: true would use it all the same",
    )


def sha256(raw):
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()
