"""The notebooks run from top to bottom, and are kept with what a run shows.

After an edit, or a change of a result that they show: `python notebooks/execute.py`.
"""

import importlib.util
import json
import re
import shutil
from pathlib import Path

import jupytext
import numpy as np
import pytest

TOP = Path(__file__).parents[2]
FOLDER = TOP / "notebooks"
LARGEST_NOTEBOOK = 400_000  # bytes
# What differs between two runs of one state of the code and the results, or between machines.
OF_A_MACHINE = re.compile(r"/home/|/tmp/|/Users/|ipykernel_| at 0x[0-9a-f]+|Warning:")
NUMBER = re.compile(r"\d+\.\d+(?:e[+-]?\d+)?")
STYLE = re.compile(r"<style.*?</style>", re.DOTALL)  # its colours follow the last digits too
OF_ONE_RUN = "of-one-run"  # tag of the cells that show when, where and from which folder


def load_tool():
    """Import notebooks/execute.py."""
    spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()
notebooks = pytest.mark.parametrize("name", TOOL.NAMES)


def kept(name):
    """Return a notebook as it is kept, with its outputs."""
    return jupytext.read(FOLDER / f"{name}.ipynb")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def texts(cell):
    """Return all that a cell shows as text: printed, plain or HTML, without its pictures.

    Nor with what a long fit tells meanwhile, on a machine that is busy.
    """
    found = []
    for output in cell.outputs:
        if output.get("name") == "stderr":
            continue
        found.append(output.get("text", ""))
        data = output.get("data", {})
        found += ["".join(data[form]) for form in sorted(data) if form.startswith("text/")]
    return [text for text in found if text]


def same_everywhere(notebook):
    """Return the texts of each cell that shows the same in every run."""
    cells = [
        cell for cell in code_cells(notebook) if OF_ONE_RUN not in cell.metadata.get("tags", [])
    ]
    return {cell.source: texts(cell) for cell in cells}


def test_every_notebook_is_executed():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(TOOL.NAMES)


@notebooks
def test_both_forms_hold_the_same_cells(name):
    def cells(path):
        return [
            (cell.cell_type, cell.source, cell.metadata.get("tags", []))
            for cell in jupytext.read(path).cells
        ]

    assert cells(FOLDER / f"{name}.py") == cells(FOLDER / f"{name}.ipynb")


@notebooks
def test_notebooks_are_kept_with_the_outputs_of_one_run(name):
    cells = code_cells(kept(name))
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert {output.output_type for output in outputs} <= {
        *("stream", "display_data", "execute_result")
    }
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert not [cell for cell in cells if "execution" in cell.metadata]  # times


@notebooks
def test_outputs_say_nothing_of_the_machine_and_are_small(name):
    shown = [text for cell in code_cells(kept(name)) for text in texts(cell)]
    assert not OF_A_MACHINE.findall("\n".join(shown))
    assert (FOLDER / f"{name}.ipynb").stat().st_size < LARGEST_NOTEBOOK
    metadata = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))["metadata"]
    assert metadata["language_info"] == {"name": "python"}


def test_walk_through_shows_what_it_says_and_the_same_again(tmp_path):
    again = TOOL.execute("walk-through", tmp_path)
    told = "\n".join(text for cell in code_cells(again) for text in texts(cell))
    risks = {
        line.split(" of ")[1].split(":")[0]: float(line.split()[-2])
        for line in told.splitlines()
        if line.startswith("KL risk of")
    }
    assert list(risks) == ["Add-1/2", "Q_LR", "Naive Add-1/2 low rank", "Add-1/2-LR"]
    assert risks["Q_LR"] == float("inf")
    assert risks["Add-1/2-LR"] < risks["Naive Add-1/2 low rank"] < risks["Add-1/2"]
    assert_shown_again("walk-through", again)


def test_from_kneser_ney_to_py_lr_shows_the_same_again(tmp_path):
    """What it says of the formulas are assertions of its cells."""
    name = "from-kneser-ney-to-py-lr"
    assert_shown_again(name, TOOL.execute(name, tmp_path))


def assert_shown_again(name, again):
    """Compare what a run shows with what the notebook is kept with."""
    shown, expected = same_everywhere(again), same_everywhere(kept(name))
    assert shown.keys() == expected.keys()
    for source, texts_shown in shown.items():
        assert_alike("\n".join(texts_shown), "\n".join(expected[source]))


def assert_alike(shown, expected):
    """Compare two texts: the words exactly, the numbers as far as AD-LR is the same everywhere.

    Its fits magnify the last digit of a sum, which differs between processors.
    """
    shown, expected = (STYLE.sub("", text) for text in (shown, expected))
    assert NUMBER.sub("#", shown) == NUMBER.sub("#", expected)
    numbers = ([float(found) for found in NUMBER.findall(text)] for text in (shown, expected))
    np.testing.assert_allclose(*numbers, rtol=0.1, atol=0.03)


def test_explore_results_shows_the_same_of_the_reference(tmp_path):
    """As in a fresh clone: a folder with the Snakefile, the config and the reference alone."""
    reference = TOP / "results" / "reference"
    if not (reference / "near_optimal" / "provenance.json").exists():
        pytest.skip("results/reference has not been made yet")
    for name in ("Snakefile", "config.yaml"):
        shutil.copyfile(TOP / name, tmp_path / name)
    shutil.copytree(reference, tmp_path / "results" / "reference")
    schema = Path("workflow", "schemas", "config.schema.yaml")
    (tmp_path / schema).parent.mkdir(parents=True)
    shutil.copyfile(TOP / schema, tmp_path / schema)
    again = TOOL.execute("explore-results", tmp_path)
    told = "\n".join(text for cell in code_cells(again) for text in texts(cell))
    assert "reading results/reference" in told
    assert "verified against" in told.split("holds no scores")[1]
    assert same_everywhere(again) == same_everywhere(kept("explore-results"))
