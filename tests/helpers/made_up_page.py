"""A page on made-up results with every kind of verdict, for the tests of its HTML and looks."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pandas as pd
from made_up_results import draw_exhibit, trial_scores
from own_config import own_config

from reproduction.exhibits.panels import save_figure
from reproduction.exhibits.tables import compare_with_paper, summarise_text, summarise_trials
from reproduction.page import report
from reproduction.page.material import PageMaterial
from reproduction.studies.near_optimal.plan import list_exhibits
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.studies.theory.statements import check_uniform_convergence
from reproduction.studies.theory.theorems import check_add_half, check_theorems
from reproduction.study import Study, fields_of, make_study
from reproduction.verdicts.cases import COLUMNS
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge_claims

CONFIG = own_config("config.yaml")
TARGET = make_study(
    "near_optimal", "near_optimal", list_exhibits(CONFIG["exhibits"], CONFIG["corpora"]), {}
)
REASON = "the <b>network</b> & the disk are gone"
PROVENANCE = {
    "written": "2026-11-20T13:50:00+00:00",
    "versions": {"python": "3.12.3", "numpy": "2.3.5"},
    "machine": {"system": "Linux x86_64", "processor": "a <fast> one", "simd": ["AVX2"]},
    "blas": [{"library": "openblas", "version": "0.3", "architecture": "Zen", "threads": 1}],
    "threads": {"OMP_NUM_THREADS": "1"},
    "seed": 2016,
    "git": {"commit": "c0ffee" * 6 + "c0ff", "dirty": True},
    "run_time": {
        "score": {"jobs": 12, "clock": 71.3, "longest": 9.1, "processor": 61.2, "memory": 210.0}
    },
}


@cache
def made_up_results():
    """Figure 1(b) as the paper says, Table 1 of one corpus, the other two not to be had."""
    corpus = "genesis"
    receipts = {name: {"reason": REASON, "remedy": "get it"} for name in ("tartuffe", "brown")}
    receipts[corpus] = {"words": 38240, "types": 4600, "train_words": 19000, "test_words": 19000}
    receipts[corpus] |= {"sha256": "0" * 64, "source": "search path", "check": "as pinned"}
    losses = {"add-half": 7.3, "ad": 6.04, "sb": 5.95, "kn": 5.6, "ad-lr": 5.5}
    rows = [
        {
            "corpus": corpus,
            "n": 19000,
            "rank": 50,
            "order": 2,
            "method": name,
            "seed": 0,
            "block": block,
            "pairs": 100,
            "loss": 100 * loss,
            "converged": True,
        }
        for name, loss in losses.items()
        for block in range(10)
    ]
    text = pd.DataFrame(rows)
    table = compare_with_paper(summarise_text(text), CONFIG["methods"], find_printed)
    means = {"add-half-lr": 0.0, "ad-lr-random": 0.1, "naive-ad-lr": 0.3, "kn": 0.5, "ad": 0.8}
    trials = trial_scores(means, [5000, 10000]).assign(k=50, rank=3)
    trials.loc[(trials["method"] == "ad-lr-random") & (trials["trial"] > 0), "converged"] = False
    scores = {"table-1": text, "figure-1b": trials}
    tables = {"table-1": table, "figure-1b": summarise_trials(trials)}
    checks = pd.DataFrame(check_theorems(0, [check_add_half, check_uniform_convergence]))[
        list(COLUMNS)
    ]
    return Results(scores, tables, receipts, checks)


def draw(folder, names):
    """Draw exhibits of the results; return the paths of the PNG files by exhibit."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.png" for name in names}
    for name, path in paths.items():
        for form, content in drawn(name).items():
            path.with_suffix(form).write_bytes(content)
    return paths


@cache
def drawn(name):
    """Return the files of an exhibit's figure by their forms: drawn once for all pages."""
    results, exhibit = made_up_results(), CONFIG["exhibits"][name]
    exhibit = {**exhibit, "corpora": ["genesis"]} if name == "table-1" else exhibit
    methods = {method: CONFIG["methods"][method] for method in exhibit["methods"]}
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.png"), Path(folder, f"{name}.svg")]
        save_figure(draw_exhibit(results.tables[name], exhibit, methods), *paths)
        return {path.suffix: path.read_bytes() for path in paths}


def describe_target(target):
    """Return a target as the workflow hands it to a page: its fields, and dictionaries inside."""
    return SimpleNamespace(**fields_of(target))


def write_page(folder, config=CONFIG, figures=True, provenance=PROVENANCE, source=SOURCE):
    """Write ``report.html`` and the verdicts; return the page and the claims as read back."""
    results, tables = made_up_results(), []
    judged = judge_claims(results, source)
    for name, table in zip(("claims", "evidence", "settings"), judged, strict=True):
        table.to_csv(folder / f"{name}.csv", index=False)
        tables.append(pd.read_csv(folder / f"{name}.csv"))
    claims, _, settings = tables
    paths = draw(folder / "exhibits", results.tables) if figures else {}
    material = PageMaterial(
        describe_target(TARGET), source, config, results, claims, settings, paths, provenance
    )
    page = report.write_page(material)
    (folder / "report.html").write_text(page, encoding="utf-8")
    return page, claims


def claim_all_of_it(by):
    """Return the paper as a source of which every second claim is ours, or all, or none."""
    shares = {"source": [], "project": SOURCE.claims, "both": SOURCE.claims[::2]}[by]
    claims = [replace(each, by="project") if each in shares else each for each in SOURCE.claims]
    return replace(SOURCE, claims=tuple(claims), is_paper=by != "project")


VERDICTS_OF = {
    "source": ["reproduced"] * 3 + ["partially reproduced"],
    "project": ["reproduced"] + ["not run at this size"] * 2,
}


def made_up_targets(folder):
    """Leave what two runs would, the second without claims; return targets, a third not made.

    Of the first the source has three claims reproduced and one in trend, and we have one and two
    that were not run.
    """
    question = "Does a made-up paper hold, claim by claim, on a tale that nobody has told?"
    shown = {"figure-1b": TARGET.exhibits["figure-1b"]}
    words = {"title": "A made-up paper", "question": question, "takes": "a minute"}
    made = Study("made", shown, {}, "near_optimal", **words)
    words = {"title": "Texts alone", "question": "Which texts are there?", "judged": False}
    plain = Study("plain", {}, {}, "near_optimal", **words)
    words = {"title": "Far <away>", "question": "What is there & why?", "takes": "an hour"}
    absent = Study("absent", {}, {}, "near_optimal", **words)
    for target in (made, plain):
        (folder / target.name / "exhibits").mkdir(parents=True)
        (folder / target.name / "provenance.json").write_text(json.dumps(PROVENANCE))
    draw(folder / "made" / "exhibits", ["figure-1b"])
    rows = [(by, verdict) for by, found in VERDICTS_OF.items() for verdict in found]
    claims = pd.DataFrame(rows, columns=["by", "verdict"])
    claims["kind"] = ["number", "comparison", *["theory"] * (len(rows) - 2)]
    under = {setting.name: claims["verdict"] for setting in SOURCE.columns}
    under["textbook"] = claims["verdict"].where(claims.index.isin([0, 1, 5, 6]), "not reproduced")
    claims.assign(**under).to_csv(folder / "made" / "claims.csv")
    (folder / "made" / "report.html").write_text("")
    return {target.name: target for target in (made, plain, absent)}
