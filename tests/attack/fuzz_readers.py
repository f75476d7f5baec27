"""Attack the readers of files with damaged and crafted ones, for as long as one likes.

    python tests/attack/fuzz_readers.py --seconds 600

Coverage guides it where atheris is installed (`pip install atheris`), else Hypothesis draws bytes.
The bytes choose a true file, what is changed in it, and by what. A reader may refuse a file in one
line; what it takes must be used without a crash, and rows that it gives must be distributions. The
first finding ends the run with its traceback, and its bytes are left in a file named crash-*.
"""

import argparse
import io
import os
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from types import FunctionType

try:
    import atheris
except ModuleNotFoundError:
    atheris = None

import numpy as np

from condprob import CountMatrix, Sentences, method
from condprob.data_files import read_data
from condprob.estimators.growth import fit_grown
from condprob.model import load_with_labels
from condprob.sequences.model import SequenceModel

READERS = ("archives", "storage", "contents", "file_kinds", "file_relations", "labels", "entries")
READERS += ("checks", "data_files", "counts", "model", "vocabulary")
REFUSED = (ValueError, OSError, MemoryError)
RNG = np.random.default_rng(0)
COUNTS = CountMatrix.from_dense(RNG.poisson(0.7, (6, 7)))
TEXT = Sentences.from_words(RNG.integers(0, 5, 60), 5)
FIT = method("ad-lr", rank=2, iterations=5)
TYPES = ["<f8", "<f4", "<i8", "<i4", ">i8", "|b1", "|u1", "<U3", "|O", "<c16", "|S2", "<f2", "|V8"]
NUMBERS = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1.0, 0.5, 1e300, 1e-300, 2.0**31, 2.0**63, 1 + 1e-7]
tallies = {"tried": 0, "taken": 0}


def mark_readers() -> None:
    """Have atheris see which way the readers go; compiled functions bear no marks."""
    for name in READERS:
        module = sys.modules[f"condprob.{name}"]
        owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
        for owner in owners:
            for each in list(vars(owner).values()):
                function = getattr(each, "__func__", each)
                if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                    atheris.instrument_func(function)


class Choices:
    """Decisions that bytes make, zeros when they are used up."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.place = raw, 0

    def below(self, size: int) -> int:
        return int.from_bytes(self.take(2), "little") % max(size, 1)

    def take(self, size: int) -> bytes:
        found = self.raw[self.place : self.place + size]
        self.place += size
        return found.ljust(size, b"\0")

    @property
    def rest(self) -> bytes:
        return self.raw[self.place :]


def true_files(folder: Path) -> dict[str, bytes]:
    """Return a small file of every kind."""
    models = [
        *(method(id).fit(COUNTS) for id in ("kn", "hpy", "ll-l2", "py-lr")),
        method("sb", normalised=False).fit(COUNTS),
        FIT.fit(COUNTS),
        method("ad-lr-mean", rank=2, starts=2, iterations=3).fit(COUNTS),
        method("kn").fit_text(TEXT, 3),
        method("add-half").fit_text(TEXT, 3),
        method("ll-tree2", penalty=0.1).fit_text(TEXT, 3),
        fit_grown(method("kn"), TEXT, 3),
    ]
    names = [f"w{i}" for i in range(7)]
    for number, model in enumerate(models):
        model.save(folder / f"model {number}", contexts=names[:6], outcomes=names)
    COUNTS.save(folder / "counts")
    FIT.fit(COUNTS, checkpoint=folder / "checkpoint")
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def members_of(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def array_of(raw: bytes) -> np.ndarray:
    try:
        return np.load(io.BytesIO(raw))
    except Exception:  # It was changed before, and NumPy's reader is not ours.
        return np.zeros(1)


def change(members: dict[str, bytes], choices: Choices) -> None:
    """Change one thing in an archive's members: a number, a size, a type, a name, some bytes."""
    name = sorted(members)[choices.below(len(members))]
    what = choices.below(8)
    if what == 0:
        del members[name]
        return
    if what == 1:
        members[f"{choices.take(3).hex()}.npy"] = members[name]
        return
    if what == 2:
        members[name] = members[sorted(members)[choices.below(len(members))]]
        return
    raw = bytearray(members[name])
    if what == 3:
        place = choices.below(len(raw))
        raw[place : place + 4] = choices.take(4)
        members[name] = bytes(raw)
        return
    array = array_of(raw)
    if what == 4 and array.dtype.kind in "fib":
        array = array.astype(TYPES[choices.below(6)])
    elif what == 5:
        array = array.reshape(-1)[: choices.below(array.size + 1)]
    elif what == 6:  # the header lies about the type or the shape
        told = np.lib.format.header_data_from_array_1_0(array)
        told["descr"] = TYPES[choices.below(len(TYPES))]
        told["shape"] = (choices.below(9),) * choices.below(4) + array.shape[: choices.below(3)]
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, told)
        members[name] = header.getvalue() + array.tobytes()
        return
    elif array.size and array.dtype.kind in "fi":
        flat = array.reshape(-1).copy()
        number = NUMBERS[choices.below(len(NUMBERS))] if choices.below(2) else choices.below(9) - 2
        with np.errstate(invalid="ignore"):
            flat[choices.below(flat.size)] = np.asarray(number).astype(flat.dtype)
        array = flat.reshape(array.shape)
    written = io.BytesIO()
    np.lib.format.write_array(written, array, allow_pickle=False)
    members[name] = written.getvalue()


