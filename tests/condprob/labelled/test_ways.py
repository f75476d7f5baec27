"""Some eighty ways to bring the same twelve pairs: the same fit, or one line that says what to do.

A way is a line of Python with the names in `NAMES`, as a user writes it.
"""

import csv
import datetime
import re
import sqlite3
from collections import Counter, defaultdict, namedtuple
from decimal import Decimal
from fractions import Fraction
from io import StringIO

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from condprob import CountMatrix, Vocabulary, fit

PAIRS = [("ann", "tea")] * 4 + [("ann", "milk")] * 2 + [("bob", "milk")] * 2
PAIRS += [("bob", "tea"), ("bob", "gin"), ("eve", "gin"), ("eve", "tea")]
USERS, ITEMS = map(list, zip(*PAIRS, strict=True))
TABLE = pd.DataFrame({"user": USERS, "item": ITEMS})
BY = TABLE.assign(n=1).groupby(["user", "item"])
CROSS = pd.crosstab(TABLE["user"], TABLE["item"])
CSV = "user,item\n" + "\n".join(map(",".join, PAIRS))
NAMES = {
    **{"pairs": PAIRS, "users": USERS, "items": ITEMS, "table": TABLE, "by": BY, "cross": CROSS},
    **{"counts": Counter(PAIRS), "triples": [(*pair, n) for pair, n in Counter(PAIRS).items()]},
    **{"weighed": BY["n"].sum().reset_index(), "matrix": CROSS.to_numpy(), "CSV": CSV},
    **{"labels": {"contexts": list(CROSS.index), "outcomes": list(CROSS.columns)}},
    **{"names": ("user", "item"), "weights": ("user", "item", "n"), "fit": fit, "csv": csv},
    **{"StringIO": StringIO, "np": np, "pd": pd, "sparse": scipy.sparse, "Counter": Counter},
    **{"Decimal": Decimal, "Fraction": Fraction, "CountMatrix": CountMatrix},
    **{"defaultdict": defaultdict, "Pair": namedtuple("Pair", "user item")},
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
[(u, i, True) for u, i in pairs]
counts
defaultdict(int, counts)
{user: Counter(items) for user, items in lists.items()}
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
matrix, **labels
matrix, contexts=cross.index, outcomes=cross.columns
sparse.csr_array(matrix), **labels
sparse.coo_matrix(matrix), **labels
CountMatrix.from_dense(matrix), **labels
"""
OTHER = {  # with a part of the message, which is the line to write
    "counts.items()": "(('ann', 'tea'), 4) is a pair with a number: dict(data) has counts by pair",
    "counts.most_common()": "dict(data) has counts by pair; contexts that are tuples need columns",
    "set(pairs)": "a set has another order in each run: give sorted(data)",
    "lists": "a dictionary with 'ann': the names of its columns, context=... and outcome=..., or",
    "lists.values()": "entry 0 is ('tea', 'tea', ",
    "lists.items()": "a label must be hashable, as texts and numbers are: unhashable type: 'list'",
    "users, items": "a table needs both: context=NAME and outcome=NAME",
    "(users, items)": "(context, outcome) is needed, or a weight beside each; of columns make pai",
    "table": "a table with the columns user, item and no labelled index: context=... and outcome=",
    "table, 'user'": "a table needs both: context=NAME and outcome=NAME",
    "table.itertuples()": "pair 0 has the weight 'tea': a number >= 0 is needed, which stands behi",
    "table.to_dict('records')": "a dictionary with 'user': the names of its columns, context=...",
    "table.to_records(index=False)": "and a table needs context=... and outcome=...",
    "weighed.astype({'n': str}), *weights": "pair 0 has the weight '2': a number >= 0 is needed",
    "by": "DataFrameGroupBy has no counts yet: give its .size()",
    "by.sum().unstack()": "have several levels, and the first one label: give table['n']",
    "cross.reset_index()": "'ann' is no count: of a table of pairs, name its columns",
    "pd.crosstab(*table.T.to_numpy(), margins=True)": "ends in its sums, 'All': leave them out",
    "matrix": "a matrix has no labels: give it contexts=[...] and outcomes=[...]; pairs are data.t",
    "matrix.tolist(), **labels": "as large as the labels: a matrix is numpy.array(data)",
    "StringIO('ann tea')": "or a weight beside each; of lines make pairs first, such as by line.sp",
    "'ann tea'": "'ann tea' is no table: read the file first, such as with pandas.read_csv",
    "b'ann tea'": "bytes: pairs of labels, or a table, are needed",
}
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
    with sqlite3.connect(":memory:") as base:
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


@pytest.mark.parametrize("way", ["pd.crosstab(*table.T.to_numpy(), normalize='index')",
                                 "table.value_counts(normalize=True)", "shares"])  # fmt: skip
def test_shares_are_taken_for_counts_with_a_warning(way):
    shares = {"ann": {"tea": 0.25, "gin": 0.75}, "bob": {"tea": 0.5, "gin": 0.5}}
    with pytest.warns(UserWarning, match="cells of the data sum to one: shares are taken for cou"):
        fitted(way, shares=shares)
