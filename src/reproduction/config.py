"""The configuration of a run: its files, merged key by key, and the check of all of it.

``python -m reproduction.config mine.yaml`` checks config.yaml, the files of the studies and
mine.yaml, and runs nothing. Each mistake is one line: the file and line, the key, its value, and
what is allowed there.
"""

import argparse
import json
import os
import sys
from functools import reduce
from pathlib import Path

import yaml

from reproduction.studies import STUDIES
from reproduction.study import TOP

# The keys of a whole configuration; one that lacks some of them is laid over the project's.
WHOLE = {"seed", "strict", "allow_other_hashes", "corpora", "methods", "exhibits"}
_TEXT = ("tag:yaml.org,2002:str", "tag:yaml.org,2002:merge")  # of keys: names, and `<<`


class ConfigError(ValueError):
    """The mistakes of a configuration, each one line of the message."""


class _Loader(yaml.SafeLoader):
    """PyYAML's loader, which also refuses keys that are given twice, or are no text.

    Of a key that is given twice PyYAML takes the last value; it reads `on` and `no` as truths.
    """

    def compose_mapping_node(self, anchor):
        """Compose a mapping, and refuse a key that is given twice or that YAML reads as a truth."""
        node, lines = super().compose_mapping_node(anchor), {}
        for key, _ in node.value:
            name, problem = key.value if isinstance(key, yaml.ScalarNode) else "", None
            if key.tag not in _TEXT:
                problem = f"the key {name!r} is not text; put it in quotes"
            elif name in lines:
                problem = f"{name!r} is given twice, first in line {lines[name]}"
            if problem:
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            lines[name] = key.start_mark.line + 1
        return node


def list_files(own=()):
    """Return the files of a configuration: config.yaml, those of the studies, and one's own.

    They are the project's. A config.yaml of the working folder is laid over them, or stands in
    their place where it is whole.
    """
    here, folder = Path("config.yaml"), TOP
    if here.is_file() and not (TOP / here).samefile(here):
        ((_, data, _),) = _read_files([here])
        folder, own = (Path(), own) if data.keys() >= WHOLE else (TOP, [str(here), *own])
    elif here.is_file():
        folder = Path()
    studies = (folder / f"workflow/studies/{study}/config.yaml" for study in STUDIES)
    return [*map(str, [folder / "config.yaml", *filter(Path.is_file, studies)]), *own]


def complete_config(config):
    """Return a configuration, laid over the project's if it lacks sections, as a module's may."""
    if config.keys() >= WHOLE:
        return config
    from snakemake.utils import update_config

    whole = _merge(_read_files(list_files()))
    update_config(whole, config)
    return whole


def load_config(paths):
    """Read, merge and check configuration files; later ones override earlier ones, key by key.

    Raises a `ConfigError` with one line for each mistake.
    """
    files = _read_files(paths)
    config = _merge(files)
    _check(config, files)
    return config


def check_config(config, paths):
    """Check a whole configuration: that of some files, perhaps with the command line's changes.

    A value that the files do not have is placed at ``config``: it is the command line's, or that of
    the workflow whose module this is. Raises a `ConfigError` with one line for each mistake.
    """
    _check(config, _read_files(paths))


def or_exit(step, *given):
    """Return what a check returns; end the run with its mistakes."""
    try:
        return step(*given)
    except ConfigError as error:
        sys.exit(str(error))


def _check(config, files):
    # NumPy comes with this module; the processes of jobs import this one, and check nothing.
    from reproduction.mistakes import find_mistakes

    given, found = _merge(files), []
    for path, text in find_mistakes(config):
        changed = repr(_value_at(given, path)) != repr(_value_at(config, path))
        order, line, name = (len(files), 0, "config") if changed else _place(path, files)
        place = f"{name}:{line}" if line else name
        found.append((order, line, f"{place}: {name_key(path)}: {text}"))
    _raise([line for *_, line in sorted(dict.fromkeys(found))])


def _raise(mistakes):
    """Raise the mistakes, if any, each in one line without signs that move a terminal's cursor."""
    lines = (
        "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in mistake)
        for mistake in mistakes
    )
    if mistakes:
        raise ConfigError("\n".join(lines))


def _read_files(paths):
    """Return the name, the data and the YAML nodes of each file."""
    files, mistakes = [], []
    for path in paths:
        name = os.path.relpath(path)
        name = str(path) if name.startswith("..") else name
        try:
            files.append((name, *_read(path)))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            mistakes.append(f"{name}:{mark.line + 1}: {error.problem or error.context}")
        except (OSError, yaml.YAMLError, RecursionError, ValueError, LookupError) as error:
            mistakes.append(f"{name}: cannot be read as YAML: {' '.join(str(error).split())}")
    _raise(mistakes)
    return files


def _read(path):
    loader = _Loader(Path(path).read_text(encoding="utf-8"))
    node = loader.get_single_node()
    if not isinstance(node, yaml.MappingNode):
        raise ValueError("the file must have keys and values")
    data = loader.construct_document(node)
    json.dumps(data, default=str)  # fails where a value contains itself
    return data, node


def _merge(files):
    from snakemake.utils import update_config

    return reduce(lambda config, file: update_config(config, file[1]) or config, files, {})


def _place(path, files):
    """Return the place of a key, or else of the innermost one around it: order, line and file.

    It is in the last of the files that have the key.
    """
    for depth in range(len(path), 0, -1):
        for order, (name, _, node) in reversed([*enumerate(files)]):
            if line := _line(node, path[:depth]):
                return order, line, name
    return 0, 0, files[0][0]


def _line(node, path):
    """Return the line of a key, or item, below a YAML node; None where there is none."""
    line = None
    for key in path:
        if isinstance(node, yaml.MappingNode):
            below = [pair for pair in node.value if pair[0].value == key]
        else:
            items = node.value if isinstance(node, yaml.SequenceNode) else []
            below = [(item, item) for item in items[key : key + 1]] if isinstance(key, int) else []
        if not below:
            return None
        at, node = below[-1]  # those of a merge key come first
        line = at.start_mark.line + 1
    return line


def _value_at(data, path):
    for key in path:
        try:
            data = data[key]
        except (LookupError, TypeError):
            return None
    return data


def name_key(path):
    """Write a path as in ``exhibits.figure-1a.n_values[2]``."""
    from condprob.checks import shorten

    parts = (f"[{key}]" if isinstance(key, int) else f".{shorten(str(key))}" for key in path)
    return "".join(parts)[1:] or "the configuration"


def main(arguments=None):
    """Check the configuration that the command names; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.config", description=__doc__)
    parser.add_argument("files", nargs="*", help="later files override earlier ones")
    given = parser.parse_args(arguments)
    try:
        load_config(list_files(given.files))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
