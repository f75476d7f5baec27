"""`make verify` compares results with their manifest and, cell by cell, with the reference."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reproduction.trust.manifest import MANIFEST, check_files, write_manifest
from reproduction.trust.reference import Reference, compare_tables
from reproduction.trust.verify import check_hashes, main, other_texts

COMMITTED = Path(__file__).parents[3] / "results" / "reference"
METHODS = {
    "kn": {"method": "kn"},
    "add-half-lr": {"method": "add-half-lr"},
    "ad-lr-random": {"method": "ad-lr"},
}
CURVE = """k,rank,n,method,mean,low,high,sd,trials,converged
50,3,5000,kn,0.25,0.24,0.26,0.01,5,1
50,3,5000,add-half-lr,0.02,0.01,0.03,0.01,5,1
50,3,5000,ad-lr-random,0.03,0.02,0.04,0.01,5,0.8
"""
TABLE = """corpus,n,rank,method,mean,low,high,sd,seeds,converged,note,paper
tale,900,50,kn,5.7,,,,1,1,,5.7555
tale,900,50,ad-lr-random,5.6,5.5,5.7,0.1,2,1,,5.6923
myth,,,,,,,,,,no network,
"""
CLAIMS = """id,place,statement,reproduced,low,high,verdict,points,reason
order,Figure 1(a),one beats another,0.5,0.4,0.6,reproduced,5 of 5 above zero,weakest: 0.4000
cell,Table 1,the value,5.7,,,trend only,,-0.0555 from the printed value
"""
SCOPE = "tales"  # the results of a target lie in a folder of its own
CURVE_CSV, TABLE_CSV = f"{SCOPE}/exhibits/curve.csv", f"{SCOPE}/exhibits/table.csv"
CLAIMS_CSV = f"{SCOPE}/claims.csv"
TABLES = {CURVE_CSV: CURVE, TABLE_CSV: TABLE, CLAIMS_CSV: CLAIMS}
FIGURES = tuple(f"{SCOPE}/exhibits/{name}" for name in ("curve.png", "table.png", "curve.svg"))
CORPORA = {"tale": {"content_sha256": "a" * 64}, "myth": {"reason": "no network", "remedy": "wait"}}


def draw(path, shift=0):
    from matplotlib.image import imsave

    image = np.full((100, 100, 3), 255, dtype=np.uint8)
    image[50, : 20 + shift] = 0
    imsave(path, image)


def write_results(folder, corpora=CORPORA, **tables):
    """Write results with their manifest; ``tables`` replace those of `TABLES`."""
    (folder / SCOPE / "exhibits").mkdir(parents=True, exist_ok=True)
    for name, text in (TABLES | tables).items():
        (folder / name).write_text(text)
    files = [folder / name for name in TABLES | tables]
    if not (folder / FIGURES[0]).exists():
        draw(folder / FIGURES[0])
        draw(folder / FIGURES[1])
        (folder / FIGURES[2]).write_text("<svg/>")
    files += [folder / name for name in FIGURES]
    provenance = {"methods": METHODS, "corpora": corpora}
    write_manifest(folder / SCOPE / MANIFEST, folder, provenance, files)


@pytest.fixture
def results(tmp_path, capsys):
    """Results and a reference made of them."""
    folder = tmp_path / "résultats"
    write_results(folder)
    assert main(["--results", str(folder), "--update-reference"]) == 0
    printed = capsys.readouterr().out
    assert printed.rstrip().endswith("5 files with their manifests")
    return folder


def test_a_reference_of_two_targets_that_share_a_file_stays_whole(results, capsys):
    reference = results / "reference"
    shared = next(iter(TABLES))
    other = reference / "larger" / MANIFEST
    other.parent.mkdir()
    write_manifest(other, reference, {}, [reference / shared])
    write_results(results, **{shared: TABLES[shared] + "\n"})
    assert main(["--results", str(results), "--update-reference"]) == 0
    assert check_hashes(reference)[0] == []


def verify(folder, capsys):
    """Return the exit status and the lines of `make verify`."""
    status = main(["--results", str(folder)])
    printed = capsys.readouterr()
    return status, (printed.out + printed.err).splitlines()


def compare(folder, capsys, name, old, new):
    """Compare after a change of one table, whose manifest is written anew."""
    assert old in TABLES[name]
    write_results(folder, **{name: TABLES[name].replace(old, new)})
    status, lines = verify(folder, capsys)
    return status, [line for line in lines if name in line and "NOT VERIFIED" not in line]


def test_results_agree_with_themselves(results, capsys):
    status, lines = verify(results, capsys)
    assert status == 0
    assert "tales/exhibits/curve.csv: identical in every byte" in lines
    assert lines[-1] == f"verified against {results}/reference"
    reference = results / "reference"
    files = (path for path in reference.rglob("*") if path.is_file())
    kept = {path.relative_to(reference).as_posix() for path in files}
    assert kept == {*TABLES, *FIGURES[:2], f"{SCOPE}/{MANIFEST}"}


def write_scope(folder, name, files, **fields):
    """Write what another target made, with its manifest."""
    paths = [folder / file for file in files]
    for path, text in zip(paths, files.values(), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / name).mkdir(exist_ok=True)
    provenance = {"methods": METHODS, "corpora": CORPORA}
    write_manifest(folder / name / MANIFEST, folder, provenance, paths, fields)


def test_reference_holds_what_a_scope_keeps_but_no_scores_and_nothing_large(results, capsys):
    files = {
        "more/claims.csv": CURVE,
        "more/claims.png": "",
        "more/report.html": "a page",
        "more/universes.csv": CURVE + 300_000 * " ",
        "more/scores/a.csv": CURVE,
        "corpora/tale.csv": "a,b",
    }
    write_scope(results, "more", files, kept=[".csv"])
    assert main(["--results", str(results), "--update-reference"]) == 0
    reference = results / "reference"
    files = [path for path in reference.rglob("*") if path.is_file()]
    assert sorted(path.name for path in files if SCOPE not in path.parts) == [
        "claims.csv",
        MANIFEST,
    ]
    assert json.loads((reference / "more" / MANIFEST).read_text())["kept"] == [".csv"]
    status, lines = verify(results, capsys)
    assert status == 0
    assert "more/claims.csv: identical in every byte" in lines


def test_a_page_that_is_kept_leads_to_the_files_of_the_reference(results, capsys):
    page = """<meta content="img-src data:">
