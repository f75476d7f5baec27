"""docs/recipes.md and the README's examples of the library run as they stand."""

import ast
import doctest
import re
from pathlib import Path

import numpy as np

TOP = Path(__file__).parents[2]
RECIPES = TOP / "docs" / "recipes.md"


def test_recipes_print_what_they_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    found = doctest.testfile(str(RECIPES), module_relative=False, encoding="utf-8")
    assert found.attempted > 30
    assert found.failed == 0


def test_the_examples_of_the_readme_give_the_shapes_that_they_tell():
    before = (TOP / "README.md").read_text(encoding="utf-8").partition("## A method of your own")[0]
    blocks, known, told = re.findall(r"```python\n(.*?)```", before, re.DOTALL), {}, 0
    assert len(blocks) == 3
    for block in blocks:
        exec(block, known)
        for line, shapes in re.findall(r"^(.*)  # (\(\d.*\))$", block, re.MULTILINE):
            assert eval(line, known) == ast.literal_eval(f"{shapes},")
            told += 1
    assert told == 2
    np.testing.assert_allclose(known["matrix"].shares.sum(axis=1), 1)
    assert known["left_out"].history.size == known["ad_lr"].history.size
