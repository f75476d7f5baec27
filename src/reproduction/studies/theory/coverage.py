"""How often 95 % intervals hold the truth, on simulated data.

For scores and comparisons, losses are simulated, under estimates from a few pairs, and nothing else
is fitted. For a posterior, cells of models are simulated.
"""

from functools import partial
from itertools import product

import numpy as np

from condprob.counts import CountMatrix
from condprob.evaluation import find_problem, in_contexts, in_stretches, student_interval
from condprob.methods.uncertainty import sample_posterior
from condprob.run import Run
from condprob.synthetic import draw_model
from reproduction.scores.seeds import spawn_seed

CONTEXTS, OUTCOMES = 2000, 50  # of a population of contexts
PAIRS = 20  # of a context, on average: in training and in the data of a score
# Texts, and how many words a subject lasts.
RUNS = {"text, independent words": 1} | {
    f"text, runs of {run} words": run for run in (5, 20, 100, 500)
}
EXPONENTS = np.array([0.7, 1.0, 1.3, 1.6])  # of the power laws of the subjects of a text
WORDS = 200  # distinct words of a text
SHAPE_OF_CELLS = 30, 25  # of the counts of a posterior
MOST_OF_SHORT_ROW = 3  # pairs in a row that has few
ROWS = {  # laws of rows, each a function of a generator, a number of rows and one of outcomes
    "rank 3": lambda rng, k, j: draw_model(k, 3, seed=rng, outcomes=j).P,
    "rank 3, power law": lambda rng, k, j: draw_model(k, 3, "power-law", 1.5, rng, outcomes=j).P,
    "sparse rows": lambda rng, k, j: rng.dirichlet(np.full(j, 0.2), size=k),
    "rows around one base": lambda rng, k, j: rng.dirichlet(20 * rng.dirichlet(np.ones(j)), size=k),
    "four classes": lambda rng, k, j: rng.dirichlet(np.full(j, 0.5), size=4)[
        rng.integers(4, size=k)
    ],
}


def score_intervals(root, given):
    """Yield how often intervals of scores and of comparisons hold the truth."""
    for trial in range(given["models"]):
        rng = np.random.default_rng(spawn_seed(root, "theory", "intervals", trial))
        law = list(ROWS)[trial % len(ROWS)]
        for contexts in given["contexts"]:
            for data, draw in (
                ("resampled contexts, equal numbers of pairs", partial(draw_anew, is_alike=True)),
                ("resampled contexts, other numbers of pairs", partial(draw_anew, is_alike=False)),
                ("fixed contexts", draw_fixed),
            ):
                found = draw(rng, ROWS[law], contexts, given["draws"])
                yield from count_held(*found, data=data, size=contexts, trial=trial)
        for (data, run), words in product(RUNS.items(), given["words"]):
            found = draw_texts(rng, words, run, given["draws"])
            yield from count_held(*found, data=data, size=words, trial=trial)


def count_held(truths, draws, **place):
    """Yield a row for scores and one for comparisons: the share of intervals with the truth.

    Data of too few pairs have no interval, and are left out. ``warned`` is the share of the others
    with a warning.
    """
    ends = np.array([[student_interval(losses) for losses in pair] for pair in draws])
    has_ends = np.isfinite(ends).all(axis=(1, 2))
    warned = np.array([[bool(find_problem(losses)) for losses in pair] for pair in draws])
    warned, ends = warned[has_ends].mean(axis=0), ends[has_ends]
    held = ((ends[..., 0] <= truths) & (truths <= ends[..., 1])).mean(axis=0)
    for quantity, *shares in zip(("interval", "compare"), held, warned, strict=True):
        found = dict(zip(("held", "warned"), shares, strict=True))
        yield place | {"quantity": quantity, "draws": len(ends)} | found


def estimate_rows(rng, P):
    """Return the losses of each cell by two estimates of 20 pairs a row, (2, rows, outcomes)."""
    C, mean = rng.multinomial(PAIRS, P), (P.mean(axis=0) + 1 / OUTCOMES) / 2
    one, other = (C + 0.5) / (PAIRS + OUTCOMES / 2), (C + PAIRS * mean) / (2 * PAIRS)
    return -np.log([one, other])


