"""Which modules a script depends on: edit one, and exactly its dependents run again."""

import ast
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2]  # the folder of both packages
# What `from condprob import ...` means: the module that each public name comes from.
PUBLIC = SOURCE / "condprob" / "__init__.py"


def imported_modules(script):
    """Return the paths of the modules of both packages that a script imports, in any depth.

    Imports inside functions count.
    """
    found, waiting = set(), [Path(script)]
    while waiting:
        new = _direct_imports(waiting.pop()) - found
        found |= new
        waiting += new
    return sorted(found)


@cache
def _direct_imports(path):
    """Return the modules of both packages that one file imports."""
    public = {} if path == PUBLIC else _public_names()
    files = set()
    for module, name in _names(path):
        if module == "condprob" and name in public:
            files.add(public[name])
        else:
            files |= {_file(module), _file(f"{module}.{name}")}
    return frozenset(file for file in files if file.is_file())


def _names(path):
    """Yield each module that a file imports, with the name that it takes from it, or nothing."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((node.module, alias.name) for alias in node.names)


@cache
def _public_names():
    """Return the file behind each name of ``condprob`` itself."""
    return {name: _file(module) for module, name in _names(PUBLIC)}


def _file(module):
    """Return the file of a module of either package, which may not exist."""
    return SOURCE / f"{module.replace('.', '/')}.py"
