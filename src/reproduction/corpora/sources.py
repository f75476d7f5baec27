"""Where a corpus comes from: find it or fetch it, and check that it is the one that was pinned.

`read_source` returns the texts of a corpus with the hashes of what was read. Copies are looked for
on NLTK's own search path, then in the folder of downloads; only then is the network asked.
"""

import hashlib
import io
import os
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reproduction.corpora.fetch import download_package, fetch, save

# NLTK's packages of words with a tag each (word/tag), and the names of the files that hold text.
TAGGED = {"brown": r"c[a-z]\d\d"}

TARTUFFE = "corpora/tartuffe/moliere-tartuffe.xml"
TARTUFFE_URL = (
    "https://raw.githubusercontent.com/dracor-org/fredracor/"
    "34cf7f1afce064de8f56b210c1a4992920834c1e/tei/moliere-tartuffe.xml"
)


class CorpusError(Exception):
    """A corpus cannot be used as configured; the message is one line."""


class CorpusUnavailable(CorpusError):
    """A corpus is neither at hand nor to be had: `reason` says why, `remedy` how to get it."""

    def __init__(self, name, reason, remedy):
        self.reason, self.remedy = " ".join(str(reason).split()), remedy
        super().__init__(name, self.reason, remedy)

    def __str__(self):
        """Return all of it in one line."""
        return f"corpus {self.args[0]!r} is not here: {self.reason}; to get it, {self.remedy}"


@dataclass(frozen=True)
class Source:
    """The files of a corpus, and how to get the text out of one (decoded, without markup)."""

    origin: str  # "search path", "downloaded", "file" or "python"
    contents: tuple
    to_text: Callable
    sha256: str | None  # of the archive or file; None where a package lies unpacked
    check: str  # "as pinned", "differs" or "not pinned"

    @property
    def content_sha256(self):
        """SHA-256 of the files, one after the other: the same for an archive and its folder."""
        return _sha256(b"".join(self.contents))

    def texts(self):
        """Yield the text of each file."""
        return map(self.to_text, self.contents)


def search_path():
    """Return the folders in which NLTK looks for its data: NLTK_DATA's, then its defaults.

    The same list as `nltk.data.path`, without the second that importing NLTK takes.
    """
    given = [os.path.expanduser(d) for d in os.environ.get("NLTK_DATA", "").split(os.pathsep) if d]
    home = os.path.expanduser("~/nltk_data")
    inside = [os.path.join(sys.prefix, *d) for d in ((), ("share",), ("lib",))]
    system = ["/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"]
    defaults = [os.path.join(d, "nltk_data") for d in inside + system]
    return given + ([] if home.startswith("~") else [home]) + defaults


def read_source(name, entry, search=None, downloads=".nltk_data", allow_other_hashes=False):
    """Read the texts of a corpus, from a copy at hand or from the network, and check its hash.

    Parameters
    ----------
    name : str
        The corpus's name, for messages.
    entry : dict
        Its entry in config.yaml; `source` is nltk, dracor, python or file.
    search : sequence of str or Path, optional
        Folders laid out like NLTK's data; by default `search_path()`.
    downloads : str or Path
        The folder in which downloads are kept; looked into after `search`.
    allow_other_hashes : bool
        Use a corpus whose SHA-256 is not the pinned one.

    Raises
    ------
    CorpusUnavailable
        There is no copy, and it could not be downloaded.
    CorpusError
        What was found is not what was pinned, or cannot be read.
    """
    reader = _READERS.get(entry["source"])
    if reader is None:
        what = f"source {entry['source']!r} is not one of {', '.join(_READERS)}"
        raise CorpusError(f"corpus {name!r}: {what}")
    places = [(folder, "search path") for folder in (search_path() if search is None else search)]
    try:
        return reader(name, entry, [*places, (downloads, "downloaded")], allow_other_hashes)
    except OSError as error:
        what = f"cannot read {error.filename}: {error.strerror}"
        raise CorpusError(f"corpus {name!r}: {what}") from error


def _read_package(name, entry, places, allow):
    """Read text files of an NLTK package, from its archive or its folder."""
    package = entry["package"]
    if "files" not in entry and package not in TAGGED:
        raise CorpusError(f"corpus {name!r}: files is missing: which files of {package!r} to read?")
    for folder, origin in places:
        if found := _open_package(name, entry, folder, origin, allow):
            return found
    try:
        download_package(package, folder)
    except (OSError, ValueError, SyntaxError) as error:  # SyntaxError: an index that is not XML
        remedy = (
            f"run `python -m nltk.downloader {package}` with a network, "
            f"or set NLTK_DATA to a folder with corpora/{package}.zip"
        )
        raise CorpusUnavailable(name, error, remedy) from error
    if found := _open_package(name, entry, folder, origin, allow):
        return found
    raise CorpusError(f"corpus {name!r}: package {package!r} is not one of NLTK's corpora")


