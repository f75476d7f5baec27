"""What interruptions leave, and how a run goes on: signals, a folder that moves, full disks."""

import os
import random
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from forks import Server
from project import LONGEST, TOP, Project

# Signals, from early to late: each is sent at random some tenths of a second after a new file.
MOMENTS = [
    (signal.SIGTERM, ".snakemake/log/*", True),  # the rules are being read
    (signal.SIGINT, "results/near_optimal/models/curve/*", True),
    (signal.SIGKILL, "results/near_optimal/scores/curve/*", True),
    (signal.SIGHUP, "results/near_optimal/scores/*/*", True),
    # Snakemake alone: its jobs go on to their end.
    (signal.SIGKILL, "results/near_optimal/exhibits/*", False),
    (signal.SIGKILL, "results/near_optimal/*.*", True),
]


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run that was stopped again and again; the folder's name has a space and an accent."""
    project = Project(tmp_path_factory.mktemp("survival") / "une étude")
    draw, project.left = random.Random(len(MOMENTS)), []
    for how, pattern, whole in MOMENTS:
        later = draw.uniform(0, 0.5)
        project.stop(how, pattern, later, whole, PYTHONHASHSEED="1", OMP_NUM_THREADS="1")
        project.left.append((project.hashes(), project.marked(), bool(project.locks())))
    assert not (project.results / "near_optimal" / "manifest.json").exists()
    return project


@pytest.mark.long
def test_a_killed_run_goes_on_with_make_resume(stopped):
    status, printed = stopped.run("--logger", "progress", "-j8")
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("error: ")
    assert "`make resume`" in line
    status, printed = stopped.end(stopped.resume(PYTHONHASHSEED="1", OMP_NUM_THREADS="1"))
    assert status == 0, printed
    stopped.before = stopped.hashes()


@pytest.mark.long
def test_what_stood_unmarked_after_a_signal_was_whole(stopped):
    """Outputs whole or not at all: half a file is one that Snakemake has marked."""
    found = set()
    for hashes, marked, _ in stopped.left:
        unmarked = {name: digest for name, digest in hashes.items() if name not in marked}
        assert unmarked.items() <= stopped.before.items()
        found |= set(unmarked)
    assert len(found) > len(stopped.before) / 2
    assert any(marked for _, marked, _ in stopped.left)
    assert any(locked for _, _, locked in stopped.left)


def hostile(folder):
    """Return what a user's surroundings may be: no result may follow them."""
    style = ["text.usetex: True", "figure.facecolor: black", "savefig.dpi: 33", "font.size: 40"]
    style += ["savefig.bbox: tight", "svg.hashsalt: x", "axes.prop_cycle: cycler('color', ['k'])"]
    (folder / "matplotlibrc").write_text("\n".join(style))
    return {
        **{"PYTHONHASHSEED": "2", "OMP_NUM_THREADS": "8", "PYTHONWARNINGS": "error"},
        **{"MATPLOTLIBRC": str(folder / "matplotlibrc"), "MPLBACKEND": "svg"},
        **{"HOME": "/proc/none", "TMPDIR": "/proc/none", "XDG_CACHE_HOME": str(folder / "cache")},
        **{"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Kolkata"},
    }


@pytest.mark.long
def test_a_run_that_nothing_stops_gives_the_same_bytes(stopped, tmp_path):
    """In a folder of another name, by more jobs and threads, in the surroundings of `hostile`."""
    stopped.move("another")
    status, printed = stopped.run("-j8", "--forceall", **hostile(tmp_path))
    assert status == 0, printed
    assert stopped.hashes() == stopped.before


def test_after_ctrl_c_once_or_twice_the_same_command_goes_on(tmp_path):
    """With the profile that a bare `snakemake` takes: a line for each job, and one for the run."""
    project = Project(tmp_path / "project")
    shutil.copytree(TOP / "profiles" / "default", project.folder / "profiles" / "default")
    command = ("-j4", "--", "results/near_optimal/exhibits/curve.csv")
    logs = "results/logs/score/near_optimal/*/*/*"
    for times in (1, 2):
        before = set(project.folder.glob(logs))
        process = project.start(*command)
        project.wait(process, logs, before)
        for _ in range(times):
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.2)
        check_interrupted(project, *project.end(process))
        for log in project.folder.glob(logs):
            log.unlink()
    status, printed = project.run(*command)
    assert status == 0, printed
    assert (project.results / "near_optimal" / "exhibits" / "curve.csv").exists()


