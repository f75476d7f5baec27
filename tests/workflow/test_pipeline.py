"""The whole pipeline, in copies of the project: what it leaves, and what it makes again."""

import os
import signal

import numpy as np
import pandas as pd
import pytest
from project import Project

from reproduction.trust.manifest import check_files, read_manifest
from reproduction.trust.verify import main as verify

# The tests share two copies; their order is theirs.
CLOSING = {"write_provenance", "write_manifest", "write_report"}  # whatever changed
LEDGER = {"judge_claims"}  # whatever number changed
EXHIBITS = {"curve", "values", "growth"}


@pytest.fixture(scope="module")
def copies(tmp_path_factory):
    """Two copies of one state of the project, in folders of other names."""
    folder = tmp_path_factory.mktemp("pipeline")
    return Project(folder / "one"), Project(folder / "une étude")


@pytest.fixture(scope="module")
def first(copies):
    """A finished run: one job at a time."""
    project, _ = copies
    project.status, project.printed = project.run("-j1", PYTHONHASHSEED="0", OMP_NUM_THREADS="1")
    assert project.status == 0, project.printed
    project.before = project.hashes()
    return project


@pytest.fixture(scope="module")
def second(copies):
    """A run that was interrupted, then killed; in a folder whose name has a space and an accent."""
    _, project = copies
    project.stop(signal.SIGINT, "models/curve/*", "-j8")
    project.stop(signal.SIGKILL, "scores/*/*", "-j8")
    assert list((project.folder / ".snakemake" / "locks").iterdir())
    assert list((project.folder / ".snakemake" / "incomplete").iterdir())
    assert not (project.results / "manifest.json").exists()
    return project


def test_run_makes_every_exhibit(first):
    made = set(first.before)
    assert made >= {f"{name}.{form}" for name in EXHIBITS for form in ("csv", "png", "svg")}
    assert made >= {"values.md", "values.tex", "summary.md"}


def test_manifest_is_of_every_result(first):
    manifest = read_manifest(first.results / "manifest.json")
    assert set(first.before) <= set(manifest["files"])
    found = check_files(first.results)
    assert found == {"changed": [], "missing": [], "extra": []}
    assert manifest["provenance"]["git"] is None  # no checkout there
    assert manifest["provenance"]["threads"]["OMP_NUM_THREADS"] == "1"
    assert manifest["provenance"]["run_time"]["score_trials"]["jobs"] == 2


def test_missing_corpus_leaves_its_reason(first):
    table = pd.read_csv(first.results / "values.csv", index_col="corpus")
    assert "refused" in table.loc["fables", "note"]
    assert np.isnan(table.loc["fables", "mean"])
    assert table.loc["tale", "mean"].notna().all()
    assert "refused" in (first.results / "values.md").read_text()
    assert "refused" in (first.results / "values.tex").read_text()
    assert "left out" in (first.results / "summary.md").read_text()


def test_last_lines_say_which_corpus_is_missing_and_how_to_get_it(first):
    last = "\n".join(first.printed.splitlines()[-8:])
    assert "Left out: fables" in last
    assert "python -m nltk.downloader fables" in last


def test_missing_corpus_is_an_error_where_asked(first):
    target = "strict/corpora/fables.json"
    status, printed = first.run("-j1", target, "--config", "strict=True", "results=strict")
    assert status != 0
    assert "error: corpus 'fables' is not here" in printed
    assert "Traceback" not in printed
    assert not (first.folder / target).exists()


def test_second_run_has_nothing_to_do(first):
    status, printed = first.run("-j8")
    assert status == 0
    assert "Nothing to be done" in printed
    assert first.hashes() == first.before


def test_touching_files_makes_nothing_again(first):
    paths = [path for path in first.folder.glob("src/condprob/**/*.py")]
    paths += [first.folder / "config.yaml", first.folder / "Snakefile", first.folder / "tale.txt"]
    times = {path: path.stat() for path in paths}
    for path in paths:
        path.touch()
    assert first.would_make() == {}
    for path, time in times.items():
        os.utime(path, ns=(time.st_atime_ns, time.st_mtime_ns))


def test_comments_and_what_no_rule_uses_make_nothing_again(first):
    with (
        first.change("config.yaml", new="\n# a remark\n"),
        first.change("src/reproduction/trust/verify.py", new="\n# a remark\n"),
        first.change("workflow/rules/text.smk", new="\n# a remark\n"),
    ):
        assert first.would_make() == {}


