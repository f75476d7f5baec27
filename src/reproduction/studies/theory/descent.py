"""Fits followed along their iterations (Theorem 2), and many starts on the same pairs.

The paper proves that Add-1/2-LR descends to a stationary point of Eq. (3), and proves nothing of
AD-LR: whether that comes to rest, cycles or drifts is looked at by how far an iteration moves it,
and by the course of its objective in further iterations.
"""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.synthetic import draw_model, sample_counts
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.theory.plan import AD_LR, ADD_HALF_LR
from reproduction.studies.theory.rates import risk
from reproduction.studies.theory.theorems import slope_of

ITERATIONS_LOOKED_AT = 25  # iterations that are looked at, from the first to the last
CLUSTERS = "clusters"
# Iterations, twice, after the last: enough for means within 0.0001 of a model.
FURTHER_ITERATIONS = 1000


def score_descent(root, words, given):
    """Yield the state of each fit at some of its iterations, on a model and on a text.

    ``words`` is a file of `corpora.corpus.save_corpus`, or empty where the text is missing.
    """
    rng = np.random.default_rng(spawn_seed(root, "theory", "descent"))
    model = draw_model(given["k"], given["rank"], seed=rng)
    counts = sample_counts(model, given["n"], rng)
    place = {"k": given["k"], "rank": given["rank"], "n": given["n"]}
    yield from _follow_all(counts, place, given["starts"], given["iterations"], rng)
    if words:
        corpus = read_corpus(words, given["corpus"])
        counts = CountMatrix.from_pairs(*word_pairs(corpus.train), corpus.k)
        place = {
            "corpus": given["corpus"],
            "k": corpus.k,
            "rank": given["corpus_rank"],
            "n": int(counts.n),
        }
        yield from _follow_all(counts, place, 1, given["corpus_iterations"], rng)


def _follow_all(counts, place, starts, iterations, rng):
    for id in (ADD_HALF_LR, AD_LR):
        for start in (*map(str, range(starts)), CLUSTERS):
            initial = CLUSTERS if start == CLUSTERS else "random"
            for row in follow(id, counts, place["rank"], initial, iterations, rng):
                yield place | {"method": id, "start": start} | row


def follow(id, counts, rank, initial, iterations, rng):
    """Yield objective, slope and move of a fit at some of its iterations.

    Yields
    ------
    dict
        ``objective``, nats per pair: Eq. (3) of Add-1/2-LR, the empirical risk of AD-LR. ``slope``:
        see `theorems.slope_of`, of Add-1/2-LR only. ``moved``: KL divergence, nats, from the seen
        contexts' rows after the iteration to those before it, weighed by ``C_i / n``. Of the last
        iteration of AD-LR also the result of `watch`.
    """
    at = np.unique(np.geomspace(1, iterations, ITERATIONS_LOOKED_AT).astype(int))
    done, fit = 0, None
    for last in at:
        for iteration in (last - 1, last):  # one iteration alone at the end: how far it moves
            if iteration > done or fit is None:
                before, steps = fit, iteration - done
                fit = method(id, rank=rank, iterations=int(steps), initial=initial).fit(counts, rng)
                initial, done = (fit.W, fit.H), iteration
        slope = slope_of(counts, fit) if id == ADD_HALF_LR else np.nan
        yield {
            "iteration": int(last),
            "objective": float(fit.history[-1]),
            "slope": slope,
            "moved": _move(counts, before, fit),
        } | (watch(id, counts, fit, rng) if id == AD_LR and last == iterations else {})


def watch(id, counts, fit, rng, further=FURTHER_ITERATIONS):
    """Return the course of the objective when a fit goes on for twice some further iterations.

    Returns
    -------
    dict
        ``recurs``: the least, over lags up to ``further``, of the largest difference between the
        last objectives and those a lag before, nats per pair: zero in a cycle, or at rest.
        ``drifts``: by how much the mean of the second half lies above that of the first.
    """
    options = {"rank": fit.H.shape[0], "iterations": 2 * further, "initial": (fit.W, fit.H)}
    options["history"] = True
    course = np.asarray(method(id, **options).fit(counts, rng).history)[1:]
    last = course[further:]
    apart = (np.abs(last - course[further - lag : -lag]).max() for lag in range(1, further + 1))
    return {"recurs": float(min(apart)), "drifts": float(last.mean() - course[:further].mean())}


def _move(counts, before, after, rows=500):
    """Return the KL divergence of the seen rows after an iteration from those before, by blocks."""
    seen = counts.seen_contexts
    parts = (seen[i : i + rows] for i in range(0, seen.size, rows))
    total = sum(
        counts.row_sums[part] @ rel_entr(after.rows(part), before.rows(part)).sum(axis=1)
        for part in parts
    )
    return float(total / counts.n)


def score_restarts(root, given):
    """Yield objective and KL risk of Add-1/2-LR from many random starts and from clusters."""
    for n, trial in product(given["n"], range(given["samples"])):
        rng = np.random.default_rng(spawn_seed(root, "theory", "restarts", n, trial))
        model = draw_model(given["k"], given["rank"], seed=rng)
        counts = sample_counts(model, n, rng)
        for start in (CLUSTERS, *map(str, range(given["starts"]))):
            initial = CLUSTERS if start == CLUSTERS else "random"
            options = {"rank": given["rank"], "iterations": given["iterations"]}
            fit = method(ADD_HALF_LR, initial=initial, **options).fit(counts, rng)
            row = {"n": n, "trial": trial, "method": ADD_HALF_LR, "start": start}
            row |= {"objective": float(fit.history[-1]), "kl_risk": risk(model, fit.dense())}
            yield {key: given[key] for key in ("k", "rank")} | row
