"""Examples and proofs of the textbook, recomputed, case by case."""

from itertools import pairwise, product

import numpy as np

from condprob.catalogue import method
from condprob.evaluation import perplexity
from condprob.methods.textbook.completion import Descent, Entries, complete_matrix
from condprob.run import Run
from condprob.text.sentences import Sentences
from reproduction.studies.textbook.lowdim import cluster_steps, cost_of, lost_by_rank
from reproduction.verdicts.cases import at_least, make_case

ROUNDING_TOLERANCE = 1e-12
YEE, HAW, MOO = 0, 1, 2
COWPERSON = [[YEE, HAW], [HAW, YEE, YEE], [YEE, HAW, YEE]]
PRINTED = 0.005  # of a number with two digits after the point
BASIS = np.array([[8.0, 8, 4], [1, -4, 6]])
VECTORS = np.array([[3.42, -1.33, 6.94], [7.30, 8.84, 1.95], [-7.92, -6.37, -5.66]])
PRINTED_THIRD_VECTOR = np.array([-6.00, -7.69, -6.86])  # the third vector of Example 7.1.2
SHAKESPEARE = {"words": 29_066, "bigrams": 300_000}
NETFLIX = {"users": 500_000, "films": 18_000, "ratings": 100_000_000}
KNOWN = np.nan
UNIQUE = [[1, 1, KNOWN, 2], [1, 1, KNOWN, KNOWN], [4, KNOWN, 8, KNOWN], [4, KNOWN, KNOWN, KNOWN]]
IMPOSSIBLE = [
    [1, 1, KNOWN, KNOWN],
    [1, 7, KNOWN, KNOWN],
    [4, KNOWN, KNOWN, 2],
    [KNOWN, 4, KNOWN, KNOWN],
]


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
    yield make_case("k-optimum", "5 points: cost of 5 clusters", best[-1], ROUNDING_TOLERANCE)


def min_cost(points, k):
    """Return the least cost of all partitions into at most so many clusters."""
    return min(cost_of(points, np.array(each)) for each in product(range(k), repeat=len(points)))


def check_subspaces(rng):
    """Chapter 7: its examples, and the losses of subspaces."""
    printed = np.array([[0.31, 0.95], [0.95, -0.31], [-0.95, -0.31]])
    error = abs(VECTORS - printed @ BASIS).max()
    yield make_case(
        "p-701",
        "largest error of a coordinate, coefficients rounded",
        error,
        PRINTED * abs(BASIS).sum(axis=0).max(),
    )
    mse = ((PRINTED_THIRD_VECTOR - VECTORS[2]) ** 2).sum() / 3
    yield make_case("p-712", "mean squared error: off the printed 2.28", abs(mse - 2.28), PRINTED)
    yield make_case("p-712-bound", "mean squared error", mse, 2.5)
    best = (
        np.linalg.svd(np.vstack([VECTORS[:2], PRINTED_THIRD_VECTOR]), compute_uv=False)[2] ** 2 / 3
    )
    yield make_case("p-712-bound", "that of the best subspace", best, mse)
    directions = np.linalg.qr(rng.normal(size=(6, 3)))[0].T
    vector = rng.normal(size=6)
    least = ((vector - (directions @ vector) @ directions) ** 2).sum()
    others = [
        ((vector - c @ directions) ** 2).sum()
        for c in directions @ vector + rng.normal(size=(200, 3))
    ]
    yield make_case("p-projection", "the projection, against 200 others", least, min(others))
    lost = lost_by_rank(rng.normal(size=(60, 12)) * np.arange(1, 13))
    yield make_case(
        "p-falls", "largest step of the error as the rank rises", np.diff(lost).max(), 0
    )
    d, k, n = 30, 9, 400
    points = rng.normal(size=(n, d)) * np.arange(1, d + 1)
    points /= np.linalg.norm(points, axis=1)[:, None]
    left = np.mean(
        [
            1 - ((points @ np.linalg.qr(rng.normal(size=(d, k)))[0]) ** 2).sum(axis=1).mean()
            for _ in range(400)
        ]
    )
    for check, size in (("p-random", d), ("p-random-printed", n)):
        yield make_case(
            check,
            f"{k} of {d} dimensions, {n} vectors: off 1 - {k}/{size}",
            abs(left - (1 - k / size)),
            0.01,
        )


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
        (
            "8.7",
            smooth.rows([*contexts, (MOO,)]),
            [
                np.array([3, 2, 1, 1]) / 7,
                np.array([2, 3, 1, 3]) / 9,
                np.array([3, 1, 1, 2]) / 7,
                [1 / 4] * 4,
            ],
        ),
    )
    for name, found, printed in tables:
        error = abs(found - np.array(printed)).max()
        yield make_case("n-tables", f"Table {name}: largest error", error, ROUNDING_TOLERANCE)
    first = mle[1].at([()], [YEE])[0] * np.prod(mle[2].at([(YEE,), (HAW,)], [HAW, YEE]))

    def sentence(model, words):
        return np.exp(model.score(words.with_stops()).sum())

    with_ends = sentence(after, Sentences.from_lists([COWPERSON[2]], 2))
    moo = sentence(smooth, Sentences.from_lists([[MOO, MOO]], 3))
    for printed, found in ((0.21, first), (0.07, with_ends), (0.01, moo)):
        yield make_case(
            "n-sentence", f"a sentence: off the printed {printed}", abs(found - printed), PRINTED
        )
    yield from check_perplexity(rng)
    yield from check_sums(rng, after, smooth)


