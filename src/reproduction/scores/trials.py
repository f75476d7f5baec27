"""Figure 1: sample, fit, and take the KL risk, all methods of a trial on the same counts."""

import numpy as np
from tqdm import tqdm

from condprob.risk import kl_risk
from condprob.synthetic import Model, sample_counts
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed


def score_file(root, inputs, methods, given):
    """Score the models of a file: the scorer of one point of an exhibit (`study.Job`)."""
    with np.load(inputs["models"]) as file:
        models = dict(file)
    return score_trials(root, given["exhibit"], given["n"], models, methods)


def score_trials(root, exhibit, n, models, methods):
    """Sample ``n`` pairs from each model, fit every method to them, and take the KL risk, nats.

    The models are as `models.draw_models` returns them. Yields `columns.COLUMNS` and the values of
    the options that the method sweeps.
    """
    trials, k, rank = models["A"].shape
    variants = [
        (name, values, estimator)
        for name, entry in methods.items()
        for values, estimator in build_variants(entry, rank)
    ]
    for trial in tqdm(range(trials), unit="trial", mininterval=1):
        model = Model(*(models[part][trial] for part in ("pi", "A", "B")))
        counts = sample_counts(model, n, spawn_seed(root, exhibit, "sample", k, rank, n, trial))
        for name, values, estimator in variants:
            seed = spawn_seed(root, exhibit, "start", k, rank, n, trial)
            matrix = estimator.fit(counts, seed)
            risk = kl_risk(model.pi, (model.A, model.B), matrix, models["entropy"][trial])
            yield values | {
                "k": k,
                "rank": rank,
                "n": n,
                "trial": trial,
                "method": name,
                "kl_risk": risk,
                "converged": has_converged(matrix),
            }
