"""Which modules a script depends on: edit one, and exactly its dependents run again.

The catalogue of methods names every estimator, and every script that fits imports the catalogue.
It is therefore no dependency of anything: a script that fits depends on the modules of the
estimators that it fits, which the rule names. A new method in the catalogue reruns nothing.
"""

import ast
from functools import cache
from pathlib import Path

from condprob import catalogue
from reproduction.methods import METHODS

PACKAGES = Path(__file__).parents[2]  # the folder of both packages
CATALOGUE = Path(catalogue.__file__)


def imported_modules(script, methods=(), called=()):
    """Return the modules that a script depends on.

    These are the modules of both packages that the script imports, at any depth and also inside
    functions, without the catalogue, and of the ``__init__.py`` of packages those alone of which a
    function or class is imported; those of the estimators of the ``methods`` that it fits, by their
    ids; those of functions that are ``called``, by their files; and all that these import.
    """
    estimators = [file for id in methods for file in estimator_files(id)]
    found = {*estimators, *called}
    waiting = [Path(script), *found]
    while waiting:
        new = _direct_imports(waiting.pop()) - found
        found |= new
        waiting += new
    return sorted(found)


def estimator_files(id):
    """Return the file of the class of a method, as its record in the catalogue names it."""
    module, _, name = METHODS[id].where.partition(":")
    return tuple(_files(module, name))


@cache
def _direct_imports(path):
    """Return the modules of both packages that one file imports, without the catalogue."""
    files = set()
    for module, name in _imports(path):
        files |= set(_files(module, name))
    return frozenset(files - {CATALOGUE})


def _imports(path):
    """Yield each module that a file imports, with the name that it takes from it, or nothing."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


def _files(module, name):
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
def _defined(init):
    """Return the names of the functions and classes that a file defines."""
    kinds = ast.FunctionDef | ast.ClassDef
    body = ast.parse(init.read_text(encoding="utf-8")).body
    return {node.name for node in body if isinstance(node, kinds)}


@cache
def _public_names(init):
    """Return the files behind each name that a package's ``__init__.py``, or its stub, imports.

    A package whose names are imported at their first use has them in a stub alone.
    """
    stub = init.with_suffix(".pyi")
    found = [*_imports(init), *(_imports(stub) if stub.is_file() else ())]
    return {name: tuple(_files(module, name)) for module, name in found}
