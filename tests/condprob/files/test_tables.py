"""Tables in files, as people have them: R, dumps with tabs, cross tables, JSON, long fields."""

import csv
import json

import pandas as pd
import pytest

import condprob
from condprob.files.tables import read_columns, read_crosstab, read_pairs

PAIRS = (["ann", "bob", "bob"], ["tea", "tea", "milk"], [2, 1, 0.5])
NAMES = ("user", "item", "n")
R_TABLE = '"user" "item" "n"\n"1" "ann" "tea" 2\n"2" "bob" "tea" 1\n"3" "bob" "milk" 0.5\n'


def write(path, text):
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


@pytest.mark.parametrize("mark", [" ", "\t", ",", ";"])
@pytest.mark.parametrize("quoted", [True, False])
def test_a_table_of_r_has_names_of_rows_without_a_name(tmp_path, mark, quoted):
    """`write.table(d, sep=mark, quote=quoted)`; with row.names=FALSE there is no such field."""
    text = (R_TABLE if quoted else R_TABLE.replace('"', "")).replace(" ", mark)
    assert read_columns(write(tmp_path / "r", text), NAMES) == PAIRS
    bare = "\n".join(
        line.partition(mark)[2] if n else line for n, line in enumerate(text.split("\n"))
    )
    assert read_columns(write(tmp_path / "bare", bare), NAMES) == PAIRS


@pytest.mark.parametrize(
    "text",
    [
        "user,item\nann,tea,\nbob,milk,\n",  # each line ends in a separator
        "user,item\nann,tea,1\nann,milk,2\n",  # names of rows would differ
        "user,item\n1,ann,tea\nbob,milk\n",  # one line alone has a field more
    ],
)
def test_a_field_too_many_that_is_no_name_of_a_row_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"t:[23]: [23] fields, but 2 named columns"):
        read_columns(write(tmp_path / "t", text), ("user", "item"))


DUMP = '"Heroes"_(album)\tDavid_Bowie\t120\nDavid_Bowie\t"Heroes"_(album)\t80\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DUMP, (['"Heroes"_(album)', "David_Bowie"], ["David_Bowie", '"Heroes"_(album)'])),
        # Two lone quotation marks, which would enclose the end of a line.
        ('"5 inch\tx\ny\tz"\nu\tv\n', (['"5 inch', "y", "u"], ["x", 'z"', "v"])),
        ('a\t"b\nc\td\n', (["a", "c"], ['"b', "d"])),
        # These enclose fields, and one an end of a line.
        ('"a"\t"b\tb"\n"c\nc"\td\n', (["a", "c\nc"], ["b\tb", "d"])),
    ],
)
def test_quotation_marks_of_a_table_with_tabs_may_be_characters(tmp_path, text, expected):
    assert read_columns(write(tmp_path / "t", text), ("1", "2"))[:2] == expected


def test_quotation_marks_of_other_tables_are_characters_where_it_is_said(tmp_path):
    path = write(tmp_path / "t", 'user,item\n5" nail,wood\n"big" one,"b\n')
    with pytest.raises(ValueError, match="t:3: text follows a closing quotation mark"):
        read_columns(path, ("user", "item"))
    found = read_columns(path, ("user", "item"), quotes=False)
    assert found == (['5" nail', '"big" one'], ["wood", '"b'], None)
    path = write(tmp_path / "open", 'user,item\nann,tea\nbob,"milk\ncy,tea\n')
    with pytest.raises(ValueError, match="open:3: a quotation mark opens here and is never closed"):
        read_columns(path, ("user", "item"))


@pytest.mark.parametrize("mark", ",\t")
def test_a_field_may_be_longer_than_the_csv_module_allows(tmp_path, mark):
    long, before = 200_000 * "x", csv.field_size_limit()
    text = f"user{mark}item{mark}more\nann{mark}tea{mark}{long}\nbob{mark}{long}{mark}y\n"
    found = read_columns(write(tmp_path / "t", text), ("user", "item"))
    assert found == (["ann", "bob"], ["tea", long], None)
    assert csv.field_size_limit() == before


def test_json_is_lines_or_an_array(tmp_path):
    rows = [dict(zip(NAMES, row, strict=True)) for row in zip(*PAIRS, strict=True)]
    texts = ["\n".join(map(json.dumps, rows)), json.dumps(rows), json.dumps(rows, indent=1)]
    for text in texts:
        assert read_columns(write(tmp_path / "t", text), NAMES) == PAIRS
    with pytest.raises(ValueError, match="object 2: no field 'n'"):
        read_columns(write(tmp_path / "t", json.dumps([rows[0], {"user": 1, "item": 2}])), NAMES)
    bracketed = write(tmp_path / "t", "[user],[item]\nann,tea\n")  # of SQL Server
    assert read_columns(bracketed, ("[user]", "[item]"))[:2] == (["ann"], ["tea"])


