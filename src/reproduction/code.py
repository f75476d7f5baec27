"""The version of the code behind a result.

A rule has it among its params, so that Snakemake makes the result again after an edit. A checkout
that changes the times of files does not change it, and neither does a comment.
"""

import ast
import hashlib
from functools import cache
from pathlib import Path

import grimp

from reproduction.methods import METHODS

SRC = Path(__file__).parents[1]
WORKFLOW = SRC.parent / "workflow"
# They name every method, and import none of them before it is asked for. A rule says which of the
# methods it fits, so that a new one runs nothing again.
CATALOGUES = (
    "condprob.catalogue",
    "condprob.methods",
    "condprob.methods.record",
    "reproduction.methods",
)
ROOTS = ("condprob", "reproduction")  # these packages compute nothing


def code_version(script, methods=(), study=None, module=None):
    """Return a hash of a script below workflow/ and of the modules that it imports.

    Those of ``methods``, by their ids, and the ``module`` of a ``study`` that it looks up, belong
    to them.
    """
    return _version(WORKFLOW / script, tuple(methods), study, module)


def modules_of(script, methods=(), study=None, module=None):
    """Return the names of the modules whose code `code_version` hashes, besides the script."""
    modules = _imports(WORKFLOW / script) | {_module_of(id) for id in methods}
    modules |= {f"reproduction.studies.{study}.{module}"} if study else set()
    return sorted(modules.union(*map(_upstream, modules)) - {*CATALOGUES, *ROOTS})


def words_behind(study):
    """Return the words of a study, and of each study whose claims its source also has."""
    modules = modules_of("scripts/judge_claims.py", study=study, module="source")
    sources = [_file(name) for name in modules if name.endswith(".source")]
    found = [path.with_name("words.toml") for path in sources]
    return [str(path) for path in found if path.is_file()]


def checksum():
    """Return a hash of each file of the code and of the workflow, by its path."""
    folders = [SRC / "condprob", SRC / "reproduction", WORKFLOW]
    files = (file for folder in folders for file in sorted(folder.rglob("*")))
    kinds = {".py", ".smk", ".toml", ".yaml", ".j2"}
    return {
        str(file.relative_to(SRC.parent)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.suffix in kinds
    }


def changed_since(before):
    """Return the files that differ from what `checksum` returned before, sorted."""
    now = checksum()
    return sorted(path for path in before | now if before.get(path) != now.get(path))


@cache
def _version(path, methods, study, module):
    modules = modules_of(path, methods, study, module)
    digests = [_digest(path), *(_digest(_file(name)) for name in modules)]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:12]


@cache
def _graph():
    graph = grimp.build_graph(
        "condprob", "reproduction", exclude_type_checking_imports=True, cache_dir=None
    )
    for catalogue in CATALOGUES:
        for imported in graph.find_modules_directly_imported_by(catalogue):
            graph.remove_import(importer=catalogue, imported=imported)
    return graph


@cache
def _upstream(module):
    """Return the modules that an import of a module runs: with those of the packages around it."""
    found, waiting = set(), {module}
    while waiting:
        found |= waiting
        parts = [name.split(".") for name in waiting]
        packages = {".".join(name[:n]) for name in parts for n in range(1, len(name))}
        imported = {name for one in waiting for name in _graph().find_upstream_modules(one)}
        waiting = (packages | imported) - found - {*ROOTS}
    return found


def _module_of(id):
    return METHODS[id].where.partition(":")[0]


@cache
def _imports(path):
    found = (node for node in ast.walk(_parse(path)) if isinstance(node, ast.ImportFrom))
    names = {node.module for node in found} | {
        f"{node.module}.{alias.name}"
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return names & _graph().modules


@cache
def _digest(path):
    return hashlib.sha256(ast.dump(_parse(path)).encode()).hexdigest()


def _parse(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def _file(module):
    path = SRC.joinpath(*module.split("."))
    return path.with_suffix(".py") if path.with_suffix(".py").is_file() else path / "__init__.py"
