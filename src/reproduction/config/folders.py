"""Where the results may go: into a folder of their own, whatever the configuration says."""

import os
from pathlib import Path

from reproduction.config.schema import WORKFLOW
from reproduction.study import MANIFEST


def folder_mistake(results):
    """Say why the results cannot go into a folder of the project; None if they can."""
    path = Path(results)
    parts = path.relative_to(path.anchor).parts
    if not results.isprintable():  # such as a sign that turns what follows around
        return "must be a name of characters that can be printed"
    if any(part != part.strip() for part in results.split("/")):
        return "must be names without spaces around them"
    if os.fspath(path) != results:
        return f"must be written as {os.fspath(path)!r}"
    if not parts or any(part.startswith((".", "~")) for part in parts):
        return "must be a folder of its own, and none that is hidden"
    if "reference" in parts:
        return "must not be a folder of results to compare with"
    if Path.cwd().is_relative_to(path):
        return "must not be a folder around this one"
    # The outermost below this folder: of `src/new` it is `src`.
    first = Path(os.path.relpath(path)).parts[0]
    outermost = results if first == ".." else first
    try:
        if os.path.exists(outermost) and os.listdir(outermost) and not _is_of_a_run(outermost):
            return f"{outermost!r} holds something else than results"
    except OSError as error:
        return f"{outermost!r} cannot be used: {error.strerror}"
    return None


def _is_of_a_run(folder):
    """Whether a folder is one of results: of this run, of an older one, or that of a clone.

    A run begins with the log of a rule, and a clone brings a reference. Corpora are no sign of a
    run: NLTK's own data have a folder of that name.
    """
    rules = {script.stem for script in WORKFLOW.rglob("*.py")}
    # Runs of several configurations may have folders of their own inside.
    logs = [*Path(folder).glob("logs/*"), *Path(folder).glob("*/logs/*")]
    return any(log.stem in rules for log in logs) or any(
        Path(folder, "reference").glob(f"*/{MANIFEST}")
    )
