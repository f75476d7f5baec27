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

from condprob.data_files import check_encoding
from condprob.estimators.catalogue import METHODS
from reproduction.config.folders import folder_mistake
from reproduction.config.schema import allowed_options, in_one_line, nearest, show
from reproduction.config.sizes import exhibit_mistakes, sweep_mistakes

# Snakemake takes a wildcard that ends so for a rule that feeds itself without end.
_PERIODIC = re.compile(r"(.+)\1{19}$")
# Of texts: the others turn bytes into bytes.
_ENCODINGS = sorted(
    name.replace("_", "-") for name in {*aliases.values()} - {"rot_13"} if "codec" not in name
)
_TOLD = 40  # names that are listed
_TRIED = 1000  # settings of a sweep that are tried by themselves


class Entry(dict):
    """What a section has under a name, without the values that are wrong by themselves."""

    def __init__(self, values=(), wrong=()):
        super().__init__(values)
        self.wrong = wrong

    def lacks(self, key):
        """Whether a key is missing, and not only its value wrong."""
        return key not in self and key not in self.wrong


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


def _most_words(corpus):
    """Return how many words a text has at most, and why; None where that is not known.

    Whatever the encoding, a word takes a byte, and but for wordpunct another that ends it.
    """
    if "words" in corpus:
        return corpus["words"], "words"
    if os.path.isfile(corpus.get("path", "")):
        size = os.path.getsize(corpus["path"])
        words = size if corpus.get("tokenizer") == "wordpunct" else (size + 1) // 2
        return words, f"the {size:,} bytes of {show(corpus['path'])}"
    return None


