"""Batches of a sweep: every setting once, and the numbers that it has alone."""

import pytest

from reproduction.scores.batches import score_batch
from reproduction.scores.grid import FEW, cut_into_batches
from reproduction.scores.models import draw_models
from reproduction.scores.trials import score_trials

METHODS = {"ad": {"method": "ad"}, "lr": {"method": "add-half-lr", "iterations": 3}}


def entry_of(points, **more):
    return {"k_values": [5, 6], "rank_values": [2], "n_values": list(range(points // 2))} | more


@pytest.mark.parametrize(
    ("points", "size"),
    [(2, 1), (126, 1), (128, 2), (254, 2), (256, 4), (10_000, 128)],
)
def test_size_of_a_batch_keeps_small_exhibits_and_bounds_the_jobs_of_large_ones(points, size):
    batches = cut_into_batches(entry_of(points))
    assert {len(batch) for batch in batches[:-1]} <= {size}
    assert 1 <= len(batches[-1]) <= size
    if points > FEW:
        assert FEW <= len(batches) <= 2 * FEW


def test_given_size_of_a_batch_is_taken():
    assert [len(batch) for batch in cut_into_batches(entry_of(14, batch=4))] == [4, 4, 4, 2]
    assert [len(batch) for batch in cut_into_batches(entry_of(1000, batch=1))] == [1] * 1000


def test_every_setting_is_in_one_batch():
    entry = {"k_values": [4, 7], "rank_values": [3, 1], "n_values": [9, 2, 5], "batch": 5}
    settings = [setting for batch in cut_into_batches(entry) for setting in batch]
    assert settings == [(k, rank, n) for k in (4, 7) for rank in (3, 1) for n in (9, 2, 5)]


def test_values_at_the_end_leave_earlier_batches_as_they_are():
    entry = {"k_values": [4, 7], "rank_values": [3], "n_values": [9, 2], "batch": 2}
    longer = entry | {"k_values": [4, 7, 8]}
    assert cut_into_batches(longer)[:2] == cut_into_batches(entry)


def test_a_batch_has_the_rows_of_its_settings_one_by_one():
    """Settings as Snakemake hands them over, lists; two with the same models, then another."""
    settings = [[5, 2, 8], [5, 2, 20], [6, 1, 8]]
    rows = list(score_batch(7, "mine", settings, 2, "power-law", 1.5, METHODS))
    alone = []
    for k, rank, n in settings:
        models = draw_models(7, "mine", k, rank, 2, "power-law", 1.5)
        alone += score_trials(7, "mine", n, models, METHODS)
    assert rows == alone
    assert len(rows) == 3 * 2 * len(METHODS)
