"""The whole pipeline, in a copy of the project: what it leaves, and what it makes again.

An edit of a file is followed through what Snakemake recorded of a run, which is one question for
all files; for one of them the test compares with the plan of Snakemake itself.
"""

import re
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from project import Project, write_fables

from reproduction.trust.manifest import check_files, read_manifest

CLOSING = {"write_provenance", "write_manifest", "write_page"}  # whatever changed
LEDGER = {"judge_claims"}  # whatever number changed
EXHIBITS = {"curve", "values", "growth"}
PAPER = "near_optimal"  # the study that the tiny config has, and the target of its results


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A finished run, one job at a time; a second run and a dry run came while it was at work."""
    project = Project(tmp_path_factory.mktemp("pipeline") / "one")
    data = write_fables(project.folder / "nltk_data")
    process = project.start("-j1", OMP_NUM_THREADS="1")
    project.wait(process, ".snakemake/locks/*")
    project.refused = project.run("--logger", "progress", "-j1")
    # To it the missing corpus has come; without the option it refuses a file that is being written.
    project.looked = project.run("-n", "--rerun-incomplete", NLTK_DATA=data)
    project.was_alive = process.poll() is None
    project.status, project.printed = project.end(process)
    shutil.rmtree(data)
    assert project.status == 0, project.printed
    project.before = project.hashes()
    return project


def test_run_makes_every_exhibit(first):
    made = set(first.before)
    forms = ("csv", "png", "svg")
    assert made >= {f"{PAPER}/exhibits/{name}.{form}" for name in EXHIBITS for form in forms}
    assert made >= {f"{PAPER}/exhibits/values.{form}" for form in ("md", "tex")}
    assert {name.split("/")[0] for name in made} == {PAPER, "corpora"}


def test_a_second_run_is_refused_in_one_line(first):
    status, printed = first.refused
    assert first.was_alive
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("error: a run is at work in this folder, or one was killed")
    assert "`make resume`" in line


def test_a_dry_run_beside_a_live_one_tells_its_own_plan_and_takes_nothing_away(first):
    """To it a corpus had come; the live run went on without (first.before has its gap)."""
    status, printed = first.looked
    assert status == 0, printed
    assert "This was a dry-run" in printed
    assert first.status == 0
    assert "Left out: fables" in first.printed


def test_manifest_is_of_every_result(first):
    manifest = read_manifest(first.results / PAPER / "manifest.json")
    assert set(first.before) <= set(manifest["files"])
    found = check_files(first.results)
    assert found == {"changed": [], "missing": [], "extra": []}
    assert manifest["provenance"]["git"] is None  # no checkout there
    assert manifest["provenance"]["threads"]["OMP_NUM_THREADS"] == "1"
    # A job for each file of methods: of one size and of two texts by two each, of one text.
    assert manifest["provenance"]["run_time"]["score"]["jobs"] == 7
    assert manifest["provenance"]["run_time"]["score"]["clock"] > 0


def test_missing_corpus_leaves_its_reason(first):
    table = pd.read_csv(first.results / PAPER / "exhibits" / "values.csv", index_col="corpus")
    assert table.loc["fables", "note"] == "raw.githubusercontent.com cannot be reached"
    assert np.isnan(table.loc["fables", "mean"])
    assert table.loc["tale", "mean"].notna().all()
    for form in ("md", "tex"):
        printed = (first.results / PAPER / "exhibits" / f"values.{form}").read_text()
        assert "cannot be reached" in printed


def test_last_lines_say_what_was_made_which_corpus_is_missing_and_how_to_get_it(first):
    last = "\n".join(first.printed.splitlines()[-20:])
    assert "  results/near_optimal/exhibits/curve.png" in last
    assert "Left out: fables" in last
    assert "python -m nltk.downloader fables" in last
    assert first.printed.count("Left out: fables") == 2  # when it was missed, and at the end


def test_a_job_that_fails_is_one_line_and_where_to_look(first):
    """A corpus that is missing where that is an error, and a text of too few words."""
    one_word = 2000 * "x"  # of a text with fewer letters it would be known before the run
    options = ("--logger", "progress", "-j2", "--keep-going", "--config", "strict=True")
    targets = ("strict/corpora/fables.json", "strict/corpora/tale.npz")
    with first.change("tale.txt", first.folder.joinpath("tale.txt").read_text(), one_word):
        status, printed = first.run(*options, "results=strict", "--", *targets)
    assert status != 0
    assert "error: corpus 'fables' is not here" in printed
    assert "error: corpus 'tale': train + test = 600 + 300 = 900 words, but" in printed
    assert "(see strict/logs/split_corpus/tale.log)" in printed
    assert "Traceback" not in printed
    assert not any((first.folder / target).exists() for target in targets)


def test_second_run_has_nothing_to_do(first):
    """Not even where files were touched, or edited where no rule depends on it."""
    paths = [path for path in first.folder.glob("src/condprob/**/*.py")]
    for path in (*paths, first.folder / "Snakefile", first.folder / "tale.txt"):
        path.touch()
    with (
        first.change("config.yaml", new="\n# a remark\n"),
        first.change("src/reproduction/verify.py", new="\n# a remark\n"),
        first.change("workflow/rules/prepare.smk", new="\n# a remark\n"),
    ):
        status, printed = first.run("-j8")
    assert status == 0
    assert "Nothing to be done" in printed
    assert first.hashes() == first.before


def test_snakemake_finds_no_fault_with_the_rules(first):
    status, printed = first.run("--lint")
    assert status == 0
    assert not [line for line in printed.splitlines() if line.startswith("    * ")]


SCORES = {"score texts", "score models"}
EXHIBIT = {"tabulate_exhibit", "draw_exhibit", "print_table"}
DATA = {"draw_models", "split_corpus"}


def rules_of(made):
    """Return the rules that would run; of the one that scores, what it would score."""
    of_models = {name.startswith(f"{PAPER}/scores/curve/") for name in made.get("score", ())}
    scored = {"score models" if each else "score texts" for each in of_models}
    return set(made) - {"score"} | scored


# Of files: the rules that an edit makes run again, and rules that it does not.
EDITS = {
    "src/reproduction/exhibits/plots.py": (
        {"draw_exhibit"},
        DATA | SCORES | EXHIBIT - {"draw_exhibit"},
    ),
    "workflow/scripts/print_table.py": ({"print_table"}, DATA | SCORES | {"draw_exhibit"}),
    "src/reproduction/exhibits/tables.py": ({"tabulate_exhibit"}, DATA | SCORES),
    "src/condprob/em/__init__.py": ({"compile_kernels"} | SCORES | EXHIBIT, DATA),
    "src/condprob/tokenizers.py": (
        {"split_corpus", "score texts"} | EXHIBIT,
        {"draw_models", "score models"},
    ),
    "src/condprob/catalogue.py": (set(), DATA | SCORES | EXHIBIT | CLOSING),
    "src/condprob/__init__.py": (set(), DATA | SCORES | EXHIBIT | CLOSING),
    "src/condprob/kneser_ney.py": (SCORES, DATA | {"compile_kernels"}),
    "src/reproduction/trust/manifest.py": (CLOSING - {"write_page"}, DATA | SCORES | EXHIBIT),
    "tale.txt": ({"split_corpus", "score texts"} | EXHIBIT, {"draw_models", "score models"}),
}


def test_what_is_edited_or_gone_makes_again_what_depends_on_it(first):
    downstream = first.rules_downstream()
    for path, (again, not_again) in EDITS.items():
        made = rules_of(downstream(path))
        assert made >= again, path
        assert not made & not_again, path
    # The same by Snakemake itself, for one edit, beside what is gone.
    gone = {
        "split_corpus": "corpora/fables.json",
        "draw_models": f"{PAPER}/models/curve/k12-m2.npz",
    }
    edited = "src/condprob/tokenizers.py"
    expected = downstream(edited, *(f"results/{name}" for name in gone.values()))
    for name in gone.values():
        (first.results / name).rename(first.folder / Path(name).name)
    with first.change(edited, new="\n# another version\n"):
        made = first.would_make()
    for rule, name in gone.items():
        (first.folder / Path(name).name).rename(first.results / name)
        assert name in made[rule]
        expected.setdefault(rule, set()).add(name)
    assert made == expected


def test_mistake_in_the_config_is_one_line_and_touches_nothing(first):
    with first.change("config.yaml", "trials: 3", "trials: 0"):
        status, printed = first.run("-j1")
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("config.yaml:")
    assert "exhibits.curve.trials" in line
    assert first.hashes() == first.before


@pytest.mark.parametrize("options", [("-n", "--forceall"), ("--unlock",)], ids=" ".join)
def test_looking_writes_nothing_into_the_results(first, options):
    """Not even where a corpus has come, a receipt is broken, or a file strays among the marks."""
    receipt, data = first.results / "corpora" / "tale.json", first.folder / "nltk_data"
    write_fables(data)
    marks = first.folder / ".snakemake" / "incomplete"
    marks.mkdir(exist_ok=True)
    strays = {marks / ".DS_Store": b"", marks / "bm90ZXM=": b"[]", marks / "x": b"\xff"}
    for path, content in strays.items():
        path.write_bytes(content)
    with first.change(receipt, receipt.read_text(), '{"at_hand": tr'):
        before = first.state()
        status, printed = first.run(*options, NLTK_DATA=str(data))
        assert first.state() == before
    shutil.rmtree(data)
    for path in strays:
        path.unlink()
    assert status == 0, printed
    assert "Traceback" not in printed


def test_a_broken_receipt_is_one_line_that_says_what_to_do(first):
    receipt = first.results / "corpora" / "tale.json"
    receipt.write_text("")
    table = f"results/{PAPER}/exhibits/growth.csv"
    status, printed = first.run("--logger", "progress", "-j1", "--", table)
    assert status != 0
    refusal = "error: results/corpora/tale.json is not the receipt of a corpus: "
    assert [line for line in printed.splitlines() if line.startswith("error: ")] == [
        refusal + "remove it and run again"
    ]
    assert "Traceback" not in printed
    receipt.unlink()
    status, printed = first.run("-j2", table)
    assert status == 0, printed
    assert first.hashes() == first.before


MODULE = """
configfile: "config.yaml"

