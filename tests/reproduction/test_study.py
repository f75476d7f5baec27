"""What the rules look up of a study: files, texts, and who judges which claims."""

from reproduction.study import Study, judged_elsewhere

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


def test_claims_are_judged_by_the_target_that_has_their_exhibit():
    """Also where its texts are missing, so that nothing of it can be shown."""
    larger = Study("large", {"a": CURVE, "b": CURVE}, {}, "small")
    other = Study("fresh", {}, {}, "small", corpora={"f": ["gone"]})
    small = Study("small", {"a": CURVE}, {}, larger="large")
    every = [small, larger, other, Study("another", {"x": CURVE}, {})]
    assert judged_elsewhere(small, every) == ["f"]
    assert judged_elsewhere(other, every) == ["a", "b"]
