"""Mistakes in how the values of a configuration go together.

A check takes an entry of a section, and all sections. It yields its mistakes as pairs of a path
inside the entry and a text. Values that the schema has found wrong, or that are missing, are not
in the entries: a check looks at what is there.
"""

import os
import re
from encodings.aliases import aliases
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product

from condprob.catalogue import METHODS
from condprob.data_files import check_encoding
from reproduction.config.exhibits import EXHIBIT_CHECKS, Entry
from reproduction.config.folders import folder_mistake
from reproduction.config.schema import nearest, show
from reproduction.config.sizes import exhibit_mistakes, most_words, sweep_mistakes

# Snakemake takes a wildcard that ends so for a rule that feeds itself without end.
_PERIODIC = re.compile(r"(.+)\1{19}$")
# Of texts: the others turn bytes into bytes.
_ENCODINGS = sorted(
    name.replace("_", "-") for name in {*aliases.values()} - {"rot_13"} if "codec" not in name
)
_TRIED = 1000  # settings of a sweep that are tried by themselves


def cross_mistakes(config, wrong):
    """Yield the mistakes between values; those at the ``wrong`` paths are wrong by themselves."""
    if not all(isinstance(config.get(section), dict) for section in _CHECKS):
        return
    sections = {section: _right_values(config, section, wrong) for section in _CHECKS}
    for section, checks in _CHECKS.items():
        names = [name for name in sections[section] if (section, name) not in wrong]
        yield from names_fit((section,), names)
        for name, entry in sections[section].items():
            for check in checks:
                for path, text in check(entry, sections):
                    yield (section, name, *path), text
    yield from _results_mistakes(config, wrong)
    memory = None if ("memory_gb",) in wrong else config.get("memory_gb")
    for name, text in sweep_mistakes(sections["methods"]):
        yield ("methods", name), text
    for name, text in exhibit_mistakes(sections["exhibits"], sections["methods"], memory):
        yield ("exhibits", name), text
    for study, section in config.get("studies", {}).items():
        theirs = section.get("exhibits", {}) if isinstance(section, dict) else {}
        for name in filter(theirs.__contains__, sections["exhibits"]):
            text = f"is an exhibit of the study {study}; must be another name"
            yield ("exhibits", name), text
        if not any(path[:2] == ("studies", study) for path in wrong):
            for path, text in _study_mistakes(study, section, sections, memory):
                yield ("studies", study, *path), text


def _results_mistakes(config, wrong):
    """Yield why the results cannot go where they are to go."""
    is_right = "results" in config and ("results",) not in wrong
    if is_right and (why := folder_mistake(config["results"])):
        yield ("results",), f"{show(config['results'])} is not allowed; {why}"


def _study_mistakes(study, section, sections, memory):
    """Yield the mistakes in a study's section: of its exhibits, and what the study itself finds."""
    exhibits = section.get("exhibits", {})
    yield from names_fit(("exhibits",), exhibits)
    for name, entry in exhibits.items():
        for check in _CHECKS["exhibits"]:
            for path, text in check(Entry(entry), sections):
                yield ("exhibits", name, *path), text
    for name, text in exhibit_mistakes(exhibits, sections["methods"], memory):
        yield ("exhibits", name), text
    module = f"reproduction.studies.{study}.mistakes"
    if find_spec(module) is not None:
        yield from import_module(module).find_mistakes(section, sections)


def _right_values(config, section, wrong):
    """Return the entries of a section without the values that are wrong by themselves."""
    entries = {}
    for name, entry in config[section].items():
        items = entry.items() if isinstance(entry, dict) else ()
        spoilt = {path[2] for path in wrong if path[:2] == (section, name) and len(path) > 2}
        right = {key: value for key, value in items if key not in spoilt}
        entries[name] = Entry(right, spoilt)
    return entries


def names_fit(path, names):
    """Yield what is wrong with names that become files."""
    first = {}
    for name in names:
        other = first.setdefault(str(name).lower(), name)
        if other != name:  # names become files, and not every disk tells A from a
            yield (*path, name), f"differs from {other!r} in capitals alone"
        if part := _PERIODIC.search(str(name)):
            yield (*path, name), f"ends in {part[1]!r} twenty times over; must be another name"


def encoding_exists(corpus, _):
    """Yield why a corpus cannot be decoded as it says, if it cannot."""
    encoding = corpus.get("encoding", "utf-8")
    try:
        check_encoding(encoding)
    except ValueError:
        yield ("encoding",), f"{show(encoding)} is no text encoding{nearest(encoding, _ENCODINGS)}"


def _file_exists(corpus, _):
    if "path" in corpus and not os.path.isfile(corpus["path"]):
        yield ("path",), f"{show(corpus['path'])} is not a file"


def _split_fits(corpus, _):
    if most := most_words(corpus):
        (words, why), parts = most, [corpus.get("train", 0), corpus.get("test", 0)]
        total = sum(words // 2 if part == "half" else part for part in parts)
        if total > words and why == "words":
            yield ("words",), f"{words} is not allowed; must be >= train + test = {total}"
        elif total > words:
            yield (), f"train + test = {total} words; must be at most {words}: {why}"


def _options_go_together(entry, _):
    """Make the methods of an entry, whose options may bear on each other."""
    if entry.get("method") in METHODS:
        options = {
            name: value if isinstance(value, list) else [value]
            for name, value in entry.items()
            if name in METHODS[entry["method"]].options
        }
        for values in islice(product(*options.values()), _TRIED):
            try:
                METHODS[entry["method"]].estimator(**dict(zip(options, values, strict=True)))
            except ValueError as error:
                yield (), str(error)
                return


_CHECKS = {
    "corpora": [encoding_exists, _file_exists, _split_fits],
    "methods": [_options_go_together],
    "exhibits": EXHIBIT_CHECKS,
}