def use(path: Path, name: str, mmap: bool) -> None:
    """Read a file as what it was before it was changed, and use what it gives."""
    if name == "counts":
        counts = CountMatrix.load(path, mmap=mmap)
        assert counts.n > 0 or not counts.nnz
        assert counts.column_sums.sum() == counts.row_sums.sum() or not counts.is_whole
        if sum(counts.shape) < 10**6:
            FIT.fit(counts)
    elif name == "checkpoint":
        fitted = FIT.fit(COUNTS, checkpoint=path)
        assert np.isfinite(fitted.W).all()
    else:
        model, labels = load_with_labels(path)
        assert all(len(known) >= 0 for known in labels.values())
        if model.outcomes < 10**6:
            is_sequence = isinstance(model, SequenceModel)
            asked = [(), (0,), (1, 0)] if is_sequence and model.outcomes > 1 else [0]
            check_rows(model, asked)


def check_rows(model: object, asked: list) -> None:
    sums = model.rows(asked).sum(axis=1)
    was_marked = not np.allclose(sums, 1, atol=1e-4)
    if was_marked:  # of scores, a file says so
        inner = getattr(model, "matrix", getattr(model, "base", model))
        assert type(inner).__name__ == "SparsePlusLowRank" or not np.isfinite(sums).all(), sums
        assert type(model).__name__ != "BackoffModel"


def attack(raw: bytes) -> None:
    """Let bytes decide on an attack, and carry it out."""
    choices = Choices(raw)
    tallies["tried"] += 1
    kind = choices.below(len(FILES) + 3)
    path = FOLDER / "attacked"
    try:
        if kind >= len(FILES):
            path.write_bytes(choices.rest)
            pairs = read_data(str(path), pairs=kind > len(FILES))
            assert len(pairs.contexts) == len(pairs.outcomes) > 0
            if kind > len(FILES):
                check_pairs(choices.rest, pairs)
        else:
            name = list(FILES)[kind]
            members = dict(MEMBERS_OF[name])
            for _ in range(1 + choices.below(3)):
                if members:
                    change(members, choices)
            if choices.below(8) == 0:
                damaged = bytearray(FILES[name])
                place = choices.below(len(damaged))
                damaged[place : place + 8] = choices.take(8)
                path.write_bytes(damaged)
            else:
                with zipfile.ZipFile(path, "w", allowZip64=True) as archive:
                    for member, content in members.items():
                        archive.writestr(member, content)
            use(path, name, mmap=bool(choices.below(2)))
        tallies["taken"] += 1
    except REFUSED as error:
        told = str(error)
    else:
        return
    assert "\n" not in told, told
    assert "unsafe" not in told, told


def check_pairs(raw: bytes, pairs: object) -> None:
    """Count the pairs once more, from the bytes."""
    lines = [line.removesuffix(b"\r") for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    wanted = [line.split(b"\t")[:2] for line in lines if line.strip(b" ")]
    found = zip(pairs.contexts, pairs.outcomes, strict=True)
    assert [tuple(part.decode() for part in pair) for pair in wanted] == list(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, default=Path(__file__).with_name("corpus"))
    options = parser.parse_args()
    begin = time.monotonic()
    try:
        if atheris:
            guided(options)
        else:
            drawn(begin + options.seconds)
    finally:
        told = ", ".join(f"{count:,} {what}" for what, count in tallies.items())
        print(f"{told}, in {time.monotonic() - begin:,.0f} seconds", flush=True)


def guided(options: argparse.Namespace) -> None:
    mark_readers()
    options.corpus.mkdir(exist_ok=True)
    how = [
        f"-max_total_time={options.seconds}",
        "-max_len=512",
        "-len_control=0",
        "-rss_limit_mb=8192",
    ]
    atheris.Setup([sys.argv[0], str(options.corpus), *how, "-print_final_stats=1"], counted)
    atheris.Fuzz()


def counted(raw: bytes) -> None:
    attack(raw)
    if tallies["tried"] % 5000 == 0:
        print(tallies, flush=True)


def drawn(until: float) -> None:
    from hypothesis import given, seed, settings
    from hypothesis import strategies as st

    number = 0
    while time.monotonic() < until:
        number += 1
        seed(number)(
            settings(max_examples=1000, deadline=None, database=None)(
                given(st.binary(max_size=512))(attack)
            )
        )()


with tempfile.TemporaryDirectory() as made:
    FILES = true_files(Path(made))
MEMBERS_OF = {name: members_of(raw) for name, raw in FILES.items()}
FOLDER = Path(tempfile.mkdtemp(prefix="attack-", dir=os.environ.get("TMPDIR")))

if __name__ == "__main__":
    main()
