"""The front door: the same pairs from whatever holds them, and answers in labels."""

import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from inputs import exactly

import condprob
from condprob import CountMatrix, UnseenContextWarning, fit, load, method
from condprob.vocabulary import like_labels

PAIRS = [("ann", "tea"), ("ann", "tea"), ("ann", "milk"), ("bob", "milk"), ("bob", "tea")]
USERS, ITEMS = (list(column) for column in zip(*PAIRS, strict=True))
COUNTS = [[2, 1], [1, 1]]


class Pivot:
    """A cross table without an index: its first column has the contexts."""

    columns = ("user", "tea", "milk")

    def __getitem__(self, name):
        return {"user": ["ann", "bob"], "tea": [2, None], "milk": [1, 1]}[name]


@pytest.fixture(scope="module")
def estimate():
    return fit(PAIRS, method="add-half")


class Listed:
    """A column of polars (``to_list``) or of Arrow (``to_pylist``), and of no other library."""

    def __init__(self, values, how):
        setattr(self, how, lambda: list(values))


class Relation:
    """A table of a library of nobody: Arrow alone gets its rows."""

    def __init__(self):
        self.table = pytest.importorskip("pyarrow").table({"user": USERS, "item": ITEMS})

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_a_table_that_gives_its_rows_to_arrow_alone_is_read_by_it(estimate):
    found = fit(Relation(), "user", "item", method="add-half")
    assert found.row("ann") == estimate.row("ann")
    assert found.top("ann", exclude=Relation()) == []


