"""Tables and figures of structured penalties, with a text and without; the page that shows them."""

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from made_up_orders import FLAT, TURNS, scores_of_orders
from own_config import own_config

from reproduction.exhibits.panels import draw_exhibit, save_figure
from reproduction.page.material import PageMaterial
from reproduction.page.report import write_page
from reproduction.scores.columns import HELD_OUT
from reproduction.studies.structured import growth, plan, solvers
from reproduction.studies.structured.checks import check_theory
from reproduction.studies.structured.figures import DRAW
from reproduction.studies.structured.source import SOURCE
from reproduction.studies.structured.tables import ORDERS, TABULATE
from reproduction.studies.structured.work import WORK_COLUMNS
from reproduction.study import Material, fields_of
from reproduction.verdicts.evidence import Results
from reproduction.verdicts.judge import judge_claims

TOP = Path(__file__).parents[4]
METHODS = {
    "kn-text": {"method": "kn"},
    "ll-l1": {"method": "ll-l1"},
    "ll-l1-w": {"method": "ll-l1", "decay": 0.7},
    "ll-l1-a": {"method": "ll-l1", "decay": "learned"},
}
CURVES = {"kn-text": FLAT, "ll-l1": TURNS, "ll-l1-w": FLAT, "ll-l1-a": FLAT}
CONFIG = own_config()


def held_out():
    """At order 2: losses of two penalties, of two decays where it is learned."""
    rows = [
        {
            "corpus": "1",
            "order": 2,
            "method": method,
            "part": HELD_OUT,
            "chosen_penalty": penalty,
            "chosen_decay": decay,
            "pairs": 10,
            "loss": 10 * (5 + decay + penalty / 10),
            "parameters": 9,
            "gap": 0.01,
            "steps": 30,
        }
        for method, decay in (("ll-l1", 1.0), ("ll-l1-w", 0.7), ("ll-l1-a", 1.0), ("ll-l1-a", 0.5))
        for penalty in (1, 2)
    ]
    return pd.DataFrame(rows)


def work():
    numbers = {"corpus": "block", "words": 9, "weights": 5, "pivots": 8, "heaps": 3, "k": 1}
    return pd.DataFrame(
        [
            numbers | {"order": order, "structure": structure, "most": 2}
            for order in (2, 3)
            for structure in ("tree", "trie")
        ],
        columns=WORK_COLUMNS,
    )


def more():
    """Tables of the solvers, of the steps of Table 1 and of memory, of made-up numbers."""
    of_solver = {"passes": range(3), "objective": [3.0, 2.5, 2.25], "above": [1.0, 0.5, 0.25]}
    courses = [
        pd.DataFrame(of_solver | {"norm": norm, "solver": solver, "words": 400, "weights": 9})
        for norm in solvers.NORMS
        for solver in (solvers.FISTA, solvers.PRINTED, solvers.CORRECTED)
    ]
    steps = [
        {
            "block": block,
            "words": 10 * size,
            "order": 3,
            "step": step,
            "structure": structure,
            "weights": size,
            "visited": size**2 if step == "pivot" else size,
            "seconds": 0.1,
        }
        for block in (1, 2)
        for size in (10, 100, 1000)
        for step, (_, structure) in growth.STEPS.items()
    ]
    memory = [
        {
            "block": 1,
            "words": 9,
            "length": length,
            "contexts": 2,
            "pairs": 3,
            "outcomes": 6,
            "gain": 2.0 * length,
        }
        for length in (1, 2)
    ]
    return {
        "solvers": pd.concat(courses),
        "steps": pd.DataFrame(steps),
        "memory": pd.DataFrame(memory),
    }


def test_table_1_has_the_print_beside_the_exponents(made):
    table, figure = made("properties")
    found = table.set_index("step")
    assert found["exponent"].to_dict() == pytest.approx(
        {"l1": 1, "l2": 1, "tree2": 1, "pivot": 2, "heap": 1}
    )
    assert found.loc["heap", ["time", "memory", "words", "blocks"]].tolist() == [
        "yes, O(|T| log |T|)",
        "yes, O(|T|)",
        10_000,
        2,
    ]
    (drawn,) = figure.axes[0].tables
    assert drawn.get_celld()[4, 7].get_text().get_text() == "2.000 [2.000, 2.000]"