SCORES = {"score_text", "score_trials"}
EXHIBIT = {"summarise_exhibit", "draw_exhibit", "print_table", "write_summary"}
DATA = {"draw_models", "split_corpus"}


@pytest.mark.parametrize(
    ("path", "again", "not_again"),
    [
        (
            "src/reproduction/exhibits/plots.py",
            {"draw_exhibit"},
            DATA | SCORES | EXHIBIT - {"draw_exhibit"},
        ),
        ("workflow/scripts/print_table.py", {"print_table"}, DATA | SCORES | {"draw_exhibit"}),
        ("src/reproduction/exhibits/tables.py", {"summarise_exhibit"}, DATA | SCORES),
        ("src/condprob/em/kernels.py", {"compile_kernels"} | SCORES | EXHIBIT, DATA),
        (
            "src/condprob/tokenizers.py",
            {"split_corpus", "score_text"} | EXHIBIT,
            {"draw_models", "score_trials"},
        ),
        ("src/reproduction/trust/manifest.py", CLOSING - {"write_report"}, DATA | SCORES | EXHIBIT),
        ("tale.txt", {"split_corpus", "score_text"} | EXHIBIT, {"draw_models", "score_trials"}),
    ],
)
def test_edit_makes_again_what_depends_on_it(first, path, again, not_again):
    with first.change(path, new="\n# another version\n"):
        made = set(first.would_make())
    assert made >= again
    assert not made & not_again


def test_new_label_draws_and_prints_and_fits_nothing(first):
    with first.change("config.yaml", "label: KN}", "label: Kneser-Ney}"):
        made = first.would_make()
    assert set(made) - CLOSING == {"draw_exhibit", "print_table", "write_summary"}


def test_new_hyperparameter_fits_what_uses_it(first):
    with first.change("config.yaml", "naive-ad-lr, label", "naive-ad-lr, discount: 0.5, label"):
        made = first.would_make()
    assert set(made) - CLOSING - LEDGER == {"score_trials"} | EXHIBIT - {"print_table"}
    assert made["draw_exhibit"] == {"curve.png", "curve.svg"}


def test_new_sample_size_makes_what_is_new(first):
    with first.change("config.yaml", "[40, 200]", "[40, 100, 200]"):
        made = first.would_make()
    for rule in CLOSING | LEDGER:
        made.pop(rule, None)
    assert made == {
        "score_trials": {"scores/curve/k12-m2-n100.csv"},
        "summarise_exhibit": {"curve.csv"},
        "draw_exhibit": {"curve.png", "curve.svg"},
        "write_summary": {"summary.md"},
    }


def test_mistake_in_the_config_is_one_line_and_touches_nothing(first):
    with first.change("config.yaml", "trials: 3", "trials: 0"):
        status, printed = first.run("-j1")
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("config.yaml:")
    assert "exhibits.curve.trials" in line
    assert first.hashes() == first.before


def test_killed_run_is_completed_with_the_same_bytes(first, second):
    """Eight jobs at a time, eight threads, another hash seed: the bytes of the first run."""
    status, printed = second.run("-j8", PYTHONHASHSEED="1", OMP_NUM_THREADS="8")
    assert status == 0, printed
    assert second.hashes() == first.before


def test_forced_run_gives_the_same_bytes(first, second):
    status, printed = second.run("-j8", "--forceall", PYTHONHASHSEED="2", OMP_NUM_THREADS="8")
    assert status == 0, printed
    assert second.hashes() == first.before


def test_other_instructions_of_the_processor_give_the_same_within_tolerance(first, capsys):
    found = np.show_config("dicts")["SIMD Extensions"].get("found", [])
    wide = [name for name in found if name.startswith("AVX512")]
    if not wide:
        pytest.skip("this processor has no AVX-512, or numpy does not use it")
    status, printed = first.run(
        *("-j8", "--config", "results=portable"),
        NPY_DISABLE_CPU_FEATURES=" ".join(wide),
        OPENBLAS_CORETYPE="Haswell",
    )
    assert status == 0, printed
    reference = ["--reference", str(first.folder / "reference")]
    assert verify(["--results", str(first.results), *reference, "--update-reference"]) == 0
    status = verify(["--results", str(first.folder / "portable"), *reference])
    assert status == 0, capsys.readouterr().out
