"""Mistakes in how the values of an exhibit go together: see `checks`."""

from reproduction.config.schema import MOST_NEAREST_NAMES, in_one_line, nearest, show
from reproduction.methods import METHODS

OF_TEXTS = (
    "table",
    "learning-curve",
)  # kinds of exhibits whose rank is the exhibit's or a method's


def exhibit_mistakes(exhibit, config):
    """Yield the mistakes of an exhibit: names that do not exist, or else what does not fit."""
    found = list(_names_exist(exhibit, config))
    for check in () if found else _CHECKS:
        found += check(exhibit, config)
    return found


def is_among(path, name, names, group):
    """Yield that a name is not among the names of a group, if it is not."""
    if name not in names:
        shown = in_one_line(", ".join(map(str, names)))
        few = f" (there are: {shown})" if len(names) <= MOST_NEAREST_NAMES else ""
        yield path, f"{show(name)} is not among {group}{nearest(name, names)}{few}"


def is_single(path, name, config):
    """Yield that a method of the configuration sweeps an option, if it does."""
    for option in _swept(config["methods"].get(name, {}))[:1]:
        yield path, f"{name!r} sweeps {option}; must be a single fit"


def single_fits(path, part, config):
    """Yield which methods of a part of a study do not exist, or sweep an option."""
    for position, name in enumerate(part.get("methods", [])):
        here = (*path, "methods", position)
        yield from is_among(here, name, config["methods"], "the methods")
        yield from is_single(here, name, config)


def _swept(entry):
    return [key for key, value in entry.items() if isinstance(value, list)]


def _methods(exhibit, config):
    """Yield the path, name and entry of each method of an exhibit."""
    for position, name in enumerate(exhibit.get("methods", [])):
        yield ("methods", position), name, config["methods"][name]


def _names_exist(exhibit, config):
    for key in ("methods", "corpora"):
        for position, name in enumerate(exhibit.get(key, [])):
            yield from is_among((key, position), name, config[key], f"the {key}")
    for name in exhibit.get("y_ranges", {}):
        corpora = exhibit.get("corpora", [name])
        yield from is_among(("y_ranges", name), name, corpora, "its exhibit's corpora")


def _labels_differ(exhibit, config):
    """Require labels by which a legend can tell the methods of an exhibit apart."""
    first = {}
    for path, name, entry in _methods(exhibit, config):
        label = entry.get("label", name)
        if (other := first.setdefault(label, name)) != name:
            yield path, f"{name!r} has the label {show(label)}, as {other!r} has; must have another"


def _compared_is_one_fit(exhibit, config):
    """Require single fits of a map, and of a method that others are compared with."""
    compared = {(key,): exhibit[key] for key in ("baseline", "ours") if key in exhibit}
    if "printed_gap" in exhibit:
        compared["printed_gap", "below"] = exhibit["printed_gap"]["below"]
    for path, name in compared.items():
        yield from is_among(path, name, exhibit.get("methods", [name]), "its exhibit's methods")
    if exhibit["kind"] == "risk-map":
        compared |= {path: name for path, name, _ in _methods(exhibit, config)}
    for path, name in compared.items():
        yield from is_single(path, name, config)


def _curve_fits_text(exhibit, config):
    """Compare the longest part of a text that is fitted with the known sizes of the texts."""
    if exhibit["kind"] in OF_TEXTS and "n_values" in exhibit:
        longest = max(exhibit["n_values"])
        total = longest + exhibit.get("test_words", longest)
        for name in exhibit.get("corpora", []):
            most = config["corpora"][name].get("words")
            if most and total > most:
                position = exhibit["n_values"].index(longest)
                text = f"{longest} and as many test words as it takes are {total}"
                yield ("n_values", position), f"{text}; {name!r} has {most}"


def _ranks_fit(exhibit, config):
    """Compare ranks with the sizes of a model; those of a text are not known before it is read."""
    if "k_values" not in exhibit:
        return
    sizes = [(min(exhibit["k_values"]), "the smallest of k_values")]
    sizes += [(exhibit["outcomes"], "the number of outcomes")] if "outcomes" in exhibit else []
    k, source = min(sizes)
    for position, rank in enumerate(exhibit.get("rank_values", [])):
        if rank > k:
            yield ("rank_values", position), f"{rank} is not allowed; must be <= {k}, {source}"
    for path, name, entry in _methods(exhibit, config):
        if entry.get("rank", k) != "learned" and entry.get("rank", k) > k:
            yield path, f"{name!r} has rank {entry['rank']}; must be <= {k}, {source}"


def _rank_is_given_once(exhibit, config):
    """Require a rank of a low-rank method on texts; and none where the rank is what varies."""
    for path, name, entry in _methods(exhibit, config):
        is_low_rank = "rank" in METHODS[entry["method"]].options
        if exhibit["kind"] in OF_TEXTS and is_low_rank and not {"rank"} & {*exhibit, *entry}:
            yield path, f"{name!r} has no rank; must have one, or the exhibit a 'rank'"
        if exhibit["kind"] == "rank-selection":
            for option in _swept(entry)[:1]:
                text = f"{name!r} sweeps {option}; only its rank varies in a rank-selection"
                yield path, text
            if "rank" in entry:
                yield path, f"{name!r} has rank {entry['rank']}; must have none, for it to vary"
            elif not is_low_rank:
                text = "must be a low-rank method, for its rank to vary"
                yield path, f"{name!r} is not allowed; {text}"


def _keys_go_together(exhibit, _):
    for key, other, value in (("exponent", "rows", "power-law"), ("test_words", "test", "last")):
        chosen = exhibit.get(other)
        if key in exhibit and chosen not in (None, value):
            text = f"{show(exhibit[key])} is not allowed with {other}: {chosen}"
            yield (key,), f"{text}; must be left out, or {other}: {value}"
        elif key not in exhibit and chosen == value:
            yield (other,), f"{value!r} is not allowed without {key!r}, which is missing"


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
        values = [value for batch in lists for value in batch]
        for value in dict.fromkeys(value for value in values if values.count(value) > 1):
            yield ("batches", axis), f"{show(value)} is in two lists; must be in one"


def _x_has_values(exhibit, config):
    """Require of the horizontal axis to be a size, or an option that a method sweeps."""
    sizes = ["n"] if exhibit["kind"] == "learning-curve" else ["n", "k", "rank"]
    varied = [option for *_, entry in _methods(exhibit, config) for option in _swept(entry)]
    allowed = list(dict.fromkeys([*sizes, *varied]))
    if exhibit.get("x", "n") not in allowed:
        text = f"{show(exhibit['x'])} is not allowed; must be one of {', '.join(allowed)}"
        yield ("x",), f"{text} (an option can be x where a method has a list of its values)"


_CHECKS = [
    _labels_differ,
    _curve_fits_text,
    _compared_is_one_fit,
    _x_has_values,
    _ranks_fit,
    _rank_is_given_once,
    _keys_go_together,
    _axes_rise,
    _batches_differ,
]