def check_perplexity(rng):
    """Chapter 8: perplexities, and how many pairs there are."""
    uniform = method("mle").fit_text(Sentences.from_lists([[]], 50), 1)
    text = Sentences.from_words(rng.integers(0, 50, 200), 50)
    off = abs(perplexity(text, uniform) - 50)
    yield make_case("n-clueless", "V = 50: perplexity minus V", off, 1e-9)
    always = method("mle").fit_text(Sentences.from_words([YEE], 2), 1)
    worst = perplexity(Sentences.from_words([HAW], 2), always)
    yield make_case("n-worst", "V = 2: perplexity of a word never seen", worst, 2)
    words, seen = SHAKESPEARE["words"], SHAKESPEARE["bigrams"]
    yield make_case(
        "n-unseen", "millions of pairs: off the printed 844", abs(words**2 / 1e6 - 844), 1
    )
    yield make_case(
        "n-unseen",
        "per cent never seen: off the printed 99.96",
        abs(100 * (1 - seen / words**2) - 99.96),
        PRINTED,
    )


def check_sums(rng, after, smooth):
    """Chapter 8: which of its estimates sum to one, and which is most probable."""
    counts = np.array([5, 3, 2, 1])
    best = counts @ np.log(counts / counts.sum())
    others = np.log(rng.dirichlet(counts + 1.0, 2000)) @ counts
    yield make_case("n-mle", "log likelihood: best of 2000 others", others.max(), best)
    off = abs(smooth.rows([(), (YEE,), (MOO,)]).sum(axis=1) - 1).max()
    yield make_case("n-laplace", "rows of (8.20): off one", off, ROUNDING_TOLERANCE)
    C, V = np.array([[2, 3, 1, 3], [3, 1, 1, 2]]) - 1, 4
    as_printed = (C + 1) / (C + V).sum(axis=1, keepdims=True)
    yield make_case(
        "n-laplace-printed",
        "rows of (8.19), V inside the sum: off one",
        abs(as_printed.sum(axis=1) - 1).max(),
        ROUNDING_TOLERANCE,
    )
    rows = after.rows([(), (YEE,), (HAW,)])
    walk = np.column_stack([np.zeros(3), rows[:, :2]])
    reached = np.linalg.solve(np.eye(3) - walk, rows[:, 2])
    yield make_case("n-sum", "all sentences: off one", abs(reached[0] - 1), ROUNDING_TOLERANCE)
    lower = method("mle").fit_text(Sentences.from_lists(COWPERSON, 2).with_stops(), 1).rows([()])[0]
    replaced = np.where(rows > 0, rows, lower)
    yield make_case(
        "n-backoff",
        "zeros replaced by shorter histories: largest row sum minus one",
        replaced.sum(axis=1).max() - 1,
        ROUNDING_TOLERANCE,
    )
    ours = method("interpolated", weight=0.3, form="backoff")
    model = ours.fit_text(Sentences.from_lists(COWPERSON, 2).with_stops(), 3)
    sums = model.rows([(), (YEE,), (YEE, HAW), (HAW, YEE)]).sum(axis=1)
    yield make_case(
        "ours-backoff",
        "normalised back-off of order 3: off one",
        abs(sums - 1).max(),
        ROUNDING_TOLERANCE,
    )


