"""Mistakes in how the values of a configuration go together, each of which its schema allows.

A check takes an entry of a section and the configuration. It yields its mistakes as pairs of a path
inside the entry and a text.
"""

import os
from encodings.aliases import aliases
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path

from condprob.tokenizers import check_encoding
from reproduction.config.exhibits import exhibit_mistakes
from reproduction.config.schema import WORKFLOW, in_one_line, nearest, show
from reproduction.methods import METHODS
from reproduction.study import MANIFEST

_MOST_FITS = 1000  # settings of a sweep whose estimators are made
_LONGEST_PATH = 200  # characters of a path in a message; not measured


def cross_mistakes(config):
    """Yield the mistakes between the values of a configuration that its schema allows."""
    checks = {
        "corpora": corpus_mistakes,
        "methods": method_mistakes,
        "exhibits": exhibit_mistakes,
    }
    for section, check in checks.items():
        yield from _mistakes_in((section,), config[section], check, config)
    if why := folder_mistake(config["results"]):
        yield ("results",), f"{show(config['results'])} is not allowed; {why}"
    for study, section in config.get("studies", {}).items():
        path, exhibits = ("studies", study), section.get("exhibits", {})
        yield from _mistakes_in((*path, "exhibits"), exhibits, exhibit_mistakes, config)
        for name in config["exhibits"].keys() & exhibits.keys():
            text = f"is an exhibit of the study {study}; must be another name"
            yield ("exhibits", name), text
        module = f"reproduction.studies.{study}.mistakes"
        if find_spec(module) is not None:
            for inside, text in import_module(module).find_mistakes(section, config):
                yield (*path, *inside), text


def _mistakes_in(path, entries, check, config):
    yield from names_fit(path, entries)
    for name, entry in entries.items():
        for inside, text in check(entry, config):
            yield (*path, name, *inside), text


def names_fit(path, names):
    """Yield which names, which become files, differ in capitals alone: some disks ignore these."""
    first = {}
    for name in names:
        if (other := first.setdefault(str(name).lower(), name)) != name:
            yield (*path, name), f"differs from {other!r} in capitals alone"


def encoding_exists(corpus, _):
    """Yield why a corpus cannot be decoded as it says, if it cannot."""
    encoding = corpus.get("encoding", "utf-8")
    try:
        check_encoding(encoding)
    except ValueError:  # of the names, those that turn bytes into bytes are no hint
        names = {name.replace("_", "-") for name in aliases.values() if "codec" not in name}
        hint = nearest(encoding, sorted(names - {"rot-13", "mbcs"}))
        yield ("encoding",), f"{show(encoding)} is no text encoding{hint}"


def corpus_mistakes(corpus, config):
    """Yield the mistakes of a corpus: its encoding, its file, its parts."""
    yield from encoding_exists(corpus, config)
    if "path" in corpus and not os.path.isfile(corpus["path"]):
        place = in_one_line(os.path.abspath(corpus["path"]), _LONGEST_PATH)
        text = f"{show(corpus['path'])} is not a file; looked for {place}"
        yield ("path",), f"{text}, below the folder of the project"
    if words := corpus.get("words"):
        parts = (corpus.get("train", 0), corpus.get("test", 0))
        total = sum(words // 2 if part == "half" else part for part in parts)
        if total > words:
            yield ("words",), f"{words} is not allowed; must be >= train + test = {total}"


def method_mistakes(entry, _):
    """Make the estimators of an entry, whose options may bear on each other."""
    record = METHODS[entry["method"]]
    values = {key: value for key, value in entry.items() if key in record.options}
    several = [value if isinstance(value, list) else [value] for value in values.values()]
    for chosen in islice(product(*several), _MOST_FITS):
        try:
            record.estimator(**dict(zip(values, chosen, strict=True)))
        except ValueError as error:
            yield (), str(error)
            return


def folder_mistake(results):
    """Say why the results cannot go into a folder; None if they can."""
    path = Path(results)
    if not results.isprintable():  # such as a sign that turns what follows around
        return "must be a name of characters that can be printed"
    if os.fspath(path) != results:
        return f"must be written as {os.fspath(path)!r}"
    if "reference" in path.parts:
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
