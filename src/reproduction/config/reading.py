"""Read one YAML file as Snakemake does, by PyYAML, with the line of every key."""

from pathlib import Path

import yaml

_TEXT = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")  # of keys: names, and `<<`


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
        loader = yaml.SafeLoader(raw.decode())
        node = loader.get_single_node()
        if not isinstance(node, yaml.MappingNode):
            what = f":{node.start_mark.line + 1}: not a mapping" if node else ": empty"
            raise ValueError(f"{what}; it must hold keys and values")
        lines, mistakes = {}, []
        _index(node, (), lines, mistakes)
        return _construct(loader, node), lines, mistakes
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
        raise ValueError(": too many lists and keys inside each other") from None


def _construct(loader, node):
    """Return the data of a node; ValueError where a value is none of its type."""
    try:
        return loader.construct_document(node)
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        raise ValueError(f": not valid YAML: {error}") from error


def _index(node, path, lines, mistakes):
    """Note the lines of all keys and list items below a node, and mistakes in keys."""
    if isinstance(node, yaml.SequenceNode):
        for position, item in enumerate(node.value):
            lines[*path, position] = item.start_mark.line + 1
            _index(item, (*path, position), lines, mistakes)
    elif isinstance(node, yaml.MappingNode):
        first = {}
        for key, value in node.value:
            line, here = key.start_mark.line + 1, (*path, str(key.value))
            if key.tag not in _TEXT:  # such as `on`, `no` and `1`
                mistakes.append((line, here, "the key is not text; put it in quotes"))
            elif key.value in first:
                text = f"given twice, first in line {first[key.value]}"
                mistakes.append((line, here, text))
            first.setdefault(str(key.value), line)
            lines.setdefault(here, line)
            _index(value, here, lines, mistakes)
