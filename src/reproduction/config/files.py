"""Read config.yaml and check all of it, before anything is written.

Every mistake is one line: the file and line, the key, its value, and what is allowed there. The
allowed values are those of ``workflow/schemas/config.schema.yaml`` (see `schema`), and the checks
of `checks` say how values must go together. Both modules are imported where they are needed: NumPy
comes with them, and the process of each job imports this module but checks nothing again.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from reproduction.studies import STUDIES

LONGEST_NAME = 200  # characters of a key in a message
MOST_MISTAKES = 1000  # of a message; not measured


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
    """The content of some files, merged, and the place of each key."""

    config: dict = field(default_factory=dict)  # the merged files
    # the `Place` of each key and list item, by its path: a tuple of keys and positions
    places: dict = field(default_factory=dict)
    # mistakes of the files themselves, such as a key that is given twice
    mistakes: list[tuple[Place, str]] = field(default_factory=list)

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
    from reproduction.config.reading import read_yaml

    sources, unreadable = Sources(), []
    for order, path in enumerate(paths):
        relative = os.path.relpath(path)
        file = os.fspath(path) if relative.startswith("..") else relative
        try:
            config, lines, mistakes = read_yaml(path)
        except ValueError as error:
            unreadable.append(f"{file}{error}")
            continue
        merge(sources.config, config)
        sources.places.setdefault((), Place(order, 0, file))
        sources.places |= {key: Place(order, line, file) for key, line in lines.items()}
        sources.mistakes += [
            (Place(order, line, file), f"{key_name(key)}: {text}") for line, key, text in mistakes
        ]
    if unreadable:
        raise ConfigError(unreadable)
    return sources


def check_config(config, sources):
    """Check a whole configuration: that of `sources`, or that with the command line's changes.

    A value that the files do not hold is said to be ``--config``'s. A ConfigError has a line for
    each mistake, in the order of the files.
    """
    from reproduction.config.checks import cross_mistakes
    from reproduction.config.schema import schema_mistakes

    command_line = Place(len(sources.places), 0, "--config")
    changed = set(_changes(sources.config, config))
    found = list(islice(schema_mistakes(config), MOST_MISTAKES + 1))
    if len(found) <= MOST_MISTAKES:  # The cross checks look at values that are right by themselves.
        found += islice(cross_mistakes(config, {path for path, _ in found}), MOST_MISTAKES + 1)
    mistakes = list(sources.mistakes)
    for path, text in found:
        by_command = any(path[:depth] in changed for depth in range(len(path) + 1))
        place = command_line if by_command else sources.place(path)
        mistakes.append((place, f"{key_name(path)}: {text}" if path else text))
    lines = [f"{place}: {text}" for place, text in dict.fromkeys(sorted(mistakes))]
    if len(lines) > MOST_MISTAKES:
        more = f"more than {MOST_MISTAKES:,} mistakes; the others follow when these are mended"
        lines = [*lines[:MOST_MISTAKES], f"{sources.places[()]}: {more}"]
    if lines:
        raise ConfigError(lines)


def or_exit(step, *given):
    """Return what `read_sources` or `check_config` returns; end the run with their mistakes."""
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
