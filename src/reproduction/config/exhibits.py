"""Mistakes in how the values of an exhibit go together: checks like those of `checks`."""

from reproduction.config.schema import NEAREST, in_one_line, nearest, show
from reproduction.methods import METHODS


def is_among(path, name, names, group):
    """Yield that a name is not among the names of a group, if it is not."""
    if name not in names:
        few = (
            f" (there are: {in_one_line(', '.join(map(str, names)))})"
            if len(names) <= NEAREST
            else ""
        )
        yield path, f"{show(name)} is not among {group}{nearest(name, names)}{few}"


def swept(exhibit, right):
    """Yield the position and name of each method that sweeps options, and these options."""
    for position, name, method in _methods(exhibit, right):
        if options := [key for key, value in method.items() if isinstance(value, list)]:
            yield position, name, options


def single_fits(path, part, right):
    """Yield which methods of a part of a study do not exist, or sweep an option."""
    for position, name in enumerate(part.get("methods", [])):
        yield from is_among((*path, "methods", position), name, right["methods"], "the methods")
    for position, name, options in swept(part, right):
        text = f"{name!r} sweeps {options[0]}; must be a single fit"
        yield (*path, "methods", position), text


def _methods(exhibit, right):
    """Yield the position, name and entry of each method of an exhibit."""
    for position, name in enumerate(exhibit.get("methods", [])):
        if name in right["methods"]:
            yield position, name, right["methods"][name]


def _is_low_rank(method):
    return method.get("method") in METHODS and "rank" in METHODS[method["method"]].options


def _names_exist(exhibit, right):
    for key in ("methods", "corpora"):
        for position, name in enumerate(exhibit.get(key, [])):
            yield from is_among((key, position), name, right[key], f"the {key}")
    for name in exhibit.get("y_ranges", {}):
        corpora = exhibit.get("corpora", [name])
        yield from is_among(("y_ranges", name), name, corpora, "its exhibit's corpora")


def _labels_differ(exhibit, right):
    """Require labels by which a legend can tell the methods of an exhibit apart."""
    first = {}
    for position, name, method in _methods(exhibit, right):
        label = method.get("label", name)
        other = first.setdefault(label, name)
        if other != name:
            text = f"{name!r} has the label {show(label)}, as {other!r} has; must have another"
            yield ("methods", position), text


def _compared_is_one_fit(exhibit, right):
    """Require of a method that others are compared with to be the exhibit's, without a sweep."""
    compared = {(key,): exhibit[key] for key in ("baseline", "ours") if key in exhibit}
    if "printed_gap" in exhibit:
        compared["printed_gap", "below"] = exhibit["printed_gap"]["below"]
    for path, chosen in compared.items():
        if "methods" in exhibit:
            yield from is_among(path, chosen, exhibit["methods"], "its exhibit's methods")
            for _, name, options in swept(exhibit, right):
                if name == chosen:
                    yield path, f"{name!r} sweeps {options[0]}; must be a single fit"


def _map_has_no_sweep(exhibit, right):
    if exhibit.get("kind") == "risk-map":
        for position, name, options in swept(exhibit, right):
            yield ("methods", position), f"{name!r} sweeps {options[0]}; must be a single fit"


def _curve_fits_text(exhibit, right):
    """Compare the longest part of a text that is fitted with the known sizes of the texts."""
    if exhibit.get("kind") in ("table", "learning-curve") and "n_values" in exhibit:
        longest = max(exhibit["n_values"])
        total = longest + exhibit.get("test_words", longest)
        for name in exhibit.get("corpora", []):
            most = right["corpora"].get(name, {}).get("words")
            if most and total > most:
                position = exhibit["n_values"].index(longest)
                text = f"{longest} and as many test words as it takes are {total}"
                yield ("n_values", position), f"{text}; {name!r} has {most}"


def _ranks_fit(exhibit, right):
    """Compare ranks with the sizes of a model; those of a text are not known before it is read."""
    if "k_values" not in exhibit:
        return
    k, source = min(exhibit["k_values"]), "the smallest of k_values"
    if exhibit.get("outcomes", k) < k:
        k, source = exhibit["outcomes"], "the number of outcomes"
    for position, rank in enumerate(exhibit.get("rank_values", [])):
        if rank > k:
            yield ("rank_values", position), f"{rank} is not allowed; must be <= {k}, {source}"
    for position, name, method in _methods(exhibit, right):
        rank = method.get("rank", k)
        if rank != "learned" and rank > k:
            yield ("methods", position), f"{name!r} has rank {rank}; must be <= {k}, {source}"


def _rank_is_given(exhibit, right):
    """Require a rank for a low-rank method: its own, or else the exhibit's."""
    if exhibit.get("kind") in ("table", "learning-curve") and exhibit.lacks("rank"):
        for position, name, method in _methods(exhibit, right):
            if _is_low_rank(method) and method.lacks("rank"):
                text = f"{name!r} has no rank; must have one, or the exhibit a 'rank'"
                yield ("methods", position), text


def _rank_alone_varies(exhibit, right):
    if exhibit.get("kind") == "rank-selection":
        for position, name, options in swept(exhibit, right):
            text = f"{name!r} sweeps {options[0]}; only its rank varies in a rank-selection"
            yield ("methods", position), text
        for position, name, method in _methods(exhibit, right):
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
    axes |= {(key,): exhibit[key] for key in ("y_range", "difference_range") if key in exhibit}
    for path, (low, high) in axes.items():
        if low >= high:
            yield path, f"{show([low, high])} is not allowed; the first must be the lower"
        elif low <= 0 and exhibit.get("y_scale") == "log" and path != ("difference_range",):
            yield path, f"{show([low, high])} is not allowed; must be > 0 on a log scale"


def _batches_differ(exhibit, _):
    """Require of a value that it is in one list of the batches, and there once."""
    for axis, lists in exhibit.get("batches", {}).items():
        seen = set()
        for value in (value for values in lists for value in values):
            if value in seen:
                yield ("batches", axis), f"{show(value)} is in two lists; must be in one"
            seen.add(value)


def _x_has_values(exhibit, right):
    """Require of the horizontal axis to be a size, or an option that a method sweeps."""
    if "x" in exhibit:
        sizes = ["n"] if exhibit.get("kind") == "learning-curve" else ["n", "k", "rank"]
        varied = [option for _, _, options in swept(exhibit, right) for option in options]
        allowed = list(dict.fromkeys([*sizes, *varied]))
        if exhibit["x"] not in allowed:
            text = f"{show(exhibit['x'])} is not allowed; must be one of {', '.join(allowed)}"
            yield ("x",), f"{text} (an option can be x where a method has a list of its values)"


EXHIBIT_CHECKS = [
    _names_exist,
    _labels_differ,
    _curve_fits_text,
    _compared_is_one_fit,
    _map_has_no_sweep,
    _x_has_values,
    _ranks_fit,
    _rank_is_given,
    _rank_alone_varies,
    _goes_with("exponent", "rows", "power-law"),
    _goes_with("test_words", "test", "last"),
    _axes_rise,
    _batches_differ,
]
