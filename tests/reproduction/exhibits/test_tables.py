"""The tidy tables: means and intervals by hand, the paper beside."""

import numpy as np
import pandas as pd
import pytest

from reproduction.exhibits.printing import poorly_converged, print_table, share_between
from reproduction.exhibits.tables import (
    compare_with_paper,
    in_order,
    summarise_text,
    summarise_trials,
)

TRIAL = ("k", "rank", "n", "trial", "method", "kl_risk", "converged")
TEXT = ("corpus", "n", "rank", "method", "seed", "block", "pairs", "loss", "converged")
METHODS = {"sb": {"method": "sb", "label": "SB"}, "ad-lr": {"method": "ad-lr", "label": "AD-LR"}}


def find_printed(corpus, entry, rank, n):
    """A paper that prints two numbers for one corpus, at rank 2 and six words."""
    assert np.isnan(rank) or (rank, n) == (2, 6)
    return {("genesis", "sb"): 5.9058, ("genesis", "ad-lr"): 5.6673}.get(
        (corpus, entry.get("method")), np.nan
    )


def trials(risks):
    rows = [(9, 2, 50, trial, "kn", risk, trial != 1) for trial, risk in enumerate(risks)]
    return pd.DataFrame(rows, columns=TRIAL)


def text(corpus="genesis"):
    # Two blocks of 2 and 3 pairs. SB: (4 + 11) / 5 = 3; AD-LR: (2 + 8) / 5 = 2, (5 + 10) / 5 = 3.
    losses = [("sb", 0, 4.0, 11.0), ("ad-lr", 0, 2.0, 8.0), ("ad-lr", 1, 5.0, 10.0)]
    rows = [
        (corpus, 6, 2, name, seed, block, 2 + block, loss, True)
        for name, seed, *both in losses
        for block, loss in enumerate(both)
    ]
    return pd.DataFrame(rows, columns=TEXT)


def test_trials_have_their_mean_and_students_interval():
    (row,) = summarise_trials(trials([1.0, 2.0, 6.0])).itertuples()
    # mean 3, sd sqrt((4 + 1 + 9) / 2) = sqrt 7; t(0.975, 2) = 4.302653 (any table).
    half = 4.302653 * np.sqrt(7 / 3)
    assert (row.mean, row.sd, row.trials) == (3, pytest.approx(np.sqrt(7)), 3)
    assert (row.low, row.high) == (pytest.approx(3 - half), pytest.approx(3 + half))
    assert row.converged == pytest.approx(2 / 3)


def test_one_trial_has_no_interval():
    (row,) = summarise_trials(trials([1.0])).itertuples()
    assert row.mean == 1
    assert np.isnan([row.sd, row.low, row.high]).all()


def test_text_is_averaged_over_starts_and_compared_with_the_baseline():
    table = summarise_text(text(), baseline="sb").set_index("method")
    assert table["mean"].to_dict() == {"sb": 3.0, "ad-lr": 2.5}
    assert table["difference"].to_dict() == {"sb": 0.0, "ad-lr": -0.5}
    assert table["seeds"].to_dict() == {"sb": 1, "ad-lr": 2}
    assert table.loc["ad-lr", "sd"] == pytest.approx(np.sqrt(0.5))


def test_a_difference_from_the_baseline_has_the_interval_over_stretches_and_starts():
    """Ten stretches of one pair, of which AD-LR is better by 1 on half and by 3 on half."""
    gaps = np.tile([1.0, 3.0], 5)
    rows = [
        ("genesis", 11, 2, name, 0, block, 1, 9.0 - gap * (name == "ad-lr"), True)
        for name in METHODS
        for block, gap in enumerate(gaps)
    ]
    table = summarise_text(pd.DataFrame(rows, columns=TEXT), baseline="sb")
    row = table.set_index("method").loc["ad-lr"]
    assert row["difference"] == -2
    # The number of stretches with 3 is binomial (10, 1/2), with its quantiles at 2 and 8.
    assert (row["difference_low"], row["difference_high"]) == pytest.approx((-2.6, -1.4))


def test_the_papers_values_stand_beside_ours():
    table = compare_with_paper(summarise_text(text()), METHODS, find_printed)
    assert table.set_index("method")["paper"].to_dict() == {"sb": 5.9058, "ad-lr": 5.6673}
    assert table["error"].tolist() == pytest.approx([3 - 5.9058, 2.5 - 5.6673])


