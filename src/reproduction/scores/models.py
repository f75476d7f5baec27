"""The synthetic models of an exhibit: one for each trial, the same for every number of pairs."""

import numpy as np

from condprob.risk import entropy_of_model
from condprob.synthetic import draw_model
from reproduction.scores.seeds import spawn_seed


def draw_models(root, exhibit, k, rank, trials, rows="uniform", exponent=None, **further):
    """Draw a synthetic model for each trial: see `synthetic.draw_model` for the law of the rows.

    ``further`` are its ``outcomes`` and ``concentration``, where they are not the paper's. Returns
    ``pi`` (trials, k), ``A`` (trials, k, rank), ``B`` (trials, rank, outcomes) and the models'
    conditional ``entropy`` (trials,), nats.
    """
    seeds = [spawn_seed(root, exhibit, "model", k, rank, trial) for trial in range(trials)]
    models = [draw_model(k, rank, rows, exponent, seed, **further) for seed in seeds]
    return {
        "pi": np.stack([model.pi for model in models]),
        "A": np.stack([model.A for model in models]),
        "B": np.stack([model.B for model in models]),
        "entropy": np.array([entropy_of_model(m.pi, m.A, m.B) for m in models]),
    }
