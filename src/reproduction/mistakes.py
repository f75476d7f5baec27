"""Mistakes in a configuration: those that its schema finds, and values that do not go together.

A mistake is a pair (path, text): the path is the tuple of keys and list positions that leads to the
value. ``workflow/schemas/config.schema.yaml`` says what each key may hold. Filled in here are the
options of the methods, the sections of the studies, and the names that others may use.
"""

import json
import math
import os
from encodings.aliases import aliases
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path

import yaml

from condprob.checks import shorten
from condprob.options import MOST_NAMES, nearest
from condprob.tokenizers import check_encoding
from reproduction.methods import METHODS
from reproduction.studies import STUDIES
from reproduction.study import TOP

WORKFLOW = TOP / "workflow"
OF_TEXTS = ("table", "learning-curve")  # kinds whose rank is the exhibit's or a method's
_MOST_FITS = 1000  # settings of a sweep whose estimators are made
_NOUNS = {
    "integer": "an integer",
    "number": "a number",
    "string": "text, not empty",
    "boolean": "true or false",
    "object": "keys and values",
}
_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def find_mistakes(config):
    """Yield the mistakes of a configuration; how values go together once each is right."""
    return list(_schema_mistakes(config)) or _cross_mistakes(config)


# ------------------------------------------------------------------------------------ the schema


def _schema_mistakes(config):
    for error in _validator(load_schema(), config).iter_errors(config):
        path, schema, value = tuple(error.absolute_path), error.schema, error.instance
        if "propertyNames" in error.absolute_schema_path:
            yield (*path, value), f"the name is not allowed; must be {_must(schema)}"
        elif error.validator == "additionalProperties":
            allowed = schema["properties"]
            for key in value.keys() - allowed:
                text = f"unknown key{_meant(key, allowed)} (allowed: {', '.join(allowed)})"
                yield (*path, key), text
        elif error.validator == "required":
            for key in schema["required"]:
                if key not in value:
                    wanted = _must(schema["properties"][key])
                    yield path, f"{key!r} is missing; must be {wanted}"
        elif error.validator == "uniqueItems":
            for position, item in enumerate(value):
                if item in value[:position]:
                    yield (*path, position), f"{show(item)} is given twice"
        else:
            # The names of a configuration have a title, which does not say what they are.
            hint = (nearest if "title" in schema else _meant)(value, schema.get("enum", ()))
            hint = hint if "enum" in schema else ""
            yield path, f"{show(value)} is not allowed; must be {_must(schema)}{hint}"


def _meant(word, names):
    hint = nearest(word, names)
    return hint if hint.startswith(";") else ""


@cache
def load_schema():
    """Return the schema with the options of the methods and the sections of the studies."""
    schema = _read(WORKFLOW / "schemas/config.schema.yaml")
    for study in STUDIES:
        if (path := WORKFLOW / "studies" / study / "schema.yaml").is_file():
            part = _read(path)
            schema["properties"]["studies"]["properties"][study] = part["section"]
            schema["$defs"] |= part.get("$defs", {})
    schema["$defs"]["method"]["enum"] = list(METHODS)
    schema["$defs"] |= {id: _options_of(record) for id, record in METHODS.items()}
    # What keys an entry may have follows from its source, its method, its kind.
    for key, entries, prefix in (
        ("source", schema["properties"]["corpora"], "corpus-"),
        ("method", schema["properties"]["methods"], ""),
        ("kind", schema["$defs"]["exhibits"], ""),
    ):
        entries["additionalProperties"]["allOf"] = [
            {
                "if": {"properties": {key: {"const": name}}, "required": [key]},
                "then": {"$ref": f"#/$defs/{prefix}{name}"},
            }
            for name in schema["$defs"][key]["enum"]
        ]
    return schema


