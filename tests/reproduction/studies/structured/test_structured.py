"""The second paper: its own example and propositions, cases of claims, and how they are judged."""

import numpy as np
import pandas as pd
import pytest

from reproduction.studies.structured.curves import tabulate_orders
from reproduction.page.shown import Sources
from reproduction.page.report import write_report
from reproduction.studies.structured import measured, work
from reproduction.studies.structured.claims import CLAIMS, FIGURE_2, OTHER_READINGS
from reproduction.studies.structured.figures import (
    describe_exhibits,
    draw_figures,
    tables_of_page,
)
from reproduction.studies.structured.source import PAPER
from reproduction.studies.structured.theory import CHECK_COLUMNS, check_theory, row
from reproduction.verdicts.criteria import FAILED, REPRODUCED, UNTESTED
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge_claims

ORDERS = (2, 3, 5, 12)
FLAT = dict.fromkeys(ORDERS, 5.4)
TURNS = {2: 5.5, 3: 5.4, 5: 5.45, 12: 5.6}


def scores(curves):
    """Scores of 9 stretches of test words, whose mean loss is what the curves say."""
    rng, rows = np.random.default_rng(0), []
    noise = rng.normal(0, 0.01, 9)
    for method, curve in curves.items():
        for n, loss in curve.items():
            for block in range(9):
                where = {"corpus": "block-1", "n": n, "rank": 0, "method": method, "seed": 0}
                loss_of_block = 10 * (loss + noise[block] - noise.mean())
                told = {"block": block, "pairs": 10, "converged": True, "loss": loss_of_block}
                rows.append(where | told)
    return pd.DataFrame(rows)


def test_the_worked_example_and_the_propositions():
    cases = pd.DataFrame(check_theory(0), columns=CHECK_COLUMNS)
    held = cases.groupby("check")["holds"].all()
    assert held[["t1", "t2", "t3", "t3-falling", "t4"]].all()
    assert not held["t3-rising"]


def test_a_model_that_turns_upwards_degrades_and_a_flat_one_does_not():
    found = pd.DataFrame(measured.check_scores(scores({"ll-l1": TURNS, "ll-tree2": FLAT}), 12))
    held = found.set_index("check")["holds"]
    assert held["t6"]
    assert held["t7"]
    other = pd.DataFrame(measured.check_scores(scores({"ll-l1": FLAT, "ll-tree2": TURNS}), 12))
    held = other.set_index("check")["holds"]
    assert not held["t6"]
    assert not held["t7"]


def test_what_is_said_of_high_orders_is_not_asked_of_low_ones():
    found = [*measured.check_scores(scores({"ll-l1": TURNS, "ll-tree2": FLAT}), 13)]
    assert not {"t6", "t7"} & {case["check"] for case in found}


def test_models_are_alike_within_two_hundredths_at_every_order():
    near = FLAT | {5: 5.415}
    found = pd.DataFrame(measured.check_scores(scores({"ll-tree2": near, "kn": FLAT}), 12))
    assert found[found["check"] == "t8"]["holds"].tolist() == [True] * 4
    found = pd.DataFrame(measured.check_scores(scores({"ll-tree2": TURNS, "kn": FLAT}), 12))
    assert found[found["check"] == "t8"]["holds"].tolist() == [False, True, False, False]


@pytest.mark.parametrize(("alpha", "holds"), [(0.7, True), (1.0, False), (1.1, False)])
def test_the_side_of_alpha_is_that_of_the_paper(alpha, holds):
    rows = scores({"ll-l1-a": TURNS}).assign(decay=0.35)
    rows.loc[rows["n"] == 12, "decay"] = alpha
    (case,) = measured.check_scores(rows, 12)
    assert (case["check"], case["holds"]) == ("t12-l1-side", holds)
    assert case["value"] == pytest.approx(alpha - 1, abs=1e-5)


@pytest.mark.parametrize(("third", "holds"), [(5.3, True), (5.4, False), (5.5, False)])
def test_a_base_measure_has_to_gain_by_growing(third, holds):
    (case,) = measured.check_scores(scores({"py-lr": {2: 5.4, 3: third}}), 12)
    assert (case["check"], case["holds"]) == ("ours-longer", holds)


def test_claims_are_judged_and_what_is_missing_cannot_be():
    found = scores({"ll-treeinf": FLAT, "ll-tree2": FLAT, "kn": TURNS})
    checks = pd.DataFrame([row("t8", "far", 0.5, 0.02), row("t1", "near", 0.0, 1e-12)])
    claims, _, _ = judge_claims(Results({FIGURE_2: found}, {}, {}, checks), PAPER)
    verdicts = claims.set_index("id")["verdict"]
    assert verdicts["t1"] == REPRODUCED
    assert verdicts["t8"] == FAILED
    assert verdicts["t12-l1"] == UNTESTED


