"""The README's lines, the guide and the public names are typed, as strict checkers see them.

`make lint` runs this, beside other programs that read code without running it.
"""

import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import condprob

pytestmark = pytest.mark.types
TOP = Path(__file__).parents[2]
# What is asked of a program and not of lines to read: values that are shown, imports as a preface.
OF_PROGRAMS = ("reportUnusedExpression", "reportUnusedImport", "reportDuplicateImport")
PYRIGHT = {"typeCheckingMode": "strict", "reportMissingTypeStubs": "none"}
PYRIGHT |= dict.fromkeys(OF_PROGRAMS, "none")


GUIDE = ("tables", "text", "counts", "evaluation")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The README's lines, the pages of the guide, and each public name, as programs."""
    folder = tmp_path_factory.mktemp("typed")
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (folder / "readme.py").write_text("\n".join(examples), encoding="utf-8")
    for page in GUIDE:
        text = (TOP / "docs" / f"{page}.md").read_text(encoding="utf-8")
        found = [example.source for example in doctest.DocTestParser().get_examples(text)]
        (folder / f"{page}.py").write_text("".join(found), encoding="utf-8")
    names = [f"condprob.{name}" for name in condprob.__all__]
    (folder / "names.py").write_text("\n".join(["import condprob", *names, ""]), encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    return folder


def test_mypy_finds_types(folder):
    pytest.importorskip("mypy")
    # scipy has no types of its own.
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--disable-error-code=import-untyped", "--no-incremental"]
    command += ["readme.py", *(f"{page}.py" for page in GUIDE)]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_pyright_finds_types(folder):
    pytest.importorskip("basedpyright")
    command = [sys.executable, "-m", "basedpyright", "--outputjson"]
    command += ["--pythonpath", sys.executable, "readme.py", "names.py"]
    command += [f"{page}.py" for page in GUIDE]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    told = json.loads(ran.stdout)
    assert told["summary"]["filesAnalyzed"] == 2 + len(GUIDE)
    errors = []
    for each in told["generalDiagnostics"]:
        path, at = Path(each["file"]), each["range"]["start"]["line"]
        line = path.read_text(encoding="utf-8").splitlines()[at]
        # A matrix of scipy, which has no types of its own, is unknown wherever it goes.
        if not re.search(r"\bclicks\b(?!\.safetensors)", line):
            errors.append(f"{path.name}: {line}: {each['message']}")
    assert not errors, "\n".join(errors)
