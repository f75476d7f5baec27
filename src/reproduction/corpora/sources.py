"""Where a corpus comes from: find it or fetch it, and check that it is the one that was pinned.

`read_source` returns the texts of a corpus with the hashes of its files. It looks for copies on
NLTK's own search path, then in the folder of downloads; only then it asks the network.
"""

import hashlib
import io
import os
import re
import stat
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from reproduction.corpora.errors import CorpusError, CorpusUnavailable
from reproduction.corpora.fetch import download
from reproduction.corpora.verse import read_verse

# Bytes of a corpus, or of an archive: a text is read whole, and its words take more.
LARGEST_CORPUS = 2**28
# NLTK's packages of words with a tag each (word/tag), and the names of the files that hold text.
TAGGED = {"brown": r"c[a-z]\d\d"}
NLTK_URL = "https://raw.githubusercontent.com/nltk/nltk_data/gh-pages/packages/corpora"
TARTUFFE = "corpora/tartuffe/moliere-tartuffe.xml"
TARTUFFE_URL = (
    "https://raw.githubusercontent.com/dracor-org/fredracor/"
    "34cf7f1afce064de8f56b210c1a4992920834c1e/tei/moliere-tartuffe.xml"
)
DOWNLOADS = ".nltk_data"  # the folder of what was downloaded, below that of the project
COMPRESSED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # as NLTK's archives are
_BROKEN = (zipfile.BadZipFile, LookupError, RuntimeError, ValueError)


def read_whole(name, paths):
    """Return the bytes of files, if they are files and not too large together."""
    sizes = 0
    for path in paths:
        found = os.stat(path)
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise CorpusError(name, f"cannot read {path}: not a file")
        sizes += found.st_size
        if sizes > LARGEST_CORPUS:
            raise CorpusError(name, f"{path}: {too_large(sizes)}")
    return tuple(Path(path).read_bytes() for path in paths)


def too_large(size):
    """Say that a text is larger than what is read."""
    return f"{size / 1e6:,.0f} MB of text; at most {LARGEST_CORPUS / 1e6:,.0f} are read"


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

    The same list as `nltk.data.path`, without the second that importing NLTK takes.
    """
    given = [os.path.expanduser(d) for d in os.environ.get("NLTK_DATA", "").split(os.pathsep) if d]
    home = os.path.expanduser("~/nltk_data")
    inside = [os.path.join(sys.prefix, *d) for d in ((), ("share",), ("lib",))]
    system = ["/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"]
    defaults = [os.path.join(d, "nltk_data") for d in inside + system]
    return given + ([] if home.startswith("~") else [home]) + defaults


def read_source(name, entry, search=None, downloads=DOWNLOADS, allow_other_hashes=False):
    """Read the texts of a corpus, from a copy at hand or from the network, and check its hash.

    The name is for messages; of its entry in config.yaml, `source` is nltk, dracor, python or file.
    Copies are looked for in folders laid out like NLTK's data, by default those of `search_path()`,
    then among the downloads, which are kept. ``allow_other_hashes`` takes a corpus whose SHA-256 is
    not the pinned one.

    Raises CorpusUnavailable if there is no copy, and it could not be downloaded; CorpusError if
    a copy has another hash than the pinned one, or cannot be read.
    """
    reader = _READERS.get(entry["source"])
    if reader is None:
        what = f"source {entry['source']!r} is not one of {', '.join(_READERS)}"
        raise CorpusError(name, what)
    places = [(folder, "search path") for folder in (search_path() if search is None else search)]
    try:
        return reader(name, entry, [*places, (downloads, "downloaded")], allow_other_hashes)
    except OSError as error:
        what = f"cannot read {error.filename}: {error.strerror}"
        raise CorpusError(name, what) from error
    except ValueError as error:  # a path with a character that no path may have
        raise CorpusError(name, error) from error


def _read_package(name, entry, places, allow):
    """Read text files of an NLTK package, from its archive or its folder."""
    package = entry["package"]
    if package != Path(package).name or package in ("", ".."):
        raise CorpusError(name, f"package {package!r} is not the name of a package")
    if "files" not in entry and package not in TAGGED:
        raise CorpusError(name, f"files is missing: which files of {package!r} to read?")
    found = _first_good(
        name, [partial(_open_package, name, entry, *each, allow) for each in places]
    )
    if found is not None:
        return found
    folder, origin = places[-1]
    url, file = f"{NLTK_URL}/{package}.zip", f"corpora/{package}.zip"
    remedy = (
        f"run `python -m nltk.downloader {package}` with a network, "
        f"or set NLTK_DATA to a folder with {file}"
    )
    is_pinned = not allow and "content_sha256" not in entry  # else its text is compared
    target = Path(folder, file)
    download(name, url, target, entry.get("sha256") if is_pinned else None, remedy)
    try:
        return _open_package(name, entry, folder, origin, allow)
    except CorpusError:
        target.unlink(missing_ok=True)
        raise


def _first_good(name, readers):
    """Return what the first of some readers of copies finds that is not None, or None.

    A copy that is broken or of another text is passed over, and named, if a good one follows. Else
    its error is raised.
    """
    errors = []
    for read in readers:
        try:
            found = read()
        except CorpusError as error:
            errors.append(error)
            continue
        if found is not None:
            for error in errors:
                print(f"{error}: this copy is passed over", file=sys.stderr)
            return found
    if errors:
        raise errors[0]
    return None


def _open_package(name, entry, folder, origin, allow):
    """Return the source of a package in one folder of the search path, None without a copy."""
    package = entry["package"]
    to_text = partial(_untag if package in TAGGED else _decode, name, entry)
    archive = Path(folder, "corpora", f"{package}.zip")
    unpacked = archive.with_suffix("")
    if os.path.isfile(archive):
        (raw,) = read_whole(name, [archive])
        if "content_sha256" not in entry:  # before an archive of another kind is unpacked
            compare_hash(name, archive, raw, entry.get("sha256"), allow)
        contents = _unpack(name, entry, archive, raw)
        check = _check_text(name, entry, archive, raw, contents, allow)
        return CorpusFiles(origin, contents, to_text, sha256(raw), check)
    if os.path.isdir(unpacked):
        paths = [unpacked / file for file in _files(name, entry, os.listdir(unpacked))]
        if paths and all(map(os.path.isfile, paths)):
            contents = read_whole(name, paths)
            check = _check_text(name, entry, unpacked, None, contents, allow)
            return CorpusFiles(origin, contents, to_text, None, check)
    return None


def _check_text(name, entry, place, raw, contents, allow):
    """Compare the text of a package with the pinned one; say how it compares.

    An archive that was packed anew has another hash and the same text. Only where no text is pinned
    is the hash of the archive, with the bytes ``raw``, compared.
    """
    pinned = entry.get("content_sha256")
    if pinned is None and raw is not None:
        return compare_hash(name, place, raw, entry.get("sha256"), allow)[1]
    return compare_hash(name, f"the text in {place}", b"".join(contents), pinned, allow)[1]


def _unpack(name, entry, archive, raw):
    """Return the files of a package, from the bytes of its archive."""
    from condprob.data_files import read_part  # here: a run is planned without the library

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as opened:
            files = _files(name, entry, [Path(member).name for member in opened.namelist()])
            members = [opened.getinfo(f"{entry['package']}/{file}") for file in files]
            for member in members:
                if member.flag_bits & 1 or member.compress_type not in COMPRESSED:
                    what = f"{member.filename!r} is encrypted, or not compressed by deflation"
                    raise CorpusError(name, f"{archive}: {what}")
            size = sum(member.file_size for member in members)  # no more than that is unpacked
            if size > LARGEST_CORPUS:
                raise CorpusError(name, f"{archive}: {too_large(size)}")
            return tuple(read_part(opened.open(member)) for member in members)
    except CorpusError:
        raise
    except _BROKEN as error:
        what = " ".join(str(error.args[0] if error.args else error).split())
        raise CorpusError(name, f"{archive}: {what}") from error


def _files(name, entry, present):
    """Return the names of a package's files to read, in order; none lies outside of it."""
    for file in entry.get("files", ()):
        if PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts:
            raise CorpusError(name, f"files: {file!r} lies outside of its package")
    if "files" in entry:
        return entry["files"]
    return sorted(file for file in present if re.fullmatch(TAGGED[entry["package"]], file))


