"""Files of arrays, changed as bytes decide: counts, estimates and checkpoints."""

import io
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from condprob import CountMatrix, Sentences, method, mix
from condprob.io import load_with_labels
from condprob.text import SequenceModel

RNG = np.random.default_rng(0)
COUNTS = CountMatrix.from_dense(RNG.poisson(0.7, (6, 7)))
TEXT = Sentences.from_words(RNG.integers(0, 5, 60), 5)
FEW = CountMatrix.from_pairs([0, 0, 2, 2, 4, 4], [1, 2, 2, 5, 0, 1], shape=(6, 7))
NETWORK = {"embedding": 2, "hidden": 2, "epochs": 1}
FIT = method("ad-lr", rank=2, iterations=5)
MODELS = sorted(f"model {number}" for number in range(19))
TYPES = ["<f8", "<f4", "<i8", "<i4", ">i8", "|b1", "|u1", "<U3", "|O", "<c16", "|S2", "<f2", "|V8"]
NUMBERS = [np.nan, np.inf, -np.inf, -1.0, 0.0, 1.0, 0.5, 1e300, 1e-300, 2.0**31, 2.0**63, 1 + 1e-7]


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


@cache
def true_files() -> dict[str, bytes]:
    """Return a small file of every kind: fits that other targets do not wait for."""
    models = [
        *(method(id).fit(COUNTS) for id in ("kn", "ll-l2", "py-lr")),
        method("sb", normalised=False).fit(COUNTS),
        FIT.fit(COUNTS),
        mix([method("kn").fit(COUNTS), FIT.fit(COUNTS)], weights=[0.5, 0.5]),
        method("kn").fit_text(TEXT, 3),
        method("add-half").fit_text(TEXT, 3),
        method("ll-tree2", penalty=0.1).fit_text(TEXT, 3),
        method("ad").fit_text(TEXT, 3),
        mix([method("kn").fit_text(TEXT, order) for order in (1, 2, 3)], weights=[0.5, 0.3, 0.2]),
        # Rows by scores and a link, of contexts and outcomes of which some were not seen.
        *(method(id, rank=2).fit(FEW) for id in ("aso", "lsa", "mf-sgd")),
        method("sdr", rank=2, ridge=1.0).fit(FEW),
        *(method("nplm", **NETWORK, weight=weight).fit(FEW) for weight in (0, 0.5)),
        method("nplm", **NETWORK, weight=0.5).fit_text(TEXT, 3),
        method("ll-treeinf", penalty=0.1).fit_text(TEXT, 9),
    ]
    names = [f"w{i}" for i in range(7)]
    with TemporaryDirectory() as made:
        folder = Path(made)
        for number, model in enumerate(models):
            model.save(folder / f"model {number}", contexts=names[:6], outcomes=names)
        COUNTS.save(folder / "counts")
        FIT.fit(COUNTS, checkpoint=folder / "checkpoint")
        found = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {*MODELS, "counts", "checkpoint"} == found.keys()
    return found


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
    how = choices.below(8)
    if how == 0:
        del members[name]
        return
    if how == 1:
        members[f"{choices.take(3).hex()}.npy"] = members[name]
        return
    if how == 2:
        members[name] = members[sorted(members)[choices.below(len(members))]]
        return
    raw = bytearray(members[name])
    if how == 3:
        place = choices.below(len(raw))
        raw[place : place + 4] = choices.take(4)
        members[name] = bytes(raw)
        return
    array = array_of(raw)
    if how == 4 and array.dtype.kind in "fib":
        array = array.astype(TYPES[choices.below(6)])
    elif how == 5:
        array = array.reshape(-1)[: choices.below(array.size + 1)]
    elif how == 6:  # the header lies about the type or the shape
        lie = np.lib.format.header_data_from_array_1_0(array)
        lie["descr"] = TYPES[choices.below(len(TYPES))]
        lie["shape"] = (choices.below(9),) * choices.below(4) + array.shape[: choices.below(3)]
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(header, lie)
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
    """Read a file as the kind that it had before it was changed, and use the result."""
    if name == "counts":
        counts = CountMatrix.load(path, mmap=mmap)
        assert counts.n > 0 or not counts.nnz
        if sum(counts.shape) < 10**6:  # a file may say that there are billions of outcomes
            assert counts.column_sums.sum() == counts.row_sums.sum() or not counts.is_whole
            FIT.fit(counts)
    elif name == "checkpoint":
        fitted = FIT.fit(COUNTS, checkpoint=path)
        assert np.isfinite(fitted.W).all()
    else:
        model, labels = load_with_labels(path)
        assert all(len(known) >= 0 for known in labels.values())
        if model.outcomes < 10**6:
            is_sequence = isinstance(model, SequenceModel)
            conditions = [(), (0,), (1, 0)] if is_sequence and model.outcomes > 1 else [0]
            use_rows(model, conditions)


def use_rows(model: object, conditions: list) -> None:
    """Ask for rows and pairs: whatever probabilities a file has, they have the model's sizes."""
    outcomes = np.arange(model.outcomes)
    with np.errstate(all="ignore"):
        assert model.rows(conditions).shape == (len(conditions), model.outcomes)
        for condition in conditions:
            assert model.at([condition] * model.outcomes, outcomes).shape == outcomes.shape


def attack(names: list[str], raw: bytes, path: Path) -> None:
    """Let bytes change one of some true files, and use the object that a reader builds of it."""
    choices = Choices(raw)
    name = names[choices.below(len(names))]
    members = members_of(true_files()[name])
    for _ in range(1 + choices.below(3)):
        if members:
            change(members, choices)
    if choices.below(8) == 0:
        damaged = bytearray(true_files()[name])
        place = choices.below(len(damaged))
        damaged[place : place + 8] = choices.take(8)
        path.write_bytes(damaged)
    else:
        with zipfile.ZipFile(path, "w", allowZip64=True) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
    use(path, name, mmap=bool(choices.below(2)))
