"""What is claimed of a model as its order rises, on results whose right verdict is known.

The losses of a block are the same at every word, so that a bootstrap of blocks moves nothing: an
interval has no width, unless a test says otherwise.
"""

import numpy as np
import pandas as pd
import pytest
from made_up_results import claim, results, text_scores, verdict

from reproduction.verdicts.criteria import FAILED, NOT_RUN, PARTLY, REPRODUCED
from reproduction.verdicts.judge import judge

BLOCKS = 20


def scores_by_order(curves, corpus="tale"):
    """Return scores of models of order 2, 3, ...: the losses of each method by order."""
    parts = [
        text_scores({method: np.broadcast_to(loss, BLOCKS)}, order=order, corpus=corpus)
        for method, losses in curves.items()
        for order, loss in enumerate(losses, start=2)
    ]
    return pd.concat(parts)


def degrades(*methods):
    return claim("degrades", methods=methods or ("flat",))


def steady(*methods):
    return claim("steady", tolerance=0.1, methods=methods or ("flat",))


@pytest.mark.parametrize(
    ("losses", "rise", "of_degrades", "of_steady"),
    [
        ([5.0, 4.8, 5.1], 0.3, REPRODUCED, FAILED),
        ([5.0, 4.8, 4.85], 0.05, REPRODUCED, REPRODUCED),  # worse, and by little
        ([5.0, 4.9, 4.8], 0.0, FAILED, REPRODUCED),  # its last order is its best
        ([4.8, 4.9], 0.1, REPRODUCED, REPRODUCED),  # as much as the margin allows
        ([4.8, 5.3, 4.9, 5.0], 0.2, REPRODUCED, FAILED),  # what is between does not matter
    ],
)
def test_the_last_order_is_compared_with_the_best(losses, rise, of_degrades, of_steady):
    losses = np.array(losses) + (0.0 if rise != 0.1 else [0.0, -1e-9])
    found = results(scores_by_order({"flat": losses}))
    row, numbers = judge(degrades(), found)
    assert row["verdict"] == of_degrades
    assert row["measured"] == pytest.approx(rise)
    assert row["low"] == pytest.approx(rise)
    best, last = 2 + int(np.argmin(losses)), 1 + len(losses)
    assert [number["quantity"] for number in numbers] == [f"flat: order {last} - order {best}"]
    assert verdict(steady(), found) == of_steady


def test_a_rise_that_the_words_do_not_settle_is_a_trend():
    """The last order is worse by 0.05, by 1 on half of the blocks and better by 0.9 on the other.

    The spread of a block is 0.95, that of the mean of twenty 0.95 / sqrt 20 = 0.21: the interval
    goes from about -0.37 to 0.47, beyond zero and beyond the margin.
    """
    noise = 5.05 + np.tile([-0.95, 0.95], BLOCKS // 2)
    found = results(scores_by_order({"flat": [5.0, noise]}))
    row, _ = judge(degrades(), found)
    assert row["verdict"] == PARTLY
    assert (row["low"], row["high"]) == pytest.approx((-0.37, 0.47), abs=0.06)
    assert verdict(steady(), found) == PARTLY


def test_every_method_and_every_text_counts_and_the_weakest_is_told():
    up, down = [5.0, 5.4], [5.0, 4.9]
    curves = {"worse": up, "better": down}
    found = results(pd.concat([scores_by_order(curves), scores_by_order({"worse": up}, "myth")]))
    row, numbers = judge(degrades("worse"), found)
    assert (row["verdict"], row["points"]) == (REPRODUCED, "2 of 2 above zero")
    assert {number["corpus"] for number in numbers} == {"tale", "myth"}
    row, _ = judge(degrades("worse", "better"), found)
    assert (row["verdict"], row["points"]) == (FAILED, "2 of 3 above zero")
    assert row["reason"].startswith("weakest: better: order 3 - order 3, tale, ")
    row, _ = judge(steady("worse", "better"), found)
    assert (row["verdict"], row["points"]) == (FAILED, "1 of 3 within the margin")
    assert row["reason"].startswith("weakest: worse: order 3 - order 2, myth, ")


def test_words_weigh_alike_whatever_block_they_stand_in():
    """Block 0 has 30 words that lose 1 more, block 1 has 10 that lose 3 less: 0 in all."""
    scores = text_scores({"flat": [5.0, 5.0]}, order=2)
    later = text_scores({"flat": [6.0, 2.0]}, order=3)
    for part in (scores, later):
        part["loss"] *= [3, 1]
        part["pairs"] *= [3, 1]
    row, _ = judge(degrades(), results(pd.concat([scores, later])))
    assert row["measured"] == pytest.approx(0, abs=1e-12)


def test_a_single_order_says_nothing():
    found = results(scores_by_order({"flat": [5.0]}))
    row, numbers = judge(degrades(), found)
    assert (row["verdict"], numbers) == (NOT_RUN, [])
    assert row["reason"] == "made-up has a single order of flat"
    assert verdict(steady(), found) == NOT_RUN
    row, _ = judge(degrades("lost"), found)
    assert row["reason"] == "made-up has no method lost (there is: flat)"


def test_orders_with_more_starts_have_no_larger_loss():
    """Two starts at order 2 and one at order 3: the losses are means over the starts."""
    scores = text_scores({"flat": np.full((2, BLOCKS), 5.0)}, order=2)
    later = text_scores({"flat": np.full((1, BLOCKS), 5.3)}, order=3)
    row, _ = judge(degrades(), results(pd.concat([scores, later])))
    assert (row["verdict"], row["measured"]) == (REPRODUCED, pytest.approx(0.3))
