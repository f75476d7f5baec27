"""The time of a whole run of the pipeline, and of each of its rules."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import rmtree

from reproduction.trust.machine import run_times

TOP = Path(__file__).parent.parent
TEN_SEEDS = "exhibits: {table-1: {seeds: 10}}"


def time_pipeline(results, quick):
    """Run it at its default settings, and Table 1 alone from ten starts, each from nothing."""
    if quick:
        _time_run(
            results, "small settings", (TOP / "tests" / "smoke.yaml").read_text(encoding="utf-8")
        )
    else:
        _time_run(results, "default settings", "{}")
    _time_run(results, "Table 1, ten seeds", TEN_SEEDS, "near_optimal/exhibits/table-1.png")


def _time_run(results, name, settings, *targets):
    """Run Snakemake in folders of its own: no result and no compiled kernel is there before."""
    folder = Path(".benchmarks", "run")  # relative, as config.yaml has it; ignored by git
    rmtree(TOP / folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as scratch:
        config = Path(scratch, "settings.yaml")
        config.write_text(settings, encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "-j8", "--nolock", "--quiet", "all"]
        command += ["--configfile", str(config), "--config", f"results={folder}"]
        command += ["--", *(str(folder / target) for target in targets)]
        environment = os.environ | {"NUMBA_CACHE_DIR": str(Path(scratch, "numba"))}
        before, started = processor_of_children(), time.perf_counter()
        run = subprocess.run(command, cwd=TOP, env=environment, capture_output=True, text=True)
        seconds, processor = time.perf_counter() - started, processor_of_children() - before
    if run.returncode:
        reason = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        results.add("pipeline", name, "whole run", "s", note=f"failed: {reason}")
        return
    times = run_times(TOP / folder / "benchmarks")
    rmtree(TOP / folder)
    results.add("pipeline", name, "whole run", "s", [seconds])
    results.add("pipeline", name, "whole run, processor", "s", [processor])
    for rule, found in times.items():
        results.add("pipeline", name, f"{rule}: all jobs", "s", [found["clock"]])


def processor_of_children():
    """Return the processor seconds of all child processes, with their children."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
