"""Files that someone made up: refused in one line, whatever is in them, or as good as true ones."""

import json
import re
from contextlib import suppress
from zlib import crc32

import numpy as np
import pytest
from inputs import in_case

from condprob import CountMatrix, Sentences, checks, fit, fit_text, load, method, mix
from condprob.files import data_files
from condprob.files.arrays import FORMAT, load_with_labels, read_arrays, write_arrays
from condprob.files.stored import CLASSES_OF_KINDS as CLASSES
from condprob.methods.linked_matrix import LinkedMatrix

COUNTS = CountMatrix.from_dense([[3, 0, 1], [0, 2, 0], [1, 1, 0]])
TEXT = Sentences.from_words(np.random.default_rng(0).integers(0, 5, 60), 6)
LOW_RANK = method("ad-lr", rank=2, iterations=3)


def every_model():
    """Return a fit of every kind of file."""
    yield from (method(id).fit(COUNTS) for id in ("kn", "ll-l2", "py-lr"))
    yield method("ad-lr", rank=2, iterations=3, tol=1.0).fit(COUNTS)
    yield mix([method("kn").fit(COUNTS), LOW_RANK.fit(COUNTS)], weights=[0.5, 0.5])
    yield method("kn").fit_text(TEXT, 3)
    yield method("add-half").fit_text(TEXT, 3)
    yield method("ll-tree2", penalty=0.1).fit_text(TEXT, 3)
    network = method("nplm", embedding=2, hidden=2, epochs=1, weight=0.5)
    yield from (network.fit(COUNTS), network.fit_text(TEXT, 3))
    tree = method("nplm", embedding=2, hidden=2, epochs=1, weight=0, decoder="tree")
    yield from (tree.fit(COUNTS), tree.fit_text(TEXT, 3))
    yield method("ad").fit_text(TEXT, 3)
    yield mix([method("kn").fit_text(TEXT, order) for order in (1, 2, 3)], weights=[0.5, 0.3, 0.2])
    seen = COUNTS.seen_contexts, COUNTS.seen_outcomes
    yield LinkedMatrix(np.eye(3), COUNTS.dense() / 4, np.full(3, 1 / 3), 0.1, "clip", seen)