def test_cross_tables_of_pandas_and_r_are_read(tmp_path):
    long = pd.DataFrame(dict(zip(NAMES, PAIRS, strict=True)))
    wide = long.pivot_table(index="user", columns="item", values="n")
    expected = (["ann", "bob", "bob"], ["tea", "milk", "tea"], [2, 0.5, 1])
    wide.to_csv(tmp_path / "pandas.csv")
    texts = ["\ttea\tmilk\nann\t2\tNA\nbob\t1\t0.5\n", '"tea" "milk"\n"ann" 2 NA\n"bob" 1 0.5\n']
    assert read_crosstab(str(tmp_path / "pandas.csv")) == expected
    for text in texts:
        found = read_crosstab(write(tmp_path / "t", text))
        assert sorted(zip(*found, strict=True)) == sorted(zip(*expected, strict=True))
    for text, told in (
        ("u,a,b\nx,1,2\nx,3,4\n", "context 'x' occurs twice"),
        ("u,a,a\nx,1,2\n", "outcome 'a' occurs twice"),
        ("u,a,b\nx,1,-2\n", "t:2: weight '-2': must be a number >= 0"),
        ("u,a,b\nx,1,2\ny,1\n", "t:3: 1 count, but 2 outcomes"),
        ("u,a,b\n", "a cross table has a line of outcomes"),
        ("", "a cross table has a line of outcomes"),
    ):
        with pytest.raises(ValueError, match=told):
            read_crosstab(write(tmp_path / "t", text))


def test_a_near_name_of_a_column_is_told(tmp_path):
    path = write(tmp_path / "t", "customer_id,item\nann,tea\n")
    with pytest.raises(ValueError, match=r"'customer' not found; .* Did you mean 'customer_id'\?"):
        read_columns(path, ("customer", "item"))


def test_words_and_numbers_may_be_pairs(tmp_path):
    """They are where a word comes twice, numbers stand on both sides, or columns are named."""
    for text in (
        "ann\t3\nann\t5\nbob\t3\n",
        "1\t3\n2\t5\n3\t3\n",
        "ann\t1\t2\nbob\t1\t2\ncy\t1\t2\n",
    ):
        assert len(read_pairs(write(tmp_path / "t", text)).contexts) == 3
    path = write(tmp_path / "t", "the\t23\nof\t13\nand\t12\n")
    with pytest.raises(ValueError, match="a word, or an n-gram, and its count, which are no pairs"):
        read_pairs(path)
    assert read_columns(path, ("1", "2")).outcomes == ["23", "13", "12"]


def test_a_label_of_json_may_be_zero_or_false(tmp_path):
    path = write(tmp_path / "t.jsonl", '{"u": 0, "i": "a"}\n{"u": 1, "i": false}\n')
    found = condprob.fit(path, "u", "i", method="add-half")
    assert (list(found.contexts), list(found.outcomes)) == ([0, 1], [False, "a"])
    empty = write(tmp_path / "t.csv", "u,i\n,a\nb,c\n")
    with pytest.raises(ValueError, match="pair 0 has no context"):
        condprob.fit(empty, "u", "i", method="add-half")


def test_a_carriage_return_alone_ends_a_line_of_a_csv_file(tmp_path):
    """Excel for Mac writes such files as "CSV (Macintosh)"."""
    path = write(tmp_path / "t", "user,item,n\rann,tea,2\rbob,tea,1\rbob,milk,0.5\r")
    assert read_columns(path, NAMES) == PAIRS
    with pytest.raises(ValueError, match="column 'user' not found"):
        read_columns(write(tmp_path / "t", "us\rer\titem\na\tb\n"), ("user", "item"))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_numbers_of_columns_are_no_names_in_the_first_line(tmp_path, mark):
    path = write(tmp_path / "t", f"Toy Story{mark}Part 2\nHeat 1{mark}Part 1\n")
    assert read_columns(path, ("1", "2"))[:2] == (["Toy Story", "Heat 1"], ["Part 2", "Part 1"])


def test_a_cross_table_may_have_one_outcome(tmp_path):
    """R writes it with spaces, and nothing above the contexts."""
    found = read_crosstab(write(tmp_path / "t", "tea\nann 2\nbob 1\n"))
    assert found == (["ann", "bob"], ["tea", "tea"], [2, 1])


def test_a_table_in_another_encoding_is_told_how_to_be_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("user,item\nann,thé\n".encode("cp1252"))
    with pytest.raises(ValueError, match="for fit, read a table with pandas"):
        condprob.fit(path, "user", "item", method="kn")
    table = pd.read_csv(path, encoding="cp1252")
    assert condprob.fit(table, "user", "item", method="kn").top("ann") == [("thé", 1.0)]
