"""Which modules a script depends on: edit one, and exactly its dependents run again.

The catalogue of methods names every estimator, and every script that fits imports the catalogue.
It is therefore no dependency of anything: a script that fits depends on the modules of the
estimators that it fits, which the rule names. A new method in the catalogue reruns nothing.

A function that imports as it runs, such as the one by which a method of pairs fits texts, counts
where its name stands in code that counts itself. A score on pairs does so not depend on how texts
are fitted.
"""

import ast
from collections.abc import Iterable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from condprob import catalogue
from reproduction.methods import METHODS

PACKAGES = Path(__file__).parents[2]  # the folder of both packages
CATALOGUE = Path(catalogue.__file__)
AT_IMPORT = "__init__"  # the part of a file that its import runs; as a name it always counts


class Part(NamedTuple):
    """A part of a file: what its import runs, or the functions of a name."""

    names: frozenset[str]  # that stand in it: of variables, attributes, imports, and in texts
    files: frozenset[Path]  # of both packages that it imports


def imported_modules(
    script: str | Path, methods: Iterable[str] = (), called: Iterable[str] = ()
) -> list[Path]:
    """Return the modules that a script depends on.

    These are the modules of both packages that the script imports, at any depth, without the
    catalogue, and of the ``__init__.py`` of packages those alone of which a function or class is
    imported; those of the estimators of the ``methods`` that it fits, by their ids; those of
    functions that are ``called``, each as ``module:function``; and all that these import. Imports
    for types alone do not count, and those inside a function count where its name is found.
    """
    places = [METHODS[id].where for id in methods] + [*called]
    found = {file for place in places for file in files_at(place)}
    names = {place.partition(":")[2] for place in places}
    waiting: dict[str, list[Part]] = {}  # by the name that has not been found
    ready: list[Part] = []
    files = [Path(script), *found]
    while files or ready:
        for name, part in _parts(files.pop()).items() if files else ():
            (ready if _counts(name, names) else waiting.setdefault(name, [])).append(part)
        while ready:
            part = ready.pop()
            for name in part.names - names:
                ready += waiting.pop(name, ())
            names |= part.names
            files += part.files - found
            found |= part.files
    return sorted(found - {CATALOGUE})


def _counts(name: str, names: set[str]) -> bool:
    """Whether a part of this name may run: Python itself calls methods such as ``__call__``."""
    return name in names or (name.startswith("__") and name.endswith("__"))


def files_at(place: str) -> tuple[Path, ...]:
    """Return the file behind a place, ``module:name``; records of methods name their class so."""
    return tuple(_files(*place.partition(":")[::2]))


@cache
def _parts(path: Path) -> dict[str, Part]:
    """Return the parts of a file, those of functions and methods by their names.

    A function inside another is of the latter's part. Nothing that the catalogue imports counts.
    """
    nodes, waiting = {AT_IMPORT: []}, [_parse(path)]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.FunctionDef):
                nodes.setdefault(node.name, []).extend(ast.walk(node))
                nodes[AT_IMPORT] += chain.from_iterable(map(ast.walk, node.decorator_list))
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in _names(ast.walk(node.test)):
                waiting += node.orelse
            else:
                nodes[AT_IMPORT].append(node)
                waiting.append(node)
    return {
        name: Part(
            frozenset(_names(of_part)),
            frozenset(
                file
                for pair in (*_imports(of_part), *_estimators(of_part))
                for file in (_files(*pair) if path != CATALOGUE else ())
            ),
        )
        for name, of_part in nodes.items()
    }


def _names(nodes: Iterable[ast.AST]) -> Iterable[str]:
    """Yield the names that stand in code."""
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
                yield name
            case ast.Constant(value=str(text)):
                yield from text.split(":")


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _estimators(nodes: Iterable[ast.AST]) -> Iterable[tuple[str, str]]:
    """Yield module and class of each method that is made by its id, as in ``method("kn")``."""
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id="method"), args=[ast.Constant(value=id), *_]):
                if id in METHODS:
                    yield METHODS[id].where.partition(":")[::2]


def _imports(nodes: Iterable[ast.AST]) -> Iterable[tuple[str, str]]:
    """Yield each module that is imported, with the name that is taken from it, or nothing."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def _files(module: str, name: str) -> Iterable[Path]:
    """Yield the file behind a name of a module, if it is one of either package.

    A name that a package's ``__init__.py`` takes from one of its modules leads to that module.
    """
    folder = PACKAGES.joinpath(*module.split("."))
    if folder.with_suffix(".py").is_file():
        yield folder.with_suffix(".py")
    elif name and (folder / f"{name}.py").is_file():
        yield folder / f"{name}.py"
    elif name and (init := folder / "__init__.py").is_file():
        yield from (init,) if name in _defined(init) else _public_names(init).get(name, ())


@cache
def _defined(init: Path) -> set[str]:
    """Return the names of the functions and classes that a file defines."""
    return {
        node.name for node in _parse(init).body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


@cache
def _public_names(init: Path) -> dict[str, tuple[Path, ...]]:
    """Return the files behind each name that a package's ``__init__.py``, or its stub, imports.

    A package whose names are imported at their first use has them in a stub alone.
    """
    stub = init.with_suffix(".pyi")
    trees = [_parse(init), *([_parse(stub)] if stub.is_file() else [])]
    pairs = [pair for tree in trees for pair in _imports(ast.walk(tree))]
    return {name: tuple(_files(module, name)) for module, name in pairs}
