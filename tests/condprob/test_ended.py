"""Every fit says how it ended: direct, settled, or at its limit."""

import re
from dataclasses import replace

import numpy as np
import pytest
from inputs import random_counts

from condprob import load, method
from condprob.cli import main
from condprob.model import SETTLED_BELOW

COUNTS = random_counts(5, 6, 40)
# What follows from the options: EM at its fixed point in 5,000 iterations, and not in two.
ENDS = [
    ("add-half", {}, "direct"),
    ("kn", {}, "direct"),
    ("jm", {}, "direct"),
    ("add-half-lr", {"rank": 2, "iterations": 5000}, "settled"),
    ("add-half-lr", {"rank": 2, "iterations": 2}, "limit"),
    ("add-half-lr", {"rank": 2, "iterations": 0}, "limit"),
    ("naive-add-half-lr", {"rank": 2, "iterations": 5000}, "settled"),
    ("naive-add-half-lr", {"rank": 2, "iterations": 2}, "limit"),
    ("ll-l2", {"penalty": 0.5}, "settled"),
]


@pytest.mark.parametrize(("id", "options", "end"), ENDS)
def test_a_fit_says_how_it_ended_and_so_does_its_file(id, options, end, tmp_path):
    matrix = method(id, **options).fit(COUNTS, seed=1)
    assert matrix.ended == end
    matrix.save(tmp_path / "model")
    assert load(tmp_path / "model").ended == end


def test_settled_is_a_last_change_below_the_bound_or_a_tol_that_was_met():
    matrix = method("lr", rank=2, iterations=1).fit(COUNTS, seed=1)
    for change, end in ((0.9 * SETTLED_BELOW, "settled"), (1.1 * SETTLED_BELOW, "limit")):
        assert replace(matrix, history=np.array([3.0, 3.0 - change])).ended == end
        assert replace(matrix, history=np.array([3.0, 3.0 + change])).ended == end
    met = method("lr", rank=2, iterations=500, tol=1e-2).fit(COUNTS, seed=1)
    assert met.last_change > SETTLED_BELOW
    assert met.ended == "settled"


@pytest.mark.filterwarnings("default")
def test_on_the_command_line_a_fit_that_did_not_settle_is_one_line(tmp_path, monkeypatch, capsys):
    """Counts near 1e13, which the rounding of sums keeps from their minimum."""
    rng = np.random.default_rng(0)
    cells = [(i, j) for i in range(6) for j in range(6)]
    lines = [f"c{i}\to{j}\t{10 ** rng.uniform(0, 13):.0f}\n" for i, j in cells]
    (tmp_path / "pairs").write_text("".join(lines))
    monkeypatch.chdir(tmp_path)
    how = ["--method", "ll-l2", "--set", "penalty=1e-9", "--set", "decay=1"]
    assert main(["fit", "pairs", "--pairs", "-o", "model.npz", *how]) == 0
    told = capsys.readouterr().err
    assert re.fullmatch(
        r"condprob: warning: tol = 0\.001 was not met in \d+ iterations: "
        r"the duality gap is \S+ nats per word\n",
        told,
    )
    assert load("model.npz").model.ended == "limit"