def _open_package(name, entry, folder, origin, allow):
    """Return the source of a package in one folder, or None where there is no copy.

    Parameters
    ----------
    name : str
        Of the corpus.
    entry : dict
        Its entry in the config.
    folder : str
        One of NLTK's search path.
    origin : str
        What the receipt says of the folder.
    allow : bool
        Whether another checksum than the pinned one is accepted.
    """
    package = entry["package"]
    to_text = partial(_untag if package in TAGGED else _decode, name, entry)
    archive = Path(folder, "corpora", f"{package}.zip")
    unpacked = archive.with_suffix("")
    if os.path.isfile(archive):
        raw = archive.read_bytes()
        checked = _check(name, archive, raw, entry.get("sha256"), allow)
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as opened:
                files = _files(entry, [Path(member).name for member in opened.namelist()])
                contents = tuple(opened.read(f"{package}/{file}") for file in files)
        except (zipfile.BadZipFile, KeyError) as error:
            raise CorpusError(f"corpus {name!r}: {archive}: {error.args[0]}") from error
        return Source(origin, contents, to_text, *checked)
    if os.path.isdir(unpacked):
        paths = [unpacked / file for file in _files(entry, os.listdir(unpacked))]
        if paths and all(map(os.path.isfile, paths)):
            contents = tuple(path.read_bytes() for path in paths)
            what, pinned = f"the text in {unpacked}", entry.get("content_sha256")
            _, check = _check(name, what, b"".join(contents), pinned, allow)
            return Source(origin, contents, to_text, None, check)
    return None


def _files(entry, present):
    """Return the names of a package's files to read, in order."""
    if "files" in entry:
        return entry["files"]
    return sorted(file for file in present if re.fullmatch(TAGGED[entry["package"]], file))


def _read_tartuffe(name, entry, places, allow):
    """Read the verse of Tartuffe from DraCor's TEI, downloading it at its pinned commit."""
    to_text, pinned = partial(_verse, name), entry.get("sha256")
    for folder, origin in places:
        path = Path(folder, TARTUFFE)
        if os.path.isfile(path):
            raw = path.read_bytes()
            return Source(origin, (raw,), to_text, *_check(name, path, raw, pinned, allow))
    try:
        raw = fetch(TARTUFFE_URL)
        # Checked before it is kept: the next run would find a wrong file and stop there.
        checked = _check(name, TARTUFFE_URL, raw, pinned, allow)
        save(folder, TARTUFFE, raw)
    except OSError as error:
        remedy = f"save {TARTUFFE_URL} as {TARTUFFE} in a folder named by NLTK_DATA"
        raise CorpusUnavailable(name, error, remedy) from error
    return Source(origin, (raw,), to_text, *checked)


def _verse(name, raw):
    """Return the verse of a play in TEI, a line each: no headings, speakers or directions."""
    import xml.etree.ElementTree as ET

    try:
        play = ET.fromstring(raw)
    except ET.ParseError as error:
        raise CorpusError(f"corpus {name!r}: its TEI is not well-formed: {error}") from error
    return "\n".join("".join(line.itertext()) for line in play.iterfind(".//{*}l"))


def _read_file(name, entry, places, allow):
    """Read a text file of the user's own."""
    path = Path(entry["path"])
    raw = path.read_bytes()
    checked = _check(name, path, raw, entry.get("sha256"), allow)
    return Source("file", (raw,), partial(_decode, name, entry), *checked)


def _read_pydoc(name, entry, places, allow):
    """Read the language reference that comes with CPython; its text differs between versions."""
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise CorpusUnavailable(name, error, "use a Python with its standard library") from error
    raw = "\n".join(topics[topic] for topic in sorted(topics)).encode()
    checked = _check(name, "pydoc_data.topics", raw, entry.get("sha256"), allow)
    return Source("python", (raw,), bytes.decode, *checked)


_READERS = {
    "nltk": _read_package,
    "dracor": _read_tartuffe,
    "python": _read_pydoc,
    "file": _read_file,
}


def _decode(name, entry, raw):
    """Decode a file, from UTF-8 where the entry names no encoding."""
    encoding = entry.get("encoding", "utf-8")
    try:
        return raw.decode(encoding).removeprefix("\ufeff")  # the mark some editors put first
    except UnicodeDecodeError as error:
        problem = f"byte {error.start} (0x{raw[error.start]:02x}) is not {encoding}"
        raise CorpusError(f"corpus {name!r}: encoding: {problem}: {error.reason}") from error
    except LookupError as error:
        raise CorpusError(f"corpus {name!r}: encoding: {error}") from error


def _untag(name, entry, raw):
    """Decode a file of word/tag tokens and return its words, a blank between two."""
    return " ".join([token.rsplit("/", 1)[0] for token in _decode(name, entry, raw).split()])


def _check(name, what, raw, pinned, allow):
    """Return the SHA-256 of what was read, and how it compares with the pinned one.

    Parameters
    ----------
    name : str
        Of the corpus.
    what : str or path
        What was read, for the message.
    raw : bytes
    pinned : str or None
    allow : bool
        Whether another checksum than the pinned one is accepted.
    """
    found = _sha256(raw)
    if pinned is None:
        return found, "not pinned"
    if found == pinned:
        return found, "as pinned"
    if allow:
        return found, "differs"
    raise CorpusError(
        f"corpus {name!r}: the SHA-256 of {what} is {found}, pinned is {pinned}; "
        "allow_other_hashes: true would use it all the same"
    )


def _sha256(raw):
    return hashlib.sha256(raw).hexdigest()


def is_at_hand(entry, search=None):
    """Whether a copy of a corpus lies on the search path, so that no download is needed."""
    copies = {
        "nltk": [f"corpora/{entry.get('package')}.zip", f"corpora/{entry.get('package')}"],
        "dracor": [TARTUFFE],
    }.get(entry["source"])
    if copies is None:
        return True
    folders = search_path() if search is None else search
    return any(os.path.exists(Path(folder, copy)) for folder in folders for copy in copies)
