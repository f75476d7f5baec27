"""Some ninety ways to bring the same twelve pairs: the same fit, or one line that says what to do.

A way is a line of Python with the names in `NAMES`, as a user writes it.
"""

import csv
import datetime
import re
import sqlite3
from collections import Counter, defaultdict, deque, namedtuple
from contextlib import closing
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from condprob import (
    CountMatrix,
    Vocabulary,
    compare,
    complete,
    embed,
    fit,
    mix,
    posterior,
    reliability,
    split_pairs,
)
from condprob.methods import uncertainty

PAIRS = [("ann", "tea")] * 4 + [("ann", "milk")] * 2 + [("bob", "milk")] * 2
PAIRS += [("bob", "tea"), ("bob", "gin"), ("eve", "gin"), ("eve", "tea")]
USERS, ITEMS = map(list, zip(*PAIRS, strict=True))
TABLE = pd.DataFrame({"user": USERS, "item": ITEMS})
BY = TABLE.assign(n=1).groupby(["user", "item"])
CROSS = pd.crosstab(TABLE["user"], TABLE["item"])
CSV = "user,item\n" + "\n".join(map(",".join, PAIRS))


@dataclass
class Box:
    """A number of PyTorch or of JAX: an array without dimensions, which hashes by its place."""

    value: object
    ndim = 0

    def item(self):
        return self.value


NAMES = {
    **{"pairs": PAIRS, "users": USERS, "items": ITEMS, "table": TABLE, "by": BY, "cross": CROSS},
    **{"counts": Counter(PAIRS), "triples": [(*pair, n) for pair, n in Counter(PAIRS).items()]},
    **{"weighed": BY["n"].sum().reset_index(), "matrix": CROSS.to_numpy(), "CSV": CSV},
    **{"labels": {"contexts": list(CROSS.index), "outcomes": list(CROSS.columns)}},
    **{"names": ("user", "item"), "weights": ("user", "item", "n"), "fit": fit, "csv": csv},
    **{"StringIO": StringIO, "np": np, "pd": pd, "sparse": scipy.sparse, "Counter": Counter},
    **{"Decimal": Decimal, "Fraction": Fraction, "CountMatrix": CountMatrix, "deque": deque},
    **{"defaultdict": defaultdict, "Box": Box, "Pair": namedtuple("Pair", "user item")},
    **{"Drunk": make_dataclass("Drunk", ["user", "item"]), "Turned": namedtuple("T", "item user")},
}
NAMES["lists"] = {user: [i for u, i in PAIRS if u == user] for user in dict.fromkeys(USERS)}