def test_a_table_that_needs_pyarrow_says_so():
    code = """import sys
sys.modules["pyarrow"] = None
from condprob import fit
class Relation:
    def __arrow_c_stream__(self, requested_schema=None): ...
fit(Relation(), "user", "item")"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: a table of type Relation needs pyarrow: pip install" in found.stderr


def test_an_empty_cell_of_a_pivot_is_no_pair():
    # A pivot has no value where there is no pair: (bob, tea) is left out there.
    assert fit(Pivot(), method="add-half").prob("bob", "milk") == pytest.approx(1.5 / 2)


def test_add_half_by_hand(estimate):
    # ann: tea 2 and milk 1, so (2 + 1/2) / (3 + 1) of tea; bob has one of each.
    assert estimate.prob("ann", "tea") == 2.5 / 4
    np.testing.assert_allclose(estimate.prob(["ann", "bob"], ["milk", "tea"]), [1.5 / 4, 1.5 / 3])
    np.testing.assert_allclose(estimate.prob("ann", ["milk", "tea"]), [1.5 / 4, 2.5 / 4])
    assert estimate.log_prob("ann", "tea") == pytest.approx(np.log(2.5 / 4))
    np.testing.assert_allclose(np.asarray(estimate), [[1.5 / 4, 2.5 / 4], [0.5, 0.5]])


def test_the_core_is_the_fit_of_the_counts_with_an_empty_row():
    counts = CountMatrix.from_dense([[1, 2], [1, 1], [0, 0]])  # of milk and tea, in this order
    expected = method("ad-lr", rank=2, iterations=5).fit(counts, seed=3)
    found = fit(PAIRS, method="ad-lr", rank=2, iterations=5, seed=3)
    np.testing.assert_array_equal(found.model.dense(), expected.dense())
    same = fit(PAIRS, method=method("ad-lr", rank=2, iterations=5), seed=3)
    np.testing.assert_array_equal(same.model.dense(), expected.dense())


def test_top_and_what_is_excluded(estimate):
    assert estimate.top("ann", 1) == [("tea", 0.625)]
    assert estimate.top(["ann", "bob"], 5) == {
        "ann": [("tea", 0.625), ("milk", 0.375)],
        "bob": [("milk", 0.5), ("tea", 0.5)],
    }
    seen = [("ann", "tea"), ("bob", "juice"), ("eve", "tea")]  # two of them not known
    assert estimate.top(["ann"], 5, exclude=seen) == {"ann": [("milk", 0.375)]}
    table = pd.DataFrame({"user": USERS, "item": ITEMS})
    named = fit(table, "user", "item", method="add-half")
    assert named.top("ann", exclude=table) == []
    assert named.to_frame(n=1).values.tolist() == [["ann", "tea", 0.625], ["bob", "milk", 0.5]]
    assert list(named.to_frame().columns) == ["user", "item", "probability"]
    assert named.to_frame("bob", 1).equals(named.to_frame(["bob"], 1))  # one text is one label


def test_a_context_never_seen_has_an_answer_and_says_so():
    estimate = fit(PAIRS, method="kn")
    with pytest.warns(UnseenContextWarning, match="'zoe' was never seen"):
        found = estimate.prob(["zoe", "ann"], "tea")
    # An empty row of Kneser-Ney is the continuation distribution: both items follow two users.
    np.testing.assert_allclose(found[0], 0.5)
    assert not estimate.seen("zoe")
    for call in (estimate.log_prob, lambda *_: estimate.to_frame(["zoe"])):
        with pytest.warns(UnseenContextWarning) as caught:
            call("zoe", "tea")
        assert [each.filename for each in caught] == [__file__]  # the line that called the library
    with pytest.warns(UnseenContextWarning):
        assert len(estimate.top("zoe", 5)) == 2
    for call in (estimate.prob, estimate.sample):
        with pytest.raises(ValueError, match="has no order: give a list, such as sorted"):
            call({"ann", "zoe"}, "tea") if call == estimate.prob else call({"ann", "zoe"})
    with pytest.raises(ValueError, match="'juice' is not in the vocabulary of 2 labels"):
        estimate.prob("ann", "juice")
    wider = fit(PAIRS, method="add-half", contexts=["zoe"], outcomes=["juice"])
    assert wider.prob("zoe", "juice") > 0


NEVER_SEEN = (
    "1 outcome was named but never seen, and has a probability of up to 0.25 in a new context, "
    "more than 8 of the seen outcomes have: kn gives the freed probability to unseen outcomes "
    "alone; add-half, and kn with continuation='uniform', spread it over all"
)


def test_a_score_counts_the_pairs_of_contexts_never_seen(estimate):
    table = [("ann", "tea", 2.0), ("zoe", "tea", 1.5), ("eve", "milk", 0.5), ("zoe", "gin", 1.0)]
    score = estimate.score(table)
    assert (score.n, score.unseen, score.unknown) == (4.0, 2.0, 1)
    assert ", n = 4, 2 of them in contexts never seen, 1 unknown: inf nats" in repr(score)
    known = estimate.score(PAIRS)
    assert known.unseen == 0
    assert "never seen" not in repr(known)


def test_outcomes_never_seen_that_have_more_than_some_that_were_are_told():
    """Kneser-Ney frees 0.75 of the 3 contexts of each of 8 items: 6 of 24, for the one not seen."""
    pairs = [(f"u{j % 12}", f"i{j % 8}") for j in range(24)]
    with pytest.warns(UserWarning, match=exactly(NEVER_SEEN)):
        found = fit(pairs, method="kn", outcomes=["never"])
    assert found.model.rows([12])[0].argmax() == found.outcomes.number("never", -1)
    with pytest.warns(UserWarning, match=exactly(NEVER_SEEN)):
        fit([(*pair, 1) for pair in pairs] + [("u0", "never", 0)], method="kn")
    with pytest.warns(UserWarning, match="^2 outcomes were .* and have .* 1 of the .* has: kn"):
        fit([("a", "x")], method="kn", outcomes=["never", "nor this"])
    for how in ({"method": "kn", "continuation": "uniform"}, {"method": "add-half"}):
        fit(pairs, outcomes=["never"], **how)  # a warning would be an error


def test_labels_of_another_type_are_told_or_taken():
    numbers = fit({"u": [1, 1, 2], "i": [7, 8, 7]}, "u", "i", method="kn")
    with pytest.warns(UnseenContextWarning, match=r"'1' was never seen \(1 was\): the answer"):
        numbers.prob("1", 7)
    texts = fit({"u": ["1", "2"], "i": ["a", "b"]}, "u", "i", method="kn")
    with pytest.warns(UnseenContextWarning, match=r"1 was never seen \('1' was\)"):
        texts.prob(1, "a")
    assert like_labels(["1", "x", "2.5"], [3]) == [1, "x", "2.5"]
    assert like_labels(["1", "2.5"], [3.0]) == [1.0, 2.5]
    assert like_labels(["True", "no"], [False]) == [True, "no"]
    assert like_labels([("a", 1)], ["a"]) == [("a", 1)]
    assert like_labels(["a"], []) == ["a"]


def test_a_summary_has_the_rank_and_its_plain_words_but_no_alarm():
    pairs = [("ann", "tea"), ("ann", "milk"), ("bob", "tea"), ("bob", "milk")] * 6
    low = fit(pairs, method="ad-lr", rank=2, iterations=3)
    assert "rank        2\n" in low.summary()
    assert "history" not in low.summary()
    assert "history" in low.summary(detail=True)
    assert "2 outcomes, n = 24, rank 2, " in repr(low).replace("iteration limit", "")
    ours = fit(pairs, sweeps=4, chains=1, smallest_rank=2, largest_rank=3)
    assert "classes     2, 3: the mean of 2 such models" in ours.summary()
    assert "discounts" not in ours.summary()
    assert "discounts   " in ours.summary(detail=True)


def test_what_is_saved_is_loaded(estimate, tmp_path):
    table = pd.DataFrame({7: [1, 2, 2], "item": ["é", "", "a b"], "w": [1.5, 1, 1]})
    found = fit(table, 7, "item", "w", method="ad", discount=0.5)
    found.save(tmp_path / "e.npz")
    for read in (load(tmp_path / "e.npz"), load(tmp_path / "e.npz", mmap=True)):
        assert read.about == found.about
        assert read.top([1, 2], 3) == found.top([1, 2], 3)
        assert read.summary() == found.summary()
    assert "discount=0.5" in found.summary()
    assert repr(found) == "<Estimate by ad: 2 contexts x 3 item, n = 3.5, closed form>"
    for label in (("a", 1), 1):
        with pytest.raises(ValueError, match="'contexts': must be only texts or only numbers"):
            fit([(label, "b"), ("x", "b")], method="ad").save(tmp_path / "e.npz")
    about = [found.about.to_json()]
    right = {"contexts": [1, 2], "outcomes": list(found.outcomes), "about": about}
    for change, message in (
        ({"about": ["{}"]}, "its labels are not known: the rec"),
        ({"contexts": [1, 1]}, "not distinct: one label occurs twice"),
        ({"outcomes": ["é"]}, "2 different contexts and 3 diff"),
        ({"about": about * 2}, "the record of the fit is not"),
        ({"contexts": None}, "the labels 'contexts' are missing"),
    ):
        labels = {name: each for name, each in (right | change).items() if each is not None}
        found.model.save(tmp_path / "bad.npz", **labels)
        with pytest.raises(ValueError, match=f"bad.npz: damaged: .*{message}"):
            load(tmp_path / "bad.npz")


def test_a_table_of_pairs_is_no_cross_table():
    """Numbers of users and items beside each other would be counts."""
    ids = pd.DataFrame({"user": [1, 2, 3], "item": [4, 5, 6]})
    message = (
        "columns 'user', 'item': a cross table has its contexts in an index with a name or labels, "
        "or as texts in the first column, and two columns of counts or more; of pairs, name both "
        "columns in the fit, context=... and outcome=..."
    )
    texts = pd.DataFrame({"user": USERS, "item": ITEMS})
    chosen = ids[ids["user"] > 1], ids[1:], ids[::-1], ids.iloc[[2, 0, 1]]
    for table in (ids, ids.reset_index(drop=True), texts, *chosen):
        with pytest.raises(ValueError, match=exactly(message)):
            fit(table, method="kn")
    unnamed = pd.DataFrame([(1, 2), (3, 4)])
    with pytest.raises(ValueError, match=exactly(message.replace("'user', 'item'", "0, 1"))):
        fit(unnamed, method="kn")
    plain = pd.DataFrame(np.array(COUNTS))
    for table, context, outcome in (
        (pd.crosstab(ids["user"], ids["item"]), 1, 4),
        (ids.set_axis(["ann", "bob", "eve"]), "ann", "item"),
        (ids.rename_axis("n"), 0, "item"),
        (ids.rename_axis(columns="what"), 0, "item"),
        (ids.set_axis(range(1, 4)).rename_axis("n"), 1, "item"),
        (plain.rename_axis("n"), 0, 1),
    ):
        assert fit(table, method="add-half").prob(context, outcome) > 0


def test_a_cross_table_has_counts_and_each_label_once():
    users, items = (pd.Series(each, name=what) for each, what in ((USERS, "u"), (ITEMS, "i")))
    table = pd.crosstab(users, items)
    for name in ("All", "sum"):
        summed = pd.crosstab(users, items, margins=True, margins_name=name)
        message = f"the data contain their own sums, '{name}': leave them out, as pandas.crosstab "
        years = pd.Series([1, 1, 2, 2, 2], name="y")
        two, others = [users, years], [items, years]
        of_two = ((two, items), (users, others), (two, others))
        how = {"margins": True, "margins_name": name}
        for given in (summed, summed / 5, *(pd.crosstab(*each, **how) for each in of_two)):
            with pytest.raises(ValueError, match=exactly(f"{message}does with margins=False")):
                fit(given, method="ad")
    message = "the rows, columns or cells of the data sum to one: they are read as counts"
    for normalize in ("index", "columns", "all"):
        with pytest.warns(UserWarning, match=f"^{message}; pass counts, which") as caught:
            fit(pd.crosstab(users, items, normalize=normalize), method="ad")
        assert caught[0].filename == __file__
    words = ["a", "b"]
    for counts in ([[1, 1], [1, 1]], [[1.0, 0], [0, 1]], [[0.5, 1], [0.25, 0.5]]):
        fit(pd.DataFrame(counts, words, words), method="ad")  # warnings are errors
    tiny = pd.DataFrame([[1e-9, 2e-9], [2e-9, 1e-9], [1e-9, 1e-9]], [*words, "c"], ["a", "c"])
    fit(tiny, method="ad")
    for huge in ([[1e308, 1e308], [1, 1]], [[np.inf, 1], [1, 1]]):
        with pytest.raises(ValueError, match=r"have the value 1e|pair 0 has the weight inf"):
            fit(pd.DataFrame(huge, words, words), method="ad")
    for given, label in (
        (pd.concat([table, table]), "context 'ann'"),
        (pd.concat([table, table], axis=1), "outcome 'milk'"),
        (pd.concat([table.reset_index()] * 2).set_index("u"), "context 'ann'"),
    ):
        message = f"cross table: {label} occurs twice"
        with pytest.raises(ValueError, match=exactly(message)):
            fit(given, method="ad")


def test_numbers_answer_as_arrays_do():
    """Frictions of a day: batches, ``np.asarray``, ``counts.T``, ``m[0]``, a `repr`."""
    counts = CountMatrix.from_dense([[2, 1, 0], [0, 1, 1]])
    matrix = method("add-half").fit(counts)
    best, chances = matrix.top([0, 1], 2)
    assert best.tolist() == [[0, 1], [1, 2]]
    np.testing.assert_allclose(chances[0], [2.5 / 4.5, 1.5 / 4.5])
    assert matrix.top(0, 2)[0].tolist() == [0, 1]
    best, chances = matrix.top([1, 0], 3, exclude=counts)
    assert best.tolist() == [[0, -1, -1], [2, -1, -1]]
    assert chances[0].tolist() == [0.5 / 3.5, 0, 0]
    assert matrix.top(0, exclude=[0, 1])[0].tolist() == [2, -1, -1]
    np.testing.assert_array_equal(np.asarray(matrix), matrix.dense())
    np.testing.assert_array_equal(matrix[0], matrix.dense()[0])
    np.testing.assert_array_equal(matrix[-1:], matrix.dense()[1:])
    assert matrix[1, 2] == matrix.at(1, 2)
    assert len(list(matrix)) == 2
    np.testing.assert_array_equal(counts.T.dense(), np.asarray(counts).T)
    assert repr(counts) == "<CountMatrix: 2 x 3, n = 5, nnz = 4>"
    assert repr(matrix) == "<SparsePlusLowRank: 2 x 3, closed form>"
    text = condprob.Sentences.from_lists([[0, 1, 2, 0]], 3)
    model = method("kn").fit_text(text, order=2)
    assert model.top([(0,), (1,)], 1)[0].shape == (2, 1)
    assert model.top((0,), 1)[0].shape == (1,)
    with pytest.raises(TypeError, match="no array"):
        np.asarray(model)
    older = 0.5 * counts.resized((3, 3))
    assert older.dense().tolist() == [[1, 0.5, 0], [0, 0.5, 0.5], [0, 0, 0]]
    with pytest.raises(ValueError, match="at least"):
        counts.resized((1, 3))


def test_labels_are_several_whatever_holds_them(tmp_path):
    table = pd.DataFrame({"user": [3, 3, 7], "item": ["tea", "milk", "tea"]})
    found = fit(table, "user", "item", method="kn", contexts=sorted(table["user"].unique()))
    expected = found.top([3, 7], 1)
    whole = table.astype({"user": "Int64", "item": "string"})
    for several in (
        whole["user"].unique(),
        whole["user"],
        table["user"].unique(),
        {3: 0, 7: 0}.keys(),
        {3, 7},
        range(3, 8, 4),
        Listed([3, 7], "to_list"),
        Listed([3, 7], "to_pylist"),
    ):
        assert found.top(several, 1) == expected
    assert found.prob([3, 7], whole["item"].unique()).shape == (2,)
    found.save(tmp_path / "numbers.npz")  # labels were numbers of NumPy's
    assert load(tmp_path / "numbers.npz").top([3, 7], 1) == expected
    assert [type(label) for label in found.contexts] == [int, int]
    pairs = fit([(np.float64(0.5), np.bool_(True)), (1.5, False)], method="kn")
    assert list(pairs.contexts) == [0.5, 1.5]
    assert pairs.prob(np.float64(0.5), np.bool_(True)) == pairs.prob(0.5, True) > 0.5
    tuples = fit([(("a", 1), "x"), (("b", 2), "y")], method="kn")
    assert tuples.top(("a", 1), 1)[0][0] == "x"
    counted = table.groupby(["user", "item"]).size()
    twice = fit(pd.concat([counted, 2 * counted]), method="kn")  # each pair stands there twice
    assert twice.about.n == 3 * counted.sum()
    np.testing.assert_array_equal(
        np.asarray(fit(counted, method="kn").to_frame()),
        np.asarray(fit(table.groupby(["user", "item"]).size().to_dict(), method="kn").to_frame()),
    )


def test_whole_numbers_of_any_size_are_kept(tmp_path):
    large = [2**63 + n for n in range(3)]
    wide = [*large, -7], [2**64], [-(2**64), 1]
    for ids in ([*large, 7], [2**63 - 1, -(2**63)], [0.5, 2.0**70], *wide):
        found = fit([(id, "x") for id in ids] * 2 + [(ids[0], "y")], method="kn")
        found.save(tmp_path / "ids.npz")
        again = load(tmp_path / "ids.npz")
        assert list(again.contexts) == sorted(ids)
        assert again.prob(ids[0], "y") == found.prob(ids[0], "y")


def test_columns_are_known_by_names_of_any_kind(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"user": rng.integers(0, 6, 60), "item": rng.integers(0, 3, 60)})
    expected = fit(table, "user", "item", method="kn").score(table)
    several = pd.MultiIndex.from_tuples([("u", "id"), ("i", 2)])
    dates = pd.to_datetime(["2026-01-01", "2026-01-02"])
    for names in (pd.Index(np.array([0, 1])), pd.Index([10, 20]), several, dates):
        table.columns = names
        found = fit(table, names[0], names[1], method="kn")
        assert found.score(table) == expected
        assert found.top(0, exclude=table) == []
        assert repr(found).startswith("<Estimate by kn: 6 contexts x 3 outcomes")
        if names is dates:
            with pytest.raises(ValueError, match="a name of type Timestamp, which a file cannot"):
                found.save(tmp_path / "named.npz")
            continue
        found.save(tmp_path / "named.npz")
        assert load(tmp_path / "named.npz").score(table) == expected
        if names is not several:
            assert list(found.to_frame(n=1).columns) == [*names, "probability"]


def test_weights_of_zero_are_nothing_and_unknown_ones_weigh():
    found = fit([("a", "x", 1.0), ("b", "y", 1.0)], method="kn")
    alone = found.score([("a", "x", 1.0)])
    score = found.score([("a", "x", 1.0), ("a", "zzz", 1000), ("a", "y", 0)])
    assert (score.n, score.unknown, score.nats) == (1, 1000, alone.nats)
    assert score.share_unknown == 1000 / 1001
    assert "1,000 unknown" in repr(score)
    assert repr(found.score([("a", "x", 1.0), ("a", "zzz", 0)])) == repr(alone)  # NaN is not NaN
    half = found.score([("a", "x", Fraction(1, 2)), ("a", "zzz", 0.25)])
    assert (half.n, half.unknown) == (0.5, 0.25)
    assert found.score([("a", "x", 2**70)]).nats == alone.nats
    assert fit([("a", "x", Fraction(1, 2)), ("b", "y", 1)], method="kn").about.n == 1.5
    never = fit([("a", "x"), ("b", "y")], method="mle")
    assert never.score([("a", "x", 1), ("a", "y", 0)]).nats == 0
    with pytest.warns(UserWarning, match="1000 of 1001 pairs have outcomes that are not known"):
        found.fold_in([("c", "x", 1), ("c", "zzz", 1000)])
    for score in (found.score, lambda data: condprob.interval(data, found)):
        with pytest.raises(ValueError, match="no pair has an outcome that the model knows"):
            score([("a", "x", 0)])


def test_a_labelled_fit_goes_on_from_its_checkpoint(tmp_path):
    given = {"method": "ad-lr", "rank": 2, "seed": 3}
    kept = {"checkpoint": tmp_path / "fit.npz"}
    whole = fit(PAIRS, iterations=9, **given)
    fit(PAIRS, iterations=4, **given, **kept)
    again = fit(PAIRS, iterations=9, **given, **kept)
    np.testing.assert_array_equal(np.asarray(again), np.asarray(whole))
    with pytest.raises(ValueError, match="the checkpoint of a fit"):
        fit(PAIRS, iterations=9, **(given | {"seed": 4}), **kept)
    text = {"method": "ll-l1", "text": condprob.Text(lines=True), "seed": 3}
    whole = condprob.fit_text(["a b", "b a a"], 2, **text)
    for _ in range(2):
        again = condprob.fit_text(["a b", "b a a"], 2, **text, checkpoint=tmp_path / "text.npz")
        assert again.row("a") == whole.row("a")


def test_what_fit_takes_is_excluded_as_fit_reads_it():
    """Of counts the labels and not the numbers, none of zero; of ints both look alike."""
    pairs = [(1, 2), (1, 2), (1, 3), (2, 1), (2, 4)]
    table = pd.DataFrame(pairs, columns=["user", "item"])
    crossed = pd.crosstab(table["user"], table["item"])
    counted, grouped = table.value_counts(), table.groupby("user")["item"]
    estimates = [
        fit(pairs, method="add-half"),
        fit(table, "user", "item", method="add-half"),
        fit(table.assign(w=1), "user", "item", "w", method="add-half"),
        fit(crossed, method="add-half"),
    ]
    for each in estimates:
        for exclude in (
            pairs,
            iter(pairs),
            counted,
            counted.to_dict(),
            crossed.T.to_dict(),
            grouped.agg(set),
            grouped.agg(list),
            grouped.agg(set).to_dict(),
            grouped.value_counts(),
        ):
            assert sorted(outcome for outcome, _ in each.top(1, exclude=exclude)) == [1, 4]
        for exclude in ({1: []}, {1: {}}, counted[:0], {1: {2: 0}}, iter([])):
            assert len(each.top(1, exclude=exclude)) == 4
        assert len(each.top(1, exclude=2)) == 3
    assert estimates[1].top(1, exclude=table) == estimates[2].top(1, exclude=table)
    assert len(estimates[2].top(1, exclude=table.assign(w=0))) == 4
    names = "name both columns in the fit, context=... and outcome=..."
    wrong = {
        f"lists by context. If these are columns, {names}": (0, table.to_dict("list")),
        f"columns 'user', 'item': none is a known outcome; of pairs, {names}": (0, table),
        "column 'item' not found; the table has 'user'": (1, {"user": [1]}),
        "entry 0 is ({2, 3},): expected (context, outcome)": (0, [{2, 3}]),
        "a label must be hashable, as texts and numbers are: ": (0, {1: [[2]]}),
    }
    for message, (which, exclude) in wrong.items():
        with pytest.raises(ValueError, match=re.escape(message)):
            estimates[which].top(1, exclude=exclude)
    # As `exclude` reads them; the ends of the interval are NaN, which is equal to nothing.
    for data in (counted, pairs):
        assert repr(estimates[1].score(data)) == repr(estimates[1].score(table))


def test_labels_of_any_length_and_kind_are_told_in_one_short_line(estimate):
    for call in (lambda: estimate.top([["u1"]]), lambda: estimate.prob("ann", [["tea"]])):
        with pytest.raises(ValueError, match="a label must be hashable, as texts and numbers are"):
            call()
    with pytest.raises(ValueError, match=r"'x+\.\.\. is not in the vocabulary") as caught:
        estimate.prob("ann", "x" * 1000)
    assert len(str(caught.value)) < 180
    with pytest.warns(UnseenContextWarning, match=r"'x+\.\.\. was never seen") as caught:
        estimate.row("x" * 1000)
    assert len(str(caught[0].message)) < 150


def test_pairs_with_unknown_outcomes_are_folded_in_with_a_word(estimate):
    message = "^1 of 2 pairs have outcomes that are not known, and are left out$"
    with pytest.warns(UserWarning, match=message) as caught:
        further = estimate.fold_in([("dan", "tea"), ("dan", "gin")])
    assert (further.about.n, caught[0].filename) == (1, __file__)
    with pytest.raises(ValueError, match="no pair has an outcome that the estimate knows"):
        estimate.fold_in([("dan", "gin"), ("dan", "rum")])


def test_what_the_package_lists_is_public():
    assert {name for name in dir(condprob) if not name.startswith("__")} == set(condprob.__all__)


TABLE = pd.DataFrame({"user": USERS, "item": ITEMS})
MATRIX, EMPTY = np.array(COUNTS), pd.DataFrame({"user": [], "item": []})
WIDE = pd.DataFrame(np.ones((2, 12)), columns=[f"i{n}" for n in range(12)])
TWICE = pd.DataFrame([["a", 1, 2]], columns=["u", "i", "i"])
BOTH = {"context": "user", "outcome": "item"}
NO_FIT = [
    (TABLE.assign(item=[*ITEMS[:-1], None]), BOTH, "pair 4 has no outcome: leave such pairs out"),
    ([("a", "x"), ("a", None), ("b", float("nan")), ("b", None)], {}, "outcome, and 2 more like"),
    ([(np.float32("nan"), "x")], {}, "pair 0 has no context"),
    ([("x", Decimal("nan"))], {}, "pair 0 has no outcome"),
    (
        TABLE,
        {"context": "user", "outcome": "thing"},
        "column 'thing' not found; the table has 'user', 'item'",
    ),
    (
        WIDE,
        BOTH,
        "the table has 'i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8', 'i9', 2 more",
    ),
    (EMPTY, BOTH, "the data contain no pairs"),
    (EMPTY[[]], BOTH, "column 'user' not found; the table has none"),
    (PAIRS, {"weight": "w"}, "weight = 'w': it names a column, and so must context"),
    (
        TWICE,
        {"context": "u", "outcome": "i"},
        "column 'i' occurs 2 times; the table has 'u', 'i', 'i'",
    ),
    (TWICE, {"context": ["u", "i"], "outcome": "i"}, "a column is given by its name, not as a l"),
    ({"user": ["a"], "item": ["b", "c"]}, BOTH, "columns must have the same length (got 1, 2)"),
    (
        {"user": ["a"], "item": ["b"]},
        {},
        "the keys 'user', 'item' could be columns or lists by context",
    ),
    (3, BOTH, "int: expected a table with named columns"),
    ("clicks", BOTH, "'clicks' is not a table: give the path of a CSV file"),
    (TABLE.set_index("user"), {}, "of pairs, name both columns in the fit"),
    (MATRIX, {}, "a matrix has no labels"),
    (MATRIX, {"contexts": ["a"], "outcomes": ["b"]}, "a matrix of shape"),
    (MATRIX, {"contexts": ["a", "a"], "outcomes": ["b", "c"]}, "context 'a' occurs twice"),
    (PAIRS, {"contexts": "new"}, "'new' is one label: pass a list, ['new']"),
    ([], {}, "the data are empty"),
    (["ann"], {}, "entry 0 is"),
    ([("a", "b"), ("a", "b", 2)], {}, "a weight after each pair"),
    (
        [{"user": "ann", "item": "tea"}],
        {},
        "of a table or of records, name both columns in the fit, context=... and outcome=...",
    ),
    (3, {}, "data of type int: expected (context, outcome), or a weight after each pair"),
    ([list("abab"), list("xyxx")], {}, "after each pair, as in zip(contexts, outcomes)"),
    ({"ann": 3}, {}, "a dictionary with 'ann'"),
    ([([1], "x")], {}, "a label must be hashable, as texts and numbers are: "),
    ([(*pair, 0) for pair in PAIRS], {}, "the weights of all pairs are zero"),
    (
        [("ann", "tea", 1.0), ("bob", "milk", -1)],
        {},
        "pair 1 has the weight -1: must be a number >= 0",
    ),
    ([("ann", "tea", float("nan"))], {}, "pair 0 has the weight nan: must be a number >= 0"),
    ([("ann", "tea", "two")], {}, "pair 0 has the weight 'two': must be a number >= 0"),
    (PAIRS, {"method": None}, "method = None: must be the id of a method, such as 'kn'"),
    (PAIRS, {"method": method("ad"), "discount": 0.5}, "set them in the estimator itself"),
    (PAIRS, {"method": "kneser"}, "'kneser' does not exist; did you mean 'kn'?"),
    (PAIRS, {"method": "svd"}, "'svd' does not exist; did you mean 'lsa'?"),
    (PAIRS, {"contxt": "user"}, "py-lr has no option 'contxt'; did you mean 'context'?"),
    (PAIRS, {"method": "kn", "checkpoint": "c.npz"}, "checkpoint: KneserNey keeps none; low-"),
]


@pytest.mark.parametrize(("data", "how", "message"), NO_FIT)
def test_data_that_cannot_be_fitted_are_refused_in_one_line(data, how, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        fit(data, **how)
    assert "\n" not in str(caught.value)


def test_ten_columns_are_all_named():
    with pytest.raises(ValueError, match=r"'i7', 'i8', 'i9'$"):
        fit(WIDE.iloc[:, :10], **BOTH)


def test_mistakes_after_a_fit_are_refused_in_one_line(estimate, tmp_path):
    np.savez(tmp_path / "foreign.npz", a=np.eye(2))
    CountMatrix.from_dense(COUNTS).save(tmp_path / "counts.npz")
    weighed = fit(TABLE.assign(w=2), "user", "item", "w", method="kn")
    mistakes = [
        (lambda: estimate.score("clicks"), "'clicks' is not a table: give the path of a CSV file"),
        (
            lambda: estimate.score([("ann", "tea", -1)]),
            "pair 0 has the weight -1: must be a number >= 0",
        ),
        (lambda: weighed.score(TABLE), "column 'w' not found; the table has 'user', 'item'"),
        (lambda: estimate.sample("ann", 1.5), "n = 1.5: must be an integer >= 0"),
        (lambda: estimate.sample("ann", -1), "n = -1: must be an integer >= 0"),
        (lambda: estimate.model.top([[0, 1]], 2), "pass a condition or a list of them"),
        (
            lambda: estimate.save(tmp_path / "e.arpa"),
            "e.arpa: only language models can be saved as ARPA",
        ),
        (lambda: condprob.cross_entropy(COUNTS, estimate), "Estimate speaks in labels: use its"),
        (
            lambda: load(tmp_path / "foreign.npz"),
            "foreign.npz: a NumPy archive, as condprob",
        ),
        (lambda: load(tmp_path / "counts.npz"), "holds counts, which CountMatrix.load reads"),
    ]
    for call, message in mistakes:
        with pytest.raises(ValueError, match=re.escape(message)) as caught:
            call()
        assert "\n" not in str(caught.value)
    with pytest.warns(UnseenContextWarning, match="2 of 3 were never seen, such as 'zoe': the "):
        weighed.top(["ann", "zoe", "tim"], 1)


def test_decimals_are_weights_as_sql_sums_have_them():
    weights = [Decimal(3), Decimal("1.0"), Decimal(2**53 + 1)]
    pairs = [("ann", "tea"), ("ann", "milk"), ("bob", "tea")]
    weighed = [(*pair, weight) for pair, weight in zip(pairs, weights, strict=True)]
    found = fit(weighed, method="mle")
    assert found.about.n == 4 + 2**53 + 1  # which no float is
    assert found.prob("ann", "tea") == 3 / 4
    half = fit([("ann", "tea", Decimal("0.5")), ("ann", "milk", 1)], method="mle")
    assert half.prob("ann", "tea") == pytest.approx(1 / 3)


def test_similar_contexts_have_a_large_bhattacharyya_coefficient(estimate):
    # ann has tea and milk at 5/8 and 3/8, bob at 1/2: sqrt(5/16) + sqrt(3/16).
    ((user, cosine),) = estimate.similar("ann")
    assert user == "bob"
    assert cosine == pytest.approx(np.sqrt(5 / 16) + np.sqrt(3 / 16))
    assert estimate.similar("bob", 0) == []
    with pytest.warns(UnseenContextWarning):  # the row of new contexts is as bob's
        assert estimate.similar("zoe", 1) == [("bob", pytest.approx(1.0))]


def test_recommended_outcomes_are_new_and_recall_counts_those_found():
    pairs = [("ann", "tea"), ("ann", "tea"), ("bob", "gin"), ("bob", "tea"), ("cy", "gin")]
    found = fit(pairs, method="kn")
    assert found.recommend(iter(pairs)) == found.top(["ann", "bob", "cy"], exclude=pairs)
    assert [o for o, _ in found.recommend(pairs)["ann"]] == ["gin"]
    with pytest.raises(KeyError, match=r"'zoe' is not among the contexts of this result: top"):
        found.recommend(pairs)["zoe"]
    later = [("ann", "gin"), ("cy", "tea"), ("cy", "tea"), ("cy", "rum")]  # two of three are found
    assert found.recall(later, 1, exclude=pairs) == pytest.approx(2 / 3)
    assert found.recall(later, 1) == 0.0  # each has first what it was seen with


def test_a_split_keeps_equal_pairs_together_and_a_pair_of_each_context():
    numbers = np.arange(210)
    table = pd.DataFrame({"user": numbers % 7, "item": numbers % 30})
    table = pd.concat([table, table]).assign(w=1.5)
    train, test = condprob.split_pairs(table, "user", "item", "w", seed=1)
    pairs = [list(zip(part["user"], part["item"], strict=True)) for part in (train, test)]
    parts = [set(part) for part in pairs]
    assert not parts[0] & parts[1]
    assert len(parts[0] | parts[1]) == 210
    assert 20 < len(parts[1]) < 64  # a fifth of 203 is 41; five deviations are 28
    assert len(train) + len(test) == 420
    assert list(test.columns) == ["user", "item", "w"]
    assert set(test["w"]) == {1.5}
    nearly_all = condprob.split_pairs(table, "user", "item", share=1)
    assert [len({*part["user"]}) for part in nearly_all] == [7, 7]
    assert len(nearly_all[0]) == 14
    found = fit(train, "user", "item", "w", method="kn", outcomes=range(30))
    assert 0 <= found.recall(test, 5, exclude=train) <= 1
    with pytest.raises(ValueError, match=r"share = 1\.5: must be a number between 0 and 1"):
        condprob.split_pairs(table, "user", "item", share=1.5)


def test_notebooks_show_the_first_probabilities_with_labels(estimate):
    shown = fit([("<b>", n) for n in range(9)], method="add-half")._repr_html_()
    assert "<th>&lt;b&gt;</th><td>0.1111</td>" in shown
    assert shown.count("<td>") == 8
    assert shown.count("…") == 1
    assert "<tr><th>0</th><td>0.375</td><td>0.625</td></tr>" in estimate.model._repr_html_()


def test_a_cross_table_without_an_index_has_two_outcomes_or_more():
    class OneColumn(Pivot):
        columns = ("user", "tea")

    with pytest.raises(ValueError, match="two columns of counts or more"):
        fit(OneColumn(), method="add-half")


@pytest.mark.parametrize("name", ["contexts", "outcomes"])
def test_a_matrix_needs_labels_of_both_kinds(name):
    with pytest.raises(ValueError, match="a matrix has no labels"):
        fit(np.array([[1, 2], [3, 4]]), method="add-half", **{name: ["a", "b"]})


def test_a_numbered_column_of_lists_is_by_context_where_its_numbers_are_contexts():
    column = pd.Series([["tea", "tea"], ["milk"]])
    estimate = fit(column, method="add-half", contexts=[0, 1])
    assert estimate.prob(0, "tea") == pytest.approx(2.5 / 3)
    with pytest.raises(ValueError, match="the numbers of rows"):
        fit(column, method="add-half", outcomes=[0, 1])
