"""Read config.yaml and check all of it, before anything is written.

Every mistake is one line: the file and line, the key, its value, and what is allowed there. What a
value may be is said by ``workflow/schemas/config.schema.yaml`` (see `schema`), how values must
go together by the checks of `checks`. Both are imported where they are asked: NumPy comes with
them, and the process of each job imports this module, but checks nothing again.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import yaml

from reproduction.config.plain_yaml import explain, read_yaml
from reproduction.studies import STUDIES

LONGEST_NAME = 200  # characters of a key in a message
MOST_MISTAKES = 1000  # that are told at once; not measured


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


@dataclass
class Sources:
    """What the files say, merged, and where they say it."""

    config: dict  # the merged files
    # the `Place` of each key and list item, by its path: a tuple of keys and positions
    places: dict
    # what is wrong with the files apart from their values, such as a key given twice
    mistakes: list[tuple[Place, str]]

    def place(self, path):
        """Return where ``path`` was set, or else the innermost key around it."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]


def load_config(paths):
    """Read, merge and check configuration files; later ones override earlier ones, key by key.

    A ConfigError has a line for each mistake.
    """
    sources = read_sources(paths)
    check_config(sources.config, sources)
    return sources.config


def read_sources(paths):
    """Read and merge configuration files, the later ones over the earlier, lists as a whole.

    Raises ConfigError if a file is missing, empty or not YAML.
    """
    sources, unreadable = Sources({}, {}, []), []
    for order, given in enumerate(paths):
        file = _shown(given)
        try:
            config, keys, mistakes = read_yaml(given)
        except (OSError, ValueError, yaml.YAMLError) as error:
            unreadable.append(f"{file}{explain(error)}")
            continue
        merge(sources.config, config)
        sources.places.setdefault((), Place(order, 0, file))
        sources.places |= {key: Place(order, line, file) for key, line in keys.items()}
        sources.mistakes += [
            (Place(order, line, file), f"{key_name(path)}: {text}") for line, path, text in mistakes
        ]
    if unreadable:
        raise ConfigError(unreadable)
    return sources


def check_config(config, sources):
    """Check a whole configuration: what `sources` holds, or that with the command line's changes.

    A value that the files do not hold is said to be ``--config``'s. A ConfigError has a line for
    each mistake, in the order of the files.
    """
    from reproduction.config.checks import cross_mistakes
    from reproduction.config.schema import schema_mistakes

    command_line = Place(len(sources.places), 0, "--config")
    changed = set(_changes(sources.config, config))
    found = list(islice(schema_mistakes(config), MOST_MISTAKES + 1))
    if len(found) <= MOST_MISTAKES:  # The others look at what is right by itself.
        found += islice(cross_mistakes(config, {path for path, _ in found}), MOST_MISTAKES + 1)
    mistakes = list(sources.mistakes)
    for path, text in found:
        by_command = any(path[:depth] in changed for depth in range(len(path) + 1))
        place = command_line if by_command else sources.place(path)
        mistakes.append((place, f"{key_name(path)}: {text}" if path else text))
    if mistakes:
        told = [f"{place}: {text}" for place, text in dict.fromkeys(sorted(mistakes))]
        if len(told) > MOST_MISTAKES:
            more = f"more than {MOST_MISTAKES:,} mistakes; others are told when these are mended"
            told = [*told[:MOST_MISTAKES], f"{sources.places[()]}: {more}"]
        raise ConfigError(told)


def read_or_exit(paths):
    """Read configuration files for a run; end with a line for each mistake, if there are any."""
    return _or_exit(read_sources, paths)


def check_or_exit(config, sources):
    """Check the configuration of a run; end with a line for each mistake, if there are any."""
    _or_exit(check_config, config, sources)


def _or_exit(step, *given):
    try:
        return step(*given)
    except ConfigError as error:
        sys.exit(str(error))


def list_files(own):
    """Return the files of a configuration: config.yaml, those of the studies, and one's own."""
    studies = [f"workflow/studies/{study}/config.yaml" for study in STUDIES]
    return ["config.yaml", *filter(os.path.isfile, studies), *own]


def merge(below, above):
    """Update a nested dict in place as Snakemake does: mappings key by key, all else whole."""
    for key, value in above.items():
        if isinstance(value, Mapping):
            held = below.get(key)
            value = merge(held if isinstance(held, Mapping) else {}, value)
        below[key] = value
    return below


def key_name(path):
    """Write a path as in ``exhibits.figure-1a.n_values[2]``."""
    from reproduction.config.schema import in_one_line

    return "".join(
        f"[{key}]" if isinstance(key, int) else f".{in_one_line(str(key), LONGEST_NAME)}"
        for key in path
    )[1:]


def _changes(old, new, path=()):
    """Yield the paths at which ``new`` holds something else than ``old``."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key, value in new.items():
            if key in old:
                yield from _changes(old[key], value, (*path, key))
            else:
                yield (*path, key)
    elif repr(old) != repr(new):  # tells 1 from true and 1.0, and finds a NaN equal to itself
        yield path


def _shown(path):
    """Write a path as short as it can be: from the current folder if it is inside."""
    relative = os.path.relpath(path)
    return os.fspath(path) if relative.startswith("..") else relative
