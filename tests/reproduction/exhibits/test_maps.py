"""The map of who wins where."""

import numpy as np
import pandas as pd
from made_up_results import draw_exhibit

METHODS = {"kn": {"method": "kn"}, "ad": {"method": "ad"}, "ours": {"method": "py-lr"}}
EXHIBIT = {"kind": "risk-map", "title": "A map", "ours": "ours"}
RISKS = {  # (rank, n): of kn, ad, ours
    (1, 10): (0.4, 0.5, 0.2),
    (1, 100): (0.1, 0.3, 0.15),
    (5, 10): (0.5, 0.4, 0.6),
    (5, 100): (0.2, 0.2, 0.1),
}


def made_up_table():
    rows = [
        {"k": 10, "rank": rank, "n": n, "method": name, "mean": risk, "trials": 3}
        for (rank, n), risks in RISKS.items()
        for name, risk in zip(METHODS, risks, strict=True)
    ]
    return pd.DataFrame(rows)


def test_methods_differ_in_grey_too():
    """Ours is plain; the others are hatched, each in its own way, in cells and legend."""
    figure = draw_exhibit(made_up_table(), EXHIBIT, METHODS)
    hatches = {cell.get_xy(): cell.get_hatch() for cell in figure.axes[0].patches}
    assert list(hatches) == [(0.5, -0.5), (-0.5, 0.5)]  # kn, best at (1, 100), and ad at (5, 10)
    (legend,) = figure.legends
    assert [patch.get_hatch() for patch in legend.legend_handles] == [None, *hatches.values()]
    assert len(set(hatches.values())) == 2


def test_a_cell_has_the_colour_of_the_best_and_the_distance_of_ours_from_the_best_other():
    figure = draw_exhibit(made_up_table(), EXHIBIT, METHODS)
    best, gap = (ax.images[0].get_array() for ax in figure.axes[:2])
    np.testing.assert_array_equal(best, [[2, 0], [1, 2]])
    # 0.2 / 0.4 - 1, 0.15 / 0.1 - 1; 0.6 / 0.4 - 1, 0.1 / 0.2 - 1
    np.testing.assert_allclose(gap, [[-50, 50], [50, -50]])
    written = [text.get_text() for text in figure.axes[1].texts]
    minus = "\N{MINUS SIGN}50"
    assert written == [minus, "+50", "+50", minus]
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1", "10"]
