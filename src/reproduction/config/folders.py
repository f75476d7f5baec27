"""Where the results may go: into a folder of their own, whatever the configuration says."""

import os
from pathlib import Path

from reproduction.config.schema import WORKFLOW
from reproduction.study import MANIFEST

# By what an older folder of results is known: a run begins with the log of a rule, and a clone
# brings a reference. Corpora are no sign of it: NLTK's own data have a folder of that name.
LOGS, REFERENCE = "logs", "reference"


def folder_mistake(results):
    """Say why the results cannot go into a folder of the project; None if they can."""
    if not results.isprintable():  # such as a sign that turns what follows around
        return "must be a name of characters that can be printed"
    path = Path(results)
    if any(part != part.strip() for part in results.split("/")):
        return "must be names without spaces around them"
    if os.fspath(path) != results:
        return f"must be written as {os.fspath(path)!r}"
    parts = path.relative_to(path.anchor).parts
    if not parts or any(part.startswith((".", "~")) for part in parts):
        return "must be a folder of its own, and none that is hidden"
    if any(len(os.fsencode(part)) > 100 for part in parts):
        return "must have names of at most 100 bytes"
    if "reference" in parts:
        return "must not be a folder of results to compare with"
    for folder in reversed([path, *path.parents]):
        if os.path.exists(folder) and not os.path.isdir(folder):
            return f"{os.fspath(folder)!r} is a file"
    if Path.cwd().is_relative_to(path):
        return "must not be a folder around this one"
    # The outermost below this folder: of `src/new` it is `src`.
    first = Path(os.path.relpath(path)).parts[0]
    outermost = results if first == ".." else first
    try:
        holds = set(os.listdir(outermost)) if os.path.isdir(outermost) else set()
    except OSError as error:
        return f"{outermost!r} cannot be read: {error.strerror}"
    if holds and not _is_of_a_run(Path(outermost)):
        return f"{outermost!r} holds something else than results"
    return None


def _is_of_a_run(folder):
    """Whether a folder is one of results: of this run or of an older one, or that of a clone."""
    rules = {script.stem for script in WORKFLOW.rglob("*.py")}
    # Runs of several configurations may have folders of their own inside.
    logs = [*folder.glob(f"{LOGS}/*"), *folder.glob(f"*/{LOGS}/*")]
    is_logged = any(log.stem in rules for log in logs)
    return is_logged or any((folder / REFERENCE).glob(f"*/{MANIFEST}"))
