"""A copy of the project in a folder of its own, with a tiny config, a text and no network."""

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from base64 import urlsafe_b64decode
from itertools import product
from pathlib import Path
from pydoc_data.topics import topics
from unittest.mock import patch

import matplotlib
import numba
import numpy as np
from forks import run_snakemake, start

from condprob import method
from condprob.jit import cache_folder, checksum_of_modules
from reproduction.methods import COMPILED_BY

TOP = Path(__file__).parents[2]
# All that a run needs. The default profile is not: with it a run ends some seconds later.
PARTS = ("Snakefile", "src", "workflow")
# They tell time and machine.
OF_THE_RUN = {"provenance.json", "report.html", "index.html"}
NOT_RESULTS = {"logs", "benchmarks"}
# As the default profile has it.
OPTIONS = ("--rerun-triggers", "input", "mtime", "params", "--scheduler", "greedy")
OPTIONS += ("--rerun-incomplete", "--quiet", "reason", "host")
LONGEST = 900  # seconds for a run, on a machine with much else to do


def write_fables(folder):
    """Put the missing corpus into a folder laid out like NLTK's data; return the folder."""
    package = Path(folder, "corpora", "fables")
    package.mkdir(parents=True)
    write_tale(package / "fox.txt", words=600)
    return str(folder)


def write_tale(path, words=1000):
    """Write some real English: words at random have no clusters that a rounding would not move."""
    Path(path).write_text(" ".join(" ".join(topics.values()).split()[:words]), encoding="utf-8")


def compile_em():
    """Compile what runs compile: copies take it along, and other tests need it too."""
    few, many = np.eye(20, dtype=int), np.full((20, 20), 2)  # passes of their own visit them
    for id, counts in product(COMPILED_BY["em"], (few, many)):
        method(id, rank=2, iterations=2).fit(counts)


def kept_by_numba(folder, package):
    """Return where below a folder Numba keeps the functions of a package, not of those within."""
    made = {}
    exec(compile("def function(): pass", str(package / "__init__.py"), "exec"), made)
    with patch.object(numba.config, "CACHE_DIR", str(folder)):
        return numba.njit(cache=True)(made["function"]).stats.cache_path