def draw_anew(rng, law, contexts, draws, is_alike):
    """Return the truths, and the losses in blocks, of contexts resampled from a population.

    All have as many pairs if they are alike; else one pair each, and others of exponential means.
    """
    P = law(rng, CONTEXTS, OUTCOMES)
    losses = estimate_rows(rng, P)
    further = np.full(CONTEXTS, PAIRS - 1.0)
    if not is_alike:
        further *= rng.exponential(size=CONTEXTS)
    sizes = 1 + further
    means = np.einsum("eij,ij->ei", losses, P) @ sizes / sizes.sum()
    found = []
    for _ in range(draws):
        chosen = rng.integers(CONTEXTS, size=contexts)
        n = np.full(contexts, PAIRS) if is_alike else 1 + rng.poisson(further[chosen])
        found.append(_losses_of(rng.multinomial(n, P[chosen]), losses[:, chosen], "drawn"))
    return (means[0], means[0] - means[1]), found


def draw_fixed(rng, law, contexts, draws):
    """Return the means and samples of `draw_anew` for further pairs of the same contexts."""
    P = law(rng, contexts, OUTCOMES)
    losses, joint = estimate_rows(rng, P), rng.dirichlet(np.ones(contexts))[:, None] * P
    means = (losses * joint).sum(axis=(1, 2))
    counts = rng.multinomial(PAIRS * contexts, joint.ravel(), size=draws).reshape(draws, *P.shape)
    return (means[0], means[0] - means[1]), [_losses_of(C, losses, "fixed") for C in counts]


def _losses_of(C, losses, contexts):
    """Return the losses of counts by one estimate, and those of it less those of another."""
    rows, columns = np.nonzero(C)
    one, other = losses[:, rows, columns]
    return [in_contexts(rows, loss, C[rows, columns], contexts) for loss in (one, one - other)]


def draw_texts(rng, words, run, draws):
    """Return means and samples of texts of four subjects, each of which lasts for ``run`` words."""
    laws = np.arange(1, WORDS + 1) ** -EXPONENTS[:, None]
    laws = rng.permuted(laws / laws.sum(axis=1, keepdims=True), axis=1)
    mean = laws.mean(axis=0)
    losses = -np.log([mean, (mean + 1 / WORDS) / 2])
    subjects = rng.integers(4, size=(draws, words))
    for t in range(1, words):
        stays = rng.random(draws) >= 1 / run
        subjects[stays, t] = subjects[stays, t - 1]
    drawn = np.empty(subjects.shape, dtype=int)
    for subject, law in enumerate(laws):
        here = subjects == subject
        drawn[here] = rng.choice(WORDS, size=here.sum(), p=law)
    truths = losses @ mean
    return (truths[0], truths[0] - truths[1]), [
        [in_stretches(loss) for loss in (losses[0, text], losses[0, text] - losses[1, text])]
        for text in drawn
    ]


def score_posterior(root, pairs, given):
    """Yield the share of cells whose interval holds the truth, of each model.

    A context has so many ``pairs`` on average.
    """
    shape = SHAPE_OF_CELLS
    for (law, draw), trial in product(ROWS.items(), range(given["models"])):
        rng = np.random.default_rng(spawn_seed(root, "theory", "posterior", law, pairs, trial))
        P, pi = draw(rng, *shape), rng.dirichlet(np.ones(shape[0]))
        C = rng.multinomial(pairs * shape[0], (pi[:, None] * P).ravel()).reshape(shape)
        found = sample_posterior(CountMatrix.from_dense(C), run=Run(rng))
        low, high = found.interval(*np.divmod(np.arange(P.size), shape[1]))
        held = ((low <= P.ravel()) & (P.ravel() <= high)).reshape(shape)
        sums = np.broadcast_to(C.sum(axis=1, keepdims=True), shape)
        cells = {
            "seen": C > 0,
            "unseen": C == 0,
            "rows of 1 to 3": (sums > 0) & (sums <= MOST_OF_SHORT_ROW),
        }
        for quantity, chosen in cells.items():
            if chosen.any():
                yield {
                    "data": law,
                    "size": pairs,
                    "trial": trial,
                    "quantity": quantity,
                    "held": held[chosen].mean(),
                    "draws": chosen.sum(),
                }