module paper:
    snakefile: "{top}/Snakefile"
    config: config

use rule * from paper as paper_*
"""


def test_a_module_of_another_workflow_computes(first, tmp_path):
    shutil.copyfile(first.folder / "config.yaml", tmp_path / "config.yaml")
    shutil.copyfile(first.folder / "tale.txt", tmp_path / "tale.txt")
    (tmp_path / "Snakefile").write_text(MODULE.format(top=first.folder), encoding="utf-8")
    scores = "results/near_optimal/scores/curve/direct/k12-m2-n200.csv"
    status, printed = first.run("-j2", scores, cwd=tmp_path)
    assert status == 0, printed
    assert (tmp_path / scores).read_bytes() == (first.folder / scores).read_bytes()
    with first.change(tmp_path / "config.yaml", "trials: 3", "trials: 0"):
        status, printed = first.run("-n", cwd=tmp_path)
    assert status != 0
    assert re.search(r"(?m)^config\.yaml:\d+: exhibits\.curve\.trials: 0 is not allowed", printed)


# Of other results, of folders of results, and of rules.
TAKEN = [
    *("claims", "claims-evidence", "claims-readings", "summary", "theory", "report", "index"),
    *("manifest", "provenance", "readings", "beyond", "structured", "million", "everything"),
    *("grid", "replication", "further", "reference", "logs", "benchmarks", "scores", "models"),
    *("corpora", "exhibits", "kernels", "all", "effects", "texts", "blocks"),
]
LONGEST_NAME = "of-the-longest-name-" * 4 + "that-is-possible-now"
TABLE = "{kind: table, title: T, corpora: [%s], methods: [sb, kn], seeds: 1}"


def test_what_is_new_is_made_new_looks_are_drawn_and_nothing_else(first):
    """One plan: a sample size, a hyperparameter, a method in catalogue and config, exhibits, looks.

    Exhibits have names of files, folders and rules. The label is of a method that the curve with
    the new size does not have.
    """
    catalogue = first.folder / "src" / "condprob" / "catalogue.py"
    record = '    Method("mine", "condprob.direct:AddHalf", "Mine"),\n'
    more = "".join(f"  {name}: {TABLE % 'tale'}\n" for name in TAKEN)
    more += "  extra: {kind: risk-curve, k_values: [5], rank_values: [2], n_values: [9], "
    more += "rows: uniform, methods: [mine], trials: 1}\n"
    with (
        first.change(catalogue, "RECORDS = (\n", f"RECORDS = (\n{record}"),
        first.change("config.yaml", "[200]", "[100, 200]"),
        first.change("config.yaml", "label: AD-LR,", "label: Ours,"),
        first.change("config.yaml", "label: AD-LR (", "discount: 0.5, label: AD-LR ("),
        first.change("config.yaml", "    baseline: sb", "    y_range: [-1, 1]\n    baseline: sb"),
        first.change(
            "config.yaml", "methods:\n", "methods:\n  mine: {method: mine, label: Mine}\n"
        ),
        first.change("config.yaml", new=more),
    ):
        made = first.would_make()
    for rule in CLOSING | LEDGER:
        made.pop(rule, None)
    names = {*TAKEN, "extra"}
    groups = ("direct", "ad-lr-random")
    assert made == {
        "score": {
            *(f"{PAPER}/scores/curve/{group}/k12-m2-n100.csv" for group in groups),
            f"{PAPER}/scores/curve/ad-lr-random/k12-m2-n200.csv",  # that has the hyperparameter
            f"{PAPER}/scores/extra/mine/k5-m2-n9.csv",
            *(f"{PAPER}/scores/{name}/direct/tale-train-m0.csv" for name in TAKEN),
        },
        "draw_models": {f"{PAPER}/models/extra/k5-m2.npz"},
        "tabulate_exhibit": {f"{PAPER}/exhibits/{name}.csv" for name in {"curve", *names}},
        "draw_exhibit": {
            f"{PAPER}/exhibits/{name}.{form}"
            for name in EXHIBITS | names
            for form in ("png", "svg")
        },
        "print_table": {
            f"{PAPER}/exhibits/{name}.{form}"
            for name in {"values", *TAKEN}
            for form in ("md", "tex")
        },
    }


def test_a_snakefile_elsewhere_makes_one_exhibit_alone_of_the_longest_names(first, tmp_path):
    """By its own code and configuration, with settings over it; then by the nearest one.

    Its methods have no rank.
    """
    (tmp_path / "tale.txt").symlink_to(first.folder / "tale.txt")
    corpus, mine = LONGEST_NAME.replace("now", "yet"), tmp_path / "mine.yaml"
    text = "{source: file, path: tale.txt, tokenizer: whitespace, train: 600, test: 300}"
    mine.write_text(
        f"results: mine\ncorpora:\n  {corpus}: {text}\n"
        f"exhibits:\n  {LONGEST_NAME}: {TABLE % corpus}\n",
        encoding="utf-8",
    )
    elsewhere = ("-s", str(first.folder / "Snakefile"), "-d", str(tmp_path))
    options = (*elsewhere, "--configfile", str(mine), "--logger", "progress", "-j2", "--")
    status, printed = first.run(*options, f"exhibit_{LONGEST_NAME}", cwd=tmp_path)
    assert status == 0, printed
    results = tmp_path / "mine" / PAPER
    made = {path.name for path in (results / "exhibits").iterdir()}
    assert made == {f"{LONGEST_NAME}.{form}" for form in ("csv", "png", "svg", "md", "tex")}
    table = pd.read_csv(results / "exhibits" / f"{LONGEST_NAME}.csv")
    assert list(table["method"]) == ["sb", "kn"]
    assert table["mean"].notna().all()
    scores = results / "scores" / LONGEST_NAME / "direct"
    assert [path.name for path in scores.iterdir()] == [f"{corpus}-train-m0.csv"]
    lines = [line for line in printed.splitlines() if line.startswith("[")]
    assert lines[-1].startswith(("[5/6] ", "[4/6] "))
    assert len(lines) == 5
    config = (first.folder / "config.yaml").read_text(encoding="utf-8")
    here = config.replace("results: results", "results: here")
    (tmp_path / "config.yaml").write_text(here, encoding="utf-8")
    status, printed = first.run(*elsewhere, "-n", cwd=tmp_path)
    assert status == 0, printed
    assert "here/near_optimal/manifest.json" in printed


@pytest.mark.long
def test_corpus_that_comes_is_read_and_one_that_goes_leaves_what_was_computed(first):
    data = first.folder / "nltk_data"
    write_fables(data)
    made = first.would_make(NLTK_DATA=str(data))
    assert made["split_corpus"] == {"corpora/fables.npz", "corpora/fables.json"}
    groups = ("direct", "ad-lr")
    assert made["score"] == {f"{PAPER}/scores/values/{g}/fables-train-m3.csv" for g in groups}
    assert made["tabulate_exhibit"] == {f"{PAPER}/exhibits/values.csv"}
    assert not {"draw_models", "compile_kernels"} & set(made)
    status, printed = first.run("-j2", NLTK_DATA=str(data))
    assert status == 0, printed
    assert "Left out" not in printed
    table = pd.read_csv(first.results / PAPER / "exhibits" / "values.csv", index_col="corpus")
    assert table.loc["fables", "mean"].notna().all()
    assert first.would_make() == {}  # the copy has gone: NLTK_DATA leads to another folder
    assert first.would_make(NLTK_DATA=str(data)) == {}
    shutil.rmtree(data)
