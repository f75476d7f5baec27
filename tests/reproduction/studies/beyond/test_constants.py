"""What constants are worth: each is in the table, changes are undone, differences by hand."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from own_config import own_config

from condprob.methods.pitman_yor import constants as used
from reproduction.corpora.corpus import Corpus
from reproduction.exhibits.panels import draw_exhibit
from reproduction.studies.beyond import constants
from reproduction.studies.beyond.figures import draw_constants
from reproduction.studies.beyond.tables import tabulate_constants

PLANNED = own_config()["studies"]["beyond"]["constants"]["values"]


def test_the_table_has_every_constant_and_both_ranks():
    named = {name for name in vars(used) if name.isupper()}
    assert set(PLANNED) == named | {"smallest_rank", "largest_rank"}
    for name, entry in PLANNED.items():
        assert constants.spell(constants.used_value(name)) not in map(
            constants.spell, entry["others"]
        )


def test_a_change_is_undone_also_after_an_error():
    before = used.SWEEPS
    change = constants.changed("SWEEPS", 7)
    assert change.__enter__() == {}
    assert used.SWEEPS == 7
    error = ZeroDivisionError()
    assert not change.__exit__(ZeroDivisionError, error, None)
    assert before == used.SWEEPS
    with constants.changed("largest_rank", 9) as options:
        assert options == {"largest_rank": 9}


def test_a_text_is_scored_with_each_change_and_without(tmp_path):
    ids = np.random.default_rng(1).integers(20, size=900)
    corpus = Corpus("tale", ids, 20, 800, 100, {})
    given = {
        "words": 200,
        "seeds": 2,
        "options": {"sweeps": 6, "largest_rank": 5},
        "changes": {"LIKE_PAIRS": [1, 1e6], "largest_rank": [2], "BINS": [[]]},
    }
    rows = pd.DataFrame(constants.score_text(3, corpus, **given))
    fits = rows.groupby(["constant", "value", "seed"])[["pairs", "loss"]].sum()
    assert len(fits) == 2 * 5
    assert (fits["pairs"] == 199).all()
    assert fits["loss"].round(6).nunique() >= 6  # without a word that is new, bins change nothing
    Given.scores = rows
    table = tabulate_constants(Given)
    assert table[["constant", "used", "other"]].to_numpy().tolist() == [
        ["LIKE_PAIRS", "200", "1"],
        ["LIKE_PAIRS", "200", "1,000,000"],
        ["largest_rank", "34", "2"],
        ["BINS", "1, 4, 16, 64, 256, 1,024", "none"],
    ]
    losses = fits["loss"] / 199
    expected = (losses["largest_rank", "2"] - losses["", ""]).mean()
    assert table["difference"][2] == pytest.approx(expected)
    assert (table["low"] <= table["difference"]).all()
    assert table["fits"].tolist() == [2] * 4
    (ax,) = draw_exhibit(draw_constants, table, {}, {}).axes
    assert [label.get_text() for label in ax.get_yticklabels()][2] == "largest_rank: 2"


class Given:
    entry: ClassVar = {
        "changes": {"LIKE_PAIRS": [1, 1e6], "largest_rank": [2], "BINS": [[]]},
        "meanings": {"LIKE_PAIRS": "pairs", "largest_rank": "classes", "BINS": "bins"},
    }
    scores: ClassVar = None
