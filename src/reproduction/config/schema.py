"""Mistakes in a configuration that its schema finds, in words that name what is allowed.

A mistake is a pair ``(path, text)``: the path is the tuple of keys and list positions that leads
to the value, the text says what is wrong there.
"""

import json
import math
from difflib import get_close_matches
from functools import cache
from inspect import getdoc
from pathlib import Path

import yaml

from condprob.checks import LONGEST_VALUE_SHOWN, shorten
from condprob.options import ALIASES
from reproduction.methods import METHODS
from reproduction.studies import STUDIES

# The schema belongs to the workflow; the package lies beside it in every checkout.
WORKFLOW = Path(__file__).parents[3] / "workflow"
SCHEMA = WORKFLOW / "schemas/config.schema.yaml"

MOST_NEAREST_NAMES = 5  # names that a hint has, at most
MOST_NAMES = 20  # that a message lists; of more it has the nearest alone
_NOUNS = {
    "integer": "an integer",
    "number": "a number",
    "string": "text, not empty",
    "boolean": "true or false",
    "object": "keys and values",
}
_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def schema_mistakes(config):
    """Yield what the schema finds wrong: keys unknown or missing, names and values."""
    for error in _validator().iter_errors(config):
        path, schema, value = tuple(error.absolute_path), error.schema, error.instance
        if "propertyNames" in error.absolute_schema_path:
            yield (*path, value), f"the name is not allowed; must be {_must(schema)}"
        elif error.validator == "additionalProperties":
            allowed = schema["properties"]
            # Keys that are no text were found when the file was read.
            for key in (key for key in value if isinstance(key, str) and key not in allowed):
                text = f"unknown key{nearest(key, allowed)} (allowed: {', '.join(allowed)})"
                yield (*path, key), text
        elif error.validator == "required":
            for key in (key for key in schema["required"] if key not in value):
                yield path, f"{key!r} is missing; must be {_must(schema['properties'][key])}"
        elif error.validator == "uniqueItems":
            for position, item in enumerate(value):
                if item in value[:position]:
                    yield (*path, position), f"{show(item)} is given twice"
        else:
            hint = nearest(value, schema.get("enum", ()))
            yield path, f"{show(value)} is not allowed; must be {_must(schema)}{hint}"


def show(value):
    """Write a value as one would in YAML, in one short line."""
    if isinstance(value, str):
        return in_one_line(repr(value[: LONGEST_VALUE_SHOWN + 1]))
    if isinstance(value, float):
        return in_one_line(str(value))
    return in_one_line(json.dumps(value, default=str, ensure_ascii=False))


def in_one_line(text, longest=LONGEST_VALUE_SHOWN):
    """Write a text in one short line, without characters that cannot be printed."""
    short = shorten(text, longest)
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in short)


def nearest(word, names):
    """Return the hint at the names that are most like a word, or that it is an alias of, if any."""
    names = list(names)
    meant = [name for name in ALIASES.get(str(word), ()) if name in names]
    by_lower = {str(name).lower(): name for name in names}
    near = [
        by_lower[each]
        for each in get_close_matches(str(word).lower(), by_lower, n=MOST_NEAREST_NAMES)
    ]
    found = list(map(repr, dict.fromkeys([*meant, *near][:MOST_NEAREST_NAMES])))
    return f"; did you mean {join(found)}?" if found else ""


def join(names):
    """Write names as in "a, b or c"."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


@cache
def load_schema():
    """Return the schema of the config, with the library's methods and the studies' sections."""
    schema = _read(SCHEMA)
    for study in STUDIES:
        path = WORKFLOW / "studies" / study / "schema.yaml"
        if path.is_file():
            part = _read(path)
            schema["properties"]["studies"]["properties"][study] = part["section"]
            schema["$defs"] |= part.get("$defs", {})
    schema["$defs"]["method"]["enum"] = list(METHODS)
    schema["$defs"] |= {id: _method_schema(record) for id, record in METHODS.items()}
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


def _method_schema(record):
    """Return the schema of an entry of one method: its options, each a value or a list of them."""
    properties = {name: {"$ref": f"#/$defs/{name}"} for name in ("method", "label")}
    for name, option in record.options.items():
        value = option.schema()
        if value is None:
            continue
        if name == "rank":  # Exhibits vary it by their rank_values.
            properties[name] = {"description": option.wanted} | value
            continue
        several = {"type": "array", "minItems": 1, "uniqueItems": True, "items": value}
        properties[name] = {
            "description": f"{option.wanted} (default: {option.default})",
            "if": {"type": "array"},
            "then": several,
            "else": value,
        }
    description = getdoc(record.estimator).partition("\n")[0]
    return {"description": description, "properties": properties, "additionalProperties": False}


@cache
def _validator():
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def is_integer(_, value):
        return isinstance(value, int) and not isinstance(value, bool)

    def is_number(_, value):
        return is_integer(_, value) or (isinstance(value, float) and math.isfinite(value))

    # By the standard 100.0 is an integer and infinity a number; not in a configuration.
    types = {"integer": is_integer, "number": is_number}
    checker = Draft202012Validator.TYPE_CHECKER.redefine_many(types)
    return extend(Draft202012Validator, type_checker=checker)(load_schema())


def _must(schema):
    """Say what a schema wants of a value, as in "an integer >= 1"."""
    if "title" in schema:
        return schema["title"]
    if "$ref" in schema:
        return _must(load_schema()["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return ", or ".join(map(_must, schema["anyOf"]))
    if "enum" in schema:
        names = list(map(repr, schema["enum"]))
        return join(names) if len(names) <= MOST_NAMES else f"one of {len(names)} names"
    if schema["type"] == "array":
        return f"a list of at least one value, each {_must(schema['items'])}"
    bounds = [f"{sign} {schema[key]}" for key, sign in _BOUNDS.items() if key in schema]
    return " ".join([_NOUNS[schema["type"]], " and ".join(bounds)]).strip()
