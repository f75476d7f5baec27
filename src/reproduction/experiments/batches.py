"""The settings of a large sweep, many to a job: one takes less time than a job takes to start."""

from itertools import groupby

from reproduction.experiments.models import draw_models
from reproduction.experiments.trials import score_trials


def score_batch(root, exhibit, settings, trials, rows, exponent, methods):
    """Draw the models of some settings and score them: the rows that each alone would give.

    Parameters
    ----------
    settings : iterable of tuple
        ``(k, rank, n)``; those with the same models one after the other.
    root, exhibit, trials, rows, exponent
        See `models.draw_models`.
    methods : dict
        Entries of the config's ``methods``.

    Yields
    ------
    dict
        See `trials.score_trials`.
    """
    for (k, rank), same in groupby(settings, key=lambda setting: tuple(setting[:2])):
        models = draw_models(root, exhibit, k, rank, trials, rows, exponent)
        for _, _, n in same:
            yield from score_trials(root, exhibit, n, models, methods)
