"""Where a corpus comes from: find it or fetch it, and check that it is the one that was pinned.

`read_source` returns the texts of a corpus with the hashes of its files. It looks for copies on
NLTK's own search path, then in the folder of downloads; only then it asks the network.
"""

import hashlib
import os
import re
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from reproduction.corpora.errors import CorpusError, CorpusUnavailable
from reproduction.corpora.fetch import download
from reproduction.corpora.verse import read_speeches, read_verse

# NLTK's packages of words with a tag each (word/tag), and the names of the files that hold text.
TAGGED = {"brown": r"c[a-z]\d\d"}
PLAYS = ("shakespeare",)  # NLTK's packages of plays in Bosak's XML
NLTK_URL = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora"
TARTUFFE = "corpora/tartuffe/moliere-tartuffe.xml"
TARTUFFE_URL = (
    "https://raw.githubusercontent.com/dracor-org/fredracor/"
    "34cf7f1afce064de8f56b210c1a4992920834c1e/tei/moliere-tartuffe.xml"
)
DOWNLOADS = ".nltk_data"  # the folder of what was downloaded, below that of the project


@dataclass(frozen=True)
class CorpusFiles:
    """The files of a corpus, and how to get the text out of one (decoded, without markup)."""

    origin: str  # "search path", "downloaded", "file" or "python"
    contents: tuple
    to_text: Callable
    sha256: str | None  # of the archive or file; None where a package lies unpacked
    check: str  # "as pinned", "differs" or "not pinned"

    @property
    def content_sha256(self):
        """SHA-256 of the files, one after the other: the same for an archive and its folder."""
        return sha256(b"".join(self.contents))

    def texts(self):
        """Yield the text of each file."""
        return map(self.to_text, self.contents)


def search_path():
    """Return the folders in which NLTK looks for its data: NLTK_DATA's, then its defaults.

    They are those of `nltk.data.path`, without the 1.2 seconds that importing NLTK takes.
    """
    given = [os.path.expanduser(d) for d in os.environ.get("NLTK_DATA", "").split(os.pathsep) if d]
    home = os.path.expanduser("~/nltk_data")
    inside = [os.path.join(sys.prefix, *d) for d in ((), ("share",), ("lib",))]
    system = ["/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"]
    defaults = [os.path.join(d, "nltk_data") for d in inside + system]
    return given + ([] if home.startswith("~") else [home]) + defaults


def is_at_hand(entry, search=None):
    """Whether a copy of a corpus lies on the search path, or was downloaded before."""
    if entry["source"] not in ("nltk", "dracor"):
        return True
    folders = [*search_path(), DOWNLOADS] if search is None else search
    return any(os.path.exists(path) for folder in folders for path in _copies(entry, folder))


def _copies(entry, folder):
    """Return the paths at which a copy of a corpus may lie in a folder of NLTK's data."""
    if entry["source"] == "dracor":
        return [Path(folder, TARTUFFE)]
    archive = Path(folder, "corpora", f"{entry['package']}.zip")
    return [archive, archive.with_suffix("")]


def read_source(name, entry, search=None, downloads=DOWNLOADS, allow_other_hashes=False):
    """Read the texts of a corpus, from a copy at hand or from the network, and check its hash.

    The name is for messages; of its entry in config.yaml, `source` is nltk, dracor, python or file.
    Copies are looked for in folders laid out like NLTK's data, by default those of `search_path()`,
    then among the downloads, which are kept; the first one is read. ``allow_other_hashes`` takes a
    corpus whose SHA-256 is not the pinned one.

    Raises CorpusUnavailable if there is no copy, and it could not be downloaded; CorpusError if
    the copy has another hash than the pinned one, or cannot be read.
    """
    compare = partial(compare_hash, name, allow=allow_other_hashes)
    try:
        if entry["source"] == "python":
            return _read_pydoc(name, entry, compare)
        if entry["source"] == "file":
            raw = Path(entry["path"]).read_bytes()
            check = compare(entry["path"], raw, entry.get("sha256"))
            return CorpusFiles("file", (raw,), partial(_decode, name, entry), sha256(raw), check)
        read = {"nltk": _read_package, "dracor": _read_play}[entry["source"]]
        for folder in [*(search_path() if search is None else search), downloads]:
            origin = "downloaded" if folder == downloads else "search path"
            for path in _copies(entry, folder):
                if found := read(name, entry, path, origin, compare):
                    return found
        path = _copies(entry, downloads)[0]
        _fetch(name, entry, path, allow_other_hashes)
        try:
            return read(name, entry, path, "downloaded", compare)
        except CorpusError:  # of another text: it is not kept
            path.unlink()
            raise
    except OSError as error:
        what = f"cannot read {error.filename}: {error.strerror}"
        raise CorpusError(name, what) from error