def _read_tartuffe(name, entry, places, allow):
    """Read the verse of Tartuffe from DraCor's TEI, downloading it at its pinned commit."""
    pinned = entry.get("sha256")
    copies = [(Path(folder, TARTUFFE), origin) for folder, origin in places]
    found = _first_good(name, [partial(_read_verse, name, *copy, pinned, allow) for copy in copies])
    if found is None:
        path, origin = copies[-1]
        remedy = f"save {TARTUFFE_URL} as {TARTUFFE} in a folder named by NLTK_DATA"
        download(name, TARTUFFE_URL, path, None if allow else pinned, remedy)
        found = _read_verse(name, path, origin, pinned, allow)
    return found


def _read_verse(name, path, origin, pinned, allow):
    """Return the source of a copy of Tartuffe, None where there is none."""
    if not os.path.isfile(path):
        return None
    (raw,) = read_whole(name, [path])
    checked = compare_hash(name, path, raw, pinned, allow)
    return CorpusFiles(origin, (raw,), partial(read_verse, name), *checked)


def _read_file(name, entry, places, allow):
    """Read a text file of the user's own."""
    path = Path(entry["path"])
    (raw,) = read_whole(name, [path])
    checked = compare_hash(name, path, raw, entry.get("sha256"), allow)
    return CorpusFiles("file", (raw,), partial(_decode, name, entry), *checked)


def _read_pydoc(name, entry, places, allow):
    """Read the language reference that comes with CPython; its text differs between versions."""
    try:
        from pydoc_data.topics import topics
    except ImportError as error:
        raise CorpusUnavailable(name, error, "use a Python with its standard library") from error
    raw = "\n".join(topics[topic] for topic in sorted(topics)).encode()
    checked = compare_hash(name, "pydoc_data.topics", raw, entry.get("sha256"), allow)
    return CorpusFiles("python", (raw,), bytes.decode, *checked)


_READERS = {
    "nltk": _read_package,
    "dracor": _read_tartuffe,
    "python": _read_pydoc,
    "file": _read_file,
}


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
