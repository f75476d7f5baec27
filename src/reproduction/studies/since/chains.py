"""Risks from one trajectory of a Markov chain, and cases of bounds in print.

A chain is ``P = gap R + (1 - gap) I``: R is reversible, of symmetric weights that are drawn at
random, and so has a spectral gap near one. All estimators add a constant to each count. "averaged"
is that of Han, Jana and Wu (2021, NeurIPS; 2023, IEEE Transactions on Information Theory): the mean
of add-one estimates of the last 1, 2, ..., n - 1 transitions, which is optimal without a gap.
"""

from itertools import product

import numpy as np
from scipy.special import rel_entr

from condprob.catalogue import method
from condprob.smoothing import AddConstant
from condprob.synthetic import Model, draw_model, sample_counts
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.since.plan import BOUNDS, STUDY, TRAJECTORY

SMOOTHERS = {"add-half": AddConstant(0.5), "laplace": AddConstant(1.0)}
AVERAGED = "averaged"
NEXT, ROWS, PAIRS = "next state", "all rows", "independent pairs"  # what a risk is of
ANCHORED, LINEAR = "anchored", "linear"  # cases of bounds; further ones are in `NATURAL`


def score_trajectories(root, inputs, methods, given):
    """Yield risks from trajectories, and from as many independent pairs (`study.Job`)."""
    for gap, n, trial in product(given["gaps"], given["n"], range(given["trials"])):
        rng = np.random.default_rng(spawn_seed(root, STUDY, TRAJECTORY, str(gap), n, trial))
        pi, P = draw_chain(rng, given["k"], gap)
        states = walk(rng, pi, P, n)
        last, pairs = states[-1], rng.multinomial(n - 1, (pi[:, None] * P).ravel())
        C = count_transitions(states, given["k"])
        place = {"k": given["k"], "n": n, "trial": trial, "gap": gap, "converged": True}
        for name, smoother in SMOOTHERS.items():
            Q, R = smoother(C), smoother(pairs.reshape(P.shape))
            for drawn, risk in (
                (NEXT, rel_entr(P[last], Q[last]).sum()),
                (ROWS, pi @ rel_entr(P, Q).sum(axis=1)),
                (PAIRS, pi @ rel_entr(P, R).sum(axis=1)),
            ):
                yield place | {"method": name, "drawn": drawn, "kl_risk": risk}
        risk = rel_entr(P[last], average(states, given["k"])).sum()
        yield place | {"method": AVERAGED, "drawn": NEXT, "kl_risk": risk}


def draw_chain(rng, k, gap):
    """Return the stationary distribution and the matrix of a chain."""
    weights = rng.exponential(size=(k, k))
    weights += weights.T
    sums = weights.sum(axis=1)
    return sums / sums.sum(), gap * weights / sums[:, None] + (1 - gap) * np.eye(k)


def walk(rng, pi, P, n):
    """Return ``n`` states of a chain that begins at its stationary distribution."""
    ends, drawn = P.cumsum(axis=1), rng.random(n)
    states = np.empty(n, dtype=int)
    states[0] = np.searchsorted(pi.cumsum(), drawn[0])
    for t in range(1, n):
        states[t] = min(np.searchsorted(ends[states[t - 1]], drawn[t]), pi.size - 1)
    return states


def count_transitions(states, k):
    """Return how often each state follows each, shape (k, k)."""
    return np.bincount(states[:-1] * k + states[1:], minlength=k * k).reshape(k, k)


def average(states, k):
    """Return the mean of add-one rows of the last state, over all numbers of last transitions."""
    after = np.where(states[:-1] == states[-1], states[1:], k)[::-1]
    counts = np.cumsum(after[:, None] == np.arange(k), axis=0)
    return AddConstant(1.0)(counts).mean(axis=0)


def score_bounds(root, inputs, methods, given):
    """Yield the numbers that bounds are about (`study.Job`): ``value`` of each ``case``.

    ``natural`` cases: the KL risk of a row less that of the best natural estimator, which gives all
    outcomes with one count their mean probability. ``linear``: total variation of scaled spectral
    estimates of rank two at 25 pairs for each label. ``anchored``: that of state aggregation where
    each class has an outcome of its own.
    """
    k = given["outcomes"]
    for (case, law), n, trial in product(NATURAL.items(), given["n"], range(given["trials"])):
        rng = np.random.default_rng(spawn_seed(root, STUDY, BOUNDS, law, n, trial))
        p = LAWS[law](k)
        c = rng.multinomial(n, p)
        best = natural(p, c)
        for rule in ("good-turing", "empirical-bayes"):
            q = method("good-turing-rows", rule=rule).fit(c[None]).rows([0])[0]
            excess = rel_entr(p, q).sum() - rel_entr(p, best).sum()
            yield {"case": case, "method": rule, "k": k, "n": n, "trial": trial,
                   "value": excess, "converged": True}  # fmt: skip
    for k, trial in product(given["linear"], range(given["trials"])):
        seed = spawn_seed(root, STUDY, LINEAR, k, trial)
        yield _score_variation(LINEAR, draw_model(k, 2, seed=seed), 25 * k, trial, seed,
                               "spectral", {"rank": 2, "scaling": "marginals"})  # fmt: skip
    for n, trial in product(given["anchored"], range(given["trials"])):
        seed = spawn_seed(root, STUDY, ANCHORED, n, trial)
        model = draw_model(40, 4, seed=seed)
        B = model.B.copy()
        B[:, :4] = np.eye(4) / 10  # of four outcomes each is an anchor
        model = Model(model.pi, model.A, B / B.sum(axis=1, keepdims=True))
        yield _score_variation(ANCHORED, model, n, trial, seed, "aggregation", {"rank": 4})


def _score_variation(case, model, n, trial, seed, id, options):
    """Return the row of the total variation of a fit to pairs of a model."""
    Q = method(id, **options).fit(sample_counts(model, n, seed), seed).dense()
    value = model.pi @ abs(model.P - Q).sum(axis=1)
    return {"case": case, "method": id, "k": model.k, "rank": model.rank, "n": n, "trial": trial,
            "value": value, "converged": True}  # fmt: skip


def natural(p, c):
    """Return the best distribution that depends on the counts alone, for a known ``p``."""
    _, kind, sizes = np.unique(c, return_inverse=True, return_counts=True)
    return (np.bincount(kind, p) / sizes)[kind]


def _power_law(exponent):
    def law(k):
        weights = np.arange(1, k + 1) ** -exponent
        return weights / weights.sum()

    return law


def _steps(k):
    return np.repeat([0.5, 1.5], [k // 2, k - k // 2]) / np.repeat([0.5, 1.5], k // 2).sum()


LAWS = {"uniform": _power_law(0.0), "steps": _steps, "power law 1": _power_law(1.0),
        "power law 1.5": _power_law(1.5)}  # fmt: skip
NATURAL = {f"natural, {law}": law for law in LAWS}  # cases of bounds, and their laws