def compare_hash(name, place, raw, pinned, allow):
    """Return how the SHA-256 of the bytes from a place compares with the pinned one."""
    if pinned is None:
        return "not pinned"
    if (found := sha256(raw)) == pinned:
        return "as pinned"
    if allow:
        return "differs"
    raise CorpusError(
        name,
        f"the SHA-256 of {place} is {found}, pinned is {pinned}; "
        "allow_other_hashes: true would use it all the same",
    )


def sha256(raw):
    """Return the SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def _fetch(name, entry, path, allow):
    """Download a corpus; its hash is checked here unless that of its content is pinned."""
    pinned = None if allow or "content_sha256" in entry else entry.get("sha256")
    if entry["source"] == "dracor":
        remedy = f"save {TARTUFFE_URL} as {TARTUFFE} in a folder named by NLTK_DATA"
        download(name, TARTUFFE_URL, path, pinned, remedy)
    else:
        package = entry["package"]
        remedy = f"run `python -m nltk.downloader {package}` with a network, "
        remedy += f"or set NLTK_DATA to a folder with corpora/{package}.zip"
        download(name, f"{NLTK_URL}/{package}.zip", path, pinned, remedy)


def _read_play(name, entry, path, origin, compare):
    if not path.is_file():
        return None
    raw = path.read_bytes()
    check = compare(path, raw, entry.get("sha256"))
    return CorpusFiles(origin, (raw,), partial(read_verse, name), sha256(raw), check)


def _read_package(name, entry, path, origin, compare):
    """Return the files of an NLTK package from its archive or its folder; None without them all.

    Where the hash of the content is pinned, that of the archive is not compared: an archive that
    was packed again has the same text.
    """
    package = entry["package"]
    archive = path.read_bytes() if path.suffix == ".zip" and path.is_file() else None
    if archive is not None:
        if "content_sha256" not in entry:
            check = compare(path, archive, entry.get("sha256"))
        try:
            with zipfile.ZipFile(path) as opened:
                files = _files(entry, [Path(member).name for member in opened.namelist()])
                contents = tuple(opened.read(f"{package}/{file}") for file in files)
        except (zipfile.BadZipFile, zipfile.zlib.error, LookupError, RuntimeError) as error:
            what = " ".join(str(error.args[0] if error.args else error).split())
            raise CorpusError(name, f"{path}: {what}") from error
    else:
        paths = [path / file for file in _files(entry, os.listdir(path) if path.is_dir() else [])]
        if not paths or not all(map(Path.is_file, paths)):
            return None
        contents = tuple(map(Path.read_bytes, paths))
    if archive is None or "content_sha256" in entry:
        text = b"".join(contents)
        check = compare(f"the text in {path}", text, entry.get("content_sha256"))
    if package in PLAYS:
        to_text = partial(read_speeches, name)
    else:
        to_text = partial(_untag if package in TAGGED else _decode, name, entry)
    return CorpusFiles(origin, contents, to_text, archive and sha256(archive), check)


def _files(entry, present):
    """Return the names of a package's files to read, in order."""
    if "files" in entry:
        return entry["files"]
    return sorted(file for file in present if re.fullmatch(TAGGED[entry["package"]], file))


def _read_pydoc(name, entry, compare):
    """Read the language reference that comes with CPython; its text differs between versions."""
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise CorpusUnavailable(name, error, "use a Python with its standard library") from error
    raw = "\n".join(topics[topic] for topic in sorted(topics)).encode()
    check = compare("pydoc_data.topics", raw, entry.get("sha256"))
    return CorpusFiles("python", (raw,), bytes.decode, sha256(raw), check)


def _decode(name, entry, raw):
    """Decode a file, from UTF-8 where the entry names no encoding."""
    from condprob.tokenizers import decode  # here: a run is planned without the library

    try:
        return decode(raw, entry.get("encoding", "utf-8"))
    except ValueError as error:
        raise CorpusError(name, f"encoding: {error}") from error


def _untag(name, entry, raw):
    """Decode a file of word/tag tokens and return its words, a blank between two."""
    return " ".join([token.rsplit("/", 1)[0] for token in _decode(name, entry, raw).split()])


def tagged_sentences(raw):
    """Yield the sentences of a tagged file, one of a line: each a list of ``(word, tag)``."""
    for line in raw.decode("ascii").splitlines():
        if line.strip():
            yield [tuple(token.rsplit("/", 1)) for token in line.split()]