def check_completion(rng):
    """Chapter 9: its two matrices, its gradients, and how much was known."""
    rows, columns = np.indices((4, 4)).reshape(2, -1)
    errors = {}
    for name, M in (("unique", UNIQUE), ("impossible", IMPOSSIBLE)):
        values = np.array(M, dtype=float)[rows, columns]
        known = ~np.isnan(values)
        entries = Entries(rows[known], columns[known], values[known])
        descent = Descent(biases="none", rate=0.01)
        found = [complete_matrix(entries, (4, 4), 1, 4000, descent, Run(rng)) for _ in range(3)]
        errors[name] = min(each.history[-1] for each in found)
        filled = np.array([each.at(rows, columns) for each in found])
        if name == "unique":
            whole = np.outer([1, 1, 4, 4], [1, 1, 2, 2]).ravel()
            yield make_case(
                "m-unique",
                "three initialisations: largest error of an entry",
                abs(filled - whole).max(),
                0.01,
            )
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
    yield make_case("m-share", "fraction of entries that are known", share, 0.01)


def check_means(rng):
    """Chapter 6: the mean of a cluster, and the two attempts at a definition."""
    points = rng.normal(size=(20, 3))
    mean = points.mean(axis=0)
    least = ((points - mean) ** 2).sum()
    others = [((points - z) ** 2).sum() for z in mean + 0.1 * rng.normal(size=(200, 3))]
    yield make_case("k-mean", "20 points: the mean, against 200 others", least, min(others))
    size_times_variance = len(points) * ((points - mean) ** 2).sum(axis=1).mean()
    case = "cost of a cluster, off its size times its variance"
    yield make_case("k-mean", case, abs(cost_of(points, np.zeros(20)) - size_times_variance), 1e-9)
    worst = -np.inf
    for _ in range(50):
        points = rng.normal(size=(40, 2))
        clusters, _ = cluster_steps(points, 4, rng)
        means = np.array([points[clusters == c].mean(axis=0) for c in range(4)])
        squares = ((points[:, None] - means) ** 2).sum(axis=2)
        worst = max(worst, (squares[np.arange(40), clusters] - squares.min(axis=1)).max())
    case = "50 results of k-means: distance to the own mean minus that to the nearest"
    yield make_case("k-definition", case, worst, ROUNDING_TOLERANCE)
    # Two long clusters side by side: the ends of one are far from each other.
    along = np.linspace(0, 10, 21)
    upper, lower = (np.column_stack([along, np.full(21, y)]) for y in (1.0, 0.0))
    within = max(np.linalg.norm(a - b) for a in upper for b in upper)
    between = min(np.linalg.norm(a - b) for a in upper for b in lower)
    case = "two long clusters: largest distance within, against the smallest between"
    yield at_least("k-attempt", case, within, between)
    points = np.vstack([upper, lower])
    stopped = cluster_steps(points, 2, np.random.default_rng(0), most=50, least_change=1e-5)[1][-1]
    rest = cluster_steps(points, 2, np.random.default_rng(0))[1][-1]
    case = "cost with 50 iterations and eps = 1e-5, against 1.001 of that at rest"
    yield make_case("k-stop", case, stopped, 1.001 * rest)


def check_perplexities(rng):
    """Chapter 8: twenty words, words never seen, and the perplexity of a text with its ends."""
    twenty = method("mle").fit_text(Sentences.from_words(np.arange(20), 50), 1)
    text = Sentences.from_words(rng.integers(0, 20, 200), 50)
    off = abs(perplexity(text, twenty) - 20)
    yield make_case("n-twenty", "20 of 50 words, equally probable: perplexity minus 20", off, 1e-9)
    green = method("mle").fit_text(Sentences.from_lists([[0, 1, 2], [0, 1, 3]], 4).with_stops(), 2)
    test = Sentences.from_lists([[0, 2, 3]], 4).with_stops()
    found = perplexity(test, green)
    yield make_case("n-zero", "one over the perplexity of a text with a new pair", 1 / found, 0)
    mle = method("mle").fit_text(Sentences.from_lists(COWPERSON, 2).with_stops(), 2)
    ended = Sentences.from_lists(COWPERSON, 2).with_stops()
    # By hand, from Table 8.4: the counts of the eleven pairs times the logs of their shares.
    counted = {2 / 3: 2 + 2, 1 / 3: 1 + 1, 1 / 5: 1, 2 / 5: 2 + 2}
    by_hand = np.exp(-sum(times * np.log(share) for share, times in counted.items()) / 11)
    off = abs(perplexity(ended, mle) - by_hand)
    yield make_case("n-ends", "perplexity (8.18) over T + t = 11 words: off", off, 1e-9)


