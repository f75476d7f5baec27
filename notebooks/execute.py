"""Run the notebooks and keep what they show: `python notebooks/execute.py [name ...]`.

Of each notebook the `.py` is the source, the `.ipynb` the same cells with their outputs. What is
written depends on the cells and the results alone: it has no time, no path and no random id.
"""

import sys
from pathlib import Path

import jupytext
import nbclient

FOLDER = Path(__file__).parent
NAMES = ["walk-through", "from-kneser-ney-to-py-lr", "explore-results"]


def execute(name, folder=FOLDER):
    """Return a notebook with the outputs of a run from top to bottom.

    Parameters
    ----------
    name : str
    folder : str or Path
        Where its cells run.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    notebook = jupytext.read(FOLDER / f"{name}.py")
    for place, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{place}"
    client = nbclient.NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # a busy machine sends a printed line and its end apart
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    for cell in notebook.cells:  # how long a fit takes is the machine's; a warning stays
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if not tells_of_progress(each)]
    notebook.metadata["language_info"] = {"name": "python"}  # without the version
    return notebook


def tells_of_progress(output):
    """Whether an output is what a long fit prints meanwhile."""
    return output.get("name") == "stderr" and "warning" not in output["text"].lower()


if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        path = FOLDER / f"{name}.ipynb"
        jupytext.write(execute(name), path)
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")
