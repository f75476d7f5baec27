"""Where structure pays: exponents of counts against sums by hand, and the best of each cell."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from py_lr import structure
from py_lr.figures import draw_structure
from py_lr.tables import tabulate_structure

from condprob.counts import CountMatrix
from condprob.synthetic import draw_model, sample_counts
from reproduction.exhibits.panels import draw_exhibit

METHODS = {"kn": {"method": "kn", "label": "KN"}, "ad": {"method": "ad", "label": "AD"}}


@pytest.mark.parametrize("exponent", [0.6, 1.2, 2.0])
def test_the_exponent_of_drawn_models_is_found(exponent):
    """Within .15: 40 rows of rank 2 are a sample of the law of rows."""
    model = draw_model(40, 2, "power-law", exponent, seed=3, outcomes=300)
    counts = sample_counts(model, 6000, 4)
    found = [structure.find_exponent(counts, 2, seed) for seed in range(8)]
    assert np.mean(found) == pytest.approx(exponent, abs=0.15)


def test_the_exponent_of_a_single_law_solves_its_equation():
    """Rank 1: each row is the law itself, in some order."""
    C = np.zeros((2, 50), dtype=int)
    C[0, :12], C[1, :5] = 2, 3  # 24 and 15 pairs, 12 + 5 distinct
    found = structure.find_exponent(CountMatrix.from_dense(C), 1, 0)
    p = np.arange(1, 51) ** -found
    p /= p.sum()
    assert sum((1 - (1 - p) ** n).sum() for n in (24, 15)) == pytest.approx(17, abs=0.01)


def test_beyond_the_range_the_exponent_is_its_end():
    spread = CountMatrix.from_dense(np.ones((3, 4), dtype=int))
    assert structure.find_exponent(spread, 1, 0) == structure.FLATTEST
    alone = CountMatrix.from_dense(np.diag([50, 50, 50]))
    assert structure.find_exponent(alone, 1, 0) == structure.STEEPEST


class Given:
    entry: ClassVar = {"methods": METHODS}
    scores = pd.DataFrame(
        [
            {"exponent": e, "k": 4, "rank": 2, "n": n, "trial": t, "method": m, "kl_risk": r}
            for e, n, m, risks in (
                (0.5, 8, "kn", (0.10, 0.20)),
                (0.5, 8, "ad", (0.12, 0.22)),
                (0.5, 16, "kn", (0.30, 0.10)),
                (0.5, 16, "ad", (0.10, 0.20)),
                (2.0, 8, "kn", (0.2, 0.3)),
                (2.0, 8, "ad", (0.1, 0.2)),
                (2.0, 16, "kn", (0.2, 0.3)),
                (2.0, 16, "ad", (0.1, 0.2)),
            )
            for t, r in enumerate(risks)
        ]
        + [{"corpus": "tale", "method": "text", "exponent": 1.0, "k": 10, "rank": 2, "n": 30}]
    )


def test_the_table_has_the_best_of_each_cell_and_how_far_others_are():
    table = tabulate_structure(Given)
    first = table[(table["exponent"] == 0.5) & (table["pairs"] == 2)].set_index("method")
    assert first["is_best"].to_dict() == {"kn": True, "ad": False}
    assert first["is_clear"].to_dict() == {"kn": True, "ad": False}  # .02 in both trials
    assert first.loc["ad", "above"] == pytest.approx(100 * (0.17 / 0.15 - 1))
    second = table[(table["exponent"] == 0.5) & (table["pairs"] == 4)].set_index("method")
    assert second["is_best"].to_dict() == {"kn": False, "ad": True}
    assert not second["is_clear"].any()  # .2 and -.1 by trial
    (text,) = table[table["method"] == "text"].to_dict("records")
    assert (text["corpus"], text["pairs"], text["exponent"]) == ("tale", 3, 1.0)


def test_the_figure_has_a_number_in_each_cell_and_a_star_for_each_text():
    entry = {"methods": METHODS, "labels": {"tale": "A tale"}}
    table = tabulate_structure(Given)
    figure = draw_exhibit(draw_structure, table, entry, METHODS)
    (ax,) = figure.axes
    told = [text.get_text() for text in ax.texts]
    assert told == ["13", "(33)", "67", "67", "A tale"]
    (star,) = ax.lines
    x, y = star.get_xydata()[0]
    assert x == pytest.approx(np.log(1.5) / np.log(2))  # 3 between 2 and 4
    assert y == pytest.approx(1 / 3)  # 1 between .5 and 2
