"""Draw synthetic models, sample pairs, fit all methods to the same pairs, take the KL risk."""

from itertools import groupby

import numpy as np
from tqdm import tqdm

from condprob.risk import KnownModel, entropy_of_model
from condprob.smoothing import AbsoluteDiscount, AddConstant
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.synthetic import Model, draw_model, sample_counts
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.plan import ORACLE, law_of
from reproduction.scores.seeds import spawn_seed

# Of the classes of an oracle, by the exhibit's ``oracle``.
SMOOTHERS = {"add-half": AddConstant(0.5), "ad": AbsoluteDiscount(0.75)}


def draw_models(root, exhibit, k, rank, trials, rows="uniform", exponent=None, **further):
    """Draw a synthetic model for each trial: see `synthetic.draw_model` for the law of the rows.

    A model is the same whatever the number of pairs or of trials. ``further`` are its ``outcomes``
    and ``concentration``, where they are not the paper's. Returns ``pi`` (trials, k), ``A``
    (trials, k, rank), ``B`` (trials, rank, outcomes) and the models' conditional ``entropy``
    (trials,), nats.
    """
    seeds = [spawn_seed(root, exhibit, "model", k, rank, trial) for trial in range(trials)]
    models = [draw_model(k, rank, rows, exponent, seed, **further) for seed in seeds]
    return {
        "pi": np.stack([model.pi for model in models]),
        "A": np.stack([model.A for model in models]),
        "B": np.stack([model.B for model in models]),
        "entropy": np.array([entropy_of_model(m.pi, m.A, m.B) for m in models]),
    }


def score_points(root, inputs, methods, given):
    """Score points of an exhibit on models: the scorer of a job (`study.Job`).

    Given are the ``exhibit`` and ``settings``, each ``(k, rank, n)``, those with the same models
    one after the other. The input ``models`` is the file of their models; without it they are drawn
    here, by the law that is given, `plan.law_of`. The rows are those of each setting alone.
    """
    exhibit = given["exhibit"]
    for (k, rank), same in groupby(given["settings"], key=lambda setting: tuple(setting[:2])):
        if "models" in inputs:
            with np.load(inputs["models"]) as file:
                models = dict(file)
        else:
            models = draw_models(root, exhibit, k, rank, **law_of(given))
        for _, _, n in same:
            yield from score_trials(root, exhibit, n, models, methods, given.get(ORACLE))


def score_trials(root, exhibit, n, models, methods, oracle=None):
    """Sample ``n`` pairs from each model, fit every method to them, and take the KL risk, nats.

    The models are those of `draw_models`. Yields `columns.COLUMNS` and the values of the options
    that the method sweeps. With ``oracle``, a key of `SMOOTHERS`, rows of the method `ORACLE` have
    its `oracle_risk`.
    """
    trials, k, rank = models["A"].shape
    variants = [
        (name, values, estimator)
        for name, entry in methods.items()
        for values, estimator in build_variants(entry, rank)
    ]
    place = {"k": k, "rank": rank, "n": n}
    for trial in tqdm(range(trials), unit="trial", mininterval=1):
        model = Model(*(models[part][trial] for part in ("pi", "A", "B")))
        known = KnownModel(model.pi, model.A, model.B, models["entropy"][trial])
        counts = sample_counts(model, n, spawn_seed(root, exhibit, "sample", k, rank, n, trial))
        for name, values, estimator in variants:
            seed = spawn_seed(root, exhibit, "start", k, rank, n, trial)
            matrix = estimator.fit(counts, seed)
            risk = known.risk(matrix)
            row = {"trial": trial, "method": name, "kl_risk": risk}
            yield values | place | row | {"converged": has_converged(matrix)}
        if oracle:
            seed = spawn_seed(root, exhibit, ORACLE, k, rank, n, trial)
            risk = oracle_risk(model, counts, known, SMOOTHERS[oracle], seed)
            row = {"trial": trial, "method": ORACLE, "kl_risk": risk, "converged": True}
            yield place | row


def oracle_risk(model, counts, known, smoother, seed):
    """Return the KL risk, nats, of an oracle that sees the latent class of each pair.

    The paper's proof of Theorem 4 has this oracle. Classes are drawn as the model has them given
    the pairs: ``A_il B_lj / P_ij`` for a pair ``i, j``. Both factors are then counts of whole
    pairs: ``A`` is smoothed by Add-1/2, ``B`` by ``smoother``. ``known`` is the model, checked.
    """
    shares = model.A[counts.contexts] * model.B.T[counts.outcomes]  # (nnz, m)
    shares /= shares.sum(axis=1, keepdims=True)
    classes = np.random.default_rng(seed).multinomial(counts.values, shares)
    of_contexts, of_outcomes = (
        np.column_stack([np.bincount(places, column, size) for column in classes.T])
        for places, size in zip((counts.contexts, counts.outcomes), counts.shape, strict=True)
    )
    A, B = AddConstant()(of_contexts), smoother(of_outcomes.T)
    return known.risk(SparsePlusLowRank.on_pattern(counts, A, B))
