"""docs/recipes.md runs as it stands."""

import doctest
from pathlib import Path

RECIPES = Path(__file__).parents[2] / "docs" / "recipes.md"


def test_recipes_print_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    found = doctest.testfile(str(RECIPES), module_relative=False, encoding="utf-8")
    assert found.attempted > 30
    assert found.failed == 0
