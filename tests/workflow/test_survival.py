"""What interruptions leave, and how a run goes on: signals, other runs, disks that take no more.

The two copies of the project are those of conftest.py.
"""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from project import LONGEST

ALL_STOPPED = "error: a run is at work in this folder, or one was killed"


def test_a_second_run_is_refused_in_one_line(first):
    status, printed = first.refused
    assert first.was_alive
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith(ALL_STOPPED)
    assert "`make resume`" in line


def test_a_dry_run_beside_a_live_one_tells_its_own_plan_and_takes_nothing_away(first):
    """To it a corpus had come; the live run went on without (first.before has its gap)."""
    status, printed = first.looked
    assert status == 0, printed
    assert "This was a dry-run" in printed
    assert first.status == 0
    assert "Left out: fables" in first.printed


def test_what_stands_unmarked_after_a_signal_is_whole(first, second):
    """Outputs whole or not at all: half a file is one that Snakemake has marked."""
    found = set()
    for hashes, marked, _ in second.left:
        unmarked = {name: digest for name, digest in hashes.items() if name not in marked}
        assert unmarked.items() <= first.before.items()
        found |= set(unmarked)
    assert len(found) > len(first.before) / 2
    assert any(marked for _, marked, _ in second.left)
    assert any(locked for _, _, locked in second.left)


def test_a_killed_run_is_completed_with_the_same_bytes(first, second):
    """Another number of jobs and threads, another hash seed: the bytes of the first run."""
    status, printed = second.run("--logger", "progress", "-j8")
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("error: ")
    assert "`make resume`" in line
    status, printed = second.end(second.resume("-j8", PYTHONHASHSEED="1", OMP_NUM_THREADS="8"))
    assert status == 0, printed
    assert second.hashes() == first.before


def test_forced_run_gives_the_same_bytes(first, second):
    status, printed = second.run("-j8", "--forceall", PYTHONHASHSEED="2", OMP_NUM_THREADS="8")
    assert status == 0, printed
    assert second.hashes() == first.before


# ------------------------------------------------------------------------------------- disks

MODELS = "results/near_optimal/models/curve/k12-m2.npz"
RUN = '"$@" -j1 --logger progress --'


def run_with_mounts(project, folder, script):
    """Run a shell script that may mount what it likes; in it ``"$@"`` is Snakemake.

    It works in `folder`, with the config of the project. The mounts end with the script, and bind
    root as well, whom no permission stops.
    """
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    probe = [*unshare, "mount", "-t", "tmpfs", "none", str(folder)]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a disk of their own (unshare --user --mount)")
    for name in ("config.yaml", "tale.txt"):
        shutil.copyfile(project.folder / name, folder / name)
    (folder / "results").mkdir()
    snakemake = [sys.executable, "-m", "snakemake", "-s", str(project.folder / "Snakefile")]
    done = subprocess.run(
        [*unshare, "sh", "-c", script, "sh", *snakemake],
        cwd=folder,
        env=project.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
        timeout=LONGEST,
    )
    return [part.splitlines() for part in done.stdout.split("####\n")]


def test_a_full_disk_is_one_line_and_the_next_run_completes(first, tmp_path):
    script = f"""
        sed -i 's/trials: 3/trials: 300/' config.yaml
        mount -t tmpfs -o size=64k none results
        {RUN} {MODELS} && exit 9
        find results -name '*.npz'
        echo '####'
        mount -o remount,size=8m results
        {RUN} {MODELS} || exit 9
        cp {MODELS} .
    """
    full, room = run_with_mounts(first, tmp_path, script)
    # And no file of a model, nor half of one.
    assert full == [
        "1 jobs",
        f"error: [Errno 28] No space left on device: {MODELS}",
        "failed: curve: drawing models with k = 12, m = 2 "
        "(see results/logs/draw_models/near_optimal/curve-k12-m2.log)",
        "Exiting because a job execution failed. Look above for error messages",
        "WorkflowError: At least one job did not complete successfully.",
    ]
    assert any(line.startswith("[1/1] curve: drawing models") for line in room)
    with np.load(tmp_path / "k12-m2.npz") as models:
        assert {len(models[name]) for name in ("pi", "A", "B")} == {300}


def test_results_that_are_read_only_are_one_line_and_the_next_run_completes(first, tmp_path):
    script = f"""
        mount --bind results results
        mount -o remount,bind,ro results
        {RUN} {MODELS} && exit 9
        echo '####'
        mount -o remount,bind,rw results
        {RUN} {MODELS} || exit 9
    """
    refused, _ = run_with_mounts(first, tmp_path, script)
    jobs, line = refused
    assert jobs == "1 jobs"
    assert line.startswith("WorkflowError: Failed to create output directory results/")
    assert "Read-only file system: 'results/" in line
    assert (tmp_path / MODELS).read_bytes() == (first.folder / MODELS).read_bytes()


def test_rules_are_read_in_a_folder_that_is_read_only(first, tmp_path):
    """A dry run needs Snakemake's own folder, and says so."""
    script = """
        mount --bind . .
        cd "$PWD"
        mount -o remount,bind,ro .
        "$@" --list || exit 9
        echo '####'
        "$@" --logger progress --dry-run && exit 9
        exit 0
    """
    listed, refused = run_with_mounts(first, tmp_path, script)
    assert {"all", "split_corpus", "exhibit_curve"} <= set(listed)
    assert refused[-1].endswith(f"Read-only file system: '{tmp_path}/.snakemake'")
    assert "Traceback" not in "".join(refused)