def check_factors(rng):
    """Chapter 9: affinity and similarity, the ranks of products, and the gradient by B."""
    likes, has = rng.random((30, 8)) < 0.5, rng.random((8, 20)) < 0.4
    affinity = likes.astype(float) @ has.astype(float)
    counted = [[len(set(np.flatnonzero(a)) & set(np.flatnonzero(b))) for b in has.T] for a in likes]
    off = abs(affinity - np.array(counted)).max()
    yield make_case("m-affinity", "30 users, 20 films: products, off the ones in both", off, 0)
    alike = likes.astype(float) @ likes.T.astype(float)
    counted = [[len(set(np.flatnonzero(a)) & set(np.flatnonzero(b))) for b in likes] for a in likes]
    off = abs(alike - np.array(counted)).max()
    yield make_case("m-affinity", "30 users: similarities, off the tastes in both", off, 0)
    users, one = rng.normal(size=(500, 6)), rng.normal(size=6)
    one /= np.linalg.norm(one)
    across = rng.normal(size=6)
    across -= (across @ one) * one
    other = 0.9 * one + np.sqrt(1 - 0.81) * across / np.linalg.norm(across)
    apart = abs(users @ (one - other)) / np.linalg.norm(users, axis=1)
    case = "two films with the product 0.9: largest difference of appeal, of a user's length"
    yield make_case("m-similar", case, apart.max(), np.sqrt(2 - 2 * 0.9))
    M = rng.normal(size=(9, 3)) @ rng.normal(size=(3, 7))
    values = np.linalg.svd(M, compute_uv=False)
    yield make_case("m-rank", "a product of rank 3: its fourth singular value", values[3], 1e-9)
    whole = rng.normal(size=(9, 7))
    U, s, Vt = np.linalg.svd(whole, full_matrices=False)
    error = ((whole - (U[:, :3] * s[:3]) @ Vt[:3]) ** 2).sum()
    case = "a matrix of rank 7: its distance from rank 3, off the singular values dropped"
    yield make_case("m-rank", case, abs(error - (s[3:] ** 2).sum()), 1e-9)
    M, A, B = rng.normal(size=(4, 3)), rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    known = rng.random(M.shape) < 0.7
    for equation, columns in (
        ("(9.7), all columns", [0, 1, 2]),
        ("(9.10), of two columns", [0, 2]),
    ):
        sampled = known & np.isin(np.arange(3), columns)
        slope = -2 * ((M - A @ B.T) * sampled).T @ A / sampled.sum()
        found = differences_by(lambda B, s=sampled: mean_square(M, A, B, s), B)
        case = f"{equation}, against differences: largest error"
        yield make_case("m-gradient-columns", case, abs(slope - found).max(), 1e-7)
        left_out = [j for j in range(3) if j not in columns]
        moved = abs(slope[left_out]).max(initial=0.0)
        yield make_case("m-gradient-columns", f"{equation}: the other columns of B", moved, 0)
    # A thousand of 100,000 known entries, uniform, against all those of ten columns.
    rows, columns = np.divmod(rng.choice(1000 * 1000, 100_000, replace=False), 1000)
    uniform = rng.choice(rows.size, 1000, replace=False)
    case = "a sample of 1000 known entries: columns of B that move, all against sampled columns"
    by_columns = np.flatnonzero(np.isin(columns, rng.choice(1000, 10, replace=False)))
    touched = np.unique(columns[uniform]).size, np.unique(columns[by_columns]).size
    yield at_least("m-spread", case, touched[0], 10 * touched[1])
    for check, sizes, printed in (
        ("p-numbers", (50, 20, 3), "k(N + d)"),
        ("m-numbers", (40, 30, 4), "(m + n) r"),
    ):
        rows, columns, rank = sizes
        whole = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
        U, s, Vt = np.linalg.svd(whole)
        left, right = U[:, :rank] * s[:rank], Vt[:rank]
        name = f"{rows} by {columns}, rank {rank}"
        case = f"{name}: largest error of the product of two factors"
        yield make_case(check, case, abs(left @ right - whole).max(), 1e-9)
        case = f"{name}: numbers in both factors, off {printed}"
        yield make_case(check, case, abs(left.size + right.size - rank * (rows + columns)), 0)


def mean_square(M, A, B, known):
    """Return the loss (9.5) of the known entries."""
    return (((M - A @ B.T) * known) ** 2).sum() / known.sum()


def differences_by(loss, at, step=1e-6):
    """Return the gradient of a function of an array by central differences."""
    found = np.empty_like(at)
    for place in np.ndindex(at.shape):
        ends = []
        for sign in (1, -1):
            moved = at.copy()
            moved[place] += sign * step
            ends.append(loss(moved))
        found[place] = (ends[0] - ends[1]) / (2 * step)
    return found
