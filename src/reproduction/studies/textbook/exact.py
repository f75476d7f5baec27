"""Examples and proofs of the textbook, computed anew, case by case."""

from itertools import pairwise, product

import numpy as np

from condprob.catalogue import method
from condprob.models.textbook.completion import Descent, Entries, complete
from condprob.risk import perplexity
from condprob.sequences.sentences import Sentences
from reproduction.studies.textbook.lowdim import cluster_steps, cost_of, lost_by_rank
from reproduction.verdicts.cases import at_least, make_case

EXACT = 1e-12
YEE, HAW, MOO = 0, 1, 2
COWPERSON = [[YEE, HAW], [HAW, YEE, YEE], [YEE, HAW, YEE]]
PRINTED = 0.005  # of a number with two digits after the point
BASIS = np.array([[8.0, 8, 4], [1, -4, 6]])
VECTORS = np.array([[3.42, -1.33, 6.94], [7.30, 8.84, 1.95], [-7.92, -6.37, -5.66]])
FAR = np.array([-6.00, -7.69, -6.86])  # the third vector of Example 7.1.2
SHAKESPEARE = {"words": 29_066, "bigrams": 300_000}
NETFLIX = {"users": 500_000, "films": 18_000, "ratings": 100_000_000}
KNOWN = np.nan
UNIQUE = [[1, 1, KNOWN, 2], [1, 1, KNOWN, KNOWN], [4, KNOWN, 8, KNOWN], [4, KNOWN, KNOWN, KNOWN]]
IMPOSSIBLE = [[1, 1, KNOWN, KNOWN], [1, 7, KNOWN, KNOWN], [4, KNOWN, KNOWN, 2],
              [KNOWN, 4, KNOWN, KNOWN]]  # fmt: skip


def check_clusters(rng):
    """Chapter 6: the proofs on k-means, on random points."""
    largest, most = -np.inf, 0
    for _ in range(50):
        points = rng.normal(size=(40, 2))
        _, costs = cluster_steps(points, 4, rng)
        largest = max([largest, *np.diff(costs[:-1])])
        most = max(most, len(costs))
    yield make_case("k-decreases", "50 sets of 40 points: largest change of the cost", largest, 0)
    yield make_case("k-decreases", "50 sets of 40 points: most iterations", most, 299)
    points = rng.normal(size=(5, 2))
    best = [min_cost(points, k) for k in range(1, 6)]
    for k, (fewer, more) in enumerate(pairwise(best), 1):
        yield make_case("k-optimum", f"5 points, all partitions: {k + 1} clusters", more, fewer)
    yield make_case("k-optimum", "5 points: cost of 5 clusters", best[-1], EXACT)


def min_cost(points, k):
    """Return the least cost of all partitions into at most so many clusters."""
    return min(cost_of(points, np.array(each)) for each in product(range(k), repeat=len(points)))


def check_subspaces(rng):
    """Chapter 7: its examples, and the losses of subspaces."""
    printed = np.array([[0.31, 0.95], [0.95, -0.31], [-0.95, -0.31]])
    error = abs(VECTORS - printed @ BASIS).max()
    yield make_case("p-701", "largest error of a coordinate, coefficients rounded", error,
                    PRINTED * abs(BASIS).sum(axis=0).max())  # fmt: skip
    mse = ((FAR - VECTORS[2]) ** 2).sum() / 3
    yield make_case("p-712", "mean squared error: off the printed 2.28", abs(mse - 2.28), PRINTED)
    yield make_case("p-712-bound", "mean squared error", mse, 2.5)
    best = np.linalg.svd(np.vstack([VECTORS[:2], FAR]), compute_uv=False)[2] ** 2 / 3
    yield make_case("p-712-bound", "that of the best subspace", best, mse)
    directions = np.linalg.qr(rng.normal(size=(6, 3)))[0].T
    vector = rng.normal(size=6)
    least = ((vector - (directions @ vector) @ directions) ** 2).sum()
    others = [((vector - c @ directions) ** 2).sum()
              for c in directions @ vector + rng.normal(size=(200, 3))]  # fmt: skip
    yield make_case("p-projection", "the projection, against 200 others", least, min(others))
    lost = lost_by_rank(rng.normal(size=(60, 12)) * np.arange(1, 13))
    yield make_case(
        "p-falls", "largest step of the error as the rank rises", np.diff(lost).max(), 0
    )
    d, k, n = 30, 9, 400
    points = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    points /= np.linalg.norm(points, axis=1)[:, None]
    left = np.mean([
        1 - ((points @ np.linalg.qr(rng.normal(size=(d, k)))[0]) ** 2).sum(axis=1).mean()
        for _ in range(400)
    ])  # fmt: skip
    for check, size in (("p-random", d), ("p-random-printed", n)):
        yield make_case(check, f"{k} of {d} dimensions, {n} vectors: off 1 - {k}/{size}",
                        abs(left - (1 - k / size)), 0.01)  # fmt: skip


