"""A SLURM of one node for the tests: started in a folder of its own, used, and always stopped."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "scancel", "scontrol", "sinfo", "squeue", "srun")
CPUS = 8  # that the node is said to have, however many it has: all parts of a job find room
STARTING = 60  # seconds until the node has to be idle

CONFIGURATION = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=2
MinJobAge=3600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=16000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def find_daemon(name):
    """Return the path of a program that may lie where only root looks, or nothing."""
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", "/sbin"]))


def missing_programs():
    """Return the names of the programs that a SLURM needs and that are not installed."""
    return [name for name in (*DAEMONS, *CLIENTS) if find_daemon(name) is None]


def free_port():
    """Return a port that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Slurm:
    """A context that starts the daemons, and stops them whatever happens."""

    def __init__(self):
        self.folder, self.processes = Path(tempfile.mkdtemp(prefix="slurm-")), []
        self.folder.chmod(0o755)  # munge insists on it, and the folders of pytest are private
        for name in ("munge", "state", "spool", "bin"):
            (self.folder / name).mkdir()
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.configuration = self.folder / "slurm.conf"
        self.configuration.write_text(
            CONFIGURATION.format(
                host=socket.gethostname().split(".")[0],
                user=subprocess.check_output(["id", "-un"], text=True).strip(),
                controller_port=free_port(),
                node_port=free_port(),
                folder=self.folder,
                cpus=CPUS,
            )
        )
        # Snakemake's executor drops SLURM_CONF from what it starts steps of a job with.
        srun = self.folder / "bin" / "srun"
        srun.write_text(
            f'#!/bin/sh\nSLURM_CONF={self.configuration} exec {find_daemon("srun")} "$@"\n'
        )
        srun.chmod(0o755)

    @property
    def environment(self):
        """The variables that lead to this SLURM."""
        return {
            "SLURM_CONF": str(self.configuration),
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
        }

    def __enter__(self):
        try:
            self.start("munged", "--foreground", *self.munge_options())
            self.wait_for(lambda: (self.folder / "munge" / "socket").exists(), "munged")
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.wait_for(lambda: "idle" in self.ask("sinfo", "--noheader", "-o", "%t"), "a node")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error):
        self.stop()

    def munge_options(self):
        """Return options that keep all that munge writes in the folder."""
        files = {"socket": "socket", "key-file": "key", "pid-file": "pid", "seed-file": "seed"}
        place = self.folder / "munge"
        return [f"--{option}={place / name}" for option, name in files.items()]

    def start(self, name, *options):
        """Start a daemon in a group of processes of its own."""
        with (self.folder / f"{name}.out").open("wb") as out:
            self.processes.append(
                subprocess.Popen(
                    [find_daemon(name), *options],
                    env=os.environ | self.environment,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )

    def stop(self):
        """End the jobs, then the daemons."""
        if len(self.processes) == len(DAEMONS):
            ids = self.ask("squeue", "--noheader", "-o", "%A").split()
            if ids:
                self.ask("scancel", "--full", "--signal=KILL", *ids)
                self.ask("scancel", *ids)
                with contextlib.suppress(AssertionError):
                    self.wait_for(lambda: not self.ask("squeue", "--noheader"), "an empty queue")
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.processes.clear()
        self.kill_orphans()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill_orphans(self):
        """End what escaped from a killed job: without control groups SLURM loses orphans."""
        mark = f"SLURM_CONF={self.configuration}".encode()
        for environ in Path("/proc").glob("[0-9]*/environ"):
            with contextlib.suppress(OSError):  # it has ended, or is another's
                if mark in environ.read_bytes().split(b"\0"):
                    os.kill(int(environ.parent.name), signal.SIGKILL)

    def ask(self, *command):
        """Return what a client program prints, or nothing where it fails."""
        run = subprocess.run(
            command, env=os.environ | self.environment, capture_output=True, text=True, timeout=60
        )
        return run.stdout if run.returncode == 0 else ""

    def wait_for(self, condition, what, seconds=STARTING):
        """Wait until a condition holds; fail with the daemons' own words."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end or any(each.poll() is not None for each in self.processes):
                outputs = [path.read_text() for path in sorted(self.folder.glob("*.out"))]
                raise AssertionError(f"waited for {what}\n" + "\n".join(outputs))
            time.sleep(0.2)

    def jobs(self):
        """Return every job so far: its number, state and what Snakemake says that it is."""
        printed = self.ask("squeue", "--states=all", "--noheader", "-o", "%A|%T|%k")
        return [tuple(line.split("|")) for line in printed.splitlines()]