def _read(path):
    return yaml.load(path.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _options_of(record):
    """Return the schema of an entry of one method: its options, each a value or a list of them."""
    properties = {name: {"$ref": f"#/$defs/{name}"} for name in ("method", "label", "style")}
    for name, option in record.options.items():
        if (value := option.schema()) is not None:
            several = {"type": "array", "minItems": 1, "uniqueItems": True, "items": value}
            swept = {"if": {"type": "array"}, "then": several, "else": value}
            properties[name] = value if name == "rank" else swept  # exhibits vary the rank
    return {"properties": properties, "additionalProperties": False}


def _names_of(config):
    """Return the names that there are: methods, those of them that are one fit, and corpora."""
    names = {}
    if isinstance(methods := config.get("methods"), dict):
        swept = {
            name
            for name, entry in methods.items()
            if isinstance(entry, dict) and swept_options(entry)
        }
        names = {"method-name": [*methods], "single-fit": [*(methods.keys() - swept)]}
    if isinstance(corpora := config.get("corpora"), dict):
        names["corpus-name"] = [*corpora]
    return names


def _validator(schema, config):
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def is_integer(_, value):
        return isinstance(value, int) and not isinstance(value, bool)

    def is_number(_, value):
        return is_integer(_, value) or (isinstance(value, float) and math.isfinite(value))

    # By the standard 100.0 is an integer and infinity a number; not in a configuration.
    types = {"integer": is_integer, "number": is_number}
    checker = Draft202012Validator.TYPE_CHECKER.redefine_many(types)
    definitions = dict(schema["$defs"])
    for key, names in _names_of(config).items():
        definitions[key] = definitions[key] | {"enum": names}
    whole = schema | {"$defs": definitions}
    return extend(Draft202012Validator, type_checker=checker)(whole)


def _must(schema):
    """Say what a schema wants of a value, as in "an integer >= 1"."""
    if "title" in schema:
        return schema["title"]
    if "$ref" in schema:
        return _must(load_schema()["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return ", or ".join(map(_must, schema["anyOf"]))
    if "enum" in schema:
        *others, last = map(repr, schema["enum"])
        few = f"{', '.join(others)} or {last}" if others else last
        return few if len(others) < MOST_NAMES else f"one of {len(others) + 1} names"
    if schema["type"] == "array":
        return f"a list of at least one value, each {_must(schema['items'])}"
    bounds = [f"{sign} {schema[key]}" for key, sign in _BOUNDS.items() if key in schema]
    return " ".join([_NOUNS[schema["type"]], " and ".join(bounds)]).strip()


def show(value):
    """Write a value as one would in YAML, in one short line."""
    if isinstance(value, str | float):
        return shorten(repr(value))
    return shorten(json.dumps(value, default=str, ensure_ascii=False))


# ------------------------------------------------------------------- how values go together


def _cross_mistakes(config):
    """Yield what no schema can say: options that bear on each other, ranks above a size."""
    yield from _folder_mistakes(Path("results"))
    yield from _without_effect((), config)
    exhibits = {("exhibits",): config["exhibits"]}
    for study, section in config.get("studies", {}).items():
        exhibits["studies", study, "exhibits"] = section.get("exhibits", {})
        for name in config["exhibits"].keys() & section.get("exhibits", {}).keys():
            yield ("exhibits", name), f"the study {study} has an exhibit of this name"
        module = f"reproduction.studies.{study}.mistakes"
        if find_spec(module):
            for inside, text in import_module(module).find_mistakes(section, config):
                yield ("studies", study, *inside), text
    checks = {("corpora",): _corpus_mistakes, ("methods",): _method_mistakes}
    checks |= dict.fromkeys(exhibits, _exhibit_mistakes)
    for path, check in checks.items():
        entries = exhibits[path] if path in exhibits else config[path[0]]
        yield from same_in_capitals(path, entries)
        for name, entry in entries.items():
            for inside, text in check(entry, config):
                yield (*path, name, *inside), text


def same_in_capitals(path, names):
    """Yield the names, which become files, that are one file where a disk ignores capitals."""
    first = {}
    for name in names:
        if (other := first.setdefault(name.lower(), name)) != name:
            yield (*path, name), f"differs from {other!r} in capitals alone"


def encoding_mistakes(corpus):
    """Yield why a text cannot be decoded as its entry says, if it cannot."""
    encoding = corpus.get("encoding", "utf-8")
    try:
        check_encoding(encoding)
    except ValueError:
        names = {name.replace("_", "-") for name in aliases.values() if "codec" not in name}
        yield ("encoding",), f"{show(encoding)} is no text encoding{_meant(encoding, names)}"


def _corpus_mistakes(corpus, _):
    yield from encoding_mistakes(corpus)
    if "path" in corpus and not os.path.isfile(corpus["path"]):
        place = os.path.abspath(corpus["path"])
        yield ("path",), f"{show(corpus['path'])} is not a file; looked for {place}"
    words = corpus.get("words", math.inf)
    parts = [words // 2 if part == "half" else part for part in (corpus["train"], corpus["test"])]
    if sum(parts) > words:
        yield ("words",), f"{words} is not allowed; must be >= train + test = {sum(parts)}"


def _method_mistakes(entry, _):
    record = METHODS[entry["method"]]
    values = {key: value for key, value in entry.items() if key in record.options}
    several = [value if isinstance(value, list) else [value] for value in values.values()]
    for chosen in islice(product(*several), _MOST_FITS):
        try:
            record.estimator(**dict(zip(values, chosen, strict=True)))
        except ValueError as error:
            yield (), str(error)
            return


def swept_options(entry):
    """Return the options of a method's entry that have a list of values."""
    return [key for key, value in entry.items() if isinstance(value, list)]


def _exhibit_mistakes(entry, config):
    methods = {name: config["methods"][name] for name in entry["methods"]}
    for check in (_labels, _comparisons, _ranks, _axes, _sizes_of_texts):
        yield from check(entry, methods, config)


def _without_effect(path, entry):
    """Yield the options, at any depth, that have no effect without a value of another one."""
    for key, other, value in (("exponent", "rows", "power-law"), ("test_words", "test", "last")):
        if key in entry and entry.get(other, value) != value:
            text = f"has no effect with {other}: {entry[other]}; needs {other}: {value}"
            yield (*path, key), text
        elif key not in entry and entry.get(other) == value:
            yield (*path, other), f"{value!r} needs {key!r}, which is missing"
    for key, below in entry.items():
        if isinstance(below, dict):
            yield from _without_effect((*path, key), below)


def _labels(entry, methods, _):
    """Ask for labels by which a legend tells methods apart."""
    first = {}
    for position, (name, method) in enumerate(methods.items()):
        if (other := first.setdefault(method.get("label", name), name)) != name:
            yield ("methods", position), f"{name!r} and {other!r} have one label"


def _comparisons(entry, methods, config):
    """Ask for methods and corpora of the exhibit, and for single fits where one is compared."""
    named = {(key,): entry[key] for key in ("baseline", "ours") if key in entry}
    if "printed_gap" in entry:
        named["printed_gap", "below"] = entry["printed_gap"]["below"]
    for path, name in named.items():
        if name not in methods:
            yield path, f"{show(name)} is none of the exhibit's methods{nearest(name, methods)}"
    for name in entry.get("y_ranges", {}).keys() - entry.get("corpora", []):
        names = nearest(name, entry["corpora"])
        yield ("y_ranges", name), f"{show(name)} is none of the exhibit's corpora{names}"
    for name, other in entry.get("scores_of", {}).items():
        if name not in methods or name not in config["exhibits"].get(other, {}).get("methods", ()):
            text = f"{name!r} is no method of both this exhibit and {other!r}"
            yield ("scores_of", name), text
    if "difference_range" in entry and "baseline" not in entry:
        yield ("difference_range",), "has no effect without 'baseline', which is missing"
    if entry["kind"] in ("risk-map", "rank-selection"):
        named |= {("methods", position): name for position, name in enumerate(methods)}
    for path, name in named.items():
        for option in swept_options(methods.get(name, {}))[:1]:
            yield path, f"{name!r} sweeps {option}; must be a single fit"


def _ranks(entry, methods, _):
    """Compare ranks with the sizes of a model; ask for the rank of a text's low-rank methods."""
    sizes = [(min(entry["k_values"]), "the smallest of k_values")] if "k_values" in entry else []
    sizes += [(entry["outcomes"], "the number of outcomes")] if "outcomes" in entry else []
    largest, source = min(sizes, default=(math.inf, ""))
    ranks = {("rank_values", i): rank for i, rank in enumerate(entry.get("rank_values", []))}
    for position, (name, method) in enumerate(methods.items()):
        path, rank = ("methods", position), method.get("rank", 1)
        ranks[path] = 1 if rank == "learned" else rank
        takes_rank = "rank" in METHODS[method["method"]].options
        if entry["kind"] in OF_TEXTS and takes_rank and not {"rank"} & {*entry, *method}:
            yield path, f"{name!r} has no rank; must have one, or the exhibit a 'rank'"
        if entry["kind"] == "rank-selection" and ("rank" in method or not takes_rank):
            yield path, f"{name!r} must be a low-rank method without a rank, for it to vary"
    for path, rank in ranks.items():
        if rank > largest:
            yield path, f"rank {rank} is not allowed; must be <= {largest}, {source}"


def _axes(entry, methods, _):
    axes = {("y_ranges", name): ends for name, ends in entry.get("y_ranges", {}).items()}
    axes |= {(key,): entry[key] for key in ("y_range", "difference_range") if key in entry}
    for path, (low, high) in axes.items():
        if low >= high:
            yield path, f"{show([low, high])} is not allowed; the first must be the lower"
        elif low <= 0 and entry.get("y_scale") == "log" and path != ("difference_range",):
            yield path, f"{show([low, high])} is not allowed; must be > 0 on a log scale"
    sizes = ["n"] if entry["kind"] == "learning-curve" else ["n", "k", "rank"]
    allowed = [*sizes, *(option for method in methods.values() for option in swept_options(method))]
    if (x := entry.get("x", "n")) not in allowed:
        yield (
            ("x",),
            f"{show(x)} is no size, nor an option that a method sweeps{nearest(x, allowed)}",
        )


def _sizes_of_texts(entry, _, config):
    if entry["kind"] in OF_TEXTS and "n_values" in entry:
        longest = max(entry["n_values"])
        total = longest + entry.get("test_words", longest)
        for name in entry["corpora"]:
            words = config["corpora"][name].get("words", math.inf)
            if total > words:
                path = ("n_values", entry["n_values"].index(longest))
                yield path, f"{longest} and the test words are {total}; {name!r} has {words}"


def _folder_mistakes(folder):
    """Yield why the results cannot go into their folder: a run would write over other files."""
    try:
        foreign = folder.exists() and any(folder.iterdir()) and not _is_of_a_run(folder)
    except OSError as error:
        yield (), f"the folder {str(folder)!r} cannot be used: {error.strerror}"
        return
    if foreign:
        yield (), f"the folder {str(folder)!r} holds something else than results"


def _is_of_a_run(folder):
    """Whether a folder is one of results: it has the logs of a run, or a clone's reference."""
    rules = {script.stem for script in WORKFLOW.rglob("*.py")} | {"missing"}
    # Runs of several configurations may have folders of their own inside.
    logs = [*folder.glob("logs/*"), *folder.glob("*/results/logs/*")]
    references = (folder / "reference" / study for study in STUDIES)
    return any(log.stem in rules for log in logs) or any(map(Path.is_dir, references))
