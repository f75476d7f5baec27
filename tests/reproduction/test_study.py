"""What the rules look up of a study: files and texts."""

from reproduction.study import Study

CURVE = {"kind": "learning-curve", "corpora": ["tale"]}
SMALL = Study(
    "small",
    {"a": CURVE, "t": {"kind": "table"}},
    {"a": ["a.csv", "b.csv"], "t": ["b.csv"]},
    corpora={"a": ["tale", "myth"]},
)


def test_files_of_a_study():
    assert SMALL.package == "small"
    assert SMALL.files("csv") == [f"results/small/exhibits/{name}.csv" for name in "at"]
    assert SMALL.files("md", kinds=("table",)) == ["results/small/exhibits/t.md"]
    assert SMALL.scores_of() == ["a.csv", "b.csv"]  # each once
    assert SMALL.scores_of(["t"]) == ["b.csv"]
    assert SMALL.receipts_of() == ["results/corpora/tale.json"]  # myth is missing
    assert SMALL.texts == ["tale", "myth"]
    assert "results/small/report.html" in SMALL.results
    assert "results/small/exhibits/t.tex" in SMALL.results
