"""One answer to one question: whatever a number's type, the order of data, or their container.

Each test holds a kind of fault that once gave a wrong number in silence.
"""

import os
import subprocess
import sys
import tracemalloc
import warnings
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import condprob
from condprob import (
    CountMatrix,
    Text,
    add_shards,
    compare,
    complete,
    fit,
    fit_text,
    load,
    method,
    posterior,
    split_pairs,
)
from condprob.embeddings import Embedding

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of few data and large ranks
PAIRS = [(f"u{n % 7}", f"i{n * n % 11}") for n in range(200)]
LINES = ["the cat sat", "the dog ran", "a cat ran", "a dog sat", "the cat ran home", "a bird sat"]


# ------------------------------------------------------------------- the types of options and seeds

QUARTERS = [np.float16(0.25), np.float32(0.25), np.float64(0.25), np.longdouble(0.25)]
QUARTERS += [Decimal("0.25"), Fraction(1, 4), np.array(0.25), np.array(0.25, "f2")]
TWOS = [np.int8(2), np.uint8(2), np.int64(2), np.array(2), Decimal(2), Fraction(2)]
in_words = repr


@pytest.mark.parametrize("quarter", QUARTERS, ids=in_words)
def test_a_number_of_any_library_is_kept_as_one_of_python(quarter, tmp_path):
    plain = fit(PAIRS, method="add-half", constant=0.25)
    found = fit(PAIRS, method="add-half", constant=quarter)
    assert found.about == plain.about
    assert type(found.about.options["constant"]) is float
    assert found.summary() == plain.summary()
    found.save(tmp_path / "a.npz")
    new = [("new", "i0"), ("new", "i1")]
    for estimate in (found, load(tmp_path / "a.npz")):
        assert estimate.fold_in(new).prob("new", "i1") == plain.fold_in(new).prob("new", "i1")


@pytest.mark.parametrize("two", TWOS, ids=in_words)
def test_an_integer_of_any_library_is_kept_as_one_of_python(two):
    plain = fit(PAIRS, method="ad-lr", rank=2, iterations=2, seed=2)
    found = fit(PAIRS, method="ad-lr", rank=two, iterations=two, seed=two)
    assert found.about == plain.about
    assert list(map(type, found.about.options.values())) == [int, int]
    assert found.row("u0") == plain.row("u0")
    with pytest.warns(UserWarning, match="rank=200: no matrix of 7 by"):
        fit(PAIRS, method="add-half-lr", rank=np.uint8(200), iterations=np.int16(1))


def test_a_truth_or_a_name_of_numpy_is_one_of_python():
    assert fit(PAIRS, method="sb", normalised=np.False_).about.options == {"normalised": False}
    found = method("kn", form=np.str_("backoff"))
    assert type(found.form) is str


def test_a_seed_of_numpy_is_in_the_record():
    assert fit(PAIRS, method="ad-lr", rank=2, iterations=2, seed=np.int64(3)).about.seed == 3
    assert fit_text(LINES, seed=np.uint8(3)).about.seed == 3


@pytest.mark.parametrize("share", [Decimal("0.5"), Fraction(1, 2), np.float16(0.5)], ids=in_words)
def test_arguments_are_numbers_of_any_library(share):
    expected = split_pairs(PAIRS, share=0.5, seed=1)
    assert split_pairs(PAIRS, share=share, seed=np.int64(1)) == expected
    nats = [
        compare(PAIRS, methods=["kn", "ad"], share=each, seed=1).best.nats for each in (0.5, share)
    ]
    assert nats[0] == nats[1]
    ratings = [(u, i, n) for n, (u, i) in enumerate(dict.fromkeys(PAIRS))]
    whole, given = (complete(ratings, rank=1, passes=2, ridge=each) for each in (0.5, share))
    assert whole.predict("u0", "i0") == given.predict("u0", "i0")


def test_a_text_is_saved_whatever_the_type_of_its_numbers(tmp_path):
    found = fit_text(LINES, text=Text(min_count=np.int64(2), unknown=np.uint8(3)))
    found.save(tmp_path / "a.npz")
    assert load(tmp_path / "a.npz").text == Text(min_count=2, unknown=3)


def test_a_span_of_time_is_no_number():
    with pytest.raises(ValueError, match="weight"):
        fit([("a", "b", np.timedelta64(5, "ns"))])


# -------------------------------------------------------------------------------- the order of data

WEIGHTS = [1.1, 1e-9, 3.3, 7e-7, 0.1, 2.2, 1 / 3, 5.5, 1e5]