def check_ngrams(rng):
    """Chapter 8: its tables and sums, exactly."""
    whole = Sentences.from_words([word for sentence in COWPERSON for word in sentence], 2)
    ended = Sentences.from_lists(COWPERSON, 2).with_stops()
    three = Sentences.from_lists(COWPERSON, 3).with_stops()
    mle = {order: method("mle").fit_text(whole, order) for order in (1, 2)}
    after = method("mle").fit_text(ended, 2)
    smooth = method("laplace").fit_text(three, 2)
    contexts = [(), (YEE,), (HAW,)]
    tables = (
        ("8.2", mle[2].rows(contexts[1:]), [[2 / 4, 2 / 4], [2 / 3, 1 / 3]]),
        ("8.4", after.rows(contexts), np.array([[10, 5, 0], [3, 6, 6], [10, 0, 5]]) / 15),
        ("8.7", smooth.rows([*contexts, (MOO,)]),
         [np.array([3, 2, 1, 1]) / 7, np.array([2, 3, 1, 3]) / 9, np.array([3, 1, 1, 2]) / 7,
          [1 / 4] * 4]),
    )  # fmt: skip
    for name, found, printed in tables:
        error = abs(found - np.array(printed)).max()
        yield make_case("n-tables", f"Table {name}: largest error", error, EXACT)
    first = mle[1].at([()], [YEE])[0] * np.prod(mle[2].at([(YEE,), (HAW,)], [HAW, YEE]))

    def sentence(model, words):
        return np.exp(model.score(words.with_stops()).sum())

    with_ends = sentence(after, Sentences.from_lists([COWPERSON[2]], 2))
    moo = sentence(smooth, Sentences.from_lists([[MOO, MOO]], 3))
    for printed, found in ((0.21, first), (0.07, with_ends), (0.01, moo)):
        yield make_case("n-sentence", f"a sentence: off the printed {printed}",
                        abs(found - printed), PRINTED)  # fmt: skip
    yield from check_perplexity(rng)
    yield from check_sums(rng, after, smooth)


def check_perplexity(rng):
    """Chapter 8: perplexities, and how many pairs there are."""
    uniform = method("mle").fit_text(Sentences.from_lists([[]], 50), 1)
    text = Sentences.from_words(rng.integers(0, 50, 200), 50)
    off = abs(perplexity(text, uniform) - 50)
    yield make_case("n-clueless", "V = 50: perplexity less V", off, 1e-9)
    always = method("mle").fit_text(Sentences.from_words([YEE], 2), 1)
    worst = perplexity(Sentences.from_words([HAW], 2), always)
    yield make_case("n-worst", "V = 2: perplexity of a word never seen", worst, 2)
    words, seen = SHAKESPEARE["words"], SHAKESPEARE["bigrams"]
    yield make_case(
        "n-unseen", "millions of pairs: off the printed 844", abs(words**2 / 1e6 - 844), 1
    )
    yield make_case("n-unseen", "per cent never seen: off the printed 99.96",
                    abs(100 * (1 - seen / words**2) - 99.96), PRINTED)  # fmt: skip


