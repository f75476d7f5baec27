"""A copy of the project in a folder of its own, with a tiny config, a text and no network."""

import contextlib
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from pydoc_data.topics import topics

import matplotlib

TOP = Path(__file__).parents[2]
PARTS = ("Snakefile", "src", "workflow")  # all that a run needs
OF_THE_RUN = {"manifest.json", "provenance.json", "report.html"}  # they tell time and machine
NOT_RESULTS = {"logs", "benchmarks"}
LONGEST = 300  # seconds for a run, on a machine with much else to do


def write_tale(path, words=1000):
    """Write some real English: words at random have no clusters that a rounding would not move."""
    Path(path).write_text(" ".join(" ".join(topics.values()).split()[:words]), encoding="utf-8")


class Project:
    """The copy; `run` it, `change` its files for a while, ask what it `would_make`."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        ignore = shutil.ignore_patterns("*.pyc", "*.egg-info")  # but keep what numba compiled
        for part in PARTS:
            if (TOP / part).is_dir():
                shutil.copytree(TOP / part, self.folder / part, ignore=ignore)
            else:
                shutil.copy2(TOP / part, self.folder / part)
        shutil.copyfile(TOP / "tests" / "tiny.yaml", self.folder / "config.yaml")
        write_tale(self.folder / "tale.txt")
        (self.folder / "home").mkdir()

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
        return subprocess.Popen(
            [sys.executable, "-m", "snakemake", *options],
            cwd=cwd or self.folder,
            env=self.environment(**changes),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # Ignored by what a shell runs in the background, and that would be passed on.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run(self, *options, **changes):
        """Run Snakemake to its end; return its exit status and what it printed."""
        process = self.start(*options, **changes)
        try:
            printed, _ = process.communicate(timeout=LONGEST)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, printed

    def stop(self, how, pattern, *options, **changes):
        """Start Snakemake, and send its whole group a signal at a new result of this pattern."""
        before = set(self.results.glob(pattern))
        process, end = self.start(*options, **changes), time.monotonic() + LONGEST
        while process.poll() is None and set(self.results.glob(pattern)) <= before:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert process.returncode is None, process.communicate()[0]
        os.killpg(process.pid, how)
        process.communicate(timeout=LONGEST)
        with contextlib.suppress(ProcessLookupError):  # jobs that outlive it, if any
            os.killpg(process.pid, signal.SIGKILL)

    def would_make(self, *options, **changes):
        """Return what a run would make: for each rule the names of its results."""
        status, printed = self.run("--summary", "--quiet", "all", *options, **changes)
        assert status == 0, printed
        table = [line.split("\t") for line in printed.splitlines() if line.count("\t") >= 5]
        head, *rows = table
        assert rows, printed
        found = {}
        for row in rows:
            cells = dict(zip(head, row, strict=True))
            if cells["plan"] != "no update":
                name = Path(cells["output_file"]).relative_to("results").as_posix()
                found.setdefault(cells["rule"], set()).add(name)
        return found

    @contextlib.contextmanager
    def change(self, path, old="", new=""):
        """Replace a text in a file (or add to its end), then put everything back as it was."""
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
            and path.relative_to(self.results).parts[0] not in NOT_RESULTS | OF_THE_RUN
        }
