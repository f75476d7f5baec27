"""What a reference keeps of results, and what a run for another processor says of it."""

import json

import pytest

from reproduction.trust.keep import LARGEST, keep_target, main, measure_target
from reproduction.verify import main as verify

CURVE = """n,method,mean,low,high
50,kn,0.25,0.24,0.26
50,ad-lr,0.03,0.02,0.04
60,kn,0.2,0.19,0.21
60,ad-lr,0.025,0.02,0.03
"""
CLAIMS = """id,statement,value,verdict
order,one beats another,0.5,reproduced
other,another,0.25,reproduced
"""
PAGE = """<img src="exhibits/curve.png" alt="">
<a href="../tales/exhibits/curve.svg"><code>drawing</code></a> <a href="../tales/claims.csv">all</a>
<a href="../tales/scores/a.csv"><code>scores</code></a> <a href="#claims">below</a>
<a href="../../src/code.py#L3">code</a> <a href="../../src/gone.py">gone</a>"""
PROVENANCE = {key: {} for key in ("corpora", "written", "git", "machine", "blas", "versions")}


def write_results(folder, curve=CURVE, claims=CLAIMS):
    files = {
        "claims.csv": claims,
        "exhibits/curve.csv": curve,
        "exhibits/curve.png": "",
        "exhibits/curve.svg": "",
        "scores/a.csv": curve,
        "report.html": PAGE,
        "provenance.json": json.dumps(PROVENANCE),
    }
    for name, text in files.items():
        path = folder / "tales" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Results in a checkout, and no reference yet."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "code.py").touch()
    write_results(tmp_path / "results")
    return tmp_path / "results"


def kept(results):
    files = (results / "reference" / "tales").rglob("*.*")
    return {path.relative_to(results / "reference" / "tales").as_posix() for path in files}


def test_an_exhibit_that_no_two_runs_share_is_kept_nowhere(tmp_path):
    exhibits = tmp_path / "results" / "survey" / "exhibits"
    exhibits.mkdir(parents=True)
    for name in ("table.csv", "cost.csv", "cost.png"):
        (exhibits / name).touch()
    (exhibits.parent / "provenance.json").touch()
    kept = keep_target(tmp_path / "results", tmp_path / "reference", "survey")
    assert [path.name for path in kept] == ["table.csv"]


def test_a_reference_has_tables_pictures_and_provenance(results):
    (results / "tales" / "large.csv").write_text(CURVE + LARGEST * " ")
    main(["tales"])
    tables = {"claims.csv", "exhibits/curve.csv", "exhibits/curve.png", "provenance.json"}
    assert kept(results) == tables
    (results / "tales" / "exhibits" / "curve.png").unlink()  # of a study that lost it
    main(["tales"])
    assert kept(results) == tables - {"exhibits/curve.png"}
    assert verify(["--strict"]) == 0


def test_a_page_leads_to_files_beside_the_reference_wherever_it_was_made(results, tmp_path):
    write_results(tmp_path / "far" / "away" / "results")
    keep_target(results, results / "reference", "tales")
    keep_target(tmp_path / "far/away/results", results / "reference", "tales", only_page=True)
    assert (results / "reference" / "tales" / "report.html").read_text() == (
        """<img src="exhibits/curve.png" alt="">
<a href="exhibits/curve.png"><code>drawing</code></a> <a href="claims.csv">all</a>
<code>scores</code> <a href="#claims">below</a>
<a href="../../../src/code.py#L3">code</a> gone"""
    )


def test_rows_that_another_processor_moves_are_listed_with_both_numbers(results, tmp_path):
    keep_target(results, results / "reference", "tales")
    moved = CURVE.replace("0.03,", "0.031,"), CLAIMS.replace("0.5", "0.51")
    write_results(tmp_path / "other", *moved)
    assert verify(["--results", "other", "--reference", "results/reference"]) == 1
    main(["--measure", "--results", "other", "tales"])
    listed = json.loads((results / "reference" / "tales" / "unsteady.json").read_text())
    row = {"table": "exhibits/curve.csv", "row": ["50", "ad-lr", "0"], "mean": ["0.03", "0.031"]}
    of_another_size = {"table": "exhibits/curve.csv", "row": ["60", "ad-lr", "0"]}
    claim = {"table": "claims.csv", "row": ["order", "0"], "value": ["0.5", "0.51"]}
    assert listed["rows"] == [claim, row, of_another_size]
    assert listed["run"].keys() == PROVENANCE.keys() - {"corpora"}
    assert verify(["--results", "other", "--reference", "results/reference"]) == 0
    keep_target(results, results / "reference", "tales")  # the list stays
    assert "unsteady.json" in kept(results)


@pytest.mark.parametrize(
    "other",
    [
        {"claims": CLAIMS.replace("reproduced", "partially reproduced", 1)},
        {"curve": CURVE.replace("50,kn", "70,kn")},
    ],
    ids=["verdict", "row"],
)
def test_another_verdict_or_row_is_not_the_processor(results, tmp_path, other):
    keep_target(results, results / "reference", "tales")
    write_results(tmp_path / "other", **other)
    with pytest.raises(ValueError, match="tales/"):
        measure_target(tmp_path / "other", results / "reference", "tales")