def check_sums(rng, after, smooth):
    """Chapter 8: which of its estimates sum to one, and which is likeliest."""
    counts = np.array([5, 3, 2, 1])
    best = counts @ np.log(counts / counts.sum())
    others = np.log(rng.dirichlet(counts + 1.0, 2000)) @ counts
    yield make_case("n-mle", "log likelihood: best of 2000 others", others.max(), best)
    off = abs(smooth.rows([(), (YEE,), (MOO,)]).sum(axis=1) - 1).max()
    yield make_case("n-laplace", "rows of (8.20): off one", off, EXACT)
    C, V = np.array([[2, 3, 1, 3], [3, 1, 1, 2]]) - 1, 4
    as_printed = (C + 1) / (C + V).sum(axis=1, keepdims=True)
    yield make_case("n-laplace-printed", "rows of (8.19), V inside the sum: off one",
                    abs(as_printed.sum(axis=1) - 1).max(), EXACT)  # fmt: skip
    rows = after.rows([(), (YEE,), (HAW,)])
    walk = np.column_stack([np.zeros(3), rows[:, :2]])
    reached = np.linalg.solve(np.eye(3) - walk, rows[:, 2])
    yield make_case("n-sum", "all sentences: off one", abs(reached[0] - 1), EXACT)
    lower = method("mle").fit_text(Sentences.from_lists(COWPERSON, 2).with_stops(), 1).rows([()])[0]
    replaced = np.where(rows > 0, rows, lower)
    yield make_case("n-backoff", "zeros replaced by shorter histories: largest row less one",
                    replaced.sum(axis=1).max() - 1, EXACT)  # fmt: skip
    ours = method("interpolated", weight=0.3, form="backoff")
    model = ours.fit_text(Sentences.from_lists(COWPERSON, 2).with_stops(), 3)
    sums = model.rows([(), (YEE,), (YEE, HAW), (HAW, YEE)]).sum(axis=1)
    yield make_case("ours-backoff", "normalised back-off of order 3: off one", abs(sums - 1).max(),
                    EXACT)  # fmt: skip


def check_completion(rng):
    """Chapter 9: its two matrices, its gradients, and how much was known."""
    rows, columns = np.indices((4, 4)).reshape(2, -1)
    errors = {}
    for name, M in (("unique", UNIQUE), ("impossible", IMPOSSIBLE)):
        values = np.array(M, dtype=float)[rows, columns]
        known = ~np.isnan(values)
        entries = Entries(rows[known], columns[known], values[known])
        how = Descent(biases="none", rate=0.01)
        found = [complete(entries, (4, 4), 1, 4000, rng, how) for _ in range(3)]
        errors[name] = min(each.history[-1] for each in found)
        filled = np.array([each.at(rows, columns) for each in found])
        if name == "unique":
            whole = np.outer([1, 1, 4, 4], [1, 1, 2, 2]).ravel()
            yield make_case("m-unique", "three starts: largest error of an entry",
                            abs(filled - whole).max(), 0.01)  # fmt: skip
    yield at_least("m-impossible", "least mean squared error", errors["impossible"], 0.05)
    M, A, B = rng.normal(size=(4, 3)), rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    known = rng.random(M.shape) < 0.7
    slope = -2 * ((M - A @ B.T) * known) @ B / known.sum()
    differences = np.empty_like(A)
    for place in np.ndindex(A.shape):
        ends = []
        for step in (1e-6, -1e-6):
            moved = A.copy()
            moved[place] += step
            ends.append((((M - moved @ B.T) * known) ** 2).sum() / known.sum())
        differences[place] = (ends[0] - ends[1]) / 2e-6
    with_one_index = slope[:, [0, 0]]  # k, in (9.9), is not the index of the derivative
    for check, about, given in (
        ("m-gradient", "(9.6) against differences: largest error", slope),
        ("m-gradient-printed", "(9.9), its k the first: largest error", with_one_index),
    ):
        yield make_case(check, about, abs(differences - given).max(), 1e-7)
    share = NETFLIX["ratings"] / (NETFLIX["users"] * NETFLIX["films"])
    yield make_case("m-share", "share of entries that are known", share, 0.01)
