"""The pipeline through a SLURM of this machine's own: killed twice, and the same as without one.

`make cluster` runs this; it needs slurmctld, slurmd, slurm-client and munge of Debian, or the like.
"""

import os
import signal
import subprocess
import time

import pytest
from project import TOP, Project
from slurm import Slurm, missing_programs

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(
        bool(missing_programs()), reason=f"not installed: {', '.join(missing_programs())}"
    ),
]
PROFILE = str(TOP / "profiles" / "slurm")
SCORED = "score"  # of the comment of a job in which models are drawn and methods scored
# What `make slurm` says; no accounts on this cluster, and no patience.
OPTIONS = (
    *("--workflow-profile", PROFILE, "--latency-wait", "20"),
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
)


def wait_until(condition, process, seconds=240):
    """Wait for something to come true while a process runs; return what it then is."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < end
        time.sleep(0.2)
    return found


@pytest.fixture(scope="module")
def cluster():
    """A SLURM."""
    with Slurm() as slurm:
        yield slurm


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """A finished run without a cluster."""
    project = Project(tmp_path_factory.mktemp("alone") / "project")
    status, printed = project.run("-j2")
    assert status == 0, printed
    return project


@pytest.fixture(scope="module")
def killed(tmp_path_factory, cluster):
    """A run of which a job was killed on the node, and then the process that submits."""
    project = Project(tmp_path_factory.mktemp("killed") / "a project")

    def running(number):
        """Return the number-th job of trials, once it runs."""
        found = [job for job in cluster.jobs() if SCORED in job[2]]
        return found[number - 1] if len(found) >= number and found[-1][1] == "RUNNING" else None

    process = project.start(*OPTIONS, **cluster.environment)
    try:
        id, *_ = wait_until(lambda: running(1), process)
        wait_until(lambda: list(project.results.glob("*/models/*/*.npz")), process)
        cluster.ask("scancel", "--full", "--signal=KILL", id)
        project.first_job = id
        wait_until(lambda: running(2), process)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        project.printed, _ = process.communicate()
    project.left_behind = cluster.ask("squeue", "--noheader", "-o", "%A").split()
    return project


@pytest.fixture(scope="module")
def resumed(killed, cluster):
    """The same after what `make resume PROFILE=...` does."""
    environment = killed.environment(**cluster.environment)
    cancel = ["sh", str(TOP / PROFILE / "cancel_jobs.sh")]
    subprocess.run(cancel, cwd=killed.folder, env=environment, check=True, timeout=60)
    killed.left_after_cancelling = cluster.ask("squeue", "--noheader", "-o", "%A").split()
    assert killed.run("--unlock")[0] == 0
    status, printed = killed.run(*OPTIONS, "--rerun-incomplete", **cluster.environment)
    assert status == 0, printed
    return killed


def test_killed_job_is_sent_again(killed, cluster):
    trials = [(id, state) for id, state, what in cluster.jobs() if SCORED in what]
    assert dict(trials)[killed.first_job] in {"FAILED", "CANCELLED"}
    assert len(trials) > 1
    assert "Error in group score" in killed.printed
    assert "Traceback" not in killed.printed


def test_jobs_outlive_the_process_that_submits_until_the_recovery_cancels_them(resumed):
    assert resumed.left_behind
    assert resumed.left_after_cancelling == []


def test_results_of_the_cluster_are_those_of_one_machine(resumed, alone):
    assert resumed.hashes() == alone.hashes()


def test_every_job_that_is_not_light_ran_on_the_cluster(resumed, cluster):
    sent = " ".join(what for _, _, what in cluster.jobs())
    for rule in ("compile_kernels", "draw_models", "score", "check_theory"):
        assert rule in sent
    for rule in ("split_corpus", "draw_exhibit", "write_page"):
        assert rule not in sent


def test_second_run_has_nothing_to_do(resumed, cluster):
    before = len(cluster.jobs())
    status, printed = resumed.run(*OPTIONS, **cluster.environment)
    assert status == 0
    assert "Nothing to be done" in printed
    assert len(cluster.jobs()) == before
