"""Texts in packages of Debian: found by name and version, checked, read and never installed.

A package is looked for where corpora are, in a folder ``debian``. Where there is no copy, or no
`dpkg-deb` to unpack it, it cannot be had, and the message says how to get it.
"""

import gzip
import html
import io
import re
import subprocess
import tarfile
from fnmatch import fnmatch
from pathlib import Path

from condprob.files.data_files import read_part
from condprob.tokenizers import decode
from py_lr.rdata import read_data_set
from reproduction.corpora.errors import CorpusError, CorpusUnavailable
from reproduction.corpora.sources import DOWNLOADS, compare_hash, search_path

FOLDER = "debian"  # of packages, in a folder of NLTK's search path
TIMEOUT = 300  # seconds to unpack a package, of which the largest has 70 MB
LARGEST_TEXT = 2**26  # bytes of the files of one text
R_DATA = "r"  # the form of a data set of R
_TAG = re.compile(r"(?s)<(script|style|head)\b.*?</\1>|<[^>]*>")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")  # a colour of a terminal
_REQUEST = re.compile(r"(?m)^[.'].*$|\\f.|\\[&%|^/,]|\\\(..|\\\[[^]]*\]")  # of roff


def _plain(text):
    return text


def _without_tags(text):
    return html.unescape(_TAG.sub(" ", text))


def _cookies(text):
    """Return fortune cookies without the lines between them, and without colours."""
    return _ESCAPE.sub("", re.sub(r"(?m)^%$", "", text))


def _manual(text):
    return _REQUEST.sub(" ", text).replace("\\-", "-")


FORMS = {
    "plain": _plain,
    "html": _without_tags,
    "cookies": _cookies,
    "manual": _manual,
}


def find_package(name, entry, search=None, allow_other_hashes=False):
    """Return the path of a package.

    Parameters
    ----------
    name : str
    entry : mapping
        ``version`` and ``sha256``.
    search : sequence of str or Path, optional
        Folders to look in, by default those of the corpora.
    allow_other_hashes : bool

    Raises
    ------
    CorpusUnavailable
        There is no copy.
    CorpusError
        Its hash is not the pinned one.
    """
    if (found := next(list_copies(name, entry, search), None)) is None:
        raise _unavailable(name, entry["version"], "there is no copy")
    compare_hash(name, found, found.read_bytes(), entry["sha256"], allow_other_hashes)
    return found


def list_copies(name, entry, search=None):
    """Yield the paths of the copies of a package: see `find_package`."""
    pattern = f"{name}_{entry['version'].replace(':', '%3a')}_*.deb"
    for folder in [*search_path(), DOWNLOADS] if search is None else search:
        yield from sorted(Path(folder, FOLDER).glob(pattern))


def read_files(name, entry, path):
    """Return the bytes of the files that the samples of a package name, by their names.

    Parameters
    ----------
    name : str
    entry : mapping
        ``version``, and ``samples`` with the ``files`` of each: patterns of names.
    path : Path
        Of the package.
    """
    patterns = [pattern for each in entry["samples"].values() for pattern in each["files"]]
    raw = _run(name, entry["version"], ["dpkg-deb", "--fsys-tarfile", str(path.resolve())])
    with tarfile.open(fileobj=io.BytesIO(raw)) as opened:
        members = {member.name.removeprefix("./"): member for member in opened if member.isfile()}
        return {
            file: opened.extractfile(member).read()
            for file, member in members.items()
            if any(fnmatch(file, pattern) for pattern in patterns)
        }


def read_text(name, files, entry):
    """Return one text of a package.

    Parameters
    ----------
    name : str
        Of the text, for messages.
    files : mapping
        From `read_files`.
    entry : mapping
        ``files``, patterns of names, whose files are taken in the order of their names; perhaps the
        ``form`` they have, one of `FORMS`, or `R_DATA`: then the text is the strings of the data
        set ``set``, or of a ``column`` of it.

    Raises
    ------
    CorpusError
        A pattern names no file, or a file cannot be read.
    """
    if entry.get("form") == R_DATA:
        found = read_r(name, files, entry)
        return "\n".join(found[entry["column"]] if "column" in entry else found)
    parts, size = [], 0
    for file in _choose(name, files, entry):
        try:
            raw = _unpack(files[file]) if file.endswith((".gz", ".dz")) else files[file]
            text = decode(raw)
        except ValueError as error:
            raise CorpusError(name, f"{file}: {error}") from error
        size += len(raw)
        if size > LARGEST_TEXT:
            raise CorpusError(name, f"its files have more than {LARGEST_TEXT:,} bytes")
        parts.append(FORMS[entry.get("form", "plain")](text))
    return "\n".join(parts)


def read_r(name, files, entry):
    """Return a data set of a package of R's; the arguments are those of `read_text`."""
    contents = {file: files[file] for file in _choose(name, files, entry)}
    try:
        return read_data_set(contents, entry["set"])
    except ValueError as error:
        raise CorpusError(name, error) from error


def _choose(name, files, entry):
    """Return the names of the files of a text, those of each pattern in their order."""
    found = []
    for pattern in entry["files"]:
        if not (chosen := sorted(file for file in files if fnmatch(file, pattern))):
            raise CorpusError(name, f"its package has no file {pattern!r}")
        found += chosen
    return found


def _unpack(raw):
    """Return the content of a packed file, as far as any of it may be read."""
    with gzip.open(io.BytesIO(raw)) as packed:
        return read_part(packed, LARGEST_TEXT + 1)


def _run(name, version, command):
    """Run one of Debian's tools; return its output."""
    how = {"capture_output": True, "stdin": subprocess.DEVNULL, "timeout": TIMEOUT}
    try:
        done = subprocess.run(command, **how)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _unavailable(name, version, error) from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise _unavailable(name, version, said[-1] if said else f"{command[0]} failed")
    return done.stdout


def _unavailable(name, version, reason):
    remedy = f"run `apt-get download {name}={version}` on Debian 12, and put the file into "
    return CorpusUnavailable(name, reason, f"{remedy}{DOWNLOADS}/{FOLDER}")
