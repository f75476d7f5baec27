"""Two copies of one state of the project, which the tests of the whole pipeline share.

Their order is theirs: within a file from top to bottom, and the files by their names.
"""

import random
import shutil
import signal

import pytest
from project import Project, write_fables


@pytest.fixture(scope="session")
def copies(tmp_path_factory):
    """Two copies, in folders of other names."""
    folder = tmp_path_factory.mktemp("pipeline")
    return Project(folder / "one"), Project(folder / "une étude")


@pytest.fixture(scope="session")
def first(copies):
    """A finished run, one job at a time; a second run and a dry run came while it was at work."""
    project, _ = copies
    data = write_fables(project.folder / "nltk_data")
    process = project.start("-j1", PYTHONHASHSEED="0", OMP_NUM_THREADS="1")
    project.wait(process, ".snakemake/locks/*")
    project.refused = project.run("--logger", "progress", "-j1")
    project.looked = 1, "IncompleteFilesException"
    while "IncompleteFilesException" in project.looked[1]:  # a file is just being written
        project.looked = project.run("-n", NLTK_DATA=data)  # to it the missing corpus has come
    project.was_alive = process.poll() is None
    project.status, project.printed = project.end(process)
    shutil.rmtree(data)
    assert project.status == 0, project.printed
    project.before = project.hashes()
    return project


# Signals, from early to late: each is sent at random some tenths of a second after a new file.
MOMENTS = [
    (signal.SIGTERM, ".snakemake/log/*", True),  # the rules are being read
    (signal.SIGINT, "results/near_optimal/models/curve/*", True),
    (signal.SIGKILL, "results/near_optimal/clusters/*/*", True),
    (signal.SIGHUP, "results/near_optimal/scores/*/*", True),
    # Snakemake alone: its jobs go on to their end.
    (signal.SIGKILL, "results/near_optimal/exhibits/*", False),
    (signal.SIGTERM, "results/near_optimal/*.*", True),
    (signal.SIGKILL, "results/near_optimal/*.*", True),
]


@pytest.fixture(scope="session")
def second(copies):
    """A run that was stopped again and again; the folder's name has a space and an accent."""
    _, project = copies
    draw, project.left = random.Random(len(MOMENTS)), []
    for how, pattern, whole in MOMENTS:
        project.stop(how, pattern, later=draw.uniform(0, 0.5), whole=whole)
        project.left.append((project.hashes(), project.marked(), bool(project.locks())))
    assert not (project.results / "near_optimal" / "manifest.json").exists()
    return project