SAME = """
pairs
tuple(pairs)
[list(pair) for pair in pairs]
[Pair(*pair) for pair in pairs]
zip(users, items)
(pair for pair in pairs)
iter(pairs)
csv.reader(StringIO(CSV.partition('\\n')[2]))
csv.DictReader(StringIO(CSV)), *names
[dict(zip(names, pair)) for pair in pairs], *names
triples
[(u, i, Decimal(n)) for u, i, n in triples]
[(u, i, Fraction(n)) for u, i, n in triples]
[(u, i, np.float32(n)) for u, i, n in triples]
[(u, i, np.int64(n)) for u, i, n in triples]
[(np.array(u), np.array(i), np.array(n)) for u, i, n in triples]
[(Box(u), i, Box(n)) for u, i, n in triples]
[(u, i, True) for u, i in pairs]
counts
defaultdict(int, counts)
{user: Counter(items) for user, items in lists.items()}
lists
{user: np.array(items) for user, items in lists.items()}
table.groupby('user')['item'].agg(list)
table.groupby('user')['item'].agg(Counter)
[Drunk(*pair) for pair in pairs], *names
[Pair(*pair) for pair in pairs], *names
[Turned(*pair[::-1]) for pair in pairs], *names
[(np.str_(u), np.str_(i)) for u, i in pairs]
[(u, i, np.float16(n)) for u, i, n in triples]
{'user': users, 'item': items}, *names
{'user': table['user'], 'item': np.array(items)}, *names
np.array(pairs)
np.array(pairs, dtype=object)
np.array(triples, dtype=object)
np.column_stack([users, items])
table, *names
table.to_numpy()
table.to_records(index=False), *names
table.to_records(index=False).tolist()
table.to_dict('list'), *names
table.to_dict('records'), *names
deque(table.to_dict('records')), *names
np.array(table.to_dict('records')), *names
table.itertuples(index=False)
table.set_index('user'), *names
table.astype(object), *names
table.astype('string'), *names
table.astype('category'), *names
table.astype({'item': pd.CategoricalDtype(['gin', 'rum', 'tea', 'milk'])}), *names
pd.MultiIndex.from_frame(table)
pd.Series(pairs)
weighed, *weights
weighed.astype({'n': 'Int64'}), *weights
weighed.astype({'n': 'Float64'}), *weights
weighed.astype({'n': object}), *weights
weighed.assign(n=weighed['n'].map(Decimal)), *weights
weighed.astype({'n': str}), *weights
[(u, i, str(n)) for u, i, n in triples]
weighed.set_index(['user', 'item'])
weighed.set_index(['user', 'item'])['n']
weighed.set_index(['user', 'item']), *weights
by.size()
by.sum()
by.count()
by.sum(), *weights
table.groupby(['user', 'item'], as_index=False).size(), 'user', 'item', 'size'
table.astype('category').groupby(['user', 'item'], observed=False).size()
table.groupby('user')['item'].value_counts()
table.groupby('user')['item'].agg(list).explode().items()
table.value_counts()
by.size().unstack()
by.size().unstack(fill_value=0)
table.assign(n=1).pivot_table(index='user', columns='item', values='n', aggfunc='sum')
cross
cross.stack()
cross.to_dict('index')
cross.astype('Int64')
cross.astype(pd.SparseDtype(int, 0))
cross.map(Decimal)
cross.reset_index()
matrix, **labels
matrix, contexts=dict(zip(cross.index, range(3))), outcomes=dict(enumerate(cross.columns))
matrix, contexts=cross.index, outcomes=cross.columns
sparse.csr_array(matrix), **labels
sparse.coo_matrix(matrix), **labels
CountMatrix.from_dense(matrix), **labels
"""
NAMES_NEEDED = "name both columns in the fit, context=... and outcome=..."
AMBIGUOUS = "could be columns or lists by context"
PAIRS_EXPECTED = "expected (context, outcome), or a weight after each pair, as in zip(contexts, "
OTHER = {  # with a part of the message, which is the line to write
    "counts.items()": "(('ann', 'tea'), 4) is a pair with a number: dict(data) has counts by pair",
    "counts.most_common()": "dict(data) has counts by pair; contexts that are tuples need columns",
    "table.to_dict('list')": f"{AMBIGUOUS}. If these are columns, {NAMES_NEEDED}",
    "{'ann': ['tea', 'gin'], 'bob': ['rum', 'tea']}": AMBIGUOUS,
    "[b'ab', b'cd']": f"entry 0 is (b'ab',): {PAIRS_EXPECTED}",
    "table.groupby('user')['item'].agg(tuple)": "of outcomes by context data.map(list)",
    "pd.Series(list(lists.values()))": "in a column with the numbers of rows: of pairs give data.t",
    "table.groupby('user', as_index=False).agg(list), *names": "give each entry a row of its own",
    "lists.values()": "entry 0 is ('tea', 'tea', ",
    "lists.items()": "a label must be hashable, as texts and numbers are: unhashable type: 'list'",
    "{user: Counter(items) for user, items in lists.items()}.items()": "a label must be hashable",
    "users, items": NAMES_NEEDED,
    "(users, items)": PAIRS_EXPECTED,
    "table": f"two columns of counts or more; of pairs, {NAMES_NEEDED}",
    "table, 'user'": NAMES_NEEDED,
    "table.itertuples()": "pair 0 has the weight 'tea': must be a number >= 0; in a triple",
    "table.to_dict('records')": f"of a table or of records, {NAMES_NEEDED}",
    "[Drunk(*pair) for pair in pairs]": f"of a table or of records, {NAMES_NEEDED}",
    "table.to_records(index=False)": f"or more; of pairs, {NAMES_NEEDED}",
    "by": "unhashable type: 'DataFrame'; give each entry a row of its own, as by .explode(), and",
    "by.sum().unstack()": "have several levels, and the first one label: give table['n']",
    "pd.crosstab(*table.T.to_numpy(), margins=True)": "contain their own sums, 'All': leave",
    "matrix": "a matrix has no labels: give it contexts=[...] and outcomes=[...]; pairs are data.t",
    "matrix.tolist(), **labels": "if it is a matrix of counts, pass numpy.array(data)",
    "np.tile(matrix, 2).tolist(), contexts=cross.index, outcomes=list('abcdef')": "pass numpy.arra",
    "StringIO('ann tea')": f"entry 0 is ('ann tea',): {PAIRS_EXPECTED}",
    "'ann tea'": "'ann tea' is not a table: give the path of a CSV file, or a table",
    "b'ann tea'": f"data of type bytes: {PAIRS_EXPECTED}",
}
MENDED = """
dict(counts.items())
table.to_dict('list'), *names
[(c, o) for c, several in lists.items() for o in several]
table.groupby('user')['item'].agg(tuple).map(list)
pd.Series(pairs).tolist()
table.groupby('user', as_index=False).agg(list).explode('item'), *names
zip(users, items)
table.to_dict('records'), context='user', outcome='item'
by.size()
by.sum().unstack()['n']
pd.crosstab(*table.T.to_numpy(), margins=False)
np.array(matrix.tolist()), **labels
"""
OF_POLARS = """
frame, *names
frame.lazy(), *names
frame.rows()
frame.iter_rows()
frame.to_dicts(), *names
frame.cast(polars.Categorical), *names
zip(frame['user'], frame['item'])
frame.group_by('user', 'item').len(), 'user', 'item', 'len'
frame.group_by('user', 'item').len().cast({'len': polars.Decimal(9, 0)}), 'user', 'item', 'len'
frame.group_by('user', 'item').len().pivot(on='item', index='user', values='len')
"""
OF_ARROW = """
arrow, *names
arrow.to_batches()[0], *names
arrow.to_reader(), *names
arrow.to_pylist(), *names
zip(arrow['user'], arrow['item'])
{'user': arrow['user'], 'item': arrow['item'].dictionary_encode()}, *names
arrow.append_column('n', [[1] * 12]).group_by(['user', 'item']).aggregate([('n', 'sum')]), 'user', \
'item', 'n_sum'
table.astype(pd.ArrowDtype(pyarrow.string())), *names
weighed.astype({'n': pd.ArrowDtype(pyarrow.decimal128(21, 2))}), *weights
cross.astype(pd.ArrowDtype(pyarrow.int64()))
"""
SIZES = "select user, item, sum(1) as n from pairs group by user, item"
OF_SQL = """
sql('select user, item from pairs'), *names
sql(SIZES), *weights
sql(SIZES).fetchall()
sql(SIZES).df(), *weights
"""


