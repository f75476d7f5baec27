"""How far a fit moves when its start moves by the last bit.

EM multiplies the factors in every iteration, and soft absolute discounting treats a soft count
below one in another way than one above it. A start that differs by one part in 10^15, as another
order of additions would make it, therefore need not lead to the same fit.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from condprob.counts import CountMatrix
from condprob.methods.em.starts import random_factors
from condprob.risk import KnownModel
from condprob.synthetic import Model, sample_counts
from reproduction.corpora.corpus import word_pairs
from reproduction.scores.estimators import build_variants
from reproduction.scores.intervals import student_interval
from reproduction.scores.seeds import spawn_seed

SIZE = 1e-15  # relative change of every entry of the start: a few times the spacing of doubles
COLUMNS = [
    *("exhibit", "corpus", "k", "rank", "n", "method", "trials"),
    *("median", "largest", "mean", "mean_moved", "change", "low", "high"),
]


def moved_factors(W, H, rng):
    """Return the factors with every entry multiplied by ``1 + SIZE`` or ``1 - SIZE`` at random."""
    return tuple(
        factor * (1 + SIZE * rng.choice([-1.0, 1.0], size=factor.shape)) for factor in (W, H)
    )


def fit_twice(estimator, counts, seed, moving):
    """Return the fit from a random start, and the fit from the same start moved by rounding."""
    start = random_factors(counts, estimator.rank, np.random.default_rng(seed))
    moved = moved_factors(*start, np.random.default_rng(moving))
    return [replace(estimator, initial=each).fit(counts) for each in (start, moved)]


def score_models(root, exhibit, models, sizes, methods, trials):
    """Yield the KL risk of both fits to the counts of an exhibit on models, for some trials.

    The models, samples and starts are those of the exhibit; ``seed`` is 0 for the fit of the
    exhibit itself and 1 for the one whose start has moved.
    """
    _, k, rank = models["A"].shape
    for trial in range(trials):
        model = Model(*(models[part][trial] for part in ("pi", "A", "B")))
        known = KnownModel(model.pi, model.A, model.B, models["entropy"][trial])
        for n in sizes:
            names = k, rank, n, trial
            counts = sample_counts(model, n, spawn_seed(root, exhibit, "sample", *names))
            start = spawn_seed(root, exhibit, "start", *names)
            moving = spawn_seed(root, exhibit, "rounding", *names)
            for name, entry in methods.items():
                ((_, estimator),) = build_variants(entry, rank)
                for seed, matrix in enumerate(fit_twice(estimator, counts, start, moving)):
                    row = {"k": k, "rank": rank, "n": n, "method": name, "trial": trial}
                    yield row | {"seed": seed, "kl_risk": known.risk(matrix)}


def score_corpus(root, exhibit, corpus, methods, rank, seeds):
    """Yield the cross-entropy of both fits on a corpus, for some starts (``trial``)."""
    counts = CountMatrix.from_pairs(*word_pairs(corpus.train), corpus.k)
    contexts, outcomes = word_pairs(corpus.test)
    place = {"corpus": corpus.name, "k": corpus.k, "rank": rank, "n": len(corpus.train)}
    for name, entry in methods.items():
        ((_, estimator),) = build_variants(entry, rank)
        for trial in range(seeds):
            names = corpus.name, len(corpus.train), rank, trial
            start = spawn_seed(root, exhibit, *names)
            moving = spawn_seed(root, exhibit, "rounding", *names)
            for seed, matrix in enumerate(fit_twice(estimator, counts, start, moving)):
                loss = -matrix.log_prob(contexts, outcomes).sum()
                row = {"method": name, "trial": trial, "seed": seed}
                yield place | row | {"pairs": contexts.size, "loss": loss}


def tabulate_rounding(scores):
    """Return how far single fits and their mean move, relative to themselves.

    ``median`` and ``largest`` are of the relative changes of single fits; ``change`` is that of
    the mean over trials, from ``mean`` to ``mean_moved`` (KL risk in nats, or cross-entropy in
    nats per word), with Student's interval of the paired differences, relative to the mean.
    """
    scores = scores.assign(corpus=scores["corpus"].fillna("") if "corpus" in scores else "")
    value = scores["kl_risk"] if "kl_risk" in scores else pd.Series(np.nan, scores.index)
    if "loss" in scores:
        value = value.fillna(scores["loss"] / scores["pairs"])
    scores = scores.assign(value=value)
    keys = ["exhibit", "corpus", "k", "rank", "n", "method"]
    rows = []
    for place, part in scores.groupby(keys, sort=False):
        values = part.pivot(index="trial", columns="seed", values="value").to_numpy()
        gaps = values[:, 1] - values[:, 0]
        single = np.abs(gaps) / values[:, 0]
        mean = values.mean(axis=0)
        change, low, high = np.array(student_interval(gaps)) / mean[0]
        row = dict(zip(keys, place, strict=True)) | {"trials": len(values)}
        row |= {"median": np.median(single), "largest": single.max()}
        row |= {"mean": mean[0], "mean_moved": mean[1]}
        rows.append(row | {"change": change, "low": low, "high": high})
    return pd.DataFrame(rows, columns=COLUMNS)
