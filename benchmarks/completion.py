"""Matrix completion by stochastic gradients beside scikit-surprise's: the same kind of steps."""

from importlib.util import find_spec

import numpy as np
from measure import interleave

from condprob.models.textbook.completion import Descent, Entries, complete

RANK, PASSES, RATE, RIDGE = 10, 20, 0.01, 0.02
NOISE = 0.5  # standard deviation; that of the other parts is 1


def time_completion(results, repetitions, quick):
    """Complete a matrix of low rank with biases from noisy entries, users by items."""
    rng, k = np.random.default_rng(0), 400 if quick else 2000
    problem = f"{k} users x {k} items"
    left, right = (rng.normal(size=(k, 3)) / 3**0.25 for _ in range(2))
    biases = rng.normal(size=(2, k)) / 2
    rows, columns = np.divmod(rng.permutation(k * k)[: 50 * k], k)
    values = (left[rows] * right[columns]).sum(axis=1) + biases[0, rows] + biases[1, columns]
    values += NOISE * rng.normal(size=values.size)
    parts = np.split(np.arange(values.size), [values.size * 9 // 10])
    known, held_out = (Entries(rows[at], columns[at], values[at]) for at in parts)
    middle, found = known.values.mean(), {}
    shifted = known._replace(values=known.values - middle)

    def ours():
        found["condprob"] = complete(shifted, (k, k), RANK, PASSES, how=Descent(RATE, RIDGE))

    runs = {"condprob": ours}
    if find_spec("surprise"):
        runs["scikit-surprise"] = _peer(known, found)
    else:
        results.add("completion", problem, "scikit-surprise", "ms", note="it is not installed")
    seconds = interleave(runs, repetitions)
    for each, taken in seconds.items():
        predicted = _predict(found[each], held_out, middle)
        error = np.sqrt(np.mean((predicted - held_out.values) ** 2))
        results.add_times("completion", problem, {each: taken}, f"RMSE held out {error:.4f}")
    results.add_ratios("completion", problem, seconds, "condprob")


def _peer(known, found):
    from surprise import SVD, Dataset, Reader

    reader = Reader(rating_scale=(known.values.min(), known.values.max()))
    rated = [(*entry, None) for entry in zip(*known, strict=True)]
    train = Dataset(reader).construct_trainset(rated)

    def run():  # its steps go along half of the gradient
        found["scikit-surprise"] = SVD(
            RANK, PASSES, lr_all=2 * RATE, reg_all=RIDGE, random_state=0
        ).fit(train)

    return run


def _predict(fit, entries, middle):
    if hasattr(fit, "at"):
        return fit.at(*entries[:2]) + middle
    return [fit.predict(i, j, clip=False).est for i, j in zip(*entries[:2], strict=True)]