def test_a_table_prints_in_markdown_and_latex():
    table = compare_with_paper(summarise_text(text()), METHODS, find_printed)
    assert print_table(table, METHODS, "markdown") == (
        "|  | genesis |\n"
        "| --- | ---: |\n"
        "| SB | 3.0000 (5.9058) |\n"
        "| AD-LR | 2.5000 ± 0.7071 (5.6673) |\n"
        "\n"
        "- Nats per word; \N{PLUS-MINUS SIGN} the standard deviation over 2 runs; "
        "in brackets the published value\n"
    )
    latex = print_table(table, METHODS, "latex")
    assert r"AD-LR & 2.5000 $\pm$ 0.7071 (5.6673) \\" in latex
    assert "in brackets the published value} \\\\\n\\end{tabular}\n" in latex


def test_a_cell_that_a_method_lacks_is_not_available():
    """Such as on a text to which a slow one is not fitted."""
    both = pd.concat([text(), text()[:1].assign(corpus="brown")])
    table = compare_with_paper(summarise_text(both), METHODS, find_printed)
    printed = print_table(table.assign(paper=np.nan), METHODS, "markdown")
    assert "| AD-LR | 2.5000 ± 0.7071 | not available |" in printed


def test_fits_that_did_not_converge_are_marked_and_told():
    table = compare_with_paper(
        summarise_text(text().assign(converged=[True, True, True, False, True, True])),
        METHODS,
        find_printed,
    )
    printed = print_table(table, METHODS, "markdown")
    assert "| AD-LR | 2.5000\N{DAGGER} ± 0.7071 (5.6673) |" in printed
    assert "not all fits converged; the fraction that did: AD-LR 50 %" in printed
    assert r"2.5000$^\dagger$ $\pm$ 0.7071" in print_table(table, METHODS, "latex")


def test_labels_are_escaped():
    table = compare_with_paper(summarise_text(text()), METHODS, find_printed)
    methods = METHODS | {"sb": {"method": "sb", "label": r"S|B_1 & 50 % \x^2"}}
    assert r"| S\|B\_1 \& 50 % \\x^2 | 3.0000" in print_table(table, methods, "markdown")
    escaped = r"S|B\_1 \& 50 \% \textbackslash{}x\textasciicircum{}2 & 3.0000"
    assert escaped in print_table(table, methods, "latex")
    hostile = METHODS | {
        "sb": {"method": "sb", "label": "<script>alert(1)</script> [x](y) `z` *a*"}
    }
    escaped = r"| \<script\>alert(1)\</script\> \[x\](y) \`z\` \*a\* | 3.0000"
    assert escaped in print_table(table, hostile, "markdown")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [(0.5, 0.5, "50 %"), (0.04, 1, "4 to 100 %"), (0.001, 0.998, "0.1 to 99.8 %"), (0, 0, "0 %")],
)
def test_shares_are_told_in_per_cent(low, high, text):
    assert share_between(low, high) == text


def test_each_value_of_a_swept_option_is_a_row():
    scores = pd.concat(
        [
            text().assign(discount=[d if m == "ad-lr" else np.nan for m in text()["method"]])
            for d in (0.25, 0.5)
        ]
    ).drop_duplicates()
    table = summarise_text(scores, baseline="sb")
    assert table["discount"].tolist()[1:] == [0.25, 0.5]
    assert table["difference"].tolist() == [0.0, -0.5, -0.5]
    table = compare_with_paper(table, METHODS, lambda corpus, entry, rank, n: entry.get("discount"))
    assert table["paper"].tolist()[1:] == [0.25, 0.5]
    printed = print_table(table.assign(paper=np.nan), METHODS, "markdown")
    assert "| SB | 3.0000 |" in printed
    assert "| AD-LR, discount = 0.25 | 2.5000 ± 0.7071 |" in printed
    assert "| AD-LR, discount = 0.5 | 2.5000 ± 0.7071 |" in printed


def test_tables_stand_by_place_and_method():
    rows = pd.DataFrame({"corpus": ["a", "b", "a"], "method": ["kn", "kn", "sb"]})
    found = in_order(rows, ["corpus"], {"sb": {}, "kn": {}})
    assert found["corpus"].tolist() == ["a", "a", "b"]
    assert found["method"].tolist() == ["sb", "kn", "kn"]


def test_a_sweep_of_iterations_is_not_said_to_move_still():
    """It shows what more iterations do, and mixes fits that were stopped early on purpose."""
    table = pd.DataFrame({"method": "ad-lr", "converged": [0.0, 0.4], "iterations": [25, 200]})
    assert poorly_converged(table, METHODS) == []
    (note,) = poorly_converged(table[table["iterations"] == 200], METHODS)
    assert "AD-LR in 60 % of its fits" in note