@pytest.fixture(scope="module")
def made(targets):
    """A function that returns the table and the figure of an exhibit, as the rules make them."""
    tables, scores = {"work": work()} | more(), scores_of_orders(CURVES, blocks=("1", "2"))

    @cache
    def make(name):
        entry = targets["structured"].exhibits[name]
        receipts = {"receipt": {}}
        given = Material(scores, held_out(), entry, METHODS, receipts, tables, 0, "structured")
        table = TABULATE[entry["kind"]](given)
        return table, draw_exhibit(DRAW[entry["kind"]], table, entry, METHODS)

    return make


def test_the_table_has_means_over_blocks_with_intervals(made):
    table, _ = made(plan.FIGURE_2)
    assert list(table.columns) == ORDERS
    row = table[(table["method"] == "ll-l1") & (table["order"] == 5)].squeeze()
    assert row["mean"] == pytest.approx(TURNS[5])
    assert row["perplexity"] == pytest.approx(np.exp(TURNS[5]))
    assert row["seeds"] == 2
    assert row[["low", "high"]].tolist() == pytest.approx([TURNS[5], TURNS[5]])  # blocks agree
    told = {"chosen_penalty": 1.0, "chosen_decay": 0.5, "gap": 0.001, "steps": 30, "converged": 1}
    assert row[list(told)].to_dict() == told


def test_the_papers_panels_have_its_letters_and_ours_has_none(made):
    _, figure = made(plan.FIGURE_2)
    panels = [ax for ax in figure.axes if ax.axison]
    titles = [ax.get_title("left") for ax in panels]
    assert [title[:3] for title in titles[:3]] == ["(a)", "(b)", "(c)"]  # as in the paper
    assert titles[3:] == [
        "this project: learned weights",
        "this project: no sentence start",
    ]
    assert min(len(ax.lines) for ax in panels) > 0


def test_the_best_of_each_decay(made):
    means, figure = made("alpha")
    (panel,) = figure.axes  # the learned one alone, by alpha, each at its better penalty
    assert panel.lines[0].get_xdata().tolist() == [0.5, 1.0]
    assert panel.lines[0].get_ydata() == pytest.approx(np.exp([5.6, 6.1]))
    assert means["mean"].tolist() == pytest.approx([5.6, 6.1])


def test_the_example_has_eight_nodes_and_six_when_collapsed(made):
    table, figure = made("figure-1")
    assert table.groupby("panel", sort=False).size().tolist() == [8, 6, 8, 8]
    last = table[table["panel"] == table["panel"].iloc[-1]]
    printed = "3 4 5.2 5.2 3.2 4.2 5.4 5.4"  # in the paper's (d)
    assert " ".join(last["label"]) == printed
    assert len(figure.axes) == 4


def test_work_is_drawn_against_the_order_and_the_weights(made):
    _, figure = made("figure-3")
    assert [len(ax.lines) for ax in figure.axes] == [4, 4]


def test_the_page_has_each_exhibit_and_its_own_files(targets, made, tmp_path):
    target, tables, figures = targets["structured"], {}, {}
    for name in target.exhibits:
        tables[name], figure = made(name)
        figures[name] = str(tmp_path / f"{name}.png")
        save_figure(figure, figures[name])
    checks, scores = pd.DataFrame(check_theory(0)), scores_of_orders(CURVES)
    results = Results({plan.FIGURE_2: scores}, tables, {"receipt": {}}, checks)
    claims, _, settings = judge_claims(results, SOURCE)
    shown = PageMaterial(
        SimpleNamespace(**fields_of(target)), SOURCE, CONFIG, results, claims, settings, figures
    )
    page = write_page(shown)
    for name in target.exhibits:
        assert f'id="{name}"' in page
    assert "results/structured/theory.csv" in page
