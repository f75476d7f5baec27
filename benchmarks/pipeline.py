"""The time of a whole run of the pipeline, and of each of its rules."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import processor_seconds

from reproduction.trust.machine import run_times

TOP = Path(__file__).parent.parent


def time_pipeline(results, quick):
    """Run the paper's target in folders of its own: nothing was computed or compiled before."""
    name = "small settings" if quick else "default settings"
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "snakemake", f"-j{os.cpu_count()}", "--quiet", "all"]
        command += ["--directory", scratch]
        command += ["--configfile", "tests/smoke.yaml"] if quick else []
        environment = os.environ | {"NUMBA_CACHE_DIR": str(Path(scratch, "numba"))}
        before, started = processor_seconds(), time.perf_counter()
        run = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True)
        seconds, processor = time.perf_counter() - started, processor_seconds() - before
        folder = Path(scratch, "results", "benchmarks")
        times = run_times(folder / "near_optimal", folder / "shared")
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        results.add("pipeline", name, "whole run", "s", note=f"failed: {reason}")
        return
    results.add("pipeline", name, "whole run, by the clock", "s", [seconds])
    results.add("pipeline", name, "whole run, processor", "s", [processor])
    for rule, found in times.items():
        note = f"{found['jobs']} jobs"
        results.add("pipeline", name, f"{rule}, processor", "s", [found["processor"]], note)
