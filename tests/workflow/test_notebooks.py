"""The notebooks run from top to bottom, and their two forms say the same."""

import shutil
from pathlib import Path

import jupytext
import nbclient
import pytest

TOP = Path(__file__).parents[2]
NOTEBOOKS = sorted(path.stem for path in (TOP / "notebooks").glob("*.py"))
notebooks = pytest.mark.parametrize("name", NOTEBOOKS)


def cells(path):
    """Return the kind and the text of each cell."""
    return [(cell.cell_type, cell.source) for cell in jupytext.read(path).cells]


def execute(name, folder):
    """Run a notebook in a folder and return all that its cells printed."""
    notebook = jupytext.read(TOP / "notebooks" / f"{name}.py")
    where = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    told = [output.get("text", "") for output in outputs]
    told += [output.get("data", {}).get("text/plain", "") for output in outputs]
    return "\n".join(told)


@notebooks
def test_both_forms_hold_the_same_cells(name):
    """After an edit of either: `jupytext --sync notebooks/*.py`."""
    folder = TOP / "notebooks"
    assert cells(folder / f"{name}.py") == cells(folder / f"{name}.ipynb")


@notebooks
def test_notebooks_are_kept_without_outputs(name):
    notebook = jupytext.read(TOP / "notebooks" / f"{name}.ipynb")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code
    assert not any(cell.outputs or cell.execution_count for cell in code)


def test_walk_through_runs_and_shows_what_it_says(tmp_path):
    told = execute("walk-through", tmp_path)
    risks = {
        line.split(" of ")[1].split(":")[0]: float(line.split()[-2])
        for line in told.splitlines()
        if line.startswith("KL risk of")
    }
    assert list(risks) == ["Add-1/2", "Q_LR", "Naive Add-1/2 low rank", "Add-1/2-LR"]
    assert risks["Q_LR"] == float("inf")
    assert risks["Add-1/2-LR"] < risks["Naive Add-1/2 low rank"] < risks["Add-1/2"]


def test_explore_results_reads_the_reference_where_there_are_no_results(tmp_path):
    """As in a fresh clone: a folder with the Snakefile, the config and the reference alone."""
    reference = TOP / "results" / "reference"
    if not (reference / "manifest.json").exists():
        pytest.skip("results/reference has not been made yet")
    for name in ("Snakefile", "config.yaml"):
        shutil.copyfile(TOP / name, tmp_path / name)
    shutil.copytree(reference, tmp_path / "results" / "reference")
    schema = Path("workflow", "schemas", "config.schema.yaml")
    (tmp_path / schema).parent.mkdir(parents=True)
    shutil.copyfile(TOP / schema, tmp_path / schema)
    told = execute("explore-results", tmp_path)
    assert "reading results/reference" in told
    assert "{'changed': [], 'missing': [], 'extra': []}" in told
    assert "different" not in told.split("holds no scores")[1]