def orders(several=WEIGHTS):
    rng = np.random.default_rng(0)
    return [rng.permutation(len(several)) for _ in range(50)]


def test_the_weights_of_a_pair_add_up_alike_in_every_order():
    weights, zeros = np.array(WEIGHTS * 30), np.zeros(len(WEIGHTS) * 30, int)
    sums = set()
    for order in orders(weights):
        dense = CountMatrix.from_pairs(zeros, zeros, 1, weights=weights[order])
        sums.add(dense.values.item())
        coo = scipy.sparse.coo_array((weights[order], (zeros, zeros)), (1, 1))
        sums.add(CountMatrix.from_sparse(coo).values.item())
        starts = [0, weights.size]
        for kind in (scipy.sparse.csr_array, scipy.sparse.csc_array):
            matrix = kind((weights[order], zeros, starts), (1, 1))
            sums.add(CountMatrix.from_sparse(matrix).values.item())
        pairs = [("a", "b", weight) for weight in weights[order].tolist()]
        sums.add(fit(pairs, method="mle").about.n)
    assert len(sums) == 1


def test_shards_add_up_alike_in_every_order(tmp_path):
    paths = [tmp_path / f"{place}.npz" for place in range(len(WEIGHTS))]
    for path, weight in zip(paths, WEIGHTS, strict=True):
        CountMatrix.from_dense([[weight]]).save(path)
    sums = [
        add_shards([paths[place] for place in order], tmp_path / "sum.npz").values.item()
        for order in orders()
    ]
    assert len(set(sums)) == 1


def test_rows_with_weights_in_another_order_have_the_same_fit():
    rng = np.random.default_rng(1)
    rows = [(f"u{rng.integers(6)}", f"i{rng.integers(9)}", rng.random()) for _ in range(300)]
    how = {"method": "ad-lr", "rank": 3, "iterations": 100}
    one, two = fit(rows, **how), fit([rows[place] for place in rng.permutation(300)], **how)
    assert one.row("u0") == two.row("u0")


def test_counts_add_up_alike_whichever_comes_first():
    one, two = (CountMatrix.from_dense([each]) for each in ([0.1, 1e-9], [0.7, 3.3]))
    assert (one + two).values.tolist() == (two + one).values.tolist()


def test_whole_counts_add_up_as_before():
    rng = np.random.default_rng(2)
    pairs, weights = rng.integers(5, size=(2, 1000)), rng.integers(9, size=1000)
    found = CountMatrix.from_pairs(*pairs, 5, weights=weights)
    expected = np.zeros((5, 5), int)
    np.add.at(expected, tuple(pairs), weights)
    assert found.is_whole
    np.testing.assert_array_equal(found.dense(), expected)


ORDERS_OF_LINES = [LINES, LINES[::-1], set(LINES), frozenset(LINES)]


@pytest.mark.parametrize("id", ["ad-lr", "add-half-lr", "plsa", "kn"])
def test_lines_in_another_order_have_the_same_fit(id):
    """But `py-lr` learns its settings from the end of a text, and so do mixtures above order 2."""
    rank = {} if id == "kn" else {"rank": 2, "iterations": 20}
    found = [fit_text(lines, 2, method=id, **rank).row("the") for lines in ORDERS_OF_LINES]
    assert all(row == found[0] for row in found)


