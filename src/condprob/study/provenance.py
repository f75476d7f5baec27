"""Which modules a script depends on: edit one, and exactly its dependents run again."""

import ast
from functools import cache
from pathlib import Path

from condprob import _HOME

PACKAGE = Path(__file__).parents[1]


def imported_modules(script):
    """Return the paths of the condprob modules that a script imports, directly or through others.

    Imports inside functions count: they are how this library defers slow ones.
    """
    found, waiting = set(), [Path(script)]
    while waiting:
        new = _direct_imports(waiting.pop()) - found
        found |= new
        waiting += new
    return sorted(found)


@cache
def _direct_imports(path):
    """Return the modules of condprob that one file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    inside = {name.removeprefix("condprob.") for name in names if name.startswith("condprob.")}
    files = {PACKAGE / f"{_HOME.get(name, name).replace('.', '/')}.py" for name in inside}
    return frozenset(file for file in files if file.is_file())
