"""The time of a whole run of the pipeline, and of each of its rules."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import rmtree

from measure import processor_seconds

from reproduction.trust.machine import run_times

TOP = Path(__file__).parent.parent


def time_pipeline(results, quick):
    """Run the paper's target in folders of its own: nothing was computed or compiled before."""
    name = "small settings" if quick else "default settings"
    folder = Path(".benchmarks", "run")  # relative, as config.yaml has it; ignored by git
    rmtree(TOP / folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            sys.executable,
            "-m",
            "snakemake",
            f"-j{os.cpu_count()}",
            "--nolock",
            "--quiet",
            "all",
        ]
        command += ["--configfile", "tests/smoke.yaml"] if quick else []
        command += ["--config", f"results={folder}"]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(Path(scratch, "numba"))}
        before, started = processor_seconds(), time.perf_counter()
        run = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True)
        seconds, processor = time.perf_counter() - started, processor_seconds() - before
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        results.add("pipeline", name, "whole run", "s", note=f"failed: {reason}")
        return
    times = run_times(TOP / folder / "benchmarks", TOP / folder / "logs")
    rmtree(TOP / folder)
    results.add("pipeline", name, "whole run, by the clock", "s", [seconds])
    results.add("pipeline", name, "whole run, processor", "s", [processor])
    for rule, found in times.items():
        note = f"{found['jobs']} jobs"
        results.add("pipeline", name, f"{rule}, processor", "s", [found["processor"]], note)
