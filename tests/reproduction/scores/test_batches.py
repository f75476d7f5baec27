"""A batch has the numbers that its settings have alone."""

from reproduction.scores.batches import score_batch
from reproduction.scores.models import draw_models
from reproduction.scores.trials import score_trials

METHODS = {"ad": {"method": "ad"}, "lr": {"method": "add-half-lr", "iterations": 3}}


def test_a_batch_has_the_rows_of_its_settings_one_by_one():
    """Settings as Snakemake hands them over, lists; two with the same models, then another."""
    settings = [[5, 2, 8], [5, 2, 20], [6, 1, 8]]
    law = {"trials": 2, "rows": "power-law", "exponent": 1.5, "outcomes": 4, "concentration": 0.2}
    rows = list(score_batch(7, {}, METHODS, {"exhibit": "mine", "settings": settings} | law))
    alone = []
    for k, rank, n in settings:
        models = draw_models(7, "mine", k, rank, **law)
        assert models["B"].shape == (2, rank, 4)
        alone += score_trials(7, "mine", n, models, METHODS)
    assert rows == alone
    assert len(rows) == 3 * 2 * len(METHODS)
