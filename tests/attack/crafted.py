"""Files of arrays, changed as bytes decide: counts, estimates and checkpoints."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import numpy as np

from condprob import CountMatrix, Sentences, method, mix
from condprob.files.arrays import TYPES, load_with_labels
from condprob.text import SequenceModel

RNG = np.random.default_rng(0)
COUNTS = CountMatrix.from_dense(RNG.poisson(0.7, (6, 7)))
TEXT = Sentences.from_words(RNG.integers(0, 5, 60), 5)
FEW = CountMatrix.from_pairs([0, 0, 2, 2, 4, 4], [1, 2, 2, 5, 0, 1], shape=(6, 7))
NETWORK = {"embedding": 2, "hidden": 2, "epochs": 1}
FIT = method("ad-lr", rank=2, iterations=5)
TEXTS = [
    "",
    "kn",
    "limit",
    "\ud800",
    [],
    ["a"],
    [["a"]],
    5,
    None,
    {"a": "b"},
    ["low rank", "4"],
    "x" * 99,
]
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
        method("nplm", **NETWORK, weight=0, decoder="tree").fit(FEW),
        method("nplm", **NETWORK, weight=0, decoder="tree").fit_text(TEXT, 3),
        method("ll-treeinf", penalty=0.1).fit_text(TEXT, 9),
    ]
    names = [f"w{i}" for i in range(7)]
    with TemporaryDirectory() as made:
        folder = Path(made)
        for number, model in enumerate(models):
            model.save(folder / f"model {number}", contexts=names[:6], outcomes=names)
        COUNTS.save(folder / "counts")
        FIT.fit(COUNTS, checkpoint=folder / "checkpoint")
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


class Made:
    """The content of a file: what its head has beside the arrays, and its arrays' bytes."""

    def __init__(self, raw: bytes) -> None:
        size = int.from_bytes(raw[:8], "little")
        self.entries = json.loads(raw[8 : 8 + size])
        own = self.entries.pop("__metadata__")
        del own["checksum"]
        self.told = {name: json.loads(text) for name, text in own.items()}
        self.bytes = {}
        for name, each in self.entries.items():
            begin, stop = (8 + size + place for place in each["data_offsets"])
            self.bytes[name] = raw[begin:stop]

    def array(self, name: str) -> np.ndarray:
        each = self.entries[name]
        dtype = TYPES[each["dtype"]]
        flat = np.frombuffer(self.bytes[name][: len(self.bytes[name]) // 8 * 8], dtype)
        return flat.reshape(each["shape"]) if flat.size == np.prod(each["shape"]) else flat

    def put(self, name: str, array: np.ndarray) -> None:
        kinds = {np.dtype(form): kind for kind, form in TYPES.items()}
        self.entries[name] = {"dtype": kinds[array.dtype], "shape": list(array.shape)}
        self.bytes[name] = np.ascontiguousarray(array).tobytes()

    def written(self, *, lie: int = 0) -> bytes:
        """Return the bytes of the file: with the checksums that a reader wants to see."""

        def width(name: str) -> int:
            return np.dtype(TYPES[self.entries[name]["dtype"]]).itemsize

        end, names = 0, sorted(self.entries, key=width, reverse=True)
        for name in names:
            place = [end, end := end + len(self.bytes[name])]
            self.entries[name] = {**self.entries[name], "data_offsets": place}
        ordered = {name: self.entries[name] for name in names}
        self.told["checksums"] = {name: f"{crc32(self.bytes[name]):08x}" for name in names}
        texts = {name: json.dumps(value) for name, value in self.told.items()}
        own = f"{crc32(json.dumps([texts, ordered]).encode()):08x}"
        head = json.dumps({"__metadata__": texts | {"checksum": own}} | ordered).encode()
        head += b" " * (-(len(head) + 8) % 64)
        size = (len(head) + lie).to_bytes(8, "little", signed=lie < 0)
        return size + head + b"".join(self.bytes[name] for name in names)


def change(made: Made, choices: Choices) -> None:
    """Change one thing in a file: a number, a size, a type, a name, a text, some bytes."""
    names = sorted(made.entries)
    if not names:
        return
    name = names[choices.below(len(names))]
    how = choices.below(9)
    if how == 0:
        del made.entries[name], made.bytes[name]
        return
    if how == 1:
        other = choices.take(3).hex()
        made.entries[other], made.bytes[other] = made.entries[name], made.bytes[name]
        return
    if how == 2:
        other = names[choices.below(len(names))]
        made.entries[name], made.bytes[name] = made.entries[other], made.bytes[other]
        return
    if how == 3:
        raw = bytearray(made.bytes[name])
        place = choices.below(len(raw))
        raw[place : place + 4] = choices.take(4)
        made.bytes[name] = bytes(raw)
        return
    if how == 4:
        texts = made.told["texts"]
        key = sorted(texts)[choices.below(len(texts))] if texts else "ended"
        texts[key] = TEXTS[choices.below(len(TEXTS))]
        return
    if how == 5:  # the head lies about the type or the shape
        lie = [choices.below(9)] * choices.below(4) + made.entries[name]["shape"]
        kind = sorted(TYPES)[choices.below(len(TYPES))]
        made.entries[name] = {"dtype": kind, "shape": lie[: choices.below(4)]}
        return
    array = made.array(name)
    if how == 6:
        with np.errstate(invalid="ignore"):
            array = array.astype(TYPES[sorted(TYPES)[choices.below(len(TYPES))]])
    elif how == 7:
        array = array.reshape(-1)[: choices.below(array.size + 1)]
    elif array.size and array.dtype.kind in "fi":
        flat = array.reshape(-1).copy()
        number = NUMBERS[choices.below(len(NUMBERS))] if choices.below(2) else choices.below(9) - 2
        with np.errstate(invalid="ignore"):
            flat[choices.below(flat.size)] = np.asarray(number).astype(flat.dtype)
        array = flat.reshape(array.shape)
    made.put(name, array)


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


def attack(kind: str, raw: bytes, path: Path) -> None:
    """Let bytes change a true file of a kind, and use the object that a reader builds of it."""
    choices = Choices(raw)
    names = [name for name in true_files() if name.startswith(kind)]
    name = names[choices.below(len(names))]
    made = Made(true_files()[name])
    for _ in range(1 + choices.below(3)):
        change(made, choices)
    if choices.below(8) == 7:  # and not where the bytes are used up: then it is zero
        damaged = bytearray(true_files()[name])
        place = choices.below(len(damaged))
        damaged[place : place + 8] = choices.take(8)
        path.write_bytes(damaged)
    else:
        path.write_bytes(made.written(lie=choices.below(9) - 4 if choices.below(8) == 7 else 0))
    use(path, name, mmap=bool(choices.below(2)))
