"""Mistakes in how the values of a configuration go together.

A check takes an entry of a section, and ``right``: the configuration without the values that are
wrong by themselves, which the schema has found. It yields its mistakes as pairs of a path inside
the entry and a text. A value may be missing: a check looks at what is there.
"""

import os
from encodings.aliases import aliases
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path

from condprob.tokenizers import check_encoding
from reproduction.config.exhibits import EXHIBIT_CHECKS
from reproduction.config.schema import WORKFLOW, in_one_line, nearest, show
from reproduction.methods import METHODS
from reproduction.study import MANIFEST

SECTIONS = ("corpora", "methods", "exhibits")
# Of texts: the others turn bytes into bytes.
_ENCODINGS = sorted(
    name.replace("_", "-")
    for name in {*aliases.values()} - {"rot_13", "mbcs"}
    if "codec" not in name
)
_MOST_FITS = 1000  # settings of a sweep whose estimators are made
_LONGEST_PATH = 200  # characters of a path in a message; not measured


class Entry(dict):
    """The right values of an entry, and the keys whose values are ``wrong`` by themselves."""

    def __init__(self, values=(), wrong=()):
        super().__init__(values)
        self.wrong = wrong

    def lacks(self, key):
        """Whether a key is missing, and not only its value wrong."""
        return key not in self and key not in self.wrong


def cross_mistakes(config, wrong):
    """Yield the mistakes between values; those at the ``wrong`` paths are wrong by themselves."""
    if not all(isinstance(config.get(section), dict) for section in SECTIONS):
        return
    right = {key: value for key, value in config.items() if (key,) not in wrong}
    for section in SECTIONS:
        right[section] = _right_entries(config[section], section, wrong)
        names = [name for name in right[section] if (section, name) not in wrong]
        yield from names_fit((section,), names)
    for section, checks in _CHECKS.items():
        yield from _check_entries((section,), right[section], checks, right)
    if "results" in right and (why := folder_mistake(right["results"])):
        yield ("results",), f"{show(right['results'])} is not allowed; {why}"
    for study, section in right.get("studies", {}).items():
        if not any(path[:2] == ("studies", study) for path in wrong):
            yield from _study_mistakes(study, section, right)


def _study_mistakes(study, section, right):
    """Yield the mistakes of a study's exhibits, and those that the study itself finds."""
    exhibits = {name: Entry(entry) for name, entry in section.get("exhibits", {}).items()}
    for name in filter(exhibits.__contains__, right["exhibits"]):
        text = f"is an exhibit of the study {study}; must be another name"
        yield ("exhibits", name), text
    path = "studies", study
    yield from names_fit((*path, "exhibits"), exhibits)
    yield from _check_entries((*path, "exhibits"), exhibits, EXHIBIT_CHECKS, right)
    module = f"reproduction.studies.{study}.mistakes"
    if find_spec(module) is not None:
        for inside, text in import_module(module).find_mistakes(section, right):
            yield (*path, *inside), text


def _check_entries(path, entries, checks, right):
    for name, entry in entries.items():
        for check in checks:
            for inside, text in check(entry, right):
                yield (*path, name, *inside), text


def _right_entries(entries, section, wrong):
    """Return the entries of a section without the values that are wrong by themselves."""
    found = {}
    for name, entry in entries.items():
        items = entry.items() if isinstance(entry, dict) else ()
        spoilt = {path[2] for path in wrong if path[:2] == (section, name) and len(path) > 2}
        found[name] = Entry({key: v for key, v in items if key not in spoilt}, spoilt)
    return found


def names_fit(path, names):
    """Yield which names, which become files, differ in capitals alone: some disks ignore these."""
    first = {}
    for name in names:
        other = first.setdefault(str(name).lower(), name)
        if other != name:
            yield (*path, name), f"differs from {other!r} in capitals alone"


def encoding_exists(corpus, _):
    """Yield why a corpus cannot be decoded as it says, if it cannot."""
    encoding = corpus.get("encoding", "utf-8")
    try:
        check_encoding(encoding)
    except ValueError:
        yield ("encoding",), f"{show(encoding)} is no text encoding{nearest(encoding, _ENCODINGS)}"


def _file_exists(corpus, _):
    if "path" in corpus and not os.path.isfile(corpus["path"]):
        place = in_one_line(os.path.abspath(corpus["path"]), _LONGEST_PATH)
        text = f"{show(corpus['path'])} is not a file; looked for {place}"
        yield ("path",), f"{text}, below the folder of the project"


def _split_fits(corpus, _):
    words, parts = corpus.get("words"), (corpus.get("train", 0), corpus.get("test", 0))
    if words:
        total = sum(words // 2 if part == "half" else part for part in parts)
        if total > words:
            yield ("words",), f"{words} is not allowed; must be >= train + test = {total}"


def _options_go_together(entry, _):
    """Make the estimators of an entry, whose options may bear on each other."""
    if entry.get("method") in METHODS:
        options = {
            name: value if isinstance(value, list) else [value]
            for name, value in entry.items()
            if name in METHODS[entry["method"]].options
        }
        for values in islice(product(*options.values()), _MOST_FITS):
            try:
                METHODS[entry["method"]].estimator(**dict(zip(options, values, strict=True)))
            except ValueError as error:
                yield (), str(error)
                return


def folder_mistake(results):
    """Say why the results cannot go into a folder of the project; None if they can."""
    path = Path(results)
    parts = path.relative_to(path.anchor).parts
    if not results.isprintable():  # such as a sign that turns what follows around
        return "must be a name of characters that can be printed"
    if any(part != part.strip() for part in results.split("/")):
        return "must be names without spaces around them"
    if os.fspath(path) != results:
        return f"must be written as {os.fspath(path)!r}"
    if not parts or any(part.startswith((".", "~")) for part in parts):
        return "must be a folder of its own, and none that is hidden"
    if "reference" in parts:
        return "must not be a folder of results to compare with"
    if Path.cwd().is_relative_to(path):
        return "must not be a folder around this one"
    # Below this folder all on the way: of `src/new` these are `src/new` and `src`.
    inside = Path(os.path.relpath(path))
    above = list(inside.parents)[:-1] if inside.parts[0] != ".." else []
    for folder in [*map(os.fspath, reversed(above)), results]:
        try:
            if os.path.exists(folder) and os.listdir(folder) and not _is_of_a_run(folder):
                return f"{folder!r} holds something else than results"
        except OSError as error:
            return f"{folder!r} cannot be used: {error.strerror}"
    return None


def _is_of_a_run(folder):
    """Whether a folder is one of results: of this run, of an older one, or that of a clone.

    A run begins with the log of a rule, and a clone brings a reference. Corpora are no sign of a
    run: NLTK's own data have a folder of that name.
    """
    rules = {script.stem for script in WORKFLOW.rglob("*.py")}
    # Runs of several configurations may have folders of their own inside.
    logs = [*Path(folder).glob("logs/*"), *Path(folder).glob("*/logs/*")]
    return any(log.stem in rules for log in logs) or any(
        Path(folder, "reference").glob(f"*/{MANIFEST}")
    )


_CHECKS = {
    "corpora": [encoding_exists, _file_exists, _split_fits],
    "methods": [_options_go_together],
    "exhibits": EXHIBIT_CHECKS,
}