@pytest.fixture(autouse=True)
def few_sweeps(monkeypatch):
    """Let an estimate's posterior burn in for one sweep: what it reads is the same."""
    quick = partial(uncertainty.sample_posterior, burn_in=1)
    monkeypatch.setattr("condprob.labels.estimate.sample_posterior", quick)


def fitted(way, **more):
    """Return the fit to the data in a way, which is what stands in the brackets of a call."""
    return eval(f"fit({way}, method='add-half')", NAMES | more)


@pytest.fixture(scope="module")
def check():
    """Check that a way gives Add-1/2 of 4, 2, 0 of ann, 1, 2, 1 of bob, and 1, 0, 1 of eve."""
    expected = (np.array([[4, 2, 0], [1, 2, 1], [1, 0, 1]]) + 0.5) / [[7.5], [5.5], [3.5]]

    def check(way, **more):
        found = fitted(way, **more)
        assert found.about.n == 12
        for user, row in zip(("ann", "bob", "eve"), expected, strict=True):
            np.testing.assert_allclose(found.prob(user, ["tea", "milk", "gin"]), row)

    return check


@pytest.mark.parametrize("way", SAME.strip().splitlines())
def test_the_same_pairs_have_the_same_fit(way, check):
    check(way)


@pytest.mark.parametrize("way", OTHER)
def test_pairs_that_are_ambiguous_are_refused_with_the_line_to_write(way):
    with pytest.raises(ValueError, match=re.escape(OTHER[way])) as caught:
        fitted(way)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("way", MENDED.strip().splitlines())
def test_the_line_that_a_message_shows_is_read(way, check):
    check(way)


@pytest.mark.parametrize("way", OF_POLARS.strip().splitlines())
def test_polars(way, check):
    polars = pytest.importorskip("polars")
    check(way, polars=polars, frame=polars.DataFrame({"user": USERS, "item": ITEMS}))


