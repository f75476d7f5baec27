"""The synthetic models of an exhibit: one for each trial, the same for every number of pairs."""

import numpy as np

from condprob.risk import entropy_of_model
from condprob.synthetic import draw_model
from reproduction.scores.seeds import spawn_seed


def draw_models(root, exhibit, k, rank, trials, rows="uniform", exponent=None):
    """Draw a synthetic model for each trial: see `synthetic.draw_model` for the law of the rows.

    Returns ``pi`` (trials, k), ``A`` (trials, k, rank), ``B`` (trials, rank, k) and the models'
    conditional ``entropy`` (trials,), nats.
    """
    models = [
        draw_model(k, rank, rows, exponent, spawn_seed(root, exhibit, "model", k, rank, trial))
        for trial in range(trials)
    ]
    return {
        "pi": np.stack([model.pi for model in models]),
        "A": np.stack([model.A for model in models]),
        "B": np.stack([model.B for model in models]),
        "entropy": np.array([entropy_of_model(m.pi, m.A, m.B) for m in models]),
    }