<img src="data:image/png;base64,AAAA" data-exhibit="curve" alt="">
<a href="../more/exhibits/curve.svg"><code>drawing</code></a> <a href="../more/claims.csv">all</a>
<a href="../more/scores/a.csv"><code>scores</code></a> <a href="#claims">below</a>
<a href="../../src/code.py#L3">code</a>"""
    files = {
        "more/report.html": page,
        "more/claims.csv": CURVE,
        "more/exhibits/curve.png": "",
        "more/exhibits/curve.svg": "",
        "more/scores/a.csv": CURVE,
    }
    (results.parent / "src").mkdir()
    (results.parent / "src" / "code.py").touch()
    write_scope(results, "more", files, kept=[".csv", ".png", ".html"])
    assert main(["--results", str(results), "--update-reference"]) == 0
    assert (results / "reference/more/report.html").read_text() == (
        """<meta content="img-src data: file: 'self'">
<img src="exhibits/curve.png" alt="">
<a href="exhibits/curve.png"><code>drawing</code></a> <a href="claims.csv">all</a>
<code>scores</code> <a href="#claims">below</a>
<a href="../../../src/code.py#L3">code</a>"""
    )
    write_scope(results, "more", files | {"more/report.html": "another time"})
    status, lines = verify(results, capsys)
    assert status == 0
    assert not any("report.html" in line for line in lines)


@pytest.mark.parametrize("name", [TABLE_CSV, FIGURES[0], f"reference/{TABLE_CSV}"])
def test_one_flipped_bit_in_any_file_is_named(results, capsys, name):
    raw = bytearray((results / name).read_bytes())
    raw[len(raw) // 2] ^= 1
    (results / name).write_bytes(raw)
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"changed: {results / name}" in lines
    assert lines[-1].startswith("NOT VERIFIED: 1 files ")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        (TABLE_CSV, ",kn,5.7,", ",kn,5.7005,"),  # 9e-5 of it; no interval
        (CURVE_CSV, "0.01,5,0.8", "0.01,5,0.80007"),
        # Its interval is 0.01 to either side.
        (CURVE_CSV, "random,0.03,", "random,0.049,"),
        (CLAIMS_CSV, "0.5,0.4,0.6", "0.5,0.401,0.6"),
        (CLAIMS_CSV, "weakest: 0.4000", "weakest: 0.4010"),
    ],
)
def test_within_tolerance(results, capsys, name, old, new):
    status, lines = compare(results, capsys, name, old, new)
    assert status == 0
    assert lines[0].startswith(f"{name}: within tolerance (")
    assert "1 within tolerance" in lines[0]


@pytest.mark.parametrize(
    ("name", "old", "new", "line"),
    [
        (
            TABLE_CSV,
            ",kn,5.7,",
            ",kn,5.701,",
            "tale 900 50 kn, mean: 5.701 instead of 5.7, tolerance 5.7e-04",
        ),
        (
            CURVE_CSV,
            "random,0.03,",
            "random,0.051,",
            "50 3 5000 ad-lr-random, mean: 0.051 instead of 0.03, tolerance 2.0e-02",
        ),
        (
            CURVE_CSV,
            "0.01,5,0.8",
            "0.01,5,0.81",
            "50 3 5000 ad-lr-random, converged: 0.81 instead of 0.8, tolerance 8.0e-05",
        ),
        (
            CURVE_CSV,
            "0.01,5,1\n50,3,5000,add",
            "0.01,4,1\n50,3,5000,add",
            "50 3 5000 kn, trials: 4 instead of 5, tolerance 5.0e-04",
        ),
        (CURVE_CSV, ",kn,0.25,", ",kn,,", "50 3 5000 kn, mean: empty instead of 0.25"),
        (CURVE_CSV, ",kn,0.25,", ",kn,nan,", "50 3 5000 kn, mean: nan instead of 0.25"),
        (CURVE_CSV, "50,3,5000,kn,", "50,3,6000,kn,", "row '50 3 5000 kn' is missing"),
        (CURVE_CSV, ",trials,", ",starts,", "column trials is missing"),
        (CLAIMS_CSV, "trend only", "reproduced", "cell, verdict: reproduced instead of trend"),
        (CLAIMS_CSV, "order,", "claim,", "row 'claim' is not in the reference"),
        (CLAIMS_CSV, "weakest", "the weakest", "order, reason: the weakest: 0.4000 instead of"),
    ],
)
def test_different(results, capsys, name, old, new, line):
    status, lines = compare(results, capsys, name, old, new)
    assert status == 1
    assert lines[0].startswith(f"{name}: different (")
    assert any(each.startswith(f"  {name}: {line}") for each in lines[1:])


def test_another_text_is_left_out_and_said(results, capsys):
    other = CORPORA | {"tale": {"content_sha256": "b" * 64}}
    draw(results / FIGURES[1], shift=60)
    write_results(results, other, **{TABLE_CSV: TABLE.replace("5.7,", "6.7,")})
    status, lines = verify(results, capsys)
    assert status == 0
    assert "tales/exhibits/table.csv: left out (3 left out)" in lines
    assert "left out: tales/exhibits/table.png: it shows a corpus that is left out" in lines
    assert any(line.startswith("left out: tale: another text than") for line in lines)


def test_corpus_that_could_not_be_had_is_left_out_and_said(results, capsys):
    gone = TABLE.splitlines()
    gone[1:3] = ["tale,,,,,,,,,,no copy,"]
    claims = CLAIMS.replace("trend only", "not testable here")
    corpora = CORPORA | {"tale": {"reason": "no copy", "remedy": "look"}}
    write_results(results, corpora, **{TABLE_CSV: "\n".join(gone), CLAIMS_CSV: claims})
    status, lines = verify(results, capsys)
    assert status == 0
    assert "left out: tale: it could not be had, because no copy" in lines
    assert any(line.startswith("tales/claims.csv: identical (") for line in lines)


@pytest.mark.parametrize(("lost", "verdict"), [((), "different"), (("tale",), "left out")])
def test_other_readings_of_a_claim_that_could_not_be_judged(tmp_path, lost, verdict):
    """They have no rows: without the corpus that is no difference."""
    judged = "a | plain,a,plain,reproduced\na | other,a,other,reproduced\n"
    rows = {"ours": "a | plain,a,plain,not testable here\n", "reference": judged}
    for name, text in rows.items():
        (tmp_path / name).write_text(f"verdict_of,id,reading,verdict\n{text}")
    paths = tmp_path / "ours", tmp_path / "reference"
    assert compare_tables("x.csv", *paths, Reference(other_texts=lost)).verdict == verdict


def test_an_exhibit_of_ones_own_is_named_and_no_failure(results, capsys):
    (results / "tales/exhibits/mine.csv").write_text(CURVE)
    status, lines = verify(results, capsys)
    assert status == 0
    assert f"not checked: {results}/tales/exhibits/mine.csv: no manifest names it" in lines
    assert main(["--results", str(results), "--update-reference"]) == 0
    assert not (results / "reference/tales/exhibits/mine.csv").exists()


def test_a_strange_file_in_the_reference_is_a_failure(results, capsys):
    (results / "reference/tales/exhibits/mine.csv").write_text(CURVE)
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"extra: {results}/reference/tales/exhibits/mine.csv" in lines


@pytest.mark.parametrize("provenance", [None, [], {}, {"methods": METHODS}, {"methods": 1}])
def test_a_manifest_that_does_not_tell_its_run_is_one_line(results, capsys, provenance):
    manifest = json.loads((results / SCOPE / MANIFEST).read_text()) | {"provenance": provenance}
    if provenance is None:
        del manifest["provenance"]
    (results / SCOPE / MANIFEST).write_text(json.dumps(manifest))
    status, lines = verify(results, capsys)
    assert status == 2
    assert re.fullmatch(
        f"error: {results}/tales/manifest.json does not tell the (methods|corpora) of its run: "
        "nothing to compare",
        lines[-1],
    )


@pytest.mark.parametrize("folder", [".", "reference"])
@pytest.mark.parametrize("change", ["method", "new", "no hash"])
def test_a_change_inside_the_provenance_is_named(results, capsys, folder, change):
    manifest = json.loads((results / folder / SCOPE / MANIFEST).read_text())
    if change == "method":  # another one would widen a tolerance
        manifest["provenance"]["methods"]["kn"]["method"] = "py-lr"
    elif change == "new":
        manifest["provenance"]["new"] = 1
    else:
        del manifest["provenance_sha256"]
    (results / folder / SCOPE / MANIFEST).write_text(json.dumps(manifest))
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"changed: {results / folder / SCOPE / MANIFEST}" in lines
    assert lines[-1].startswith("NOT VERIFIED: 1 files ")


NONSENSE = {
    "nothing": b"",
    "no UTF-8": b"k,method\n\xff,kn\n",
    "a long field": b"a,method\n" + 140_000 * b"x" + b",kn\n",
    "texts for numbers": CURVE.replace("0.02,0.04", "low,high").encode(),
    "columns twice": CURVE.replace("high", "low").encode(),
}


@pytest.mark.parametrize("raw", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("name", [CURVE_CSV, CLAIMS_CSV, FIGURES[0], f"{SCOPE}/{MANIFEST}"])
@pytest.mark.parametrize("folder", [".", "reference"])
def test_nonsense_in_a_file_is_named_without_a_traceback(results, capsys, folder, name, raw):
    (results / folder / name).write_bytes(raw)
    status, lines = verify(results, capsys)
    assert status in (1, 2)
    assert status == 1 or lines[-1].startswith("error: ")
    assert any(name in line for line in lines)


@pytest.mark.parametrize("results", ["config.yaml", "absent", "a\0b", ""])
def test_results_that_are_no_folder_are_one_line(tmp_path, monkeypatch, capsys, results):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").touch()
    for arguments in ([], ["--update-reference"]):
        assert main(["--results", results, *arguments]) == 2
        printed = capsys.readouterr()
        assert re.fullmatch(r"error: [^\n]+\n", printed.err)
    assert [path.name for path in tmp_path.iterdir()] == ["config.yaml"]


def test_a_reader_that_leaves_early_is_no_traceback(results):
    command = [sys.executable, "-m", "reproduction.trust.verify", "--results", str(results)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        process.stdout.close()
        printed = process.stderr.read()
    assert process.returncode == 2
    assert printed == "error: the output was closed before its end\n"


def test_each_scope_is_compared_with_that_of_the_reference(results, capsys):
    """A scope that was not made is left out with a note; one that was is compared by itself."""
    write_scope(results, "more", {"more/exhibits/more.csv": CURVE})
    assert main(["--results", str(results), "--update-reference"]) == 0
    status, lines = verify(results, capsys)
    assert status == 0
    assert "more/exhibits/more.csv: identical in every byte" in lines
    changed = CURVE.replace("kn,0.25", "kn,0.35")
    (results / "more/exhibits/more.csv").write_text(changed)
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"changed: {results / 'more/exhibits/more.csv'}" in lines
    assert "different from the reference: more/exhibits/more.csv" in lines[-1]
    assert "tales/exhibits/curve.csv: identical in every byte" in lines
    shutil.rmtree(results / "more")  # a run that did not make it is not the worse for it
    status, lines = verify(results, capsys)
    assert status == 0
    assert "left out: more: a target that was not asked for" in lines
    assert not any("more.csv" in line for line in lines)


def test_exhibit_that_is_gone_is_different(results, capsys):
    write_results(results)
    (results / CURVE_CSV).unlink()
    status, lines = verify(results, capsys)
    assert status == 1
    assert f"missing: {results}/{CURVE_CSV}" in lines
    assert f"  {CURVE_CSV}: {results}/{CURVE_CSV} is missing" in lines


@pytest.mark.parametrize(("shift", "verdict"), [(10, "within tolerance"), (70, "different")])
def test_figures_are_compared_by_pixels(results, capsys, shift, verdict):
    """Of 10,000 pixels 10 change, a share of 0.001, or 70, of 0.007; 0.002 may."""
    draw(results / FIGURES[0], shift)
    write_results(results)
    status, lines = verify(results, capsys)
    assert status == (verdict == "different")
    assert any(line.startswith(f"tales/exhibits/curve.png: {verdict} (") for line in lines)


def test_no_results_no_reference_no_traceback(results, capsys):
    shutil.rmtree(results / "reference")
    status, lines = verify(results, capsys)
    assert status == 2
    assert lines[-1].startswith(f"error: {results}/reference/manifest.json does not exist: --ref")
    (results / SCOPE / MANIFEST).unlink()
    status, lines = verify(results, capsys)
    assert status == 2
    assert lines == [f"error: {results}/manifest.json does not exist: run `make reproduce` first"]


def test_reference_is_not_made_of_changed_results(results, capsys):
    (results / CURVE_CSV).write_text(CURVE + "\n")
    before = (results / "reference/tales/exhibits/curve.csv").read_bytes()
    assert main(["--results", str(results), "--update-reference"]) == 2
    assert "curve.csv" in capsys.readouterr().err
    assert (results / "reference/tales/exhibits/curve.csv").read_bytes() == before


def test_reference_does_not_overwrite_a_folder_of_something_else(results, tmp_path, capsys):
    (tmp_path / "holiday").mkdir()
    (tmp_path / "holiday" / "beach.png").write_bytes(b"")
    command = ["--results", str(results), "--reference", str(tmp_path / "holiday")]
    assert main([*command, "--update-reference"]) == 2
    assert "it is no reference" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "holiday").iterdir()] == ["beach.png"]


def test_stale_files_leave_the_reference(results):
    (results / FIGURES[1]).unlink()
    manifest = {"methods": METHODS, "corpora": CORPORA}
    files = [results / name for name in (*TABLES, FIGURES[0], FIGURES[2])]
    write_manifest(results / SCOPE / MANIFEST, results, manifest, files)
    assert main(["--results", str(results), "--update-reference"]) == 0
    assert not (results / "reference" / FIGURES[1]).exists()


def test_a_part_of_a_corpus_has_no_hash_of_its_own_and_is_compared():
    assert other_texts({"receipt": {}}, {"receipt": {}}) == {}
    assert other_texts({"receipt": {}}, {}) == {"receipt": "the reference was made without it"}


def test_reference_that_comes_with_the_code_is_whole():
    if not list(COMMITTED.glob(f"*/{MANIFEST}")):
        pytest.skip("results/reference has not been made yet")
    assert check_files(COMMITTED) == {"changed": [], "missing": [], "extra": []}


@pytest.mark.parametrize(("exhibit", "status"), [("mine", 0), ("curve", 1)])
def test_claims_on_an_exhibit_that_the_reference_lacks_are_left_out(
    results, capsys, exhibit, status
):
    header, *rows = CLAIMS.splitlines()
    old = [f"{header},exhibit", *(f"{row},curve" for row in rows)]
    write_results(results, **{CLAIMS_CSV: "\n".join(old)})
    assert main(["--results", str(results), "--update-reference"]) == 0
    new = [*old, f"new,Beyond the paper,ours is best,0.1,0,0.2,reproduced,,,{exhibit}"]
    write_results(results, **{"tales/exhibits/mine.csv": CURVE, CLAIMS_CSV: "\n".join(new)})
    found, lines = verify(results, capsys)
    assert found == status
    assert any("not in the reference" in line for line in lines) == bool(status)


def rewrite(name, change):
    """Return a change of a run: other lines of a table, with its manifest written anew."""

    def apply(run):
        lines = (run / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (run / name).write_text("".join(change(lines)), encoding="utf-8")

    return apply


def swap(lines, one, other):
    """Exchange two texts wherever they stand."""
    return [line.replace(one, "\0").replace(other, one).replace("\0", other) for line in lines]


OF_RUN = "near_optimal/exhibits/figure-1b.csv"
MUTATIONS = {
    "nothing": (lambda run: None, None),
    "one verdict": (
        rewrite(
            "near_optimal/claims.csv",
            lambda rows: [
                *rows[:40],
                *swap(rows[40:41], ",not reproduced,", ",reproduced,"),
                *rows[41:],
            ],
        ),
        "near_optimal/claims.csv",
    ),
    "two methods exchanged": (rewrite(OF_RUN, lambda rows: swap(rows, ",kn,", ",ad,")), OF_RUN),
    "a row less": (rewrite(OF_RUN, lambda rows: rows[:-1]), OF_RUN),
    "a row more": (rewrite(OF_RUN, lambda rows: [*rows, rows[-1]]), OF_RUN),
    "rows in another order": (rewrite(OF_RUN, lambda rows: [rows[0], *rows[:0:-1]]), None),
    "no file": (lambda run: (run / OF_RUN).unlink(), OF_RUN),
    "another picture": (
        lambda run: shutil.copy(
            run / "near_optimal/exhibits/figure-1a.png", run / "near_optimal/exhibits/figure-2a.png"
        ),
        "near_optimal/exhibits/figure-2a.png",
    ),
    "a table of another exhibit": (
        lambda run: shutil.copy(run / "near_optimal/exhibits/figure-1a.csv", run / OF_RUN),
        OF_RUN,
    ),
}


@pytest.mark.parametrize(("change", "named"), MUTATIONS.values(), ids=MUTATIONS)
def test_the_reference_of_the_paper_against_a_run_that_differs(tmp_path, capsys, change, named):
    """The run has a manifest of its own, which names the files that it left."""
    shutil.copytree(COMMITTED / "near_optimal", tmp_path / "near_optimal")
    manifest = json.loads((COMMITTED / "near_optimal" / MANIFEST).read_text(encoding="utf-8"))
    change(tmp_path)
    files = [tmp_path / name for name in manifest["files"] if (tmp_path / name).is_file()]
    where = tmp_path / "near_optimal" / MANIFEST
    write_manifest(where, tmp_path, manifest["provenance"], files)
    assert main(["--results", str(tmp_path), "--reference", str(COMMITTED)]) == bool(named)
    last = capsys.readouterr().out.splitlines()[-1]
    said = f"NOT VERIFIED: different from the reference: {named}"
    assert last == (said if named else f"verified against {COMMITTED}")