@pytest.mark.parametrize("way", OF_ARROW.strip().splitlines())
def test_arrow(way, check):
    pyarrow = pytest.importorskip("pyarrow")
    check(way, pyarrow=pyarrow, arrow=pyarrow.table({"user": USERS, "item": ITEMS}))


@pytest.mark.parametrize("way", OF_SQL.strip().splitlines())
def test_duckdb(way, check):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    check(way, sql=duckdb.connect().register("pairs", TABLE).sql, SIZES=SIZES)


def test_a_cursor_of_sql_is_read_once(check):
    with closing(sqlite3.connect(":memory:")) as base:
        TABLE.to_sql("pairs", base, index=False)
        check("base.execute('select user, item from pairs')", base=base)
        check("base.execute(SIZES)", base=base, SIZES=SIZES)


DAYS = pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-01"])


@pytest.mark.parametrize("unit", ["ns", "us", "s", "D"])
def test_a_date_is_a_label_whatever_holds_it(unit):
    """NumPy makes whole numbers of its dates with nanoseconds, and nobody asks by these."""
    array, items = DAYS.to_numpy().astype(f"M8[{unit}]"), ["x", "y", "y"]
    columns = {"day": array, "item": items}
    table, both = pd.DataFrame(columns), ("day", "item")
    ways = [(columns, *both), (table, *both), (zip(array, items, strict=True),)]
    ways += [(table.to_records(index=False), *both), (table.groupby(["day", "item"]).size(),)]
    days = [DAYS[0], array[0], DAYS.to_numpy()[0], datetime.datetime(2026, 1, 1)]
    for data in ways:
        found = fit(*data, method="add-half")
        assert [found.prob(day, "x") for day in days] == [(1 + 0.5) / (2 + 1)] * 4
        assert all(map(found.seen, days))
        assert found.score(columns if len(data) > 1 else zip(array, items, strict=True)).unseen == 0
    assert Vocabulary(array).numbers(array).tolist() == [0, 1, 0]


def test_a_date_that_python_has_not_stays_as_it_is():
    for date in (np.datetime64("2026-01-01T00:00:00.000000001"), np.datetime64(-(10**15), "s")):
        found = fit([(date, "x"), (date, "y")], method="add-half")
        assert list(found.contexts) == [date]
        assert found.seen(date)


@pytest.mark.parametrize(
    "way",
    [
        "pd.crosstab(*table.T.to_numpy(), normalize='index')",
        "table.value_counts(normalize=True)",
        "shares",
    ],
)
def test_shares_are_taken_for_counts_with_a_warning(way):
    shares = {"ann": {"tea": 0.25, "gin": 0.75}, "bob": {"tea": 0.5, "gin": 0.5}}
    with pytest.warns(UserWarning, match="cells of the data sum to one: they are read as cou"):
        fitted(way, shares=shares)


def parts_of(way, **more):
    """Return the data of a way, its names of columns and its labels of a matrix."""
    args, labels = eval(f"(lambda *a, **k: (a, k))({way})", NAMES | more)
    return args[0], args[1:], labels


def data_in(way, **more):
    """Return the data of a way and their names of columns, read anew: some are read once."""
    return parts_of(way, **more)[:2]


def answers(found, data):
    """Return what every door says of data, which `data` makes anew for each of them."""
    seen = found.in_numbers(data())
    order = found.contexts.numbers(["ann", "bob", "eve"]), found.outcomes.numbers(sorted({*ITEMS}))
    score, folded = found.score(data()), found.fold_in(data())
    return {
        "counts": seen.dense()[np.ix_(*order)].tolist(),
        "score": (round(score.nats, 12), score.n, score.unknown, score.unseen),
        "interval": round(found.block_losses(data()).mean, 12),
        "folded": [folded.prob(user, sorted({*ITEMS})).tolist() for user in ("ann", "bob", "eve")],
        "excluded": found.top(["ann", "bob", "eve"], exclude=data()),
        "recommended": dict(sorted(found.recommend(data()).items())),
        "recall": found.recall(data(), 1),
        "compared": round(compare(found, found.fold_in(data()), data()).value, 12),
        "best": round(compare(data(), [found, found.fold_in(PAIRS)]).best.nats, 12),
        "mixed": mix([found, found.fold_in(PAIRS)], tune=data()).weights.round(12).tolist(),
        "reliable": reliability(data(), found).chances.tolist(),
        "sampled": found.posterior(data(), 2, rank=1).draw("ann")["tea"].tolist(),
    }


