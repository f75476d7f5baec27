"""Mistakes in how the values of an exhibit go together: checks like those of `checks`."""

from itertools import islice

from reproduction.config.schema import allowed_options, in_one_line, nearest, show
from reproduction.config.sizes import most_words

_TOLD = 40  # names that are listed


class Entry(dict):
    """What a section has under a name, without the values that are wrong by themselves."""

    def __init__(self, values=(), wrong=()):
        super().__init__(values)
        self.wrong = wrong

    def lacks(self, key):
        """Whether a key is missing, and not only its value wrong."""
        return key not in self and key not in self.wrong


def _curve_fits_text(exhibit, sections):
    """Compare the longest part of a learning curve with what is known of its texts."""
    if exhibit.get("kind") == "learning-curve" and "n_values" in exhibit:
        longest = max(exhibit["n_values"])
        total = longest + exhibit.get("test_words", longest)
        for name in exhibit.get("corpora", []):
            most = most_words(sections["corpora"].get(name, {}))
            if most and total > most[0]:
                position = exhibit["n_values"].index(longest)
                text = f"{longest} and as many test words as it takes are {total}"
                yield ("n_values", position), f"{text}; {name!r} has at most {most[0]}: {most[1]}"


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
    """Compare ranks with the sizes of a model; those of a text are not known before it is read."""
    if "k_values" not in exhibit:
        return
    k, of_which = min(exhibit["k_values"]), "the smallest of k_values"
    if exhibit.get("outcomes", k) < k:
        k, of_which = exhibit["outcomes"], "the number of outcomes"
    for position, rank in enumerate(exhibit.get("rank_values", [])):
        if rank > k:
            text = f"{rank} is not allowed; must be <= {k}, {of_which}"
            yield ("rank_values", position), text
    for position, name, method in _methods(exhibit, sections):
        rank = method.get("rank", k)
        if rank != "learned" and rank > k:
            text = f"{name!r} has rank {method['rank']}; must be <= {k}, {of_which}"
            yield ("methods", position), text


def _labels_differ(exhibit, sections):
    """Ask that the methods of an exhibit can be told apart in its legend."""
    first = {}
    for position, name, method in _methods(exhibit, sections):
        label = method.get("label", name)
        other = first.setdefault(label, name)
        if other != name:
            text = f"{name!r} has the label {show(label)}, as {other!r} has; must have another"
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


EXHIBIT_CHECKS = [
    _names_exist,
    _labels_differ,
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
]