def test_a_set_of_lines_has_the_same_fit_in_every_process():
    run = f"""from condprob import fit_text
print(fit_text(set({LINES!r}), 2, method="ad-lr", rank=2, iterations=9).prob("the", "cat"))"""
    found = {
        subprocess.run(
            [sys.executable, "-c", run],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(found) == 1


def test_a_set_of_lines_that_are_one_sequence_is_refused():
    with pytest.raises(ValueError, match="has no order"):
        fit_text(set(LINES), text=Text(lines=False))


@pytest.mark.parametrize("order", [2, 3])
def test_counts_of_ngrams_in_another_order_have_the_same_fit(order):
    marked = [["<s>"] * (order - 1 > 0) + line.split() + ["</s>"] for line in LINES]
    ngrams = Counter(
        tuple(line[at : at + length])
        for line in marked
        for length in range(2, order + 1)
        for at in range(len(line) - length + 1)
    )
    items = sorted(ngrams.items())
    how = {"method": "add-half-lr", "rank": 2, "iterations": 9} if order == 2 else {}
    one, two = (fit_text(dict(rows), order, **how) for rows in (items, items[::-1]))
    assert one.row("the") == two.row("the")


def test_known_words_keep_their_places():
    assert list(fit_text(LINES, known=["zoo", "the"]).words)[:2] == ["zoo", "the"]


def test_a_text_without_lines_numbers_its_words_as_they_come():
    words = fit_text("to be or not to be", text=Text(lines=False)).words
    assert list(words) == ["to", "be", "or", "not"]


# ----------------------------------------------------------------------------- the form of the data


def pairs_of(column):
    return sorted((c, str(o)) for c, several in column.items() for o in several)


BY_CONTEXT = {
    "as many lists as pairs": ("abcd", [[], [], [], ["x", "y", "z", "w"]]),
    "the first has all": ("abcd", [["x", "y", "z", "w"], [], [], []]),
    "a context twice": ("aab", [["x", "y", "z"], ["w", "v"], ["q", "r"]]),
    "sets": ("ab", [{"x", "y", "z"}, {"w", "v"}]),
    "arrays": ("ab", [np.array(["x", "y", "z"]), np.array(["w", "v"])]),
    "counts": ("aab", [{"x": 1, "y": 2, "z": 1}, {"w": 1}, {"q": 1, "r": 4}]),
}


@pytest.mark.parametrize("name", BY_CONTEXT)
def test_lists_by_context_are_split_by_their_pairs(name):
    contexts, lists = BY_CONTEXT[name]
    column = pd.Series(lists, index=pd.Index(list(contexts), name="user"))
    train, test = split_pairs(column, share=0.9, seed=1)
    assert sorted(pairs_of(train) + pairs_of(test)) == pairs_of(column)
    assert pairs_of(test)
    assert {c for c, _ in pairs_of(test)} <= {c for c, _ in pairs_of(train)}
    for part in (train, test):
        assert part.index.name == "user"
        fit(part, method="kn")


COUNTS = np.array([[5, 0, 0], [0, 3, 1]])  # of ant, cow, zebra
BY_NUMBER = {
    "term: column": {"zebra": 2, "ant": 0, "cow": 1},
    "term: column of numpy": {"zebra": np.int64(2), "ant": np.int64(0), "cow": np.int64(1)},
    "column: term": {2: "zebra", 0: "ant", 1: "cow"},
}


@pytest.mark.parametrize("name", BY_NUMBER)
def test_labels_of_a_matrix_in_a_mapping_are_read_by_their_numbers(name):
    outcomes, right = BY_NUMBER[name], {"ant": 1.0, "cow": 0.0, "zebra": 0.0}
    found = fit(COUNTS, contexts={"s": 1, "r": 0}, outcomes=outcomes, method="mle")
    assert found.row("r") == right
    assert list(found.contexts) == ["r", "s"]
    assert found.score(COUNTS).n == COUNTS.sum()
    drawn = posterior(COUNTS * 100, 2, contexts=["r", "s"], outcomes=outcomes, burn_in=1)
    assert list(drawn.draw("r")) == ["ant", "cow", "zebra"]


@pytest.mark.parametrize(
    "outcomes",
    [
        {"ant": 0, "cow": 1, "zebra": 3},
        {"ant": 0, "cow": 1, "zebra": 1},
        {"ant": 7, "cow": 3, "zebra": 1},
        {"ant": "a", "cow": "c", "zebra": "z"},
        pd.Series([7, 3, 1], index=["ant", "cow", "zebra"]),
    ],
    ids=in_words,
)
def test_a_mapping_without_numbers_is_refused(outcomes):
    with pytest.raises(ValueError, match="outcomes"):
        fit(COUNTS, contexts=["r", "s"], outcomes=outcomes)


def test_a_mapping_of_numbers_to_numbers_is_read_where_its_sides_agree():
    """Where the two directions give equal lists, and otherwise nobody knows which is meant."""
    for outcomes, labels in (({0: 0, 1: 1, 2: 2}, [0, 1, 2]), ({0: 1, 1: 0, 2: 2}, [1, 0, 2])):
        found = fit(np.eye(3), contexts=list("rst"), outcomes=outcomes, method="mle")
        assert list(found.outcomes) == labels
    with pytest.raises(ValueError, match="outcomes"):
        fit(np.eye(3), contexts=list("rst"), outcomes={0: 1, 1: 2, 2: 0})


class Tensor:
    """An array of another library, as PyTorch and JAX have it."""

    def __init__(self, rows):
        self.rows = np.array(rows)
        self.ndim, self.shape = self.rows.ndim, self.rows.shape

    def __array__(self, dtype=None, copy=None):
        return self.rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return Tensor(self.rows[place]) if self.rows[place].ndim else self.rows[place]

    def __iter__(self):
        return (self[place] for place in range(len(self)))


@pytest.mark.parametrize("rows", [[[30, 10], [0, 20], [5, 4]], [[3, 1, 2], [4, 0, 1]]])
def test_an_array_of_another_library_is_a_matrix(rows):
    tensor = Tensor(rows)
    with pytest.raises(ValueError, match="a matrix has no labels"):
        fit(tensor)
    labels = {"contexts": range(len(rows)), "outcomes": range(len(rows[0]))}
    found, expected = (fit(each, **labels, method="add-half") for each in (tensor, tensor.rows))
    assert found.row(0) == expected.row(0)
    assert found.score(tensor) == expected.score(tensor.rows)
    assert found.top(0, exclude=tensor) == expected.top(0, exclude=tensor.rows)
    drawn = posterior(tensor, 2, burn_in=1)
    assert type(drawn) is type(posterior(tensor.rows, 2, burn_in=1))


class Labelled(Tensor):
    """A table of xarray."""

    dims, coords = ("hair", "eye"), ("hair", "eye")

    def to_pandas(self):
        return pd.DataFrame(self.rows, ["black", "red"], ["brown", "blue"])


def test_an_array_with_labels_is_a_cross_table():
    found = fit(Labelled([[3, 1], [0, 2]]), method="mle")
    assert found.row("black") == {"blue": 0.25, "brown": 0.75}


# ----------------------------------------------------------------------------- compare and its seed


@pytest.mark.parametrize("seed", [np.random.default_rng, np.random.SeedSequence, int])
@pytest.mark.parametrize("data", [PAIRS, [f"{c} {o}" for c, o in PAIRS]], ids=["pairs", "text"])
def test_a_method_has_the_same_numbers_wherever_it_stands(seed, data):
    ids = ["add-half-lr", "ad-lr", "kn"]
    found = set()
    for methods in permutations(ids):
        made = [method(id, **{} if id == "kn" else {"rank": 2, "iterations": 9}) for id in methods]
        options = {"order": 2} if isinstance(data[0], str) else {}
        compared = compare(data, methods=made, seed=seed(5), **options)
        found.add(tuple(sorted((row.name, row.nats) for row in compared)))
    assert len(found) == 1


def test_compare_warns_once_and_of_what_was_named():
    """A held-out part leaves outcomes unseen, of which nobody spoke; a rank stands in the call."""
    rows = [(f"u{n % 9}", f"i{n}") for n in range(60)] + PAIRS
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare(rows, methods=["ad", "kn", method("kn", form="backoff"), "mle"], seed=1)
    assert [str(each.message) for each in caught] == []
    weights = [(c, o, 0.5) for c, o in PAIRS]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ranks = [method(id, rank=50, iterations=1) for id in ("ad-lr", "add-half-lr")]
        compare(weights, methods=ranks, seed=1)
    (message,) = {str(each.message) for each in caught}
    assert len(caught) == 1
    assert "rank=50" in message
    assert "\n" not in message


# -------------------------------------------------------------- memory, and the user's own settings


def test_nearest_neighbours_take_memory_for_some_rows_at_a_time():
    vectors = np.random.default_rng(0).normal(size=(4000, 3))
    tracemalloc.start()
    try:
        best, cosines = Embedding(vectors).nearest(np.arange(4000), 3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * 2**20
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for item in (0, 1999, 3999):
        own = unit @ unit[item]
        own[item] = -np.inf
        order = np.argsort(-own, kind="stable")[:3]
        np.testing.assert_array_equal(best[item], order)
        np.testing.assert_allclose(cosines[item], own[order])


def test_an_estimate_as_an_array_asks_for_its_memory(monkeypatch):
    found = fit(PAIRS, method="kn")
    monkeypatch.setattr("condprob.checks.memory_of_machine", lambda: 10.0)
    with pytest.raises(ValueError, match=r"takes .* of memory"):
        np.asarray(found)


@pytest.mark.parametrize("id", ["plsa", "py-lr", "ad-lr", "kn", "lsa", "sdr"])
def test_a_fit_does_not_depend_on_how_the_user_treats_underflow(id):
    rng = np.random.default_rng(0)
    rows = zip(rng.zipf(1.5, 400) % 9, rng.zipf(1.4, 400) % 12, strict=True)
    pairs = [(f"u{i}", f"i{j}") for i, j in rows]
    expected = fit(pairs, method=id)
    with np.errstate(all="raise"):
        found = fit(pairs, method=id)
        assert found.row("u1") == expected.row("u1")
        assert found.score(pairs) == expected.score(pairs)
        draws = posterior(pairs, 30, burn_in=10, rank=3)
        draws.interval("u1", "i1")
        assert found.top("u1", exclude=pairs) == expected.top("u1", exclude=pairs)


# ----------------------------------------------------------- texts of other libraries, and oddities


def test_a_text_of_any_library_is_a_text():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    expected = fit_text(LINES, 2)
    columns = [pd.Series(LINES), np.array(LINES), polars.Series(LINES), pyarrow.array(LINES)]
    columns += [pyarrow.chunked_array([LINES[:2], [], LINES[2:]], pyarrow.string()), tuple(LINES)]
    columns += [pd.Series(LINES, dtype=pd.ArrowDtype(pyarrow.string()))]
    for column in columns:
        assert fit_text(column, 2).row("the") == expected.row("the")
        assert expected.score(column) == expected.score(LINES)
        assert compare(column, [expected, fit_text(LINES, 1)]).best.nats > 0
        found = compare(column, methods=["kn", "add-half"], order=2, seed=1)
        assert (
            found.best.nats == compare(LINES, methods=["kn", "add-half"], order=2, seed=1)[0].nats
        )


def test_a_table_of_arrow_with_an_empty_part_is_read():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"u": ["a", "b", "b"], "i": ["x", "y", "x"]})
    parted = pyarrow.concat_tables([table[:1], table[:0], table[1:], table[3:]])
    both = {"context": "u", "outcome": "i"}
    expected = fit(table, **both, method="add-half")
    found = fit(parted, **both, method="add-half")
    assert found.row("b") == expected.row("b")
    assert found.score(parted) == expected.score(table)
    assert found.top("b", exclude=parted) == expected.top("b", exclude=table)
    assert found.fold_in(parted).row("b") == expected.row("b")
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, parted.to_batches())
    assert fit(reader, **both, method="add-half").row("b") == expected.row("b")
    assert [part.num_rows for part in split_pairs(parted, "u", "i", share=0.5, seed=1)] != [3, 0]


