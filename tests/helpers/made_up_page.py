"""A page on made-up results with every kind of verdict, for the tests of its HTML and looks."""

from pathlib import Path

import numpy as np
import pandas as pd
from made_up_results import trial_scores

from reproduction.config.files import load_config
from reproduction.exhibits.looks import save_figure
from reproduction.exhibits.plots import draw_exhibit
from reproduction.exhibits.tables import compare_with_paper, summarise_text, summarise_trials
from reproduction.page import multiverse, report
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.studies.near_optimal.source import PAPER
from reproduction.studies.near_optimal.theorems import (
    CHECK_COLUMNS,
    check_add_half,
    check_theorems,
)
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge_claims

CONFIG = load_config([Path(__file__).parents[2] / "config.yaml"])
MADE_BY = {
    "table": {"rule": "score_text", "file": "workflow/rules/text.smk"},
    "risk-curve": {"rule": "score_trials", "file": "workflow/rules/synthetic.smk"},
    "theorems": {"rule": "check_theorems", "file": "workflow/rules/report.smk"},
}
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
        "score_text": {
            "jobs": 12,
            "clock": 71.3,
            "longest": 9.1,
            "processor": 61.2,
            "memory": 210.0,
        },
    },
}


def made_up_results():
    """Figure 1(b) as the paper says, Table 1 of one corpus, the other two not to be had."""
    corpus = "genesis"
    receipts = {name: {"reason": REASON, "remedy": "get it"} for name in ("tartuffe", "brown")}
    receipts[corpus] = {"words": 38240, "types": 4600, "train_words": 19000, "test_words": 19000}
    receipts[corpus] |= {"sha256": "0" * 64, "source": "search path", "check": "as pinned"}
    losses = {"add-half": 7.3, "ad": 6.04, "sb": 5.95, "kn": 5.6, "ad-lr": 5.5}
    rows = [
        {"corpus": corpus, "n": 19000, "rank": 50, "method": name, "seed": 0, "block": block,
         "pairs": 100, "loss": 100 * loss, "converged": True}
        for name, loss in losses.items() for block in range(10)
    ]  # fmt: skip
    text = pd.DataFrame(rows)
    table = compare_with_paper(summarise_text(text, receipts), CONFIG["methods"], find_printed)
    means = {"add-half-lr": 0.0, "ad-lr-random": 0.1, "naive-ad-lr": 0.3, "kn": 0.5, "ad": 0.8}
    trials = trial_scores(means, [5000, 10000]).assign(k=50, rank=3)
    trials.loc[(trials["method"] == "ad-lr-random") & (trials["trial"] > 0), "converged"] = False
    scores = {"table-1": text, "figure-1b": trials}
    tables = {"table-1": table, "figure-1b": summarise_trials(trials)}
    checks = pd.DataFrame(check_theorems(0, [check_add_half]))[CHECK_COLUMNS]
    return Results(scores, tables, receipts, checks)


def draw(folder, results):
    """Draw both exhibits; return the paths of the SVG files."""
    paths = []
    for name, table in results.tables.items():
        exhibit = CONFIG["exhibits"][name]
        exhibit = {**exhibit, "corpora": list(results.receipts)} if name == "table-1" else exhibit
        methods = {method: CONFIG["methods"][method] for method in exhibit["methods"]}
        paths.append(str(folder / f"{name}.svg"))
        save_figure(draw_exhibit(table, exhibit, methods), paths[-1], folder / f"{name}.png")
    return paths


def write_page(folder, config=CONFIG, figures=True, provenance=PROVENANCE):
    """Write ``report.html`` and the verdicts; return the page and the claims as read back."""
    results, tables = made_up_results(), []
    for name, table in zip(
        ("claims", "evidence", "readings"), judge_claims(results, PAPER), strict=True
    ):
        table.to_csv(folder / f"{name}.csv", index=False)
        tables.append(pd.read_csv(folder / f"{name}.csv"))
    claims, _, readings = tables
    drawn = draw(folder, results) if figures else []
    page = report.write_report(PAPER, config, results, claims, readings, drawn, provenance, MADE_BY)
    (folder / "report.html").write_text(page, encoding="utf-8")
    return page, claims


def write_multiverse_page(folder):
    """Write ``multiverse.html`` from tables of a row or two each and one figure; return it."""
    claim = {"claim": "kn-over-ad-lr", "statement": "KN > AD-LR", "corpus": "all", "readings": 90,
             "share": 0.25, "share_stated": 0.5, "flipped_by": "initial", "flips": 0.3}  # fmt: skip
    nearest = {"corpus": "genesis", "method": "kn", "paper": 5.7, "ours": 5.71, "error": 0.01,
               "rms": 0.01, "largest": 0.02, "candidates": 9, "split": "halves",
               "warning": "selected after seeing the published values"}  # fmt: skip
    new = {"collection": "all", "text": "all", "ad_lr": "ad-lr", "kn": "strongest",
           "difference": -0.1, "low": -0.2, "high": 0.05, "texts": 7, "ahead": 2, "clear": 1,
           "note": np.nan}  # fmt: skip
    near = new | {"kn": "kn-nearest", "difference": 0.3, "low": 0.2, "high": 0.4, "ahead": 7}
    gone = {"collection": "lost", "note": REASON}
    effect = {"claim": "kn-over-ad-lr", "corpus": "all", "axis": "initial", "variance": 0.6,
              "range": 0.5, "flips": 0.3}  # fmt: skip
    over = {"collection": "all", "text": "all", "cross_entropy": 5.5, "difference": 0.125,
            "low": 0.1, "high": 0.15, "texts": 22, "ahead": 21, "clear": 20,
            "behind": 0}  # fmt: skip
    own = over | {"cross_entropy": 5.375, "difference": 0.0}
    beyond = pd.DataFrame([own | {"method": "kn"}, over | {"method": "best other"}])
    figure = Path(draw(folder, made_up_results())[0]).with_suffix(".png")
    tables = {
        "claims": pd.DataFrame([claim, claim | {"corpus": "genesis", "share": 1.0}]),
        "effects": pd.DataFrame([effect]),
        "nearest": pd.DataFrame([nearest]),
        "replication": pd.DataFrame([new, near, gone]),
        "further": beyond,
        "further-readings": beyond.replace({"ahead": {21: 79}, "texts": {22: 90}}),
    }
    page = multiverse.write_page(PAPER, CONFIG, tables, {"kn-over-ad-lr": figure}, PROVENANCE)
    (folder / "multiverse.html").write_text(page, encoding="utf-8")
    return page
