"""The settings of a large sweep, many to a job: one takes less time than a job takes to start."""

from itertools import groupby

from reproduction.scores.models import draw_models
from reproduction.scores.plan import law_of
from reproduction.scores.trials import score_trials


def score_batch(root, inputs, methods, given):
    """Draw the models of some settings and score them: the rows that each alone would give.

    Given are the ``exhibit``; ``settings``, each ``(k, rank, n)``, those with the same models one
    after the other; and what `plan.law_of` tells of how they are drawn: see `models.draw_models`.
    """
    exhibit, law = given["exhibit"], law_of(given)
    for (k, rank), same in groupby(given["settings"], key=lambda setting: tuple(setting[:2])):
        models = draw_models(root, exhibit, k, rank, **law)
        for _, _, n in same:
            yield from score_trials(root, exhibit, n, models, methods)
