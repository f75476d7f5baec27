"""docs/recipes.md and the README's example of the library run as they stand."""

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


def test_the_example_of_the_readme_fits_a_matrix():
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    _, example = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    known = {}
    exec(example, known)
    matrix, model = known["matrix"], known["model"]
    assert matrix.shape == (1000, 1000)
    np.testing.assert_allclose(matrix.shares.sum(axis=1), 1)
    by_counting = known["method"]("add-half").fit(known["counts"])
    risks = [known["kl_risk"](model.pi, model.P, fitted) for fitted in (matrix, by_counting)]
    assert 0 < risks[0] < risks[1]


def test_the_first_lines_of_the_readme_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    example, _ = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    known = {}
    exec(example, known)
    assert (tmp_path / "items.npz").exists()
    best = known["estimate"].top(["ann", "bob", "cy"], 1)
    assert [pairs[0][0] for pairs in best.values()] == ["tea", "beer", "tea"]
