"""Draw synthetic models, sample pairs, fit all methods to the same pairs, take the KL risk."""

import numpy as np
from tqdm import tqdm

from condprob.methods.smoothing import AbsoluteDiscount, AddConstant
from condprob.risk import KnownModel, entropy_of_model
from condprob.sparse_plus_low_rank import SparsePlusLowRank
from condprob.synthetic import Model, draw_model, sample_counts
from reproduction.scores.columns import ORACLE
from reproduction.scores.estimators import build_variants, has_converged
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


def score_trials(root, exhibit, sizes, models, methods, oracle=None):
    """Sample pairs from each model, fit every method to them, and take the KL risk, nats.

    The ``sizes`` are numbers of pairs; a sample of each size comes from each model of
    `draw_models`. Returns rows with `columns.COLUMNS` and the values of the options that the
    method sweeps: all of one size, then all of the next. With ``oracle``, a key of `SMOOTHERS`,
    rows of the method `ORACLE` have its `oracle_risk`.
    """
    trials, k, rank = models["A"].shape
    variants = [
        (name, values, estimator)
        for name, entry in methods.items()
        for values, estimator in build_variants(entry, rank)
    ]
    rows = {n: [] for n in sizes}
    for trial in tqdm(range(trials), unit="trial", mininterval=1):
        model = Model(*(models[part][trial] for part in ("pi", "A", "B")))
        known = KnownModel(model.pi, model.A, model.B, models["entropy"][trial])
        for n, found in rows.items():
            names = k, rank, n, trial
            place = {"k": k, "rank": rank, "n": n, "trial": trial}
            counts = sample_counts(model, n, spawn_seed(root, exhibit, "sample", *names))
            for name, values, estimator in variants:
                seed = spawn_seed(root, exhibit, "start", *names) if estimator.is_random else 0
                matrix = estimator.fit(counts, seed)
                row = {"method": name, "kl_risk": known.risk(matrix)}
                found.append(values | place | row | {"converged": has_converged(matrix)})
            if oracle:
                seed = spawn_seed(root, exhibit, ORACLE, *names)
                risk = oracle_risk(model, counts, known, SMOOTHERS[oracle], seed)
                found.append(place | {"method": ORACLE, "kl_risk": risk, "converged": True})
    return [row for found in rows.values() for row in found]


def oracle_risk(model, counts, known, smoother, seed):
    """Return the KL risk, nats, of an oracle that sees the latent class of each pair.

    The paper's proof of Theorem 4 has this oracle. Classes are sampled as the model has them given
    the pairs: ``A_il B_lj / P_ij`` for a pair ``i, j``. Both factors are then counts of whole
    pairs: ``A`` is smoothed by Add-1/2, ``B`` by ``smoother``. ``known`` is the model, checked.
    """
    shares = model.A[counts.contexts] * model.B.T[counts.outcomes]  # (nnz, m)
    shares /= shares.sum(axis=1, keepdims=True)
    classes = np.random.default_rng(seed).multinomial(counts.values, shares)
    of_contexts, of_outcomes = (
        add_up_at(places, classes, size)
        for places, size in zip((counts.contexts, counts.outcomes), counts.shape, strict=True)
    )
    A, B = AddConstant()(of_contexts), smoother(of_outcomes.T)
    return known.risk(SparsePlusLowRank.on_pattern(counts, A, B))


def add_up_at(places, rows, size):
    """Return the sums of the rows at each place, shape (size, m), of whole numbers, (pairs, m)."""
    m = rows.shape[1]
    cells = places[:, None] * m + np.arange(m)
    return np.bincount(cells.ravel(), rows.ravel(), size * m).reshape(size, m)
