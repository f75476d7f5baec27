"""The README's lines and the recipes are typed, as a strict checker sees them."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def test_the_readme_and_the_recipes_are_typed(tmp_path):
    pytest.importorskip("mypy")
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    known = "from typing import Any\ndf: Any = None\n"
    (tmp_path / "readme.py").write_text(known + "\n".join(examples), encoding="utf-8")
    recipes = (TOP / "docs" / "recipes.md").read_text(encoding="utf-8")
    found = [example.source for example in doctest.DocTestParser().get_examples(recipes)]
    (tmp_path / "recipes.py").write_text("".join(found), encoding="utf-8")
    # scipy has no types of its own.
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += [
        "--disable-error-code=import-untyped",
        "--no-incremental",
        "readme.py",
        "recipes.py",
    ]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
