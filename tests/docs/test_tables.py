"""The numbers of the pages are those of the reference, and can be read on a forge."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    """The script docs/write_tables.py."""
    spec = importlib.util.spec_from_file_location("write_tables", TOP / "docs" / "write_tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_table_of_a_page_is_that_of_the_reference(tool):
    """After a change of a reference: `python docs/write_tables.py`."""
    found = 0
    for path in tool.pages():
        text = path.read_text(encoding="utf-8")
        found += len(tool.TABLE.findall(text))
        assert tool.fill_page(text) == text, path.name
    assert found >= 14


def test_no_page_has_a_number_that_a_forge_does_not_show():
    for path in [TOP / "README.md", *(TOP / "docs").glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert "```{result}" not in text, path.name
        assert text.count("<!-- table of ") == text.count("<!-- end of table -->"), path.name


@pytest.fixture
def result(tool, tmp_path, monkeypatch):
    """A CSV of three rows, below a folder that stands for the repository."""
    rows = pd.DataFrame(
        {
            "method": ["kn-uniform", "ad", "ad"],
            "n": [1000, 1000, 2000],
            "mean": [1.23456, 2.0, 3.5],
            "note": ["a|b", None, "c"],
        }
    )
    rows.to_csv(tmp_path / "some.csv", index=False)
    monkeypatch.setattr(tool, "TOP", tmp_path)


@pytest.mark.usefixtures("result")
def test_rows_and_columns_are_chosen_and_methods_have_their_name(tool):
    table = tool.make_table("some.csv", "n=1000", "method, n, mean, note", digits="2")
    assert table.splitlines() == [
        "| method | n | mean | note |",
        "| --- | ---: | ---: | --- |",
        "| KN (textbook) | 1,000 | 1.23 | a\\|b |",
        "| AD | 1,000 | 2.00 |  |",
    ]


@pytest.mark.usefixtures("result")
def test_a_pivot_keeps_the_order_of_the_file(tool):
    assert tool.make_table("some.csv", pivot="method, n, mean").splitlines() == [
        "| method | 1000 | 2000 |",
        "| --- | ---: | ---: |",
        "| KN (textbook) | 1.235 |  |",
        "| AD | 2.000 | 3.500 |",
    ]


@pytest.mark.usefixtures("result")
def test_a_table_without_rows_is_refused(tool):
    with pytest.raises(ValueError, match=r"some\.csv"):
        tool.make_table("some.csv", "n=5", "method")


@pytest.mark.usefixtures("result")
def test_a_page_is_filled_between_its_comments(tool):
    options = "where: n=2000\ncolumns: mean"
    page = f"a\n<!-- table of some.csv\n{options} -->\nold\n<!-- end of table -->\nb\n"
    filled = tool.fill_page(page)
    assert "| 3.500 |\n\n<!-- end of table -->\nb\n" in filled
    assert "old" not in filled
    assert tool.fill_page(filled) == filled
