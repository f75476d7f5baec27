"""The examples of docs/recipes.md, README.md and docs/index.md run as they stand."""

import doctest
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


def test_recipes_print_their_results(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    path = TOP / "docs" / "recipes.md"
    found = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert found.attempted > 30
    assert found.failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_example_of_a_page_runs(page, capsys):
    (example,) = re.findall(r"```python\n(.*?)```", (TOP / page).read_text("utf-8"), re.DOTALL)
    names = {}
    exec(example, names)
    estimate = names["estimate"]
    # Ann had tea alone, and Kneser-Ney gives her what milk gets from the users who had it.
    assert 0 < estimate.prob("ann", "milk") < estimate.prob("ann", "tea")
    assert "tea" in capsys.readouterr().out
