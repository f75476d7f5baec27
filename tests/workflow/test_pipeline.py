"""The whole pipeline, in a copy of the project: what it leaves, and what it makes again."""

import os
import shutil
import signal

import pandas as pd
import pytest
from project import Project, write_fables

EXHIBITS = {"curve", "values"}
PAPER = "near_optimal"  # the study that the tiny config has, and the target of its results
CLOSING = {"write_provenance", "write_page", "judge_claims"}  # whatever changed


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A finished run, without one of its corpora."""
    project = Project(tmp_path_factory.mktemp("pipeline") / "one")
    project.status, project.printed = project.run("-j2", OMP_NUM_THREADS="1")
    assert project.status == 0, project.printed
    project.before = project.hashes()
    return project


def test_a_run_makes_every_exhibit_and_the_page(first):
    made = set(first.before)
    forms = ("csv", "png", "svg")
    assert made >= {f"{PAPER}/exhibits/{name}.{form}" for name in EXHIBITS for form in forms}
    assert made >= {f"{PAPER}/exhibits/values.{form}" for form in ("md", "tex")}
    assert {name.split("/")[0] for name in made} == {PAPER, "corpora"}
    assert (first.results / PAPER / "report.html").is_file()


def test_a_run_says_what_each_job_does_and_how_far_it_is(first):
    assert "curve: KL risk of ad-lr-random, k = 12, m = 2" in first.printed
    assert "(100%) done" in first.printed
    assert (
        " results made. results/near_optimal/report.html results/near_optimal/exhibits/"
        in first.printed
    )


def test_a_missing_corpus_is_named_twice_and_what_needs_none_is_made(first):
    line = "Left out: fables, because it is neither on NLTK's search path nor in .nltk_data. "
    line += "To get it: snakemake -j1 results/corpora/fables.npz"
    assert first.printed.splitlines().count(line) == 2
    table = pd.read_csv(first.results / PAPER / "exhibits" / "values.csv")
    assert set(table["corpus"]) == {"tale"}


def test_a_missing_corpus_is_an_error_of_a_strict_run(first):
    """So is a text of too few words: one line each, with the cause, and no half of a file."""
    one_word = 2000 * "x"
    targets = ("results/corpora/fables.json", "results/corpora/tale.npz")
    options = ("-j2", "--keep-going", "--config", "strict=True", "--forcerun", "split_corpus")
    kept = first.folder / "kept"
    shutil.copytree(first.results, kept)
    with first.change("tale.txt", first.folder.joinpath("tale.txt").read_text(), one_word):
        status, printed = first.run(*options, "--", *targets)
    shutil.rmtree(first.results)
    kept.rename(first.results)
    assert status != 0
    assert "error: corpus 'fables' is not here" in printed
    assert "error: corpus 'tale': train + test = 600 + 300 = 900 words, but" in printed
    assert "Traceback" not in printed


def test_a_second_run_has_nothing_to_do(first):
    """Not even where files were touched, or remarks written."""
    for path in (*first.folder.glob("src/**/*.py"), first.folder / "Snakefile"):
        path.touch()
    with (
        first.change("config.yaml", new="\n# a remark\n"),
        first.change("src/reproduction/scores/trials.py", new="\n# a remark\n"),
        first.change("workflow/rules/prepare.smk", new="\n# a remark\n"),
    ):
        status, printed = first.run("-j2")
    assert status == 0
    assert "Nothing to be done" in printed
    assert first.hashes() == first.before


def test_snakemake_finds_no_fault_with_the_rules(first):
    status, printed = first.run("--lint")
    assert status == 0
    assert not [line for line in printed.splitlines() if line.startswith("    * ")]


def test_a_mistake_in_the_config_touches_nothing(first):
    with first.change("config.yaml", "trials: 3", "trials: 0"):
        status, printed = first.run("-j1")
    assert status != 0
    assert any("exhibits.curve.trials" in line for line in printed.splitlines())
    assert "Traceback" not in printed
    assert first.hashes() == first.before


SCORES = f"{PAPER}/scores/curve"
DRAWN = {f"{PAPER}/exhibits/curve.{form}" for form in ("png", "svg")}
TABLE = {f"{PAPER}/exhibits/curve.csv"}
# Edits of the config: the scores and models that are made again. The exhibit always is.
SWEEPS = {
    "a method": (
        ("methods: [add-half, kn, ad-lr-random]", "methods: [add-half, kn, ad-lr-random, ad-lr]"),
        {"score_models": {f"{SCORES}/ad-lr/k12-m2.csv"}},
    ),
    "a k": (
        ("k_values: [12]", "k_values: [12, 20]"),
        {
            "draw_models": {f"{PAPER}/models/curve/k20-m2.npz"},
            "score_models": {
                f"{SCORES}/{method}/k20-m2.csv" for method in ("closed-form", "ad-lr-random")
            },
        },
    ),
    "an n": (
        ("[200]", "[100, 200]"),
        {
            "score_models": {
                f"{SCORES}/{method}/k12-m2.csv" for method in ("closed-form", "ad-lr-random")
            }
        },
    ),
    "an option": (
        ("label: AD-LR (random), iterations: 20", "label: Other, iterations: 10"),
        {"score_models": {f"{SCORES}/ad-lr-random/k12-m2.csv"}},
    ),
}


@pytest.mark.parametrize("sweep", SWEEPS)
def test_what_is_added_is_computed_and_nothing_else(first, sweep):
    edit, expected = SWEEPS[sweep]
    with first.change("config.yaml", *edit):
        made = first.would_make()
    for rule in CLOSING:
        made.pop(rule, None)
    assert made == expected | {"tabulate": TABLE, "draw": DRAWN}


def test_a_label_and_a_title_draw_again_and_fit_nothing(first):
    with (
        first.change("config.yaml", "title: A curve", "title: Another"),
        first.change("config.yaml", "label: AD-LR (random)", "label: Another start"),
    ):
        made = first.would_make()
    assert set(made) - CLOSING == {"draw"}
    assert made["draw"] == DRAWN


def test_one_figure_is_made_alone_and_elsewhere(first, tmp_path):
    """By a Snakefile elsewhere, with settings over the project's."""
    (tmp_path / "tale.txt").symlink_to(first.folder / "tale.txt")
    mine = tmp_path / "mine.yaml"
    settings = "exhibits: {curve: {n_values: [50], methods: [add-half, kn]}}\n"
    mine.write_text(settings, encoding="utf-8")
    options = ("-s", str(first.folder / "Snakefile"), "-d", str(tmp_path), "-j2")
    figure = "results/near_optimal/exhibits/curve.png"
    status, printed = first.run(*options, "--configfile", str(mine), "--", figure, cwd=tmp_path)
    assert status == 0, printed
    assert (tmp_path / figure).is_file()
    assert not (tmp_path / "results" / PAPER / "exhibits" / "values.csv").exists()
    table = pd.read_csv(tmp_path / "results" / PAPER / "exhibits" / "curve.csv")
    assert set(table["n"]) == {50}


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
    scores = "results/near_optimal/scores/curve/closed-form/k12-m2.csv"
    status, printed = first.run("-j2", scores, cwd=tmp_path)
    assert status == 0, printed
    assert (tmp_path / scores).read_bytes() == (first.folder / scores).read_bytes()


