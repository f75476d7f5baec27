"""Read one YAML file as plain data, with the line of every key, in bounded time and depth.

Plain are texts, numbers, true and false, null, lists, and keys with values. What YAML has besides,
dates and sets and objects of a language, is refused, and so is a file that aliases blow up.
"""

import re
from pathlib import Path
from typing import NamedTuple

import yaml

DEEPEST = 30  # lists and keys inside each other
REPEATED = 10_000  # values that aliases may add to those that are written
REPEATED_CHARACTERS = 100_000  # of texts that aliases may add; not measured
DIGITS = 100  # characters of a number

_TAG = "tag:yaml.org,2002:"
_MERGE = f"{_TAG}merge"
_NUMBERS = {f"{_TAG}{name}": name for name in ("int", "float", "bool")}
# YAML has numbers to other bases, too: by it 1:30 is ninety, 010 is eight and 1_0 is ten.
_IN_TENS = re.compile(
    r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?|\.[0-9]+|\.inf|\.nan)", re.I
)
_OTHERS = {
    f"{_TAG}{name}": name for name in ("timestamp", "binary", "set", "omap", "pairs", "value")
}


def read_yaml(path):
    """Read a file whose outermost value has keys.

    Returns the data; the line of each key and list item, by its path (a tuple of keys and
    positions); and mistakes as (line, path, text): keys that are given twice, or are no text.
    Raises OSError, ValueError or yaml.YAMLError if it cannot be read; `explain` says it in one
    line.
    """
    text = Path(path).read_bytes().decode()
    _check_shape(text)
    loader = yaml.SafeLoader(text)
    node = loader.get_single_node()
    if node is None:
        raise ValueError(": empty; it must hold keys and values")
    if not isinstance(node, yaml.MappingNode):
        raise ValueError(
            f":{node.start_mark.line + 1}: not a mapping; it must hold keys and values"
        )
    _check_values(loader, node, set())
    lines, mistakes = {}, []
    _index(node, (), lines, mistakes)
    return loader.construct_document(node), lines, mistakes


def explain(error):
    """Say in one line why a file cannot be read, from the colon after its name."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        return f":{mark.line + 1}: not valid YAML: {error.problem} (column {mark.column + 1})"
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return f":{line}: not UTF-8: byte 0x{error.object[error.start]:02x}"
    if isinstance(error, yaml.reader.ReaderError):
        return f": not valid YAML: character U+{error.character:04X} is not allowed"
    if isinstance(error, OSError):
        return f": cannot be read: {error.strerror}"
    return str(error)


class _Size(NamedTuple):
    """How many values something holds, itself included, how many characters, and how deep it is."""

    values: int = 1
    characters: int = 0
    height: int = 0


class _Collection:
    """A list or mapping that the stream of events is inside of, and how much it holds."""

    def __init__(self, anchor=None):
        self.anchor, self.size = anchor, _Size()

    def add(self, part):
        own = self.size
        self.size = _Size(
            own.values + part.values,
            own.characters + part.characters,
            max(own.height, part.height + 1),
        )


def _check_shape(text):
    """Refuse what nests too deeply, stands inside of itself, or grows too far by its aliases.

    The events of a file come one after the other, however deep it is: nothing is built here.
    """
    inside, named, values, characters = [_Collection()], {}, 0, 0
    for event in yaml.parse(text, yaml.SafeLoader):
        here, size = f":{event.start_mark.line + 1}", _Size()
        if isinstance(event, yaml.CollectionStartEvent):
            inside.append(_Collection(event.anchor))
        elif isinstance(event, yaml.CollectionEndEvent):
            ended = inside.pop()
            size = named[ended.anchor] = ended.size
            inside[-1].add(size)
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == around.anchor for around in inside):
                raise ValueError(f"{here}: *{event.anchor} stands inside of &{event.anchor}")
            size = named.get(event.anchor, size)
            inside[-1].add(size)
            values, characters = values + size.values, characters + size.characters
        elif isinstance(event, yaml.ScalarEvent):
            size = named[event.anchor] = _Size(characters=len(event.value))
            inside[-1].add(size)
        if len(inside) - 1 + size.height > DEEPEST:
            raise ValueError(f"{here}: more than {DEEPEST} lists and keys inside each other")
        if values > REPEATED:
            raise ValueError(f"{here}: aliases add more than {REPEATED} values")
        if characters > REPEATED_CHARACTERS:
            raise ValueError(f"{here}: aliases add more than {REPEATED_CHARACTERS} characters")


def _check_values(loader, node, checked):
    """Refuse a value that is not plain, or no value of the type that it says it is."""
    if id(node) in checked:  # an alias
        return
    checked.add(id(node))
    here = f":{node.start_mark.line + 1}"
    if node.tag in _OTHERS:
        raise ValueError(
            f"{here}: a value of YAML's type {_OTHERS[node.tag]!r} is not allowed; "
            "a text takes quotes"
        )
    if isinstance(node, yaml.ScalarNode):
        if node.tag in _NUMBERS:
            _check_number(loader, node, here)
    else:
        for part in node.value:
            for below in part if isinstance(part, tuple) else (part,):
                _check_values(loader, below, checked)


def _check_number(loader, node, here):
    if len(node.value) > DIGITS:
        raise ValueError(f"{here}: a number of {len(node.value)} characters; at most {DIGITS}")
    try:
        loader.construct_object(node)
    except (ValueError, LookupError, ArithmeticError) as error:
        what = f"{node.value!r} is none of YAML's type {_NUMBERS[node.tag]!r}"
        raise ValueError(f"{here}: {what}") from error
    if _NUMBERS[node.tag] != "bool" and not _IN_TENS.fullmatch(node.value):
        what = f"{node.value!r} is no number in the digits 0 to 9"
        raise ValueError(f"{here}: {what}, such as 90 or 0.5; a text takes quotes")


def _index(node, path, lines, mistakes):
    """Note the line of every key and list item below a YAML node, and the keys given twice."""
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            lines[*path, position] = item.start_mark.line + 1
            _index(item, (*path, position), lines, mistakes)
    elif isinstance(node, yaml.MappingNode):
        first = {}
        for key, value in node.value:
            line, here = key.start_mark.line + 1, (*path, key.value)
            if key.tag == _MERGE:
                continue  # its keys keep the place at which they are written
            if key.tag != f"{_TAG}str":  # such as `on`, `no` and `1`
                mistakes.append((line, here, "the key is not text; put it in quotes"))
                continue
            if key.value in first:
                text = f"given twice, first in line {first[key.value]}"
                mistakes.append((line, here, text))
            first.setdefault(key.value, line)
            lines[here] = line
            _index(value, here, lines, mistakes)
