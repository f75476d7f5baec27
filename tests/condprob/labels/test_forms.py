"""Forms of labelled data: paths of files, cross tables, sums at their edge, titles, and columns."""

import sys
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from condprob import compare, complete, fit, load, posterior, split_pairs
from condprob.labels.columns import Column
from condprob.vocabulary import Vocabulary

PAIRS = [("ann", "tea")] * 4 + [("ann", "milk")] * 2 + [("bob", "milk"), ("bob", "gin")]
TABLE = pd.DataFrame(PAIRS, columns=["user", "item"])
CROSS = pd.crosstab(TABLE["user"], TABLE["item"])
EXPECTED = fit(PAIRS, method="add-half")


def written(tmp_path, text, name="pairs.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_a_csv_file_is_a_table_of_texts(mark, kind, tmp_path):
    text = "\n".join(map(mark.join, [("user", "item"), *PAIRS]))
    path = kind(written(tmp_path, text))
    found = fit(path, "user", "item", method="add-half")
    assert found.row("ann") == EXPECTED.row("ann")
    assert found.score(path) == EXPECTED.score(PAIRS)
    assert found.top("ann", exclude=written(tmp_path, text)) == [("gin", 1 / 15)]
    assert found.fold_in(path).row("bob") == EXPECTED.row("bob")
    parts = split_pairs(path, "user", "item", share=0.5, seed=1)
    assert sorted((c, o) for part in parts for c, o, _ in part) == sorted(PAIRS)


def test_labels_of_a_file_are_texts_and_weights_numbers(tmp_path):
    """As no table library reads them all: 007 and NA stay, and a weight is a number."""
    path = written(tmp_path, "who,what,n\nNA,007,2\nNA,1,0.5\n1,True,3\n")
    found = fit(path, "who", "what", "n", method="mle")
    assert list(found.contexts) == ["1", "NA"]
    assert found.row("NA") == {"007": 0.8, "1": 0.2, "True": 0.0}
    assert found.top("NA", exclude=path) == [("True", 0.0)]


def test_an_empty_cell_of_a_file_is_a_missing_label(tmp_path):
    path = written(tmp_path, "user,item\nann,tea\nbob,\n")
    with pytest.raises(ValueError, match="pair 1 has no outcome"):
        fit(path, "user", "item")


def test_a_cross_table_in_a_file_needs_no_names(tmp_path):
    path = written(tmp_path, CROSS.to_csv())
    found = fit(path, method="add-half")
    assert found.row("ann") == EXPECTED.row("ann")
    for text in (TABLE.to_csv(index=False), "user,item\n1,7\n2,9\n", "user,item,n\n1,7,1\n2,9,3\n"):
        with pytest.raises(ValueError, match=r"context=... and outcome=..."):
            fit(written(tmp_path, text))


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path):
    for path in (tmp_path / "clicks.csv", str(tmp_path / "clicks.csv")):
        with pytest.raises(FileNotFoundError):
            fit(path, "user", "item")
    with pytest.raises(ValueError, match="columns of a file have texts as names"):
        fit(tmp_path / "clicks.csv", 0, 1)
    with pytest.raises(ValueError, match="name both columns in the fit"):
        fit(tmp_path / "clicks.csv", "user")


def test_ratings_are_read_from_a_file(tmp_path):
    rows = [("ann", "up", 1), ("ann", "duck", 2), ("bob", "up", 2.5)]
    text = "\n".join(",".join(map(str, row)) for row in [("user", "item", "stars"), *rows])
    how = {"rank": 1, "passes": 3}
    found = complete(written(tmp_path, text), "user", "item", "stars", **how)
    expected = complete(rows, **how)
    assert found.predict("ann", "up") == expected.predict("ann", "up")
    assert found.rmse(written(tmp_path, text)) == expected.rmse(rows)
    assert found.top("ann", exclude=written(tmp_path, text)) == []


SUMS = {
    "All": pd.crosstab(TABLE["user"], TABLE["item"], margins=True),
    "Total": pd.crosstab(TABLE["user"], TABLE["item"], margins=True, margins_name="Total"),
    "a text first": pd.crosstab(TABLE["user"], TABLE["item"], margins=True).reset_index(),
}


