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
    config = read_sources(paths).config
    check_config(config, paths)
    return config


def read_sources(paths):
    """Read and merge configuration files, the later ones over the earlier, lists as a whole.

    Raises ConfigError if a file is missing, empty or not YAML.
    """
    from reproduction.config.reading import read_yaml

    sources, unreadable = Sources(places={(): Place(0, 0, "config")}), []
    for order, path in enumerate(paths):
        relative = os.path.relpath(path)
        file = os.fspath(path) if relative.startswith("..") else relative
        try:
            config, lines, mistakes = read_yaml(path)
        except ValueError as error:
            unreadable.append(f"{file}{error}")
            continue
        merge(sources.config, config)
        if not order:
            sources.places[()] = Place(order, 0, file)
        sources.places |= {key: Place(order, line, file) for key, line in lines.items()}
        sources.mistakes += [
            (Place(order, line, file), f"{key_name(key)}: {text}") for line, key, text in mistakes
        ]
    if unreadable:
        raise ConfigError(unreadable)
    return sources


def check_config(config, paths):
    """Check a whole configuration: that of some files, perhaps with the command line's changes.

    A value that the files do not hold is said to be ``--config``'s; without files, as in a module,
    places are keys alone. A ConfigError has a line for each mistake, in the order of the files.
    """
    from reproduction.config.checks import cross_mistakes
    from reproduction.config.schema import schema_mistakes

    sources = read_sources(paths)
    command_line = Place(len(sources.places), 0, "--config")
    changed = set(_changes(sources.config, config)) if paths else set()
    found = list(schema_mistakes(config))
    # The cross checks look at values that are right by themselves.
    found += cross_mistakes(config, {path for path, _ in found})
    mistakes = list(sources.mistakes)
    for path, text in found:
        by_command = any(path[:depth] in changed for depth in range(len(path) + 1))
        place = command_line if by_command else sources.place(path)
        mistakes.append((place, f"{key_name(path)}: {text}" if path else text))
    if mistakes:
        raise ConfigError([f"{place}: {text}" for place, text in dict.fromkeys(sorted(mistakes))])


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