def check_interrupted(project, status, printed):
    """Check what a run that was interrupted said, and what it left."""
    lines = [line for line in printed.splitlines() if not line.startswith(("[", "Using work"))]
    assert status != 0
    assert lines.count("What was made is kept: the same command goes on.") == 1
    assert any(line.startswith("interrupted: curve: ") for line in lines)
    others = [line for line in lines if not line.startswith(("interrupted: ", "What was made "))]
    assert others[0].endswith(" jobs")
    assert others[1:] in ([], ["It is ending: its jobs are ending, too."])
    assert not project.locks()
    assert not project.marked() & project.hashes().keys()


# ------------------------------------------------------------------------------------- disks


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project of which nothing has been made."""
    return Project(tmp_path_factory.mktemp("disks") / "project")


MODELS = "results/near_optimal/models/curve/k12-m2.npz"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that may mount what it likes.

    The mounts end with it, and bind root as well, whom no permission stops.
    """
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*unshare, "mount", "-t", "tmpfs", "none", str(tmp_path_factory.mktemp("probe"))]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a disk of their own (unshare --user --mount)")
    found = Server(*unshare)
    yield found
    found.stop()


@pytest.fixture
def run(server, project, tmp_path):
    """Run a shell's command, or Snakemake with options, in a folder with the project's config."""
    for name in ("config.yaml", "tale.txt"):
        shutil.copyfile(project.folder / name, tmp_path / name)
    (tmp_path / "results").mkdir()
    snakefile = ("-s", str(project.folder / "Snakefile"))

    def run(what):
        given = what if isinstance(what, str) else (*snakefile, *what)
        started = server.start(given, tmp_path, project.environment(), LONGEST)
        printed, _ = started.communicate()
        if isinstance(what, str):
            assert started.returncode == 0, printed
        return started.returncode, printed.splitlines()

    return run


MAKE = ("-j1", "--logger", "progress", "--")


def test_a_full_disk_is_one_line_and_the_next_run_completes(run, tmp_path):
    config = tmp_path / "config.yaml"
    config.write_text(config.read_text().replace("trials: 3", "trials: 300"))
    run("mount -t tmpfs -o size=64k none results")
    status, full = run((*MAKE, MODELS))
    assert status != 0
    # No file of a model, nor half of one.
    assert run("find results -name '*.npz'") == (0, [])
    # Two threads write the lines after the failure.
    assert full[:3] == [
        "1 jobs",
        f"error: [Errno 28] No space left on device: {MODELS}",
        "ended by a signal, or without room for its log: curve: drawing models with k = 12, m = 2",
    ]
    assert sorted(full[3:]) == [
        "Exiting because a job execution failed. Look above for error messages",
        "What was made is kept: the same command goes on.",
        "WorkflowError: At least one job did not complete successfully.",
    ]
    run("mount -o remount,size=8m results")
    status, room = run((*MAKE, MODELS))
    assert status == 0
    assert any(line.startswith("[1/1] curve: drawing models") for line in room)
    run(f"cp {MODELS} .")
    with np.load(tmp_path / "k12-m2.npz") as models:
        assert {len(models[name]) for name in ("pi", "A", "B")} == {300}


def test_results_that_are_read_only_are_one_line(run):
    run("mount --bind results results && mount -o remount,bind,ro results")
    status, (jobs, line) = run((*MAKE, MODELS))
    assert status != 0
    assert jobs == "1 jobs"
    assert line.startswith("WorkflowError: Failed to create output directory results/")
    assert "Read-only file system: 'results/" in line


def test_rules_are_read_in_a_folder_that_is_read_only(run, tmp_path):
    """A dry run needs Snakemake's own folder, and says so."""
    run('mount --bind . . && cd "$PWD" && mount -o remount,bind,ro .')
    status, listed = run(("--list",))
    assert status == 0
    assert {"all", "split_corpus", "exhibit_curve"} <= set(listed)
    status, refused = run(("--logger", "progress", "--dry-run"))
    assert status != 0
    assert refused[-1].endswith(f"Read-only file system: '{tmp_path}/.snakemake'")
    assert "Traceback" not in "".join(refused)
