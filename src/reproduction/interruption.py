"""After a run that was killed, the next one goes on: no unlocking by hand, no flag.

A killed Snakemake leaves its lock, and a mark for each output that was being written. Both mean
something only while it lives, which it cannot say itself; the system can.
"""

import json
import shutil
from base64 import urlsafe_b64decode
from pathlib import Path

try:
    import fcntl
except ImportError:  # not POSIX: Snakemake then says itself how to unlock the folder
    fcntl = None


def take_over(state=".snakemake"):
    """Clear away what a killed run left, unless a run is alive in this folder.

    Outputs that it was writing are removed, for nobody knows how far it came; jobs that were
    handed to a cluster are left to Snakemake, which finds them again.

    Parameters
    ----------
    state : str or Path
        Where Snakemake keeps its records.

    Returns
    -------
    file or None
        To be kept open: the system's lock on it ends with this process, however it ends. None if
        another run has it.
    """
    state = Path(state)
    state.mkdir(exist_ok=True)
    alive = open(state / "alive", "w")  # noqa: SIM115  # kept open
    try:
        fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (OSError, AttributeError):
        alive.close()
        return None
    shutil.rmtree(state / "locks", ignore_errors=True)
    for mark in [path for path in (state / "incomplete").rglob("*") if path.is_file()]:
        if not _is_on_a_cluster(mark):
            # Long names are cut into folders, each after an @.
            parts = mark.relative_to(state / "incomplete").parts
            name = "".join(part.removeprefix("@") for part in parts)
            Path(urlsafe_b64decode(name).decode()).unlink(missing_ok=True)
            mark.unlink()
    return alive


def _is_on_a_cluster(mark):
    """Whether the mark of an output names a cluster's job."""
    try:
        return json.loads(mark.read_text(encoding="utf-8")).get("external_jobid") is not None
    except ValueError:  # killed while writing the mark
        return False
