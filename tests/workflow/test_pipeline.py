"""The whole pipeline, in a copy of the project: what it leaves, and what it makes again."""

import os
import shutil

import numpy as np
import pandas as pd
import pytest
from project import write_fables

from reproduction.trust.manifest import check_files, read_manifest
from reproduction.trust.verify import main as verify

CLOSING = {"write_provenance", "write_manifest", "write_page"}  # whatever changed
LEDGER = {"judge_claims"}  # whatever number changed
EXHIBITS = {"curve", "values", "growth"}
PAPER = "near_optimal"  # the study that the tiny config has, and the target of its results


def test_run_makes_every_exhibit(first):
    made = set(first.before)
    forms = ("csv", "png", "svg")
    assert made >= {f"{PAPER}/exhibits/{name}.{form}" for name in EXHIBITS for form in forms}
    others = ("exhibits/values.md", "exhibits/values.tex", "summary.md")
    assert made >= {f"{PAPER}/{name}" for name in others}
    assert {name.split("/")[0] for name in made} == {PAPER, "corpora"}


def test_manifest_is_of_every_result(first):
    manifest = read_manifest(first.results / PAPER / "manifest.json")
    assert set(first.before) <= set(manifest["files"])
    found = check_files(first.results)
    assert found == {"changed": [], "missing": [], "extra": []}
    assert manifest["provenance"]["git"] is None  # no checkout there
    assert manifest["provenance"]["threads"]["OMP_NUM_THREADS"] == "1"
    assert manifest["provenance"]["run_time"]["score"]["jobs"] == 5  # 2 sizes, 3 texts
    assert manifest["provenance"]["run_time"]["score"]["clock"] > 0


def test_missing_corpus_leaves_its_reason(first):
    table = pd.read_csv(first.results / PAPER / "exhibits" / "values.csv", index_col="corpus")
    assert "refused" in table.loc["fables", "note"]
    assert np.isnan(table.loc["fables", "mean"])
    assert table.loc["tale", "mean"].notna().all()
    assert "refused" in (first.results / PAPER / "exhibits" / "values.md").read_text()
    assert "refused" in (first.results / PAPER / "exhibits" / "values.tex").read_text()
    assert "left out" in (first.results / PAPER / "summary.md").read_text()


def test_last_lines_say_what_was_made_which_corpus_is_missing_and_how_to_get_it(first):
    last = "\n".join(first.printed.splitlines()[-20:])
    assert "  results/near_optimal/exhibits/curve.png" in last
    assert "Left out: fables" in last
    assert "python -m nltk.downloader fables" in last


def test_clusters_are_made_where_a_method_starts_from_them_and_nowhere_else(first):
    made = {
        path.relative_to(first.results).as_posix() for path in first.results.glob("*/clusters/*/*")
    }
    assert made == {
        "near_optimal/clusters/values/tale-train-m3.npz",
        "near_optimal/clusters/values/fables-train-m3.npz",
        "near_optimal/clusters/growth/tale-300-m3.npz",
    }


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


def test_snakemake_finds_no_fault_with_the_rules(first):
    """But that they name no conda environment of their own: the whole run has one."""
    _, printed = first.run("--lint")
    faults = {line.strip() for line in printed.splitlines() if line.startswith("    * ")}
    assert faults == {"* Specify a conda environment or container for each rule.:"}


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
        first.change("workflow/rules/prepare.smk", new="\n# a remark\n"),
    ):
        assert first.would_make() == {}


SCORES = {"score texts", "score models"}
EXHIBIT = {"tabulate_exhibit", "draw_exhibit", "print_table", "write_summary"}
DATA = {"draw_models", "split_corpus"}


def rules_of(made):
    """Return the rules that would run; of the one that scores, what it would score."""
    of_models = {name.startswith(f"{PAPER}/scores/curve/") for name in made.get("score", ())}
    scored = {"score models" if each else "score texts" for each in of_models}
    return set(made) - {"score"} | scored


