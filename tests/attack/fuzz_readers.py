"""Attack the readers of files with damaged and crafted ones, for as long as one likes.

    python tests/attack/fuzz_readers.py --seconds 3600 --target plays

Without a target each has its share of the time. Coverage guides it where atheris is installed
(`pip install atheris`), else Hypothesis draws bytes. A reader may refuse a file in one line; what
it takes must be what a second, plain reading finds, or be used without a crash, and rows that it
gives must be distributions. The first finding ends the run with its traceback, and its bytes are
left in a file named crash-*.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType
from xml.etree import ElementTree

try:
    import atheris
except ModuleNotFoundError:
    atheris = None

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))
import crafted
import numpy as np
from config_mistakes import VALID

from condprob.data_files import read_pairs, read_text
from reproduction.config.files import load_config
from reproduction.corpora.sources import TARTUFFE, CorpusError, read_source

SEEDS, LONGEST = 40, 512  # inputs that guided runs begin with; bytes of an input
FOLDER = Path(tempfile.mkdtemp(prefix="attack-", dir=os.environ.get("TMPDIR")))
REFUSED = (ValueError, OSError, MemoryError, CorpusError)
OF_ARRAYS = ("io", "entries", "checks", "data_files", "counts", "model", "vocabulary")
OF_ARRAYS += ("sparse_plus_low_rank", "mixtures", "sequences.tree_model", "sequences.grown_model")
READERS = [f"condprob.{name}" for name in OF_ARRAYS]
READERS += [f"reproduction.config.{name}" for name in ("reading", "files", "schema", "checks")]
READERS += ["reproduction.corpora.sources", "reproduction.corpora.verse"]
PLAY = b"<TEI><text><sp><speaker>A</speaker><l>one <hi>two</hi></l><l>three</l></sp></text></TEI>"
tallies = {"tried": 0, "taken": 0}


def attack_texts(raw: bytes) -> None:
    """A text, or pairs line by line, counted once more from the bytes."""
    path, is_pairs, content = FOLDER / "attacked", raw[:1] > b"\x80", raw[1:]
    path.write_bytes(content)
    if not is_pairs:
        assert read_text(str(path), "utf-8") == content.decode().removeprefix("\ufeff")
    else:
        pairs = read_pairs(str(path))
        assert len(pairs.contexts) == len(pairs.outcomes) > 0
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        lines = [line.removesuffix(b"\r") for line in lines]
        wanted = [line.split(b"\t")[:2] for line in lines if line.strip(b" ")]
        found = zip(pairs.contexts, pairs.outcomes, strict=True)
        assert [tuple(part.decode() for part in pair) for pair in wanted] == list(found)


def attack_configurations(raw: bytes) -> None:
    """The bytes alone, or in place of some lines of a true configuration."""
    choices = crafted.Choices(raw)
    if choices.below(4):
        lines = VALID.encode().splitlines(keepends=True)
        place, size = choices.below(len(lines)), choices.below(3)
        lines[place : place + size] = [choices.rest, b"\n"]
        content = b"".join(lines)
    else:
        content = choices.rest
    os.chdir(FOLDER)  # results and texts are looked for from there
    Path("mine.txt").write_text(100 * "some words ", encoding="utf-8")
    Path("attacked").write_bytes(content)
    assert isinstance(load_config(["attacked"]), dict)


def attack_plays(raw: bytes) -> None:
    """TEI: the bytes alone, or in a play. Its verse is read once more from the whole tree."""
    choices = crafted.Choices(raw)
    place, size = choices.below(len(PLAY) + 20), choices.below(20)
    content = PLAY[:place] + choices.rest + PLAY[place + size :]
    content = choices.rest if place >= len(PLAY) else content
    path = FOLDER / TARTUFFE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    (found,) = read_source("play", {"source": "dracor"}, [FOLDER], FOLDER).texts()
    waiting, wanted = [ElementTree.fromstring(content)], []
    while waiting:
        element = waiting.pop()
        if element.tag.rpartition("}")[2] == "l":
            wanted.append("".join(element.itertext()))
        else:
            waiting += reversed(element)
    assert found == "\n".join(wanted)


def attack_packages(raw: bytes) -> None:
    """A zip of texts with bytes in other bytes' places, read once more by zipfile alone."""
    choices, made = crafted.Choices(raw), io.BytesIO()
    texts = {"p/a.txt": b"one two " * 9, "p/b.txt": choices.take(choices.below(30))}
    how = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)[choices.below(2)]
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(name), text, compress_type=how)
    content = bytearray(made.getvalue())
    for _ in range(choices.below(5)):
        place = choices.below(len(content))
        content[place : place + 2] = choices.take(2)
    path = FOLDER / "corpora" / "p.zip"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    entry = {"source": "nltk", "package": "p", "files": ["a.txt", "b.txt"]}
    found = read_source("package", entry, [FOLDER], FOLDER).contents
    with zipfile.ZipFile(path) as archive:
        assert found == tuple(archive.read(name) for name in texts)


def attack_arrays(names: list[str], raw: bytes) -> None:
    """Files of arrays of some kinds."""
    crafted.attack(names, raw, FOLDER / "attacked")


TARGETS = {
    "counts": partial(attack_arrays, ["counts"]),
    "estimates": partial(attack_arrays, crafted.MODELS),
    "checkpoints": partial(attack_arrays, ["checkpoint"]),
    "texts": attack_texts,
    "configurations": attack_configurations,
    "plays": attack_plays,
    "packages": attack_packages,
}


def carry_out(target: str, raw: bytes) -> None:
    """Let bytes decide on an attack; a refusal is one line that can be read."""
    tallies["tried"] += 1
    try:
        TARGETS[target](raw)
        tallies["taken"] += 1
    except REFUSED as error:
        message = str(error)
        lines = message.split("\n") if target == "configurations" else [message]
        assert not any("\n" in line or not line for line in lines), message
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
