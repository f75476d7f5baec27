"""Write the numbers of the pages from the reference: `python docs/write_tables.py`.

A page has a table between two comments, which neither a forge nor the site shows. The first says
what it is made of::

    <!-- table of results/reference/theory/exhibits/rates.csv
    where: method=add-half-lr
    columns: slope_of, slope, slope_low, slope_high
    digits: 2 -->
    | slope of | ... |
    <!-- end of table -->

``where`` chooses rows (column=value, ...). ``columns`` are those that are shown; or ``pivot`` makes
a table (row, column, value). ``digits`` is the number of decimals. A table of ``verdicts`` counts
the claims of each study, and a table of ``targets`` lists the studies with question and run time.
"""

import re
import sys
from pathlib import Path

import pandas as pd

from reproduction.config import list_files, load_config
from reproduction.exhibits.printing import in_markdown
from reproduction.study import studies_in_words
from reproduction.verdicts.criteria import VERDICTS

TOP = Path(__file__).parents[1]
TABLE = re.compile(
    r"(<!-- table of (\S+?)((?:\n\w+: .*?)*) -->\n)(.*?)(<!-- end of table -->)", re.S
)
COUNTED, LISTED = "verdicts", "targets"
NAMING = {"method", "other", "kn", "ad_lr"}  # columns of entries of the config's ``methods``
LABELS = {
    name: entry.get("label", name) for name, entry in load_config(list_files([]))["methods"].items()
}


def pages():
    """Return the pages that have tables."""
    return [
        path
        for path in sorted([TOP / "README.md", *(TOP / "docs").glob("*.md")])
        if TABLE.search(path.read_text(encoding="utf-8"))
    ]


def fill_page(text):
    """Return the text of a page with its tables written anew.

    Raises
    ------
    ValueError
        If no row is left of a table.
    """

    def fill(found):
        head, source, options, _, end = found.groups()
        options = dict(line.split(": ", 1) for line in options.strip().splitlines())
        return f"{head}\n{make_table(source, **options)}\n{end}"

    return TABLE.sub(fill, text)


def make_table(source, where="", columns="", pivot="", digits="3"):
    """Return a table of a CSV, or of verdicts, in Markdown; parameters are those of a page."""
    if source == COUNTED:
        return _in_markdown(count_verdicts(), 0)
    if source == LISTED:
        return _in_markdown(list_targets(), 0)
    table = pd.read_csv(TOP / source, keep_default_na=False, na_values=[""])
    for condition in split_words(where):
        column, _, value = condition.partition("=")
        table = table[table[column].astype(str) == value]
    if pivot:
        row, column, value = split_words(pivot)
        order = [table[name].drop_duplicates() for name in (row, column)]
        table = table.pivot(index=row, columns=column, values=value)
        table = table.reindex(index=order[0], columns=order[1]).reset_index()
    else:
        table = table[split_words(columns)].drop_duplicates().dropna(how="all")
    for column in NAMING & {*table.columns}:
        table[column] = table[column].map(lambda name: LABELS.get(name, name))
    if table.empty:
        raise ValueError(f"{source}: no row is left where {where}")
    return _in_markdown(table, int(digits))


def count_verdicts():
    """Return how many claims of each target have which verdict, by who makes the claim."""
    rows = []
    for path in sorted((TOP / "results" / "reference").glob("*/claims.csv")):
        for by, group in pd.read_csv(path).groupby("by"):
            counts = {verdict: (group["verdict"] == verdict).sum() for verdict in VERDICTS}
            rows.append({"target": path.parent.name, "claims of": by} | counts)
    return pd.DataFrame(rows)


def list_targets():
    """Return the make targets of the studies, with their questions and run times."""
    studies = list(studies_in_words().values())
    return pd.DataFrame(
        {
            "command": ["make reproduce", *(f"make {study.name}" for study in studies[1:])],
            "question": [" ".join(study.question.split()) for study in studies],
            "time on two cores": [study.takes for study in studies],
        }
    )


def split_words(text):
    """Split "a, b" into a list."""
    return [word.strip() for word in text.split(",") if word.strip()]


def _in_markdown(table, digits):
    """Return a table in Markdown, numbers at the right of their column."""
    numeric = [pd.api.types.is_numeric_dtype(table[column]) for column in table]
    table = pd.DataFrame({column: _spell(table[column], digits) for column in table})
    lines = [
        [str(name).replace("_", " ") for name in table.columns],
        ["---:" if is_number else "---" for is_number in numeric],
        *(map(in_markdown, row) for row in table.to_numpy()),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _spell(column, digits):
    """Return a column as text; ``digits`` after the point where a number has a fraction."""
    if not pd.api.types.is_numeric_dtype(column):
        return column.fillna("").astype(str)
    places = digits if (column.dropna() % 1).any() else 0
    return column.map(lambda cell: "" if pd.isna(cell) else f"{cell:,.{places}f}")


def main():
    """Write the tables of each page anew, and say which pages changed."""
    for path in pages():
        old = path.read_text(encoding="utf-8")
        new = fill_page(old)
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(TOP))


if __name__ == "__main__":
    sys.exit(main())