def first_doors(data, names, **more):
    """Return what doors say that read data before any fit; `data` makes them anew for each."""
    columns = dict(zip(("context", "outcome", "weight"), names, strict=False))
    known = {k: v for k, v in more.items() if k in ("contexts", "outcomes")}
    vectors = embed(fit(data(), **columns, **known, method="ad-lr", rank=1, iterations=3))
    drawn = posterior(data(), 2, burn_in=1, rank=1, **columns, **known)
    found = {
        "embedded": vectors.cosines(["ann"], ["eve"]).round(12).tolist(),
        "sampled": drawn.draw("ann")["tea"].tolist(),
    }
    if not known:  # of a matrix, which `compare` refuses to split
        best = compare(data(), methods=["kn", "add-half"], **columns).best
        found["best"] = best.name, round(best.nats, 12)
    return found


@cache
def answers_of_pairs():
    """Return what every door says of the pairs, and of the pairs as they stand in a matrix."""
    found = answers(fit(PAIRS, method="add-half"), lambda: PAIRS)
    doors = (first_doors(lambda: PAIRS, (), **labels) for labels in ({}, NAMES["labels"]))
    return tuple(found | more for more in doors)


@pytest.mark.filterwarnings("ignore:no interval")
@pytest.mark.parametrize("way", SAME.strip().splitlines())
def test_every_door_reads_a_form_as_the_fit_did(way):
    found = answers(fitted(way), lambda: data_in(way)[0])
    _, names, labels = parts_of(way)
    found |= first_doors(lambda: data_in(way)[0], names, **labels)
    assert found == answers_of_pairs()[bool(labels)]


LATER = {  # doors of an estimate, which read data after the fit
    "score": lambda found, data: found.score(data),
    "exclude": lambda found, data: found.top("ann", exclude=data),
    "fold": lambda found, data: found.fold_in(data),
    "recommend": lambda found, data: found.recommend(data),
    "recall": lambda found, data: found.recall(data, 1),
    "sample": lambda found, data: found.posterior(data, 2, rank=1),
    "compare": lambda found, data: compare(data, [found, found.fold_in(PAIRS)]),
    "mix": lambda found, data: mix([found, found.fold_in(PAIRS)], tune=data),
    "reliability": lambda found, data: reliability(data, found),
}
# Of an estimate that knows its labels, these are labels by context, and counts in its order.
TAKEN_LATER = {"{'ann': ['tea', 'gin'], 'bob': ['rum', 'tea']}", "matrix"}
OUTCOMES = {"[b'ab', b'cd']", "users, items", "StringIO('ann tea')", "'ann tea'", "b'ann tea'"}
TEXTS = {"StringIO('ann tea')", "'ann tea'"}  # which `compare` reads as such


def told_by(door, data):
    """Return the line with which a door refuses data, nothing if it takes them."""
    try:
        door(data)
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("way", OTHER)
def test_every_door_refuses_a_form_as_the_fit_does(way):
    _, names, labels = parts_of(way)
    columns = dict(zip(("context", "outcome", "weight"), names, strict=False))
    doors = {"fit": lambda data: fit(data, **columns, **labels, method="add-half")}
    if way != "matrix":  # which has its posterior in numbers
        doors["posterior"] = lambda data: posterior(data, 2, burn_in=1, **columns, **labels)
    if not labels:
        doors["split"] = lambda data: split_pairs(data, *names)
    if not labels and way not in TEXTS:
        doors["compare"] = lambda data: compare(data, methods=["kn", "add-half"], **columns)
    for door, read in doors.items():
        told = told_by(read, data_in(way)[0])
        assert OTHER[way] in told, (door, told)
    found = fit(PAIRS, method="add-half")
    for door, ask in LATER.items():
        if way in TAKEN_LATER or (door == "exclude" and way in OUTCOMES):
            continue
        told = told_by(lambda data, ask=ask: ask(found, data), data_in(way)[0])
        is_alike = OTHER[way] in told or NAMES_NEEDED in told
        assert is_alike or (names and "entry 0" in told) or "hashable" in told, (door, told)
        assert "\n" not in told


