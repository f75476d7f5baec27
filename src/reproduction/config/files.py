"""Read config.yaml and check all of it, before anything is written.

Every mistake is one line: the file and line, the key, its value, and what is allowed there. The
allowed values are those of ``workflow/schemas/config.schema.yaml`` (see `schema`), and the checks
of `checks` say how values must go together. Both modules are imported where they are needed: NumPy
comes with them, and the process of each job imports this module but checks nothing again.
"""

import os
import sys
from pathlib import Path
from typing import NamedTuple

from reproduction.studies import STUDIES
from reproduction.study import TOP

LONGEST_NAME = 200  # characters of a key in a message


class ConfigError(ValueError):
    """The mistakes of a configuration, each one line of the message."""

    def __init__(self, lines):
        from reproduction.config.schema import in_one_line

        super().__init__("\n".join(in_one_line(line, len(line)) for line in lines))


class Place(NamedTuple):
    """Where a key was set. Places sort as files were given and lines follow each other."""

    order: int
    line: int
    file: str

    def __str__(self):
        return f"{self.file}:{self.line}" if self.line else self.file


def load_config(paths):
    """Read, merge and check configuration files; later ones override earlier ones, key by key.

    A ConfigError has a line for each mistake.
    """
    config, places, mistakes = read_files(paths)
    _check(config, paths, config, places, mistakes)
    return config


def read_files(paths):
    """Read and merge configuration files, the later ones over the earlier, lists as a whole.

    Returns the data; the `Place` of each key and list item, by its path (a tuple of keys and
    positions); and mistakes of the files themselves, such as a key that is given twice, as pairs of
    a place and a text. Raises ConfigError if a file is missing, empty or not YAML.
    """
    from snakemake.utils import update_config

    from reproduction.config.reading import read_yaml

    config, places, mistakes, unreadable = {}, {(): Place(0, 0, "config")}, [], []
    for order, path in enumerate(paths):
        relative = os.path.relpath(path)
        file = os.fspath(path) if relative.startswith("..") else relative
        try:
            data, lines, found = read_yaml(path)
        except ValueError as error:
            unreadable.append(f"{file}{error}")
            continue
        update_config(config, data)
        places |= {key: Place(order, line, file) for key, line in lines.items()}
        places |= {(): Place(0, 0, file)} if not order else {}
        mistakes += [
            (Place(order, line, file), f"{key_name(key)}: {text}") for line, key, text in found
        ]
    if unreadable:
        raise ConfigError(unreadable)
    return config, places, mistakes


def check_config(config, paths):
    """Check a whole configuration: that of some files, perhaps with the command line's changes.

    A value that the files do not hold is said to be ``--config``'s; without files, as in a module,
    places are keys alone. How values go together is checked once each is right by itself. A
    ConfigError has a line for each mistake, in the order of the files.
    """
    _check(config, paths, *read_files(paths))


def _check(config, paths, files, places, mistakes):
    """Check a whole configuration with what `read_files` returns of its files."""
    from reproduction.config.checks import cross_mistakes
    from reproduction.config.schema import schema_mistakes

    found = list(schema_mistakes(config))
    if not found and not mistakes:
        found = list(cross_mistakes(config))
    for path, text in found:
        if paths and repr(_value_at(files, path)) != repr(_value_at(config, path)):
            place = Place(len(places), 0, "--config")
        else:  # where it was set, or else the innermost key around it
            depth = next(n for n in range(len(path), -1, -1) if path[:n] in places)
            place = places[path[:depth]]
        mistakes.append((place, f"{key_name(path)}: {text}" if path else text))
    if mistakes:
        raise ConfigError([f"{place}: {text}" for place, text in dict.fromkeys(sorted(mistakes))])


def _value_at(data, path):
    """Return the value at a path; None where there is none."""
    for key in path:
        try:
            data = data[key]
        except (LookupError, TypeError):
            return None
    return data


def or_exit(step, *given):
    """Return what a check returns; end the run with its mistakes."""
    try:
        return step(*given)
    except ConfigError as error:
        sys.exit(str(error))


def list_files(own=()):
    """Return the files of a configuration: config.yaml, those of the studies, and one's own.

    They are those of the working folder, where it has a config.yaml, or else the project's.
    """
    folder = "" if os.path.isfile("config.yaml") else TOP
    studies = (Path(folder, f"workflow/studies/{study}/config.yaml") for study in STUDIES)
    files = [Path(folder, "config.yaml"), *filter(Path.is_file, studies)]
    return [*map(os.fspath, files), *own]


def key_name(path):
    """Write a path as in ``exhibits.figure-1a.n_values[2]``."""
    from reproduction.config.schema import in_one_line

    return "".join(
        f"[{key}]" if isinstance(key, int) else f".{in_one_line(str(key), LONGEST_NAME)}"
        for key in path
    )[1:]
