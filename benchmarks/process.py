"""A whole process, from two text files to a cross-entropy, beside KenLM's."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from compiled import Unavailable
from measure import interleave
from problems import ALL_OF_BROWN, small_text

BUILT = Path(".benchmarks/kenlm")  # ignored by git


def time_process(results, texts, kenlm, few, many):
    """Time both in turn on a text of the paper's size, and on a large one if there is one."""
    small = small_text(texts)
    try:
        programs = find_kenlm(kenlm)
    except Unavailable as reason:
        programs = None
        results.add("process", small, "KenLM", "ms", note=str(reason))
    _time_text(results, small, texts[small], programs, many)
    if ALL_OF_BROWN in texts:
        _time_text(results, ALL_OF_BROWN, texts[ALL_OF_BROWN], programs, few)


def _time_text(results, name, text, programs, repetitions):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for part, words in (("train", text.train), ("test", text.test)):
            # Words of letters: KenLM takes <s>, </s> and <unk> for its own.
            (folder / part).write_text(" ".join(f"w{i}" for i in words) + "\n", encoding="ascii")
        ours = [sys.executable, "-m", "condprob", "score", "train", "test", "--method", "kn"]
        runs = {"condprob": lambda: _run(ours, folder)}
        for what, code in (("doing nothing", "pass"), ("importing numpy", "import numpy")):
            command = [sys.executable, "-c", code]
            runs[f"python, {what}"] = lambda command=command: _run(command, folder)
        if programs:
            runs["KenLM"] = lambda: _run_kenlm(*programs, folder)
        seconds = interleave(runs, repetitions)
    results.add_times("process", name, seconds)
    if programs:
        pair = {what: seconds[what] for what in ("condprob", "KenLM")}
        results.add_ratios("process", name, pair, "KenLM")


def find_kenlm(path):
    """Return lmplz and query: in ``path``, in its ``bin``, or built from the source that it is."""
    if not path:
        raise Unavailable("no path to KenLM given (--kenlm or the environment's KENLM)")
    path = Path(path)
    for folder in (path, path / "bin", path / "build" / "bin", BUILT / "bin"):
        programs = [folder / "lmplz", folder / "query"]
        if all(program.is_file() for program in programs):
            return [str(program.resolve()) for program in programs]
    if not (path / "CMakeLists.txt").is_file():
        raise Unavailable("the path given holds neither KenLM's programs nor its source")
    if not shutil.which("cmake"):
        raise Unavailable("building KenLM needs cmake")
    commands = (
        ["cmake", "-S", str(path), "-B", str(BUILT), "-DCMAKE_BUILD_TYPE=Release"],
        ["cmake", "--build", str(BUILT), "--target", "lmplz", "query", "-j", str(os.cpu_count())],
    )
    for command in commands:
        if subprocess.run(command, capture_output=True).returncode:
            raise Unavailable("KenLM's source does not build here (it needs Boost)")
    return [str((BUILT / "bin" / program).resolve()) for program in ("lmplz", "query")]


def _run(command, folder):
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def _run_kenlm(lmplz, query, folder):
    files = ["--text", "train", "--arpa", "model"]
    _run([lmplz, "-o", "2", "-S", "200M", "--discount_fallback", *files], folder)
    with open(folder / "test", "rb") as test:
        command = [query, "-n", "-v", "summary", "model"]
        subprocess.run(command, cwd=folder, stdin=test, check=True, capture_output=True)
