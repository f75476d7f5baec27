"""Read one YAML file as plain data, with the line of every key.

Plain data are texts, numbers, true and false, null, lists, and keys with values. PyYAML reads the
file, because Snakemake reads it with PyYAML, too: a reader of YAML 1.2, such as ruamel.yaml, takes
``010`` for ten and ``1e3`` for a number, where the run has eight and a text. What the two versions
read differently is refused here, and so are dates, sets, objects of a language, and aliases that
stand for too much.
"""

import re
from pathlib import Path

import yaml

LARGEST = 2**20  # bytes of a file
MOST = 100_000  # values of a file, where each alias counts as what it stands for
CHARACTERS = 2**20  # of these values
DEEPEST = 30  # lists and keys inside each other

_TAG = "tag:yaml.org,2002:"
# YAML 1.1 has numbers to other bases, too: in it 1:30 is ninety, and 010 is eight.
_NUMBER = re.compile(
    r"[+-]?((0|[1-9][0-9]{0,99})(\.[0-9]{0,99})?(e[+-]?[0-9]{1,9})?|\.[0-9]{1,99}|\.inf|\.nan)",
    re.I,
)
_NUMBERS = _NUMBER, "a number of at most 100 digits 0 to 9, such as 90 or 0.5"
# The types that are plain, with the form of their values and its name in a message.
_TYPES = {
    "int": _NUMBERS,
    "float": _NUMBERS,
    "bool": (re.compile("yes|no|true|false|on|off", re.I), "true or false"),
    **dict.fromkeys(("str", "null", "map", "seq", "merge")),
}


def read_yaml(path):
    """Read a file whose outermost value has keys.

    Returns the data; the line of each key and list item, by its path (a tuple of keys and
    positions); and mistakes as (line, path, text): keys that are given twice, or are no text.

    Raises
    ------
    ValueError
        The file cannot be read; the message is one line, and begins after the file's name.
    """
    try:
        raw = Path(path).read_bytes()
        if len(raw) > LARGEST:
            raise ValueError(f": has {len(raw):,} bytes; must have at most {LARGEST:,}")
        loader = yaml.SafeLoader(raw.decode())
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            what = f":{node.start_mark.line + 1}: not a mapping" if node else ": empty"
            raise ValueError(f"{what}; it must hold keys and values")
        index = _Index()
        index.add(node, ())
        return loader.construct_document(node), index.lines, index.mistakes
    except OSError as error:
        raise ValueError(f": cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f":{line}: not UTF-8: byte 0x{raw[error.start]:02x}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f":{mark.line + 1}: not valid YAML"
        raise ValueError(f"{place}: {error.problem} (column {mark.column + 1})") from error
    except yaml.reader.ReaderError as error:
        text = f"character U+{error.character:04X} is not allowed"
        raise ValueError(f": not valid YAML: {text}") from error
    except RecursionError:
        raise ValueError(f": more than {DEEPEST} lists and keys inside each other") from None


class _Index:
    """The lines of the keys and list items of a file, and its mistakes."""

    def __init__(self):
        self.lines, self.mistakes, self.values, self.characters = {}, [], 0, 0

    def add(self, node, path, depth=0):
        """Add all that is below a node of YAML; ValueError where it is too much, or not plain."""
        self._check(node, depth)
        if isinstance(node, yaml.SequenceNode):
            for position, item in enumerate(node.value):
                self.lines[*path, position] = item.start_mark.line + 1
                self.add(item, (*path, position), depth + 1)
        elif isinstance(node, yaml.MappingNode):
            first = {}
            for key, value in node.value:
                self._check(key, depth)
                if key.tag != f"{_TAG}merge":  # its keys keep the place at which they are written
                    self._add_key(key, path, first)
                self.add(value, (*path, key.value), depth + 1)

    def _add_key(self, key, path, first):
        """Note the line of a key, and whether it is no text or was given before."""
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise ValueError(f":{line}: a list or mapping cannot be a key; a key is text")
        here = (*path, key.value)
        if key.tag != f"{_TAG}str":  # such as `on`, `no` and `1`
            self.mistakes.append((line, here, "the key is not text; put it in quotes"))
        elif key.value in first:
            text = f"given twice, first in line {first[key.value]}"
            self.mistakes.append((line, here, text))
        first.setdefault(key.value, line)
        self.lines[here] = line

    def _check(self, node, depth):
        """Count a node; refuse what is too much, is not plain, or is no value of its type."""
        self.values += 1
        here, type_ = f":{node.start_mark.line + 1}", node.tag.removeprefix(_TAG)
        if isinstance(node, yaml.ScalarNode):
            self.characters += len(node.value)
        if depth > DEEPEST:
            raise ValueError(f"{here}: more than {DEEPEST} lists and keys inside each other")
        if self.values > MOST:
            raise ValueError(f"{here}: aliases stand for more than {MOST:,} values")
        if self.characters > CHARACTERS:
            raise ValueError(f"{here}: aliases stand for more than {CHARACTERS:,} characters")
        if type_ not in _TYPES:
            text = f"a value of YAML's type {type_!r} is not allowed; a text takes quotes"
            raise ValueError(f"{here}: {text}")
        if _TYPES[type_] and isinstance(node, yaml.ScalarNode):
            form, wanted = _TYPES[type_]
            if not form.fullmatch(node.value):
                text = f"{node.value[:40]!r} is not allowed; must be {wanted}, or a text in quotes"
                raise ValueError(f"{here}: {text}")
