"""Many small trials of the paper's synthetic settings, one call of the library each."""

import numpy as np
from em_kernels import Batch
from measure import interleave
from problems import Problem

from condprob import CountMatrix, draw_model, kl_risk, method, sample_counts
from condprob.risk import entropy_of_model

SETTINGS = {  # name: k, rank, n, rows, exponent
    "k=100 m=5 n=3000": (100, 5, 3000, "uniform", None),
    "k=50 m=3 n=25000": (50, 3, 25000, "uniform", None),
    "k=1000 m=10 n=50": (1000, 10, 50, "power-law", 2.0),
}
IDS = ("ad-lr", "add-half-lr", "naive-ad-lr")
ITERATIONS, TIMED = 200, 10  # of a fit; of numpy's, which is not waited for in full
BATCH = "numpy, all trials in one call"


def time_trials(results, few, many, batch=5):
    """Time the parts of a trial: the fits, the sampling, the risk; batches of trials in turn."""
    for name, (k, rank, n, rows, exponent) in SETTINGS.items():
        model = draw_model(k, rank, rows, exponent, seed=1)
        entropy = entropy_of_model(model.pi, model.A, model.B)
        trials = [sample_counts(model, n, seed) for seed in range(batch)]
        fitted = method("ad-lr", rank=rank).fit(trials[0], 0)
        P, cells = model.P, (model.pi[:, None] * model.P).ravel()
        runs = {f"fit {id}": _fits(method(id, rank=rank), trials) for id in IDS}
        runs["fit ad-lr without iterations"] = _fits(
            method("ad-lr", rank=rank, iterations=0), trials
        )
        runs["sample"] = lambda m=model, n=n: [sample_counts(m, n, s) for s in range(batch)]
        runs["risk"] = lambda m=model, f=fitted, h=entropy: [
            kl_risk(m.pi, (m.A, m.B), f, h) for _ in range(batch)
        ]
        runs["sample from k x k cells"] = lambda c=cells, n=n, k=k: [
            CountMatrix.from_dense(np.random.default_rng(s).multinomial(n, c).reshape(k, k))
            for s in range(batch)
        ]
        runs["risk over k x k cells"] = lambda m=model, P=P, f=fitted: [
            kl_risk(m.pi, P, f) for _ in range(batch)
        ]
        results.add_times("trials", name, interleave(runs, many), per=batch)
        ours = f"fit {IDS[0]}"
        stack = Batch([Problem(name, counts, rank) for counts in trials])
        beside = {ours: runs[ours], BATCH: lambda b=stack: b.iterate(TIMED)}
        seconds = interleave(beside, few)
        seconds[BATCH] = [s * ITERATIONS / TIMED for s in seconds[BATCH]]
        results.add_times("trials", name, {BATCH: seconds[BATCH]}, per=batch)
        results.add_ratios("trials", name, seconds, ours)


def _fits(estimator, trials):
    def run():
        for seed, counts in enumerate(trials):
            # A copy, because counts cache derived arrays.
            parts = counts.indptr, counts.outcomes, counts.values
            estimator.fit(CountMatrix(counts.shape, *parts), seed)

    return run
