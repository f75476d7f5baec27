"""Rows around a base keep what they were made of in a file."""

from dataclasses import replace

import numpy as np
import pytest
from inputs import random_counts

from condprob import load, method

COUNTS = random_counts(4, k=15, n=200)


@pytest.mark.parametrize("mmap", [False, True])
@pytest.mark.parametrize("strength", ["learned", "infinite", 0, 1.5])
def test_the_settings_come_back_from_a_file(strength, mmap, tmp_path):
    options = {"largest_rank": 3, "iterations": 4, "strength": strength, "discount": 0.5}
    matrix = method("py-lr", **options).fit(COUNTS, seed=1)
    matrix.save(tmp_path / "matrix.npz")
    again = load(tmp_path / "matrix.npz", mmap=mmap)
    assert type(again) is type(matrix)
    assert type(again.strength) is float
    assert again.strength == matrix.strength
    if strength != "learned":
        assert again.strength == float("inf" if strength == "infinite" else strength)
    assert again.ended == matrix.ended
    for name in ("discounts", "components", "shares", "bins", "novel", "history", "evidence"):
        np.testing.assert_array_equal(getattr(again, name), getattr(matrix, name))
    assert again.discounts.tolist() == [0 if np.isinf(matrix.strength) else 0.5] * 3
    assert (again.sparse is None) == np.isinf(matrix.strength)
    np.testing.assert_array_equal(again.dense(), matrix.dense())
    np.testing.assert_array_equal(again.row_sums(), matrix.row_sums())
    for found, expected in zip(again.seen, matrix.seen, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_how_it_ended_follows_from_the_last_iteration_of_every_base():
    nan, matrix = np.nan, method("py-lr", largest_rank=2, iterations=2).fit(COUNTS, seed=1)
    still, moving = [3.0, 2.0, 2.0 - 0.9e-5], [3.0, 2.0, 2.0 - 1.1e-5]
    for history, ended in (
        ([[still]], "settled"),
        ([[moving]], "limit"),
        ([[still], [moving]], "limit"),
        ([[still, moving]], "limit"),
        ([[still], [[nan] * 3]], "settled"),  # a background
        ([[[2.0, 2.0, nan]]], "settled"),  # it ended before
        ([[[2.0, nan, nan]]], "limit"),  # nothing to compare it with
        ([[[nan] * 3]], "direct"),
    ):
        assert replace(matrix, history=np.array(history)).ended == ended


def test_an_old_file_without_the_course_of_its_fits_ended_at_the_limit(tmp_path):
    matrix = method("py-lr", largest_rank=2, iterations=500).fit(COUNTS, seed=1)
    old = replace(matrix, history=None, evidence=None)
    assert not {"history", "evidence"} & old.arrays().keys()
    old.save(tmp_path / "old.npz")
    again = load(tmp_path / "old.npz")
    assert again.history is None
    assert "held out" not in again.summary()
    assert again.ended == "limit"
    np.testing.assert_array_equal(again.dense(), matrix.dense())


def test_a_summary_says_what_was_chosen_and_how_sure_the_held_out_pairs_were():
    matrix = method("py-lr", largest_rank=2, iterations=2).fit(COUNTS, seed=1)
    told = replace(
        matrix,
        strength=2.0,
        discounts=np.array([0.5, 0.75, 1.25]),
        components=np.array(["types 2", "tokens 2", "types 3", "uniform"]),
        shares=np.tile([0.1, 0.2, 0.3, 0.4], (matrix.bins.size + 1, 1)),
        evidence=np.array([1200.0, 0.012, 0.0034, 0.7]),
        history=np.array([[[3.0, 2.0, 1.75]], [[2.0, 1.5, np.nan]]]),
    )
    lines = told.summary().splitlines()
    assert lines[0].startswith("15 contexts, 15 outcomes")
    assert lines[1] == "strength 2; of counts of 1, 2 and more are taken 0.5, 0.75 and 1.25"
    shares = {line.split()[2]: line.split()[3:] for line in lines if "share of" in line}
    assert shares == {
        kind: [value] * 7
        for kind, value in (("types", "0.400"), ("tokens", "0.200"), ("uniform", "0.400"))
    }
    (evidence,) = (line for line in lines if "held out" in line)
    assert evidence.startswith("1,200 new pairs held out")
    assert "0.0120 +- 0.0034 nats each; weight of types 0.70" in evidence
    assert lines[-1] == "fits: limit; a last iteration moved 5.0e-01 nats at most"