OF_ONE_FIGURE = ("-j2", "--", f"results/{PAPER}/exhibits/curve.png")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """A run that Ctrl-C stopped, then went on by the same command and was killed."""
    project = Project(tmp_path_factory.mktemp("survival") / "une étude")
    process = project.start(*OF_ONE_FIGURE, OMP_NUM_THREADS="1")
    project.wait(process, "results/near_optimal/models/curve/*")
    os.killpg(process.pid, signal.SIGINT)
    project.interrupted = project.end(process)
    scores = "results/near_optimal/scores/*/*/*"
    before = set(project.folder.glob(scores))
    process = project.start(*OF_ONE_FIGURE, OMP_NUM_THREADS="1")
    project.wait(process, scores, before)
    os.killpg(process.pid, signal.SIGKILL)
    project.end(process)
    return project


def test_after_ctrl_c_and_kill_a_run_goes_on_to_the_same_bytes(first, stopped):
    status, printed = stopped.interrupted
    assert status != 0
    assert "What was made is kept: the same command goes on." in printed
    assert stopped.locks()  # of the killed run
    status, printed = stopped.run(*OF_ONE_FIGURE, OMP_NUM_THREADS="1")
    assert status != 0
    assert "unlock" in printed
    status, printed = stopped.end(stopped.resume(*OF_ONE_FIGURE[1:], OMP_NUM_THREADS="1"))
    assert status == 0, printed
    made = stopped.hashes()
    assert made.keys() >= DRAWN | TABLE
    assert made.items() <= first.before.items()


def test_a_corpus_that_comes_is_read_and_one_that_goes_leaves_what_was_computed(first):
    data = first.folder / "nltk_data"
    write_fables(data)
    made = first.would_make(NLTK_DATA=str(data))
    assert made["split_corpus"] == {"corpora/fables.npz", "corpora/fables.json"}
    scores = f"{PAPER}/scores/values"
    assert made["score_corpus"] == {f"{scores}/{m}/fables.csv" for m in ("closed-form", "ad-lr")}
    assert not {"draw_models", "score_models", "compile_kernels"} & set(made)
    status, printed = first.run("-j2", NLTK_DATA=str(data))
    assert status == 0, printed
    assert "Left out" not in printed
    table = pd.read_csv(first.results / PAPER / "exhibits" / "values.csv")
    assert set(table["corpus"]) == {"tale", "fables"}
    assert first.would_make() == {}  # the copy has gone: NLTK_DATA leads to another folder
    shutil.rmtree(data)