@pytest.mark.parametrize(
    ("path", "again", "not_again"),
    [
        (
            "src/reproduction/exhibits/plots.py",
            {"draw_exhibit"},
            DATA | SCORES | EXHIBIT - {"draw_exhibit"},
        ),
        ("workflow/scripts/print_table.py", {"print_table"}, DATA | SCORES | {"draw_exhibit"}),
        ("src/reproduction/exhibits/tables.py", {"tabulate_exhibit"}, DATA | SCORES),
        ("src/condprob/em/kernels.py", {"compile_kernels"} | SCORES | EXHIBIT, DATA),
        (
            "src/condprob/tokenizers.py",
            {"split_corpus", "score texts"} | EXHIBIT,
            {"draw_models", "score models"},
        ),
        ("src/condprob/estimators/catalogue.py", set(), DATA | SCORES | EXHIBIT | CLOSING),
        ("src/condprob/__init__.py", set(), DATA | SCORES | EXHIBIT | CLOSING),
        ("src/condprob/estimators/backoff.py", SCORES, DATA | {"compile_kernels", "cluster_text"}),
        ("src/reproduction/trust/manifest.py", CLOSING - {"write_page"}, DATA | SCORES | EXHIBIT),
        ("tale.txt", {"split_corpus", "score texts"} | EXHIBIT, {"draw_models", "score models"}),
    ],
)
def test_edit_makes_again_what_depends_on_it(first, path, again, not_again):
    with first.change(path, new="\n# another version\n"):
        made = rules_of(first.would_make())
    assert made >= again
    assert not made & not_again


def test_new_label_draws_and_prints_and_fits_nothing(first):
    with first.change("config.yaml", "label: KN}", "label: Kneser-Ney}"):
        made = first.would_make()
    assert set(made) - CLOSING == {"draw_exhibit", "print_table", "write_summary"}


def test_new_hyperparameter_fits_what_uses_it(first):
    with first.change("config.yaml", "naive-ad-lr, label", "naive-ad-lr, discount: 0.5, label"):
        made = first.would_make()
    assert rules_of(made) - CLOSING - LEDGER == {"score models"} | EXHIBIT - {"print_table"}
    assert made["draw_exhibit"] == {f"{PAPER}/exhibits/curve.{form}" for form in ("png", "svg")}


def test_new_method_in_the_catalogue_fits_what_uses_it_and_nothing_else(first):
    """A record for the catalogue, a method of the config, an exhibit of it: the rest stays."""
    catalogue = first.folder / "src" / "condprob" / "estimators" / "catalogue.py"
    record = '    Method("mine", "condprob.estimators.direct:AddHalf", "Mine"),\n'
    exhibit = "  extra: {kind: risk-curve, k_values: [5], rank_values: [2], n_values: [9], "
    exhibit += "rows: uniform, methods: [mine], trials: 1}\n"
    with (
        first.change(catalogue, "RECORDS = (\n", f"RECORDS = (\n{record}"),
        first.change(
            "config.yaml", "methods:\n", "methods:\n  mine: {method: mine, label: Mine}\n"
        ),
        first.change("config.yaml", new=exhibit),
    ):
        made = first.would_make()
    assert made["score"] == {f"{PAPER}/scores/extra/k5-m2-n9.csv"}
    assert made["tabulate_exhibit"] == {f"{PAPER}/exhibits/extra.csv"}


def test_new_sample_size_makes_what_is_new(first):
    with first.change("config.yaml", "[40, 200]", "[40, 100, 200]"):
        made = first.would_make()
    for rule in CLOSING | LEDGER:
        made.pop(rule, None)
    assert made == {
        "score": {f"{PAPER}/scores/curve/k12-m2-n100.csv"},
        "tabulate_exhibit": {f"{PAPER}/exhibits/curve.csv"},
        "draw_exhibit": {f"{PAPER}/exhibits/curve.{form}" for form in ("png", "svg")},
        "write_summary": {f"{PAPER}/summary.md"},
    }


