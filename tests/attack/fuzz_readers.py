"""Attack the readers of arrays with damaged and crafted files, for as long as one likes.

    python tests/attack/fuzz_readers.py --seconds 3600 --target counts

Without a target each has its share of the time. Coverage guides it where atheris is installed
(`pip install atheris`), else Hypothesis draws bytes. A reader may refuse a file in one line; the
object that it builds must work without a crash. The first finding ends the run with its traceback,
and its bytes are left in a file named crash-*. Texts, configurations, plays and packages have
property tests (`make explore` draws other examples).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType

try:
    import atheris
except ModuleNotFoundError:
    atheris = None

import crafted
import numpy as np

SEEDS, LONGEST = 40, 512  # inputs that guided runs begin with; bytes of an input
FOLDER = Path(tempfile.mkdtemp(prefix="attack-", dir=os.environ.get("TMPDIR")))
REFUSED = (ValueError, OSError, MemoryError)
OF_ARRAYS = ("files.arrays", "files.stored", "files.checkpoints", "checks", "checks.entries")
OF_ARRAYS += ("counts", "model", "sparse_plus_low_rank", "mixtures", "vocabulary")
OF_ARRAYS += ("text.tree_model", "text.bigram_mixture")
READERS = [f"condprob.{name}" for name in OF_ARRAYS]
tallies = {"tried": 0, "taken": 0}


def attack_arrays(kind: str, raw: bytes) -> None:
    """Files of arrays of a kind."""
    crafted.attack(kind, raw, FOLDER / "attacked")


TARGETS = {
    "counts": partial(attack_arrays, "counts"),
    "estimates": partial(attack_arrays, "model"),
    "checkpoints": partial(attack_arrays, "checkpoint"),
}


def carry_out(target: str, raw: bytes) -> None:
    """Let bytes decide on an attack; a refusal is one line that can be read."""
    tallies["tried"] += 1
    try:
        TARGETS[target](raw)
        tallies["taken"] += 1
    except REFUSED as error:
        message = str(error)
        assert "\n" not in message, message
        assert "unsafe" not in message, message
    if tallies["tried"] % 5000 == 0:
        print(tallies, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--target", choices=TARGETS, help="default: each in turn")
    parser.add_argument("--corpus", type=Path, default=FOLDER / "corpus", help="kept by atheris")
    options = parser.parse_args()
    if not options.target:
        share = ["--seconds", str(options.seconds // len(TARGETS)), "--corpus", options.corpus]
        for target in TARGETS:
            again = [sys.executable, "-W", "ignore", __file__, "--target", target, *share]
            subprocess.run(again, check=True)
        return
    begin, work = time.monotonic(), partial(carry_out, options.target)
    try:
        if atheris:
            guided(work, options.corpus / options.target, options.seconds)
        else:
            drawn(work, begin + options.seconds)
    finally:
        message = ", ".join(f"{count:,} {name}" for name, count in tallies.items())
        print(f"{options.target}: {message}, in {time.monotonic() - begin:,.0f} s", flush=True)


def mark_readers() -> None:
    """Have atheris see which way the readers go; compiled functions bear no marks."""
    for name in READERS:
        module = import_module(name)
        owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
        for owner in owners:
            for each in list(vars(owner).values()):
                function = getattr(each, "__func__", each)
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    atheris.instrument_func(function)


def make_seeds(corpus: Path) -> None:
    """Write random inputs of many lengths, the same in every run."""
    rng = np.random.default_rng(0)
    for number, size in enumerate(np.geomspace(1, LONGEST, SEEDS).astype(int)):
        (corpus / f"seed-{number:02}").write_bytes(rng.bytes(size))


def guided(work, corpus: Path, seconds: int) -> None:
    corpus.mkdir(parents=True, exist_ok=True)
    make_seeds(corpus)
    for path in sorted(corpus.iterdir()):  # compiles what it needs: else that counts as a hang
        work(path.read_bytes())
    mark_readers()
    how = [f"-max_len={LONGEST}", "-len_control=0", "-rss_limit_mb=8192", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], str(corpus), f"-max_total_time={seconds}", *how], work)
    atheris.Fuzz()


def drawn(work, until: float) -> None:
    from hypothesis import given, seed, settings
    from hypothesis import strategies as st

    @settings(max_examples=1000, deadline=None, database=None)
    @given(st.binary(max_size=LONGEST))
    def draw(raw):
        work(raw)

    number = 0
    while time.monotonic() < until:
        number += 1
        seed(number)(draw)()


if __name__ == "__main__":
    main()