SUMS["counts by context"] = SUMS["All"].to_dict("index")
SUMS["two levels"] = SUMS["Total"].stack()
SUMS["one column"] = SUMS["Total"].stack().to_frame()
SUMS["sorted"] = SUMS["All"].sort_index().sort_index(axis=1)
SUMS["whole floats"] = SUMS["All"].astype(float)


def test_sums_in_a_file_are_found(tmp_path):
    for name in ("All", "Total"):
        path = written(tmp_path, SUMS[name].to_csv())
        with pytest.raises(ValueError, match="contains its own sums"):
            fit(path)
        with pytest.raises(ValueError, match="contains its own sums"):
            EXPECTED.score(path)


def test_sums_without_their_total_are_found(tmp_path):
    table = SUMS["All"].astype(float)
    table.iloc[-1, -1] = float("nan")
    for data in (table, written(tmp_path, table.to_csv()), table.T.stack().dropna()):
        with pytest.raises(ValueError, match=r"contains? (their|its) own sums"):
            fit(data)


def test_pairs_of_one_vocabulary_have_no_sums():
    """The last word of sorted bigrams is a context and an outcome, and no sum."""
    words = list("abacbcaccab")
    bigrams = pd.Series(list(pairwise(words))).value_counts()
    counts = pd.Series(bigrams.to_numpy(), pd.MultiIndex.from_tuples(bigrams.index)).sort_index()
    assert fit(counts, method="kn").about.n == 10


@pytest.mark.parametrize("name", SUMS)
def test_sums_at_the_edge_are_found_by_adding_up_whatever_their_name(name):
    with pytest.raises(ValueError, match="contain their own sums"):
        fit(SUMS[name])
    with pytest.raises(ValueError, match="contain their own sums"):
        posterior(SUMS[name])
    with pytest.raises(ValueError, match="contain their own sums"):
        EXPECTED.score(SUMS[name])


def test_a_cross_table_that_is_transposed_excludes_nothing_and_says_so():
    for ask in (EXPECTED.score, lambda data: EXPECTED.top("ann", exclude=data)):
        with pytest.raises(ValueError, match="columns 'ann', 'bob': none is a known outcome"):
            ask(CROSS.T)


def test_a_table_without_the_columns_of_the_fit_is_told_of_them():
    named = fit(TABLE, "user", "item", method="add-half")
    with pytest.raises(ValueError, match="give the columns of the fit, 'user', 'item'"):
        named.score(TABLE.rename(columns={"user": "u", "item": "i"}))


def test_data_with_other_columns_than_the_fit_are_read_by_their_form():
    polars = pytest.importorskip("polars")
    named = fit(TABLE.assign(n=1), "user", "item", "n", method="add-half")
    records = [{"who": user, "what": item} for user, item in PAIRS]
    flat = CROSS.reset_index(names="who")
    for data in (PAIRS, CROSS, flat, polars.DataFrame(flat)):
        assert repr(named.score(data)) == repr(EXPECTED.score(PAIRS))
    with pytest.raises(ValueError, match="column 'n' not found; the table has 'user', 'item'"):
        named.score(TABLE.itertuples(index=False))
    with pytest.raises(ValueError, match="of records, name both columns in the fit"):
        named.score(records)


def test_a_column_is_named_and_not_passed():
    for names in ((TABLE["user"], TABLE["item"]), ("user", ["item"]), ("user", "item", np.ones(4))):
        for read in (fit, split_pairs):
            with pytest.raises(ValueError, match="a column is given by its name, not as a"):
                read(TABLE, *names)


def test_columns_without_names_are_told_by_their_numbers():
    with pytest.raises(ValueError, match="column 'user' not found; the table has 0, 1"):
        fit(pd.DataFrame(PAIRS), "user", "item")


def test_a_cross_table_of_decimals_is_split_whole():
    counts = pd.DataFrame([[2, 1], [1, 2]], [Decimal("0.1"), Decimal("0.2")], ["x", "y"])
    train, test = split_pairs(counts, share=0.5, seed=0)
    pd.testing.assert_frame_equal(train + test, counts)