def few_seen():
    """Return counts of five contexts and six outcomes, of which three and four were seen."""
    pairs = [0, 0, 2, 2, 4, 4, 4], [1, 2, 2, 5, 0, 1, 5]
    return CountMatrix.from_pairs(*pairs, shape=(5, 6))


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Files of every kind, by kind: their arrays."""
    folder, found = tmp_path_factory.mktemp("saved"), {}
    for fitted in every_model():
        fitted.save(folder / "model")
        found[fitted.kind] = read_arrays(folder / "model")
    COUNTS.save(folder / "counts")
    found["counts"] = read_arrays(folder / "counts")
    LOW_RANK.fit(COUNTS, checkpoint=folder / "checkpoint")
    found["checkpoint"] = read_arrays(folder / "checkpoint")
    return found


def refused(path, call):
    with pytest.raises((ValueError, MemoryError)) as caught:
        call(path)
    told = str(caught.value)
    assert "\n" not in told
    assert "unsafe" not in told
    assert str(path) in told
    return told


# Arrays that a file of a kind may lack; and of a matrix that is a part of another.
OPTIONAL = {
    "bigram mixture": {"bigram_pairs"},
    "low rank": {"converged"},
    "histories": {"pairs"},
    "linked scores": {"penalty"},
    "log-linear histories": {"has_starts"},  # as files of earlier versions do
}
KINDS = [
    *("back-off histories", "bigram mixture", "counts", "checkpoint"),
    *("histories", "linked scores", "log-linear", "log-linear histories", "low rank"),
    *("mixed histories", "mixed matrices", "mixture", "neural histories"),
    *("neural histories, tree", "py-lr", "sparse plus low rank", "tree of outcomes"),
]


def test_every_kind_has_a_file_here(saved):
    assert saved.keys() == set(KINDS)
    ours = {kind for kind, c in CLASSES.items() if c.__module__.startswith("condprob.")}
    assert (ours - {"ratings"}) | {"checkpoint"} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_array_that_is_missing_is_told(saved, tmp_path, kind):
    path, optional = tmp_path / "x", OPTIONAL.get(kind, set())
    for name in saved[kind].keys() - {FORMAT}:
        if name.endswith("_converged"):
            continue
        write_arrays(path, {other: a for other, a in saved[kind].items() if other != name})
        if name in optional:
            use(path, kind)
        else:
            with in_case(f"without {name}"):
                refused(path, lambda path: use(path, kind))


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_and_shapes_that_cannot_be_are_told(saved, tmp_path, kind):
    path, tried = tmp_path / "x", 0
    for name, array in saved[kind].items():
        if array.dtype.kind not in "fi" or not array.size:
            continue
        changed = [array.astype("U5"), array[None]]
        if kind != "counts":  # they are looked at, whatever their type
            changed.append(array.astype("f2"))
        may_be_nan = name in ("penalty", "likelihood")
        if array.dtype.kind == "f" and not may_be_nan:
            changed.append(np.full_like(array, np.nan))
        if array.dtype.kind == "i" and (kind, name) != ("counts", "values"):
            changed += [array.astype(float), array - 10**6]
            if not name.endswith(("words", "pairs")):  # on which no other array depends
                changed.append(np.full_like(array, 2**31 - 1))
        for crafted in changed:
            if kind == "checkpoint" and name != "done":
                continue
            if name == "done" and crafted.dtype.kind == "i" and crafted.min() > 0:
                continue
            write_arrays(path, saved[kind] | {name: crafted})
            with in_case(f"{name} = {crafted.ravel()[:3]} of type {crafted.dtype}"):
                refused(path, lambda path: use(path, kind))
            tried += 1
    assert tried > 3


@pytest.mark.parametrize(
    ("kind", "name", "craft"),
    [
        ("mixture", "ended", lambda ended: np.array("for ever")),
        ("log-linear", "tol", lambda tol: -tol - 1),
        ("log-linear histories", "tol", lambda tol: np.array(np.inf)),
        ("low rank", "converged", lambda converged: np.array(1)),
        ("histories", "pairs", lambda pairs: np.array(-1)),
        ("histories", "histories", lambda histories: histories[:-2]),
        ("py-lr", "ranks", lambda ranks: ranks + 2),
        ("py-lr", "constants", lambda constants: constants * 0),
        ("py-lr", "unit", lambda unit: unit * 0),
    ],
)
def test_what_a_fit_tells_is_looked_at(saved, tmp_path, kind, name, craft):
    path = tmp_path / "x"
    write_arrays(path, saved[kind] | {name: craft(saved[kind][name])})
    refused(path, lambda path: use(path, kind))


def use(path, kind):
    """Read a file and let its numbers be used."""
    if kind == "counts":
        CountMatrix.load(path)
    elif kind == "checkpoint":
        LOW_RANK.fit(COUNTS, checkpoint=path)
    else:
        load(path)


LINKED = {
    "aso": {},
    "lsa": {},
    "mf-sgd": {},
    "nplm": {"epochs": 1, "weight": 0},
    "sdr": {"iterations": 9},
}


def test_scores_whose_rounding_would_count_are_refused(tmp_path):
    path = tmp_path / "x"
    for id in LINKED:
        method(id, **LINKED[id]).fit(few_seen()).save(path)
        whole = read_arrays(path)
        for factors in (["left", "right"], ["right"]):
            times = 1e200 if len(factors) == 2 else 1e300
            large = {name: whole[name] * times for name in factors}
            write_arrays(path, whole | large)
            assert "are too large" in refused(path, load)


@pytest.mark.parametrize("id", ["sdr", "sdr-conditional"])
@pytest.mark.parametrize("largest", [10**15, 10**18])
def test_scores_of_huge_counts_are_refused_by_the_fit_or_saved_and_read(tmp_path, id, largest):
    counts = [[0, 1, 0, 0], [100, 0, 0, 0], [largest, 0, 0, 0]]
    if largest == 10**18:
        with pytest.raises(ValueError, match="are too large: at most"):
            method(id).fit(counts)
        return
    matrix = method(id).fit(counts)
    matrix.save(tmp_path / "x")
    np.testing.assert_array_equal(load(tmp_path / "x").dense(), matrix.dense())


@pytest.mark.parametrize("link", ["clip", "square"])
def test_scores_that_are_but_rounding_are_none(tmp_path, link):
    rng, q = np.random.default_rng(0), np.full(6, 1 / 6)
    left = rng.normal(size=(5, 8))
    right = rng.normal(size=(8, 6))
    right -= np.linalg.pinv(left) @ (left @ right)  # each score is zero, but for its rounding
    LinkedMatrix(left, right, q, 0.0, link).save(tmp_path / "x")
    read = load(tmp_path / "x")
    assert (read.dense() == 1 / 6).all()
    assert (read.at(np.arange(5)[:, None], np.arange(6)) == 1 / 6).all()
    with pytest.raises(ValueError, match="64 bits"):
        LinkedMatrix(left.astype("f4"), right, q, 0.0, link)


TREES = {
    "of one word": lambda a: {"text": a["text"] * 0},
    "backwards": lambda a: {"text": a["text"][::-1]},
    "all at one place": lambda a: {"ends": np.full_like(a["ends"], a["text"].size)},
    "all at the first places": lambda a: {"ends": a["depth"]},
    "deeper": lambda a: {
        "depth": a["depth"] * 3,
        "longest": a["longest"] * 3,
        "ends": np.maximum(a["ends"], a["depth"] * 3),
    },
}


@pytest.mark.parametrize("craft", TREES.values(), ids=TREES)
@pytest.mark.parametrize("kind", ["back-off histories", "log-linear histories"])
def test_compiled_code_ends_within_a_tree_that_goes_with_no_text(saved, tmp_path, kind, craft):
    path = tmp_path / "x"
    write_arrays(path, saved[kind] | craft(saved[kind]))
    with suppress(ValueError):  # it may be refused
        found = load(path)
        histories = [(), (0,), (1, 2), (3, 4, 5)]
        assert found.rows(histories).shape == (4, found.outcomes)
        assert found.at(histories, [0, 1, 2, 5]).shape == (4,)


@pytest.mark.parametrize(
    "craft",
    [
        lambda a: {"parent": a["parent"][::-1]},
        lambda a: {"parent": np.full_like(a["parent"], -1)},
        lambda a: {"parent": np.maximum(np.arange(a["parent"].size) - 1, -1)},
        lambda a: {"depth": np.zeros_like(a["depth"])},
        lambda a: {"ends": np.zeros_like(a["ends"])},
        lambda a: {"first": a["first"][::-1]},
        lambda a: {"first": a["first"] + 1},
        lambda a: {"word": a["word"][::-1]},
        lambda a: {"longest": np.array(10**9)},
    ],
)
@pytest.mark.parametrize("kind", ["back-off histories", "log-linear histories"])
def test_places_that_compiled_code_follows_are_looked_at(saved, tmp_path, kind, craft):
    path = tmp_path / "x"
    write_arrays(path, saved[kind] | craft(saved[kind]))
    refused(path, load)


def test_a_log_linear_pair_has_a_weight_for_each_of_its_contexts(saved, tmp_path):
    path, whole = tmp_path / "x", saved["log-linear histories"]
    for start in (whole["start"] + 1, np.append(whole["start"][:-1], 10**6), whole["start"] * 2):
        write_arrays(path, whole | {"start": start})
        refused(path, load)


PARTS = [
    ("mixed matrices", "one", "back-off histories"),
    ("mixed matrices", "other", "counts"),
    ("bigram mixture", "bigram", "log-linear"),
    ("bigram mixture", "longer", "log-linear histories"),
    ("histories", "matrix", "back-off histories"),
    ("histories", "matrix", "nothing that is known"),
    ("histories", "matrix", "long" * 10_000),
    ("neural histories", "other", "low rank"),
    ("mixed histories", "part_2", "low rank"),
    ("mixed histories", "part_0", "checkpoint"),
]


@pytest.mark.parametrize(("kind", "name", "part"), PARTS)
def test_a_part_is_of_a_kind_that_stands_there(saved, tmp_path, kind, name, part):
    path = tmp_path / "x"
    whole = {key: array for key, array in saved[kind].items() if not key.startswith(f"{name}_")}
    its = {f"{name}_{key}": a for key, a in saved.get(part, {}).items() if key != FORMAT}
    write_arrays(path, whole | its | {name: np.array(part)})
    told = refused(path, load)
    assert f"{name!r} is of the kind" in told


def test_models_inside_each_other_end_somewhere(saved, tmp_path):
    whole, path = saved["mixed histories"], tmp_path / "x"
    deep = {FORMAT: whole[FORMAT]}
    for depth in range(600):
        prefix = "part_1_" * depth
        deep |= {f"{prefix}{name}": whole["part_1"] for name in ("part_0", "part_1")}
        deep[f"{prefix}weights"] = whole["weights"][:2]
    write_arrays(path, deep | {"part_1": np.array("mixed histories")})
    refused(path, load)


def test_a_mixture_has_as_many_parts_as_one_likes(tmp_path):
    many = [method("kn").fit_text(TEXT, 1)] * 300
    mixed = mix(many, weights=np.full(300, 1 / 300))
    mixed.save(tmp_path / "x")
    np.testing.assert_array_equal(load(tmp_path / "x").rows([()]), mixed.rows([()]))
    assert len(load(tmp_path / "x").parts) == 300


def written(path, entries, data=b"", *, told=(), checksum=None):
    """Write a file whose head may lie: entries, bytes, and changes of what the head has besides."""
    sums = {name: "00000000" for name in entries}
    texts = {"texts": {}, "transposed": [], "checksums": sums} | dict(told)
    texts = {name: json.dumps(value) for name, value in texts.items()}
    own = f"{crc32(json.dumps([texts, entries]).encode()):08x}" if checksum is None else checksum
    head = json.dumps({"__metadata__": texts | {"checksum": own}} | entries).encode()
    head += b" " * (-(len(head) + 8) % 64)
    path.write_bytes(len(head).to_bytes(8, "little") + head + data)


def entry(dtype="I64", shape=(5,), place=(0, 40)):
    return {"dtype": dtype, "shape": shape, "data_offsets": place}


HEADS = {
    "an unknown type": {"a": entry("C64", (5,), (0, 40))},
    "a type that is none": {"a": entry(7)},
    "too large": {"a": entry(shape=(10**15,))},
    "beyond all": {"a": entry(shape=(2**62, 2**62))},
    "less than there is": {"a": entry(shape=(4,))},
    "negative": {"a": entry(shape=(-5,))},
    "negative twice": {"a": entry(shape=(-5, -1))},
    "a shape of floats": {"a": entry(shape=(5.0,))},
    "a shape of truths": {"a": entry("I64", (5, True))},
    "a shape that is none": {"a": entry(shape=5)},
    "more sizes than an array has": {"a": entry(shape=(1,) * 100 + (5,))},
    "nothing, and huge": {"a": entry(), "b": entry(shape=(0, 2**62), place=(40, 40))},
    "in front of the file": {"a": entry(place=(-40, 0))},
    "behind its end": {"a": entry(place=(40, 80))},
    "two in one place": {"a": entry(), "b": entry()},
    "a gap": {"a": entry(shape=(2,), place=(0, 16)), "b": entry(shape=(2,), place=(24, 40))},
    "more than the head has": {"a": entry(shape=(4,), place=(0, 32))},
    "at no multiple of its size": {
        "a": entry("U8", (4,), (0, 4)),
        "b": entry("F64", (4,), (4, 36)),
        "c": entry("U8", (4,), (36, 40)),
    },
    "no place": {"a": {"dtype": "I64", "shape": [5]}},
    "three places": {"a": entry(place=(0, 20, 40))},
    "no entry": {"a": 5},
}


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("entries", HEADS.values(), ids=HEADS)
def test_a_head_that_lies_is_told_before_anything_is_read(tmp_path, entries, mmap):
    path = tmp_path / "x"
    written(path, entries, bytes(40))
    refused(path, lambda path: read_arrays(path, mmap=mmap))


TOLD = {
    "texts that are none": {"texts": {"a": 5}},
    "texts in texts": {"texts": {"a": [["b"]]}},
    "a list of texts": {"texts": ["a"]},
    "texts that would be unfolded": {"texts": {"a": ["x" * 10**6, *[""] * 10**5]}},
    "checksums that are none": {"checksums": {"a": 5}},
    "checksums of others": {"checksums": {"b": "00000000"}},
    "no kind": {"texts": {FORMAT: "kn"}},
    "a kind that is none": {"texts": {FORMAT: [1, "4"]}},
    "a version too many": {"texts": {FORMAT: ["kn", "4", "5"]}},
    "a kind as long as the head": {"texts": {FORMAT: ["long" * 10_000, "4"]}},
}


@pytest.mark.parametrize("told", TOLD.values(), ids=TOLD)
def test_what_a_head_tells_is_looked_at(tmp_path, told):
    path = tmp_path / "x"
    written(path, {"a": entry("U8", (40,))}, bytes(40), told=told)
    refused(path, load)


def test_a_head_is_in_json_with_a_checksum_and_of_a_size_that_can_be(tmp_path):
    path, right = tmp_path / "x", {"a": entry("U8", (40,))}
    written(path, right, bytes(40), checksum="00000000")
    assert "its head has another checksum" in refused(path, read_arrays)
    heads = [b"[" * 9000, b"[1]", b"{}", b"5", b"\xff" * 9, b'{"a": 1, "a": 2}', b"9" * 5000, b""]
    for head in heads:
        path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(40))
        refused(path, read_arrays)
    for size in (0, 41, 2**20, 2**30, 2**63, 2**64 - 1):
        path.write_bytes(size.to_bytes(8, "little") + bytes(40))
        refused(path, read_arrays)
    with open(path, "wb") as file:  # a head that is as large as it says, and not read
        file.write((2**31).to_bytes(8, "little"))
        file.truncate(2**31 + 8)
    assert "does not begin with a valid header" in refused(path, read_arrays)


@pytest.mark.parametrize("mmap", [False, True])
def test_a_truth_value_is_zero_or_one(tmp_path, mmap):
    path = tmp_path / "x"
    write_arrays(path, {"a": np.array([True, False, True])})
    raw = path.read_bytes()
    assert read_arrays(path, mmap=mmap)["a"].sum() == 2
    path.write_bytes(raw[:-3] + b"\2\0\1")
    told = refused(path, lambda path: read_arrays(path, mmap=mmap))
    assert ("more than true and false" in told) == mmap  # else the checksum tells


def test_the_sum_of_sizes_is_looked_at_before_anything_is_read(saved, tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_arrays(path, saved["low rank"])
    taken = path.stat().st_size
    monkeypatch.setattr("condprob.files.arrays.memory_of_machine", lambda: taken - 1)
    assert "no room in memory" in refused(path, load)
    load(path, mmap=True)
    monkeypatch.setattr("condprob.files.arrays.memory_of_machine", lambda: taken)
    load(path)


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize(
    "change",
    [
        {"values": np.array([1, 1, 0, 1, 1])},
        {"values": np.array([1.0, 1, 1, 1, 1])},
        {"values": np.array([0.5, np.nan, 1, 1, 1])},
        {"values": np.array([0.5, -1, 1, 1, 1])},
        {"values": np.array([2**62] * 5)},
        {"outcomes": np.array([0, 2, 1, 0, 3])},
        {"outcomes": np.array([2, 0, 1, 0, 1])},
        {"outcomes": np.array([0, 2, 1, 0, -1])},
        {"outcomes": np.array([0.0, 2, 1, 0, 1])},
        {"indptr": np.array([0, 2, 10**6, 5])},
        {"indptr": np.array([0, 2.5, 3, 5])},
        {"shape": np.array([3.0, 3.0])},
        {"shape": np.array([3, 2])},
        {"shape": np.array([3])},
        {"shape": np.array([3, 2**61])},
    ],
)
def test_crafted_counts_are_told_in_memory_and_on_disk(saved, tmp_path, change, mmap):
    are_whole_floats = not mmap and change.get("values", np.zeros(1)).tolist() == [1.0] * 5
    path = tmp_path / "x"
    write_arrays(path, saved["counts"] | change)
    if are_whole_floats:
        assert CountMatrix.load(path).is_whole
    else:
        refused(path, lambda path: CountMatrix.load(path, mmap=mmap))


def test_scores_are_read(tmp_path):
    scores = method("sb", normalised=False).fit(COUNTS)
    scores.save(tmp_path / "x")
    np.testing.assert_array_equal(load(tmp_path / "x").dense(), scores.dense())


def test_a_model_cannot_be_changed_under_what_is_derived_from_it():
    matrix = LOW_RANK.fit(COUNTS)
    for array in (matrix.W, matrix.H, matrix.left, matrix.history):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 1
    with pytest.raises(ValueError, match="read-only"):
        method("kn").fit(COUNTS).sparse.values[0] = 1


@pytest.mark.parametrize(
    "labels",
    [
        "",
        "[1]",
        "{",
        '{"a": 5}',
        '{"a": "b"}',
        '{"a": "a"}',
        '{"a": ["x", 1]}',
        '{"a": [["x"]]}',
        '{"a": [null]}',
        '{"a": {"b": 1}}',
        '{"a": ["x"], "a": ["y"]}',
        '{"a": ["x"], "b": "a", "c": "b"}',
        '{"a": ' + "[" * 100_000,
        '{"a": [' + "9" * 5000 + "]}",
        b"\xff\xfe",
        [1.5],
    ],
)
def test_crafted_labels_are_told(tmp_path, labels):
    path = tmp_path / "x"
    method("kn").fit(COUNTS).save(path, a=["x", "yz"], b=["x", "yz"])
    raw = labels.encode() if isinstance(labels, str) else labels
    array = np.frombuffer(raw, np.uint8) if isinstance(raw, bytes) else np.array(raw)
    write_arrays(path, read_arrays(path) | {"labels": array})
    assert "its labels are no lists" in refused(path, load_with_labels)


ABOUTS = {
    "deep": "[" * 100_000,
    "digits": '{"method": "kn", "n": ' + "9" * 5000 + "}",
    "no JSON": "kn",
    "a list": "[1]",
    "n of letters": '{"method": "kn", "n": "abc"}',
    "n of NaN": '{"method": "kn", "n": NaN}',
    "n below zero": '{"method": "kn", "n": -5}',
    "n too large": '{"method": "kn", "n": 1e999}',
    "distinct": '{"method": "kn", "distinct": 1.5}',
    "a seed": '{"method": "kn", "seed": "x"}',
    "a method that is none": '{"method": ["kn"]}',
    "a method that moves the cursor": '{"method": "\\u001b[2J"}',
    "no options": '{"method": "kn", "options": null}',
    "options in options": '{"method": "kn", "options": {"a": [1]}}',
    "names in names": '{"method": "kn", "names": [["a", ["b"]], "c", null]}',
    "a text that is none": '{"method": "kn", "text": 5}',
    "unknown text": '{"method": "kn", "text": {"colour": 5}}',
    "a tokenizer that is none": '{"method": "kn", "text": {"tokenizer": ["a"]}}',
}
OF_PYTHON = ("argument after", "keyword", "sys.set_int", "unhashable", "Expecting", "recursion")


@pytest.mark.parametrize("about", ABOUTS.values(), ids=ABOUTS)
def test_what_a_file_says_of_itself_is_looked_at(tmp_path, about):
    path = tmp_path / "x"
    of_texts = '"text"' in about
    made = method("kn").fit_text(TEXT, 2) if of_texts else method("kn").fit(COUNTS)
    names = [str(number) for number in range(made.outcomes)]
    made.save(path, contexts=names, outcomes=names, about=[about])
    told = refused(path, load)
    assert "not known: " in told
    assert not any(word in told for word in OF_PYTHON)


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        ({"outcomes": np.full(3, np.nan)}, "NaN"),
        ({"about": np.zeros(1)}, "not one text"),
        ({"about": ["{}", "{}"]}, "not one text"),
    ],
)
def test_labels_of_an_estimate_are_looked_at(tmp_path, labels, told):
    found = fit([("a", "x"), ("b", "y"), ("b", "z")], method="kn")
    kept = {"contexts": ["a", "b"], "outcomes": ["x", "y", "z"], "about": [found.about.to_json()]}
    found.model.save(tmp_path / "x", **kept | labels)
    assert told in refused(tmp_path / "x", load)


def test_a_crafted_arpa_file_is_one_line(tmp_path):
    path = tmp_path / "x.arpa"
    fit_text(["a b a", "b a"], 2).save(path)
    whole = path.read_text()
    note, _, rest = whole.partition("\n")
    for about in ("[" * 100_000, note.removeprefix("# condprob ").replace("0", '"x"', 1)):
        path.write_text(f"# condprob {about}\n{rest}")
        assert "its first line is not known: " in refused(path, load)
    path.write_text(re.sub(r"(\ta\t)\S+", r"\g<1>400", whole))
    assert "the factor of a history is too large" in refused(path, load)


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_a_packed_text_without_room_is_told_with_its_name(tmp_path, monkeypatch, ending):
    path = tmp_path / f"x.txt{ending}"
    with open(path, "wb") as file, data_files.compressing(path, file) as packed:
        packed.write(b"a b " * 100_000)

    def read(path):
        return data_files.read_text(str(path), "utf-8")

    room = data_files.COPIES_IN_MEMORY * 400_000
    assert len(read(path)) == 400_000
    monkeypatch.setattr(checks, "memory_of_machine", lambda: room - 1)
    assert "its content takes" in refused(path, read)