def test_every_claim_has_an_id_of_its_own_and_every_check_a_claim():
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    known = {claim.settings.get("check") for claim in CLAIMS} | {r.new for r in OTHER_READINGS}
    for case in check_theory(0):
        assert case["check"] in known


def test_work_is_counted_and_shares_of_variance_are_those_of_lines():
    # 0 -> 1 -> 2, 0 -> 3: the subtrees have 4, 2, 1 and 1 nodes.
    assert work.subtree_sizes(np.array([-1, 0, 1, 0])).tolist() == [4, 2, 1, 1]
    x = np.arange(5.0)
    assert work.r_squared(x, 3 * x + 1) == pytest.approx(1)
    assert work.r_squared(x, (x - 2) ** 2) == pytest.approx(0)


def test_figures_are_drawn_with_and_without_a_text():
    names = {
        "kn": {"method": "kn"},
        "ll-l1": {"method": "ll-l1"},
        "w": {"method": "ll-l1", "decay": 0.7},
        "a": {"method": "ll-l1", "decay": "learned"},
    }
    table = tabulate_orders(
        scores({"kn": FLAT, "ll-l1": TURNS, "w": FLAT, "a": FLAT}).assign(
            penalty=1.0, decay=1.0, parameters=10, gap=0.001, iterations=30
        )
    )
    told = {"corpus": 1, "n": 2, "mean": 5.0, "parameters": 9, "gap": 0.01, "iterations": 30}
    paths = pd.DataFrame(
        told | {"method": name, "penalty": penalty, "decay": decay}
        for name, decay in (("ll-l1", 1.0), ("w", 0.7), ("a", 1.0), ("a", 0.5))
        for penalty in (1, 2)
    )
    counted = {
        "corpus": "block",
        "words": 9,
        "weights": 5,
        "pivots": 8,
        "heaps": 3,
        "k": 1,
        "most": 2,
    }
    steps = pd.DataFrame(
        counted | {"order": order, "structure": structure}
        for order in (2, 3)
        for structure in ("tree", "trie")
    )
    whole = draw_figures(table, paths, steps, names)
    lines = [len(ax.lines) for ax in whole["figure-2"].axes]
    titles = [ax.get_title("left")[:3] for ax in whole["figure-2"].axes]
    assert titles == ["(a)", "(b)", "(c)", "(d)"]
    assert min(lines) > 0
    (panel,) = whole["alpha"].axes  # the learned one alone, by alpha
    assert panel.lines[0].get_xdata().tolist() == [0.5, 1.0]
    assert len(whole["path"].axes[0].lines) == 1
    for name, figure in draw_figures(table[:0], paths[:0], steps[:0], names, "no network").items():
        legend = [each.get_title().get_text() for each in figure.legends]
        note = [*legend, figure.get_supxlabel()]
        assert name == "figure-1" or "Left out: no network" in note


def test_the_page_has_each_exhibit_and_its_own_files(tmp_path):
    checks = pd.DataFrame(check_theory(0), columns=CHECK_COLUMNS)
    table = tabulate_orders(
        scores({"ll-treeinf": FLAT, "kn": TURNS}).assign(
            penalty=1.0, decay=1.0, parameters=10, gap=0.001, iterations=30
        )
    )
    results = Results({FIGURE_2: scores({"ll-treeinf": FLAT})}, tables_of_page(table), {}, checks)
    claims, _, readings = judge_claims(results, PAPER)
    claims.to_csv(tmp_path / "claims.csv")
    config = {
        "results": "results",
        "methods": {"ll-treeinf": {"method": "ll-treeinf"}, "kn": {"method": "kn"}},
        "exhibits": describe_exhibits(["ll-treeinf", "kn"], "structured/full"),
    }
    given = pd.read_csv(tmp_path / "claims.csv"), readings, [], {}, {}
    page = write_report(PAPER, config, results, *given, tables="structured/full", checks="x.csv")
    for name in config["exhibits"]:
        assert f'id="{name}"' in page
    assert "results/structured/full/figure-2.csv" in page


def test_each_figure_tells_the_file_of_its_numbers():
    exhibits = describe_exhibits([], "structured/full")
    sources = Sources(exhibits, {}, "results", "structured/full", "structured/full/checks.csv")
    files = {name: sources.describe(name)["file"] for name in exhibits}
    full = {"figure-1": "checks", "figure-2": "figure-2", "alpha": "paths", "path": "paths"}
    expected = {name: f"structured/full/{file}.csv" for name, file in full.items()}
    assert files == expected | {"figure-3": "structured/work.csv"}