def test_sums_in_a_column_of_weights_are_found():
    long = SUMS["All"].stack().rename("n").reset_index()
    for table in (long, long.astype({"n": "uint8"}), long.astype({"n": str}), long.to_dict("list")):
        with pytest.raises(ValueError, match="contain their own sums, 'All': leave them out"):
            fit(table, "user", "item", "n")


def test_equal_counts_in_a_cycle_are_data():
    """Each may be the sum of a cell, but none is that of several."""
    cycle = {"a": {"b": 1}, "b": {"c": 1}, "c": {"a": 1}}
    hub = {page: {**after, "home": 1} for page, after in cycle.items()}
    triangle = {page: {other: 1 for other in "abc" if other != page} for page in "abc"}
    for data in (triangle, {**hub, "home": dict.fromkeys("abc", 1)}):
        assert fit(data, method="mle").about.n == sum(sum(row.values()) for row in data.values())
    with pytest.raises(ValueError, match="contain their own sums"):
        fit({"x": {"u": 2, "All": 2}, "y": {"v": 3, "All": 3}, "All": {"u": 2, "v": 3, "All": 5}})


def test_equal_counts_of_two_words_after_each_other_are_data(tmp_path):
    counts = pd.DataFrame([[3, 3], [3, 3]], ["a", "b"], ["a", "b"])
    assert fit(counts, method="mle").about.n == 12
    assert fit(written(tmp_path, counts.to_csv()), method="mle").about.n == 12


def test_a_context_and_an_outcome_of_one_name_that_add_nothing_up_are_data():
    named = CROSS.rename(index={"bob": "All"}, columns={"tea": "All"})
    found = fit(named, method="mle")
    assert found.prob("All", "gin") == 0.5


def test_a_table_that_begins_with_texts_is_a_cross_table():
    flat = CROSS.reset_index()
    found = fit(flat, method="add-half")
    assert found.row("ann") == EXPECTED.row("ann")
    assert EXPECTED.score(flat).nats == pytest.approx(EXPECTED.score(PAIRS).nats)
    with pytest.raises(ValueError, match="name both columns in the fit, context="):
        fit(TABLE.assign(n=1))  # user, item, n
    with pytest.raises(ValueError, match="name both columns in the fit, context="):
        fit(TABLE[["user"]].assign(n=1))  # user, n
    with pytest.raises(ValueError, match="context 'ann' occurs twice"):
        fit(TABLE[["user"]].assign(age=1, clicks=2))


def test_names_of_index_and_columns_are_kept(tmp_path):
    sizes = TABLE.groupby(["user", "item"]).size()
    lists = TABLE.groupby("user")["item"].agg(list)
    for data in (CROSS, sizes, lists, CROSS.reset_index()):
        found = fit(data, method="kn")
        assert repr(found).startswith("<Estimate by kn: 2 user x 3 item"), data
        assert list(found.to_frame().columns) == ["user", "item", "probability"]
        found.save(tmp_path / "a.safetensors")
        assert load(tmp_path / "a.safetensors").about == found.about
        # They name columns of no later table: whether it has weights nobody knows.
        with pytest.raises(ValueError, match="name both columns in the fit"):
            found.score(TABLE)


def test_a_title_that_no_file_can_hold_is_left_out_of_the_file(tmp_path):
    day = pd.Timestamp("2026-11-29")
    found = fit(CROSS.rename_axis(index=day), method="kn")
    assert list(found.to_frame().columns) == [day, "item", "probability"]
    found.save(tmp_path / "model.safetensors")
    again = load(tmp_path / "model.safetensors")
    assert list(again.to_frame().columns) == ["context", "item", "probability"]


@pytest.mark.parametrize("kind", ["str", "object", "string", "category"])
def test_a_column_is_numbered_as_its_values(kind):
    values = ["b", "a", "b", "c", "a"]
    column = Column.of(pd.Series(values, dtype=kind))
    assert (list(column), column.distinct) == (values, ["b", "a", "c"])
    kept = column.where(np.array([False, True, False, True, True]))
    assert (list(kept), kept.distinct, len(kept), kept[1]) == (["a", "c", "a"], ["a", "c"], 3, "c")
    assert Vocabulary("abc").numbers(column).tolist() == [1, 0, 1, 2, 0]


