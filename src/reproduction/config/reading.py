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
    raw, lines, mistakes, problem = b"", {}, [], None
    try:
        raw = Path(path).read_bytes()
        loader = yaml.SafeLoader(raw.decode())
        node = loader.get_single_node()
        if isinstance(node, yaml.MappingNode):
            _index(node, (), lines, mistakes)
            return loader.construct_document(node), lines, mistakes
        what = f":{node.start_mark.line + 1}: not a mapping" if node else ": empty"
        problem = f"{what}; it must hold keys and values"
    except OSError as error:
        problem = f": cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        problem = f":{line}: not UTF-8: byte 0x{raw[error.start]:02x}"
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f":{mark.line + 1}: not valid YAML: {error.problem} (column {mark.column + 1})"
    except yaml.reader.ReaderError as error:
        problem = f": not valid YAML: character U+{error.character:04X} is not allowed"
    except RecursionError:
        problem = ": too many lists and keys inside each other"
    except (ValueError, TypeError, AttributeError, LookupError) as error:
        problem = f": not valid YAML: {error}"  # a value is none of the type that it names
    raise ValueError(problem)


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