def _split_fits(corpus, _):
    if most := _most_words(corpus):
        (words, why), parts = most, [corpus.get("train", 0), corpus.get("test", 0)]
        total = sum(words // 2 if part == "half" else part for part in parts)
        if total > words and why == "words":
            yield ("words",), f"{words} is not allowed; must be >= train + test = {total}"
        elif total > words:
            yield (), f"train + test = {total} words; must be at most {words}: {why}"


def _curve_fits_text(exhibit, sections):
    """Compare the longest part of a learning curve with what is known of its texts."""
    if exhibit.get("kind") == "learning-curve" and "n_values" in exhibit:
        longest = max(exhibit["n_values"])
        total = longest + exhibit.get("test_words", longest)
        for name in exhibit.get("corpora", []):
            most = _most_words(sections["corpora"].get(name, {}))
            if most and total > most[0]:
                position = exhibit["n_values"].index(longest)
                text = f"{longest} and as many test words as it takes are {total}"
                yield ("n_values", position), f"{text}; {name!r} has at most {most[0]}: {most[1]}"


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


def _names_exist(exhibit, sections):
    for key in ("methods", "corpora"):
        for position, name in enumerate(exhibit.get(key, [])):
            yield from is_among((key, position), name, sections[key], f"the {key}")


def _is_shown(key):
    """Return a check that the method that ``key`` names is one of the exhibit's."""

    def check(exhibit, _):
        if key in exhibit and "methods" in exhibit:
            yield from is_among((key,), exhibit[key], exhibit["methods"], "its exhibit's methods")

    return check


def _ranks_fit(exhibit, sections):
    """Compare ranks with the ``k`` of a model; that of a text is not known before it is read."""
    if "k_values" not in exhibit:
        return
    k = min(exhibit["k_values"])
    for position, rank in enumerate(exhibit.get("rank_values", [])):
        if rank > k:
            text = f"{rank} is not allowed; must be <= {k}, the smallest of k_values"
            yield ("rank_values", position), text
    for position, name, method in _methods(exhibit, sections):
        if method.get("rank", k) > k:
            text = f"{name!r} has rank {method['rank']}; must be <= {k}, the smallest of k_values"
            yield ("methods", position), text


def _rank_is_given(exhibit, sections):
    """Ask for the rank of a low-rank method: its own, or else the exhibit's."""
    if exhibit.get("kind") in ("table", "learning-curve") and exhibit.lacks("rank"):
        for position, name, method in _methods(exhibit, sections):
            if _is_low_rank(method) and method.lacks("rank"):
                text = f"{name!r} has no rank; must have one, or the exhibit a 'rank'"
                yield ("methods", position), text


def _rank_can_vary(exhibit, sections):
    if exhibit.get("kind") == "rank-selection":
        for position, name, method in _methods(exhibit, sections):
            if "rank" in method:
                text = f"{name!r} has rank {method['rank']}; must have none, for it to vary"
                yield ("methods", position), text
            elif "method" in method and not _is_low_rank(method):
                text = f"{name!r} is not allowed; must be a low-rank method, for its rank to vary"
                yield ("methods", position), text


def _goes_with(key, other, value):
    """Return a check that ``key`` is there exactly where ``other`` is ``value``."""

    def check(exhibit, _):
        chosen = exhibit.get(other)
        if key in exhibit and chosen not in (None, value):
            text = f"{show(exhibit[key])} is not allowed with {other}: {chosen}"
            yield (key,), f"{text}; must be left out, or {other}: {value}"
        elif exhibit.lacks(key) and chosen == value:
            yield (other,), f"{value!r} is not allowed without {key!r}, which is missing"

    return check


def _axes_rise(exhibit, _):
    axes = {("y_ranges", name): ends for name, ends in exhibit.get("y_ranges", {}).items()}
    if "y_range" in exhibit:
        axes["y_range",] = exhibit["y_range"]
    for path, (low, high) in axes.items():
        if low >= high:
            yield path, f"{show([low, high])} is not allowed; the first must be the lower"
        elif low <= 0 and exhibit.get("y_scale") == "log":
            yield path, f"{show([low, high])} is not allowed; must be > 0 on a log scale"
    for name in exhibit.get("y_ranges", {}):
        corpora = exhibit.get("corpora", [name])
        yield from is_among(("y_ranges", name), name, corpora, "its exhibit's corpora")


def is_among(path, name, names, what):
    """Yield that a name is not among those that there are, if it is not."""
    if name not in names:
        known = ", ".join(in_one_line(str(each)) for each in islice(names, _TOLD))
        more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
        known = f"{nearest(name, names)} (there are: {known}{more})"
        yield path, f"{show(name)} is not among {what}{known}"


def _methods(exhibit, sections):
    """Yield the position, name and entry of each method of an exhibit."""
    for position, name in enumerate(exhibit.get("methods", [])):
        yield position, name, sections["methods"].get(name, Entry())


def _is_low_rank(method):
    return "rank" in allowed_options(method.get("method"))


def swept(exhibit, sections):
    """Yield the position and name of each method of an exhibit with the options that it sweeps."""
    for position, name, method in _methods(exhibit, sections):
        options = [key for key, value in method.items() if isinstance(value, list)]
        if options:
            yield position, name, options


def _x_has_values(exhibit, sections):
    """Ask that the horizontal axis be a size or an option that a method of the exhibit sweeps."""
    if "x" in exhibit:
        sizes = ["n"] if exhibit.get("kind") == "learning-curve" else ["n", "k", "rank"]
        varied = [option for _, _, options in swept(exhibit, sections) for option in options]
        allowed = list(dict.fromkeys([*sizes, *varied]))
        if exhibit["x"] not in allowed:
            text = f"{show(exhibit['x'])} is not allowed; must be one of {', '.join(allowed)}"
            yield ("x",), f"{text} (an option can be x where a method has a list of its values)"


def _is_no_sweep(key):
    """Return a check that the method that ``key`` names sweeps no option."""

    def check(exhibit, sections):
        for _, name, options in swept(exhibit, sections):
            if name == exhibit.get(key):
                yield (key,), f"{name!r} sweeps {options[0]}; must be a single fit"

    return check


def _sweep_fits_kind(exhibit, sections):
    if exhibit.get("kind") == "rank-selection":
        for position, name, options in swept(exhibit, sections):
            text = f"{name!r} sweeps {options[0]}; only its rank varies in a rank-selection"
            yield ("methods", position), text


_CHECKS = {
    "corpora": [encoding_exists, _file_exists, _split_fits],
    "methods": [_options_go_together],
    "exhibits": [
        _names_exist,
        _curve_fits_text,
        _is_shown("baseline"),
        _is_shown("ours"),
        _is_no_sweep("baseline"),
        _is_no_sweep("ours"),
        _sweep_fits_kind,
        _x_has_values,
        _ranks_fit,
        _rank_is_given,
        _rank_can_vary,
        _goes_with("exponent", "rows", "power-law"),
        _goes_with("test_words", "test", "last"),
        _axes_rise,
    ],
}
