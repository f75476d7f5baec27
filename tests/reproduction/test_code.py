"""The version of the code behind a result: what an edit makes again, and what it does not."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from condprob.catalogue import METHODS
from reproduction.code import (
    CATALOGUES,
    ROOTS,
    WORKFLOW,
    changed_since,
    checksum,
    modules_of,
    words_behind,
)
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[2]
SCRIPTS = sorted(path.relative_to(WORKFLOW).as_posix() for path in WORKFLOW.rglob("scripts/*.py"))
VERSIONS = """
import sys
from reproduction.code import code_version
print(code_version("scripts/score_models.py", ["ad-lr"]))
print(code_version("scripts/score_corpus.py", ["ad-lr"]))
print(code_version("scripts/draw.py", study="near_optimal", module="figures"))
print(code_version("scripts/tabulate.py", study="near_optimal", module="tables"))
"""
NAMES = ("models", "texts", "figures", "tables")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the code, whose versions are asked for after an edit."""
    folder = tmp_path_factory.mktemp("code")
    for part in ("src", "workflow"):
        ignore = shutil.ignore_patterns("__pycache__", "compiled-*")
        shutil.copytree(TOP / part, folder / part, ignore=ignore)

    def versions(*edits):
        kept = {folder / path: (folder / path).read_text(encoding="utf-8") for path, _ in edits}
        for path, added in edits:
            (folder / path).write_text(kept[folder / path] + added, encoding="utf-8")
        command = [sys.executable, "-c", VERSIONS]
        environment = {"PYTHONPATH": str(folder / "src"), "PATH": ""}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        for path, text in kept.items():
            path.write_text(text, encoding="utf-8")
        return dict(zip(NAMES, done.stdout.split(), strict=True))

    return versions


CODE, REMARK = "\nX = 1\n", "\n# a remark\n"
# Edits that make nothing again: of remarks, and of lists of methods.
IDLE_EDITS = [
    ("src/condprob/catalogue.py", CODE),
    ("src/condprob/methods/__init__.py", CODE),
    ("src/condprob/methods/low_rank.py", REMARK),
    ("workflow/scripts/score_models.py", REMARK),
]
# Edits: what is made again.
EDITS = {
    ("src/reproduction/scores/trials.py", CODE): {"models"},
    ("src/reproduction/scores/text.py", CODE): {"texts", "tables"},
    ("src/reproduction/scores/writing.py", CODE): {"models", "texts"},
    ("src/reproduction/scores/reading.py", CODE): {"tables"},
    ("src/reproduction/exhibits/plots.py", CODE): {"figures"},
    ("src/condprob/methods/low_rank.py", CODE): {"models", "texts", "tables"},
    ("workflow/scripts/score_models.py", CODE): {"models"},
}


def test_an_edit_makes_again_what_rests_on_it_and_nothing_else(copy):
    before = copy()
    assert copy(*IDLE_EDITS) == before
    for edit, expected in EDITS.items():
        after = copy(edit)
        assert {name for name in NAMES if after[name] != before[name]} == expected, edit


def names_imported(path):
    """Yield module and name of each import of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.module, alias.name) for alias in node.names)


def test_the_reproduction_imports_from_the_modules_that_define_a_name():
    """`from condprob import embed` leads to no module, and an edit of it would be overlooked."""
    for path in [*TOP.glob("src/reproduction/**/*.py"), *TOP.glob("workflow/**/*.py")]:
        for module, name in names_imported(path):
            if module == "condprob":
                folder = TOP / "src" / "condprob"
                assert (folder / f"{name}.py").is_file() or (folder / name).is_dir(), (path, name)


LOADED = """
import json, os, sys
from importlib import import_module
from pathlib import Path

# Not ours: once for all forks.
import email.parser, faulthandler, matplotlib.figure, numba, numpy, pandas, scipy.optimize
import scipy.sparse, scipy.stats, tomllib, tqdm, xml.etree.ElementTree

def load(script=None, methods=(), modules=()):
    source, depth = [], 0
    for line in Path(script).read_text().splitlines() if script else ():
        line = line.strip()
        if line.startswith(("import ", "from ")) or depth:  # which may go over several lines
            source.append(line)
            depth += line.count("(") - line.count(")")
    exec("\\n".join(source), {})
    for module in modules:
        import_module(module)
    if methods:
        from reproduction.methods import METHODS
        for id in methods:
            METHODS[id].estimator
    return sorted(n for n in sys.modules if n.split(".")[0] in ("condprob", "reproduction"))

for line in sys.stdin:
    read, write = os.pipe()
    if not os.fork():  # each begins without our modules
        os.write(write, json.dumps(load(**json.loads(line))).encode())
        os._exit(0)
    os.close(write)
    os.wait()
    print(os.read(read, 2**20).decode())
    os.close(read)
"""
PARTS = {
    "scripts/tabulate.py": "tables",
    "scripts/draw.py": "figures",
    "scripts/check_theory.py": "checks",
    "scripts/judge_claims.py": "source",
    "scripts/write_page.py": "source",
}


def test_what_a_job_loads_is_among_the_code_that_counts():
    """With all methods that it may fit, and the part of every study that it looks up.

    What is imported after each other is what each import leads to: each is asked for once.
    """
    needs, asked = {}, {}
    for script in SCRIPTS:
        fits = "score_" in script or "compile" in script or "place_words" in script
        methods, part = [*METHODS] if fits else [], PARTS.get(script)
        folder = TOP / "src" / "reproduction" / "studies"
        studies = [s for s in STUDIES if part and (folder / s / f"{part}.py").is_file()]
        modules = [f"reproduction.studies.{study}.{part}" for study in studies]
        every = [modules_of(script, methods, s, s and part) for s in studies or [None]]
        imports = [{"script": str(WORKFLOW / script)}]
        imports += [{"modules": modules}] * bool(modules) + [{"methods": methods}] * fits
        needs[script] = [*map(json.dumps, imports)], {name for names in every for name in names}
        asked |= dict.fromkeys(needs[script][0])
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        input="\n".join(asked),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},  # only names are asked for
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    loaded = dict(zip(asked, map(json.loads, done.stdout.splitlines()), strict=True))
    # Registering the rivals of a study loads its records, and fits nothing.
    known = {*CATALOGUES, *ROOTS, "reproduction.jobs", "reproduction.studies"}
    known |= {"reproduction.studies.beyond", "reproduction.studies.beyond.methods"}
    for script, (imports, counted) in needs.items():
        found = {name for each in imports for name in loaded[each]}
        assert found - counted - known == set(), script


def test_code_that_changes_during_a_run_is_named(monkeypatch, tmp_path):
    before = checksum()
    assert changed_since(before) == []
    other = before | {"src/condprob/methods/em/clusters.py": "", "src/gone.py": ""}
    assert changed_since(other) == ["src/condprob/methods/em/clusters.py", "src/gone.py"]


def test_the_words_of_a_study_whose_claims_another_has_count_for_both():
    """The theory's claims of small size are judged with the paper's."""
    behind = [Path(path).parent.name for path in words_behind("near_optimal")]
    assert behind == ["near_optimal", "theory"]
    assert [Path(path).parent.name for path in words_behind("theory")] == ["theory"]