def test_columns_of_every_library_are_numbered_alike():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for values in (["b", "a", "b"], [2, 1, 2], [2.5, 1.0, 2.5], [True, False, True], [b"b", b"a"]):
        columns = [values, tuple(values), np.array(values), pd.Series(values)]
        columns += [pyarrow.array(values), pyarrow.chunked_array([values[:1], [], values[1:]])]
        columns += [pyarrow.chunked_array([values]).dictionary_encode(), polars.Series(values)]
        columns += [pyarrow.array(["z", *values][1:]) if isinstance(values[0], str) else values]
        for column in columns:
            found = Column.of(column)
            assert list(found) == values
            assert set(map(type, found)) == set(map(type, values))
    parts = [
        pyarrow.array(["a", "b"]).dictionary_encode(),
        pyarrow.array(["b"]).dictionary_encode(),
    ]
    assert list(Column.of(pyarrow.chunked_array(parts))) == ["a", "b", "b"]
    unused = pyarrow.DictionaryArray.from_arrays([1, 1], ["a", "b"])
    assert Column.of(unused).distinct == ["b"]


@pytest.mark.parametrize("nothing", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_label_of_any_column_is_told_with_its_place(nothing):
    for values in (
        ["a", nothing, "b", nothing],
        pd.Series(["a", nothing, "b", nothing], dtype="O"),
    ):
        with pytest.raises(ValueError, match="pair 1 has no context, and 1 more like it"):
            Column.of(values, "context")
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="pair 1 has no label: leave"):
        Column.of(pyarrow.array(["a", None]))


def test_one_label_of_two_values_has_one_number():
    found = Column.of([Decimal("0.1"), 0.1, np.float64(0.1), np.array(0.1)])
    assert (found.distinct, found.codes.tolist()) == ([0.1], [0, 0, 0, 0])
    assert Column.of([1, "1", True, 1.0]).distinct == [1, "1"]


def test_a_table_of_pandas_needs_no_other_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "narwhals", None)
    found = fit(TABLE, "user", "item", method="add-half")
    assert found.row("ann") == EXPECTED.row("ann")


def test_objects_in_a_column_of_polars_are_labels_and_no_addresses():
    polars = pytest.importorskip("polars")
    values = [frozenset("a"), 1j, frozenset("a")]
    assert list(Column.of(polars.Series(values, dtype=polars.Object))) == values


@pytest.mark.parametrize("kind", [float, "Float64", object])
def test_a_float_that_may_be_another_whole_number_is_no_weight(kind):
    table = pd.DataFrame({"c": ["a", "b"], "o": ["x", "y"], "w": [2.0**53, 1.5]})
    with pytest.raises(ValueError, match="exact only below 2"):
        fit(table.astype({"w": kind}), "c", "o", "w")
    assert fit(table.assign(w=[2**53 + 1, 1]), "c", "o", "w", method="mle").about.n == 2**53 + 2


def test_numbers_in_the_first_column_may_be_pairs():
    """Such as the last item of each user, and how often."""
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    columns = {"user": [1, 2, 3], "item": [7, 8, 7], "n": [1, 4, 2]}
    for table in (polars.DataFrame(columns), pyarrow.table(columns), pd.DataFrame(columns)):
        with pytest.raises(ValueError, match="'user', 'item', 'n'"):
            fit(table)
        assert fit(table, "user", "item", "n", method="mle").about.n == 7


@pytest.mark.filterwarnings("ignore:no interval")
def test_a_path_of_a_table_is_compared_as_what_is_named(tmp_path):
    path = written(tmp_path, TABLE.to_csv(index=False))
    with pytest.raises(ValueError, match=r"a table or a text\? Give context= and outcome="):
        compare(path, methods=["kn", "ad"])
    found = compare(path, methods=["kn", "ad"], context="user", outcome="item", seed=1)
    expected = compare(PAIRS, methods=["kn", "ad"], seed=1)
    assert [row.nats for row in found] == [row.nats for row in expected]