def test_mistake_in_the_config_is_one_line_and_touches_nothing(first):
    with first.change("config.yaml", "trials: 3", "trials: 0"):
        status, printed = first.run("-j1")
    assert status != 0
    (line,) = printed.splitlines()
    assert line.startswith("config.yaml:")
    assert "exhibits.curve.trials" in line
    assert first.hashes() == first.before


LOOKING = [("-n",), ("-n", "--forceall"), ("--list",), ("--summary",), ("--unlock",)]


@pytest.mark.parametrize("options", LOOKING, ids=" ".join)
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


def test_what_is_gone_is_made_again(first):
    for name in ("corpora/fables.json", "near_optimal/clusters/growth/tale-300-m3.npz"):
        path = first.results / name
        path.rename(first.folder / "kept")
        made = first.would_make()
        (first.folder / "kept").rename(path)
        assert name in set().union(*made.values())


def test_a_broken_receipt_is_one_line_that_says_what_to_do(first):
    receipt, table = first.results / "corpora" / "tale.json", f"results/{PAPER}/exhibits/growth.csv"
    receipt.write_text("")
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


def test_a_snakefile_elsewhere_finds_its_own_code(first, tmp_path):
    shutil.copyfile(first.folder / "config.yaml", tmp_path / "config.yaml")
    shutil.copyfile(first.folder / "tale.txt", tmp_path / "tale.txt")
    options = ("-s", str(first.folder / "Snakefile"), "-d", str(tmp_path), "-j2")
    status, printed = first.run(*options, f"results/{PAPER}/theory.csv", cwd=tmp_path)
    assert status == 0, printed
    assert (tmp_path / "results" / PAPER / "theory.csv").exists()


def test_a_folder_without_config_is_refused_in_one_line(first, tmp_path):
    options = ("-s", str(first.folder / "Snakefile"), "-d", str(tmp_path), "-n")
    status, printed = first.run(*options, cwd=tmp_path)
    assert status != 0
    assert printed.splitlines()[-1] == "config.yaml: cannot be read: No such file or directory"


# Of other results, of folders of results, and of rules.
TAKEN = [
    *("claims", "claims-evidence", "claims-readings", "summary", "theory", "report", "index"),
    *("manifest", "provenance", "readings", "beyond", "structured", "million", "everything"),
    *("grid", "replication", "further", "reference", "logs", "benchmarks", "scores", "models"),
    *("clusters", "corpora", "exhibits", "kernels", "all", "effects", "texts", "blocks"),
]
LONGEST_NAME = "of-the-longest-name-" * 4 + "that-is-possible-now"
TABLE = "{kind: table, title: T, corpora: [%s], methods: [sb, kn], seeds: 1}"


def test_exhibits_may_have_any_name(first):
    more = "".join(f"  {name}: {TABLE % 'tale'}\n" for name in TAKEN)
    with first.change("config.yaml", new=more):
        made = first.would_make()
    tables = {f"{PAPER}/exhibits/{name}.csv" for name in TAKEN}
    assert made["tabulate_exhibit"] == tables
    assert {f"{PAPER}/exhibits/{name}.png" for name in TAKEN} < made["draw_exhibit"]
    assert {f"{PAPER}/exhibits/{name}.md" for name in TAKEN} < made["print_table"]
    assert made["score"] == {f"{PAPER}/scores/{name}/tale-train-m0.csv" for name in TAKEN}


def test_a_table_of_methods_without_rank_and_the_longest_names(first):
    corpus = LONGEST_NAME.replace("now", "yet")
    text = "{source: file, path: tale.txt, tokenizer: whitespace, train: 600, test: 300}"
    with (
        first.change("config.yaml", "corpora:\n", f"corpora:\n  {corpus}: {text}\n"),
        first.change("config.yaml", new=f"  {LONGEST_NAME}: {TABLE % corpus}\n"),
    ):
        status, printed = first.run("-j2", f"exhibit_{LONGEST_NAME}")
    assert status == 0, printed
    table = pd.read_csv(first.results / PAPER / "exhibits" / f"{LONGEST_NAME}.csv")
    assert list(table["method"]) == ["sb", "kn"]
    assert table["mean"].notna().all()
    scores = first.results / PAPER / "scores" / LONGEST_NAME
    assert [path.name for path in scores.iterdir()] == [f"{corpus}-train-m0.csv"]
    shutil.rmtree(scores)
    for path in (
        *first.results.glob(f"{PAPER}/exhibits/{LONGEST_NAME}.*"),
        *first.results.glob(f"corpora/{corpus}.*"),
    ):
        path.unlink()
    assert first.hashes() == first.before