RATED = [(u, i, float(CROSS.loc[u, i])) for u in CROSS.index for i in CROSS.columns]
# Ways in which a pair that nobody has counted is a zero, and a zero is a rating.
WITH_ZEROS = """
table.astype('category').groupby(['user', 'item'], observed=False).size()
by.size().unstack(fill_value=0)
cross
cross.stack()
cross.to_dict('index')
cross.astype('Int64')
cross.astype(pd.SparseDtype(int, 0))
cross.map(Decimal)
cross.reset_index()
""".strip().splitlines()
A_NUMBER_FOR_EACH = re.compile(r"triples|[Cc]ount|weighed|size\(|by\.sum|aggfunc|cross")


def ratings_of(found, data):
    """Return what every door of ratings says of data, which `data` makes anew for each of them."""
    users, items, _ = zip(*RATED, strict=True)
    return {
        "completed": found.predict(list(users), list(items)).round(12).tolist(),
        "sum": round(float(found.predict_pairs(data()).sum()), 9),
        "error": round(found.rmse(data()), 12),
        "best": [found.top(user, 9, exclude=data()) for user in CROSS.index],
    }


@pytest.mark.parametrize("way", SAME.strip().splitlines())
def test_ratings_are_read_by_the_same_reader(way):
    data, names, labels = parts_of(way)
    if labels:  # a matrix, whose labels `complete` does not take
        return
    if not A_NUMBER_FOR_EACH.search(way):
        with pytest.raises(ValueError, match=r"have no ratings|has the rating True"):
            complete(data, *names, rank=1, passes=3)
        return
    known = [rating for rating in RATED if rating[2] or way in WITH_ZEROS]
    expected = ratings_of(complete(known, rank=1, passes=3), lambda: known)
    found = ratings_of(complete(data, *names, rank=1, passes=3), lambda: data_in(way)[0])
    assert found == expected


@pytest.mark.parametrize("way", [way for way in OTHER if "matrix" not in way])
def test_what_the_fit_refuses_is_no_rating(way):
    data, names, _ = parts_of(way)
    told = OTHER[way].replace("context=", "user=").replace("outcome=", "item=")
    told = told.replace(PAIRS_EXPECTED, "expected (user, item, rating)")
    told = "has the rating" if "has the weight" in told else re.escape(told)
    with pytest.raises(ValueError, match=told) as caught:
        complete(data, *names, rank=1, passes=3)
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("ignore:no interval")
@pytest.mark.parametrize("way", ["set(pairs)", "frozenset(pairs)"])
def test_a_set_has_each_pair_once(way):
    assert fitted(way).about.n == 7
    once = fit(list(dict.fromkeys(PAIRS)), method="add-half")
    assert answers(fitted(way), lambda: set(PAIRS)) == answers(once, lambda: [*{*PAIRS}])


OF_PARTS = """
pairs
tuple(pairs)
table, *names
weighed, *weights
{'user': users, 'item': items}, *names
[dict(zip(names, pair)) for pair in pairs], *names
[Drunk(*pair) for pair in pairs], *names
deque(pairs)
deque(table.to_dict('records')), *names
np.array(table.to_dict('records')), *names
table.to_records(index=False), *names
counts
lists
{user: Counter(items) for user, items in lists.items()}
table.groupby('user')['item'].agg(list)
by.size()
cross
cross.reset_index()
np.array(pairs)
set(pairs)
"""


def test_an_iterator_of_records_is_split_as_its_list():
    rows = TABLE.to_dict("records")
    given = iter(rows), rows
    read, listed = (split_pairs(each, "user", "item", share=0.5, seed=2) for each in given)
    assert read == listed


def parts_are_those_of_the_pairs(way, **more):
    """Check that a table is split into two of its kind, with the same pairs as a list has."""
    data, names = data_in(way, **more)
    wanted = [
        fit([*part, ("x", "y")], method="mle")
        for part in split_pairs(list(dict.fromkeys(PAIRS)), share=0.5, seed=2)
    ]
    for part, expected in zip(split_pairs(data, *names, share=0.5, seed=2), wanted, strict=True):
        assert type(part) is type(data)
        if hasattr(data, "columns") and not hasattr(data, "column_names"):
            assert list(part.columns) == list(data.columns)
        found = fit(part, *names, method="add-half")
        seen = {
            (u, i)
            for u in found.contexts
            for i in found.outcomes
            if (u, i) in PAIRS
            and found.in_numbers([(u, i)]).n
            and found.top(u, 9, exclude=part) is not None
        }
        pairs = {
            (u, i) for u in expected.contexts for i in expected.outcomes if expected.prob(u, i) > 0
        } - {("x", "y")}
        kept = {(u, i) for u, i in seen if i not in dict(found.top(u, 9, exclude=part))}
        assert kept == pairs