def test_a_comparison_of_an_empty_text_says_so():
    for empty in ("", [], ["", " "]):
        with pytest.raises(ValueError, match=r"no words|no pair|no entry"):
            compare(empty, methods=["kn", "add-half"], text=Text())
    with pytest.raises(ValueError, match="no words"):
        compare("", methods=["kn", "add-half"])
    with pytest.raises(ValueError, match=r"at least two|one word"):
        compare("alone", methods=["kn", "add-half"], text=Text(lines=False))


@pytest.mark.parametrize("nothing", [float("nan"), np.float32("nan"), pd.NA, pd.NaT], ids=in_words)
def test_a_missing_part_of_a_label_is_a_missing_label(nothing):
    with pytest.raises(ValueError, match="no context"):
        fit([(("a", nothing), "x"), ("b", "y")])
    with pytest.raises(ValueError, match="no outcome"):
        fit({"a": [("x", ("y", nothing))], "b": [("x",), ("y",)]})
    assert fit([((None, "the"), "cat"), (("the", "cat"), "sat")]).seen((None, "the"))


def test_a_column_called_probability_stays_apart():
    found = fit({"probability": ["a", "b"], "i": ["x", "y"]}, "probability", "i", method="kn")
    frame = found.to_frame()
    assert len(set(frame.columns)) == 3
    assert frame["probability"].tolist() == ["a", "a", "b", "b"]


# ------------------------------------------------------------------ the default of texts has a name


def test_the_default_of_texts_has_an_id_of_its_own(tmp_path):
    default, named = fit_text(LINES), fit_text(LINES, method="kn")
    assert default.about.method == "kn-modified"
    assert "kn-modified" in repr(default)
    assert "kn-modified" not in repr(named)
    assert method("kn").discount == 0.75
    assert method("kn", discount="modified").discount == "modified"
    same = fit_text(LINES, method="kn", discount="modified")
    assert same.row("the") == default.row("the")
    assert fit_text(LINES, method="kn-modified").row("the") == default.row("the")
    compared = compare(LINES * 9, methods=["kn", method("kn", discount="modified")])
    assert sorted(row.name for row in compared) == ["kn", "kn (discount=modified)"]
    compared = compare(LINES, [default, named])
    assert sorted(row.name for row in compared) == ["kn", "kn-modified"]
    one = fit_text(LINES, discount="estimated")
    assert (one.about.method, one.about.options) == ("kn", {"discount": "estimated"})
    default.save(tmp_path / "a.npz")
    assert load(tmp_path / "a.npz").about.method == "kn-modified"
    assert "kn-modified" in condprob.METHODS