def test_batches_of_a_sweep_give_the_table_that_single_jobs_give(first):
    with first.change("config.yaml", "trials: 3", "trials: 3\n    batch: 2"):
        target = f"batched/{PAPER}/exhibits/curve.csv"
        status, printed = first.run("-j2", target, "--config", "results=batched")
    assert status == 0, printed
    table = first.folder / "batched" / PAPER / "exhibits" / "curve.csv"
    assert table.read_bytes() == (first.results / PAPER / "exhibits" / "curve.csv").read_bytes()
    scores = first.folder / "batched" / PAPER / "scores" / "curve"
    assert [path.name for path in scores.iterdir()] == ["batch-0.csv"]


def test_make_figure_makes_one_exhibit(first):
    status, printed = first.run(
        *("--logger", "progress", "-j2", "--config", "results=alone", "--", "exhibit_curve")
    )
    assert status == 0, printed
    made = {path.name for path in (first.folder / "alone" / PAPER / "exhibits").iterdir()}
    assert made == {"curve.csv", "curve.png", "curve.svg"}
    lines = [line for line in printed.splitlines() if line.startswith("[")]
    assert lines[-1].startswith("[6/7] curve: its figure (")
    assert len(lines) == 6


def test_failure_of_a_job_is_one_line_and_where_to_look(first):
    one_word = 2000 * "x"  # of a text with fewer letters it would be known before the run
    with first.change("tale.txt", first.folder.joinpath("tale.txt").read_text(), one_word):
        options = ("--logger", "progress", "-j1", "--config", "results=short", "--")
        status, printed = first.run(*options, "short/corpora/tale.npz")
    assert status != 0
    assert "error: corpus 'tale': train + test = 600 + 300 = 900 words, but" in printed
    assert "(see short/logs/split_corpus/tale.log)" in printed
    assert "Traceback" not in printed


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


READINGS = """
studies:
  readings:
    tokenizers: {tale: [whitespace]}
    words: 400
    axes: {split: [halves], vocabulary: [text], discount: [0.75], continuation: [uniform],
      unseen: [lower-order], backoff: [normalised], initial: [random], update: [simultaneous],
      rank: [2], constant: [0.5], lr_discount: [0.75]}
    others: 0
    iterations: 2
    seeds: 1
    new_texts:
      rank: 2
      words: 400
      replication: {methods: [kn, ad-lr], seeds: 1}
      collections:
        mine: {package: fables, tokenizer: whitespace, texts: {fox: {files: [fox.txt]}}}
"""


def test_collection_that_comes_is_read(first):
    """Its scores are not part of the paper."""
    data, texts = first.folder / "nltk_data", "readings/texts/mine"
    scores = "readings/scores/replication/mine.csv"
    with first.change("config.yaml", new=READINGS):
        status, printed = first.run("-j1", f"results/{scores}")
        assert status == 0, printed
        assert first.would_make("--", f"results/{scores}") == {}
        write_fables(data)
        made = first.would_make("--", f"results/{scores}", NLTK_DATA=str(data))
    shutil.rmtree(data)
    shutil.rmtree(first.results / "readings")
    assert made == {"read_collection": {f"{texts}.npz", f"{texts}.json"}, "score": {scores}}


def test_corpus_that_comes_is_read_and_one_that_goes_leaves_what_was_computed(first):
    data = first.folder / "nltk_data"
    write_fables(data)
    made = first.would_make(NLTK_DATA=str(data))
    assert made["split_corpus"] == {"corpora/fables.npz", "corpora/fables.json"}
    assert made["score"] == {f"{PAPER}/scores/values/fables-train-m3.csv"}
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