@pytest.mark.parametrize("way", OF_PARTS.strip().splitlines())
def test_a_table_is_split_into_two_of_its_kind(way):
    parts_are_those_of_the_pairs(way)


def test_a_table_of_polars_or_arrow_is_split_into_two():
    polars, pyarrow = (pytest.importorskip(name) for name in ("polars", "pyarrow"))
    frame = polars.DataFrame({"user": USERS, "item": ITEMS})
    parts_are_those_of_the_pairs("frame, *names", frame=frame)
    parts_are_those_of_the_pairs(
        "arrow, *names", arrow=pyarrow.table({"user": USERS, "item": ITEMS})
    )


SHUFFLED = """
rows
rows.tolist()
{'user': rows[:, 0], 'item': rows[:, 1]}, *names
pd.DataFrame(rows, columns=names), *names
Counter(map(tuple, rows.tolist()))
pd.crosstab(rows[:, 0], rows[:, 1]).sample(frac=1, random_state=1).sample(frac=1, axis=1)
pd.DataFrame(rows, columns=names).groupby(['user', 'item'], sort=False).size()
{u: rows[rows[:, 0] == u, 1].tolist() for u in dict.fromkeys(rows[:, 0])}
"""
METHODS_TRIED = {
    "kn": {},
    "add-half": {},
    "ad-lr": {"rank": 2, "iterations": 20},
    "add-half-lr": {"rank": 2, "iterations": 20},
    "plsa": {"rank": 2},
    "py-lr": {"sweeps": 5, "chains": 1},
}