class Project:
    """The copy; `run` it, `change` its files for a while, ask what it `would_make`.

    ``config.yaml`` is `tiny.yaml`, and no further study has settings unless they are asked for:
    then both are the project's own.
    """

    def __init__(self, folder, tiny=True):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        compile_em()
        # Python's own files of compiled modules go along; those of Numba have names of their own.
        ignore = shutil.ignore_patterns("compiled-*", "*.egg-info")
        for part in PARTS:
            if (TOP / part).is_dir():
                shutil.copytree(TOP / part, self.folder / part, ignore=ignore)
            else:
                shutil.copy2(TOP / part, self.folder / part)
        self.take_compiled_along()
        config = TOP / "tests" / "tiny.yaml" if tiny else TOP / "config.yaml"
        shutil.copyfile(config, self.folder / "config.yaml")
        for settings in self.folder.glob("workflow/studies/*/config.yaml") if tiny else ():
            settings.unlink()
        write_tale(self.folder / "tale.txt")
        (self.folder / "home").mkdir()

    def take_compiled_along(self):
        """Put what is compiled where the copy looks for it, whose folders have names of their own.

        They tell where a package lies, and what its modules hold.
        """
        checksum_of_modules.cache_clear()
        cache_folder.cache_clear()
        for package in ("condprob", "reproduction"):
            source, copy = TOP / "src" / package, self.folder / "src" / package
            kept = cache_folder(source)
            with patch("condprob.jit.PACKAGE", self.folder / "src" / "condprob"):
                wanted = cache_folder(copy)
            modules = source.rglob("*.py") if kept and wanted else ()
            for folder in sorted({module.parent for module in modules}):
                copied = copy / folder.relative_to(source)
                compiled = kept_by_numba(kept, folder)
                shutil.copytree(compiled, kept_by_numba(wanted, copied), dirs_exist_ok=True)

    def move(self, name):
        """Move the copy to another folder beside it."""
        self.folder = self.folder.rename(self.folder.with_name(name))

    @property
    def results(self):
        """The folder of results."""
        return self.folder / "results"

    def environment(self, **changes):
        """Return variables that lead to this copy's code, to no corpus and to no network."""
        nowhere = "http://127.0.0.1:9"
        return os.environ | {
            "PYTHONPATH": str(self.folder / "src"),
            "HOME": str(self.folder / "home"),
            "NLTK_DATA": str(self.folder / "home"),
            "MPLCONFIGDIR": matplotlib.get_cachedir(),  # the list of fonts takes seconds to make
            **{f"{scheme}_proxy": nowhere for scheme in ("http", "https", "HTTP", "HTTPS")},
            "no_proxy": "",
            **changes,
        }

    def start(self, *options, cwd=None, **changes):
        """Start Snakemake in a group of processes of its own, in the folder of the copy."""
        return start((*OPTIONS, *options), cwd or self.folder, self.environment(**changes), LONGEST)

    def run(self, *options, cwd=None, **changes):
        """Run Snakemake to its end; return its exit status and what it printed."""
        given = (*OPTIONS, *options)
        return run_snakemake(given, cwd or self.folder, self.environment(**changes), LONGEST)

    def python(self, *command):
        """Run Python with the copy's code; return what it printed, errors too."""
        run = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST,
        )
        return run.stdout

    def end(self, process):
        """Wait for a run that was started, and for all its jobs; return as `run` does."""
        try:
            printed, _ = process.communicate(timeout=LONGEST)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, printed

    def resume(self, *options, **changes):
        """Start what `make resume` runs, which unlocks the folder whether it is locked or not."""
        if self.locks():
            status, printed = self.run("--unlock")
            assert status == 0, printed
        return self.start("-j2", *options, **changes)

    def wait(self, process, pattern, before=frozenset()):
        """Wait until a run has made a file of this pattern that was not there before."""
        end = time.monotonic() + LONGEST
        while process.poll() is None and set(self.folder.glob(pattern)) <= before:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert process.returncode is None, process.communicate()[0]

    def stop(self, how, pattern, later=0, whole=True, **changes):
        """Go on, and send a signal some seconds after a new file of this pattern.

        It goes to the whole group of processes, as from a terminal, or to Snakemake alone, whose
        jobs then end by themselves. The lock of the run before is taken away by hand.
        """
        for lock in self.locks():
            lock.unlink()
        before = set(self.folder.glob(pattern))
        process = self.start("-j2", **changes)
        self.wait(process, pattern, before)
        time.sleep(later)
        os.killpg(process.pid, how) if whole else process.send_signal(how)
        self.end(process)

    def locks(self):
        """Return the files by which Snakemake keeps other runs out."""
        return list(self.folder.glob(".snakemake/locks/*"))

    def marked(self):
        """Return the names of the results that Snakemake has marked as being made."""
        marks = self.folder.glob(".snakemake/incomplete/*")
        paths = [urlsafe_b64decode(mark.name).decode() for mark in marks]
        return {Path(path).relative_to("results").as_posix() for path in paths}

    def summary(self, option, *options, **changes):
        """Return a row for each result of a run, as Snakemake's summaries tell them."""
        status, printed = self.run(option, "--quiet", "all", *options, **changes)
        assert status == 0, printed
        head, *rows = [line.split("\t") for line in printed.splitlines() if line.count("\t") >= 5]
        assert rows, printed
        return [dict(zip(head, row, strict=True)) for row in rows]

    def would_make(self, *options, **changes):
        """Return what a run would make: for each rule the names of its results."""
        found = {}
        for row in self.summary("--summary", *options, **changes):
            if row["plan"] != "no update":
                name = Path(row["output_file"]).relative_to("results").as_posix()
                found.setdefault(row["rule"], set()).add(name)
        return found

    @contextlib.contextmanager
    def change(self, path, old="", new=""):
        """Replace a text in a file (or add to its end), then put everything back as it was.

        With an edited module the compiled functions of another version are removed: they come back.
        """
        path = self.folder / path
        before, times = path.read_bytes(), path.stat()
        text = before.decode()
        assert old in text
        path.write_text(text.replace(old, new, 1) if old else text + new)
        try:
            yield
        finally:
            path.write_bytes(before)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if path.suffix == ".py":
                self.take_compiled_along()

    def state(self):
        """Return the content and the time of every file of the results."""
        return {
            path: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in sorted(self.results.rglob("*"))
            if path.is_file()
        }

    def hashes(self):
        """Return the SHA-256 of every result but those that tell of the run itself."""
        return {
            path.relative_to(self.results).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.results.rglob("*"))
            if path.is_file()
            and path.relative_to(self.results).parts[0] not in NOT_RESULTS
            and path.name not in OF_THE_RUN
        }