@pytest.mark.parametrize("method", METHODS_TRIED)
def test_the_order_of_rows_changes_nothing(method):
    rng = np.random.default_rng(0)
    rows = np.array([(f"u{u}", f"i{i}") for u, i in rng.integers(0, 9, (300, 2)) ** 2 // 9])
    expected = fit(rows, method=method, **METHODS_TRIED[method])
    later = rows[rng.permutation(300)][:100]
    folds = method in ("kn", "ad-lr")
    for way in SHUFFLED.strip().splitlines():
        data, names = data_in(way, rows=rows[rng.permutation(300)])
        found = fit(data, *names, method=method, **METHODS_TRIED[method])
        assert found.labels == expected.labels
        np.testing.assert_allclose(np.asarray(found.model), np.asarray(expected.model), atol=1e-12)
        more, _ = data_in(way, rows=later[rng.permutation(100)])
        assert found.score(more).nats == pytest.approx(expected.score(later).nats, abs=1e-12)
        assert found.recommend(more).keys() == expected.recommend(later).keys()
        if folds:
            one, other = found.fold_in(more), expected.fold_in(later)
            np.testing.assert_allclose(np.asarray(one.model), np.asarray(other.model), atol=1e-12)
        sides = zip(split_pairs(more, *names, seed=1), split_pairs(later, seed=1), strict=True)
        for one, other in sides:
            assert found.in_numbers(one).nnz == found.in_numbers(other).nnz


def test_labels_that_do_not_sort_are_numbered_by_first_appearance_and_told():
    told = "the labels have no order, and are numbered by first appearance"
    with pytest.warns(UserWarning, match=told):
        found = fit([(2j, "x"), (1j, "x"), (1j, "y")], method="add-half")
    assert list(found.contexts) == [2j, 1j]
    mixed = [3, "b", ("a", 2), 1.5, b"x", frozenset("ba"), ("a", 1), "a", Fraction(1, 3)]
    mixed += [datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 1), datetime.time(3)]
    for order in (mixed[:-2], mixed[:-3:-1] + mixed[:-3:-1]):
        one, other = (Vocabulary.in_order(labels) for labels in (order, order[::-1]))
        assert list(one) == list(other)


VALUES = {
    "Decimal": (Decimal("7"), 7),
    "Decimal.5": (Decimal("0.5"), 0.5),
    "half": (np.float16(0.5), 0.5),
    "text": (np.str_("ann"), "ann"),
    "bytes": (np.bytes_(b"ann"), b"ann"),
    "truth": (np.True_, True),
    "int8": (np.int8(7), 7),
    "long": (np.longdouble(0.5), 0.5),
    "day": (np.datetime64("2026-01-01"), datetime.datetime(2026, 1, 1)),
    "named": (NAMES["Pair"](np.int64(1), "a"), (1, "a")),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_label_is_one_label_at_every_door(name):
    given, plain = VALUES[name]
    found = fit([(given, "x"), (given, "y"), ("other", "y")], method="add-half")
    assert plain in list(found.contexts)
    assert type(plain) in map(type, found.contexts)
    for label in (given, plain):
        assert found.seen(label)
        assert found.prob(label, "x") == found.prob([label], ["x"])[0] == 0.5
        assert list(found.row(label)) == ["x", "y"]
        assert found.similar(label, 1)[0][0] == "other"
        assert found.score([(label, "x")]).unseen == 0
        assert found.top([label], exclude=[(label, "x")]) == {plain: [("y", 0.5)]}
        assert found.to_frame([label], 1).shape == (1, 3)
    turned = fit([("x", given), ("y", given), ("y", "other")], method="add-half")
    for label in (given, plain):
        assert turned.prob("x", label) == 1.5 / 2
        assert [outcome for outcome, _ in turned.top("x", exclude=label)] == ["other"]
        assert turned.recall([("x", label)], 1) == 1
    assert Vocabulary([given]).numbers([plain]).tolist() == [0]
    assert Vocabulary([plain]).numbers([given]).tolist() == [0]


@pytest.mark.parametrize("kind", [Decimal, Fraction, np.float16, np.float32, np.int8, float, int])
def test_a_number_is_one_number_at_every_door(kind):
    weights = [kind(2), kind(1), kind(3)]
    triples = [("a", "x", weights[0]), ("a", "y", weights[1]), ("b", "y", weights[2])]
    assert fit(triples, method="add-half").score(triples).n == 6
    dense = np.array([[2, 1], [0, 3]])
    labels = Vocabulary("ab"), Vocabulary("xy")
    for counts in (
        CountMatrix.from_pairs([0, 0, 1], [0, 1, 1], 2, weights=weights),
        CountMatrix.from_labels("aab", "xyy", labels, weights=weights),
        CountMatrix.from_labels("aab", "xyy", labels, weights=pd.Series(weights)),
        CountMatrix.from_dense([[weights[0], weights[1]], [kind(0), weights[2]]]),
        CountMatrix.from_dense(pd.DataFrame([[weights[0], weights[1]], [kind(0), weights[2]]])),
    ):
        np.testing.assert_array_equal(counts.dense(), dense)
        assert counts.is_whole


@pytest.mark.parametrize(
    "labels", [[b"a", b"b"], [1j, 2j], [Path("a"), Path("b")], [datetime.date(2026, 1, 1)]]
)
@pytest.mark.filterwarnings("ignore:the labels have no order")
def test_labels_that_a_file_cannot_hold_are_refused_by_save(labels, tmp_path):
    found = fit([(label, "x") for label in labels], method="add-half")
    with pytest.raises(ValueError, match="labels 'contexts': must be only texts or only numbers"):
        found.save(tmp_path / "no.npz")
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore:no interval")
@pytest.mark.parametrize("way", OF_POLARS.strip().splitlines() + OF_ARROW.strip().splitlines())
def test_every_door_reads_polars_and_arrow_as_the_fit_did(way):
    polars, pyarrow = (pytest.importorskip(name) for name in ("polars", "pyarrow"))
    more = {"polars": polars, "frame": polars.DataFrame({"user": USERS, "item": ITEMS})}
    more |= {"pyarrow": pyarrow, "arrow": pyarrow.table({"user": USERS, "item": ITEMS})}
    found = answers(fitted(way, **more), lambda: data_in(way, **more)[0])
    found |= first_doors(lambda: data_in(way, **more)[0], data_in(way, **more)[1])
    assert found == answers_of_pairs()[0]


@pytest.mark.filterwarnings("ignore:no interval")
@pytest.mark.parametrize("columns", ["user, item", "item, user"])
@pytest.mark.parametrize("names", [(), ("user", "item")])
def test_every_door_reads_rows_of_sqlite(columns, names):
    if not names and columns != "user, item":
        return  # without names the first is the context
    with closing(sqlite3.connect(":memory:")) as base:
        base.row_factory = sqlite3.Row
        TABLE.to_sql("pairs", base, index=False)
        rows = base.execute(f"select {columns} from pairs").fetchall
        kept = rows()
        found = answers(fit(kept, *names, method="add-half"), lambda: kept)
        found |= first_doors(lambda: kept, names)
        assert found == answers_of_pairs()[0]
