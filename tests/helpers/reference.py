"""Slow dense versions of every method, each line written from its formula, for the tests.

They are whole arrays, contexts by outcomes, and plain loops; nothing cancels. They share nothing
with the library but its definition of EM, `em.factorise`. Numbers of equations and sections are the
paper's.
"""

import numpy as np

from condprob.methods.em import factorise


def add_constant(c, constant=0.5):
    """``(c_j + constant) / (sum c + k constant)``; uniform where that is 0/0."""
    c = np.asarray(c, dtype=float)
    total = c.sum() + c.size * constant
    return np.full(c.size, 1 / c.size) if total == 0 else (c + constant) / total


def absolute_discount(c, discount=0.75):
    """Soft absolute discounting as printed, in two branches; the paper leaves open two edges."""
    c = np.asarray(c, dtype=float)
    total, k = c.sum(), c.size
    if total == 0:  # edge (ii): uniform
        return np.full(k, 1 / k)
    if (c >= 1).all():  # edge (i): nobody to give to, so nobody gives
        return c / total
    D = sum(1 for x in c if x >= 1)
    d = sum(x for x in c if x < 1)
    p = np.empty(k)
    for j, x in enumerate(c):
        if x >= 1:
            p[j] = (x - discount) / total
        else:
            p[j] = ((1 - discount) * x + discount * (D + d) * (1 - x) / (k - D - d)) / total
    return p


def add_half(C, constant=0.5):
    """Method 1 with the denominator of Section 3."""
    return np.array([add_constant(row, constant) for row in C])


def ad(C, discount=0.75, unseen="unigram"):
    """Method 2; a context never seen gets the unigram, or the uniform."""
    lower = absolute_discount(C.sum(axis=0), discount)
    if unseen == "uniform":
        lower = np.full(C.shape[1], 1 / C.shape[1])
    return np.array([absolute_discount(row, discount) if row.any() else lower for row in C])


def stupid_backoff(C, weight=0.4, discount=0.75, normalised=True):
    """Method 5: a score, divided by its sum over the outcomes if asked."""
    lower = absolute_discount(C.sum(axis=0), discount)
    Q = np.empty(C.shape)
    for i, row in enumerate(C):
        for j, count in enumerate(row):
            Q[i, j] = count / row.sum() if count > 0 else weight * lower[j]
        if normalised:
            Q[i] /= Q[i].sum()
    return Q


def kneser_ney(
    C, discount=0.75, continuation="discounted", form="interpolated", unseen="continuation"
):
    """Method 6 in the variants of `condprob.methods.kneser_ney.KneserNey`."""
    k, n = C.shape[1], C.sum()
    # Distinct contexts before each outcome; a pair that counts for less than one is part of one.
    N = np.minimum(C, 1).sum(axis=0)
    if discount == "estimated":
        once, twice = (C == 1).sum(), (C == 2).sum()
        discount = once / (once + 2 * twice) if once and twice else 0.75
    if discount == "modified":
        taken, of_N = three_discounts(C), three_discounts(N)
    else:
        taken, of_N = discount * np.minimum(C, 1), discount * np.minimum(N, 1)
    if n == 0:
        lower = np.full(k, 1 / k)
    elif continuation == "discounted" and discount != "modified":
        lower = absolute_discount(N, discount)
    elif continuation == "discounted":
        lower = N / N.sum()
        if (N == 0).any():
            lower = np.where(N > 0, N - of_N, of_N.sum() / (N == 0).sum()) / N.sum()
    elif continuation == "uniform":
        lower = (N - of_N) / N.sum() + of_N.sum() / N.sum() / k
    else:
        lower = np.maximum(N, 1) / np.maximum(N, 1).sum()
    lower = np.array(lower)
    Q = np.empty(C.shape)
    for i, row in enumerate(C):
        if not row.any():
            Q[i] = lower if unseen == "continuation" else add_constant(C.sum(axis=0))
            continue
        freed, discounted = taken[i].sum() / row.sum(), (row - taken[i]) / row.sum()
        if form == "interpolated":
            Q[i] = discounted + freed * lower
        elif (row > 0).all():
            Q[i] = row / row.sum()
        else:
            Q[i] = np.where(row > 0, discounted, freed * lower / lower[row == 0].sum())
    return Q


def jelinek_mercer(C, weight="learned", discount=0.75):
    """``(1 - weight) C_ij / C_i + weight u_j``; learned: each pair left out in turn."""
    lower = absolute_discount(C.sum(axis=0), discount)

    def slope(weight):
        total = 0.0
        for row in C:
            for j, count in enumerate(row):
                if count > 0:
                    rest, others = max(count - 1, 0), max(row.sum() - 1, 0)
                    frequency = rest / others if others > 0 else 0.0
                    found = (1 - weight) * frequency + weight * lower[j]
                    total += count * (lower[j] - frequency) / found
        return total

    if weight == "learned":
        low, high = 1e-6, 1 - 1e-6  # the likelihood is concave: its slope falls
        for _ in range(60):
            weight = (low + high) / 2
            low, high = (weight, high) if slope(weight) > 0 else (low, weight)
        weight = weight if C.any() else 0.5
    rows = [(1 - weight) * row / row.sum() + weight * lower if row.any() else lower for row in C]
    return np.array(rows)


def interpolated(C, weight="learned", form="interpolated"):
    """Relative frequencies mixed with the unigram's, and those with the uniform."""
    k, n = C.shape[1], C.sum()
    w = left_out_weights(C, form) if weight == "learned" else (weight, weight)
    lower = np.full(k, 1 / k)
    if n:
        lower = (1 - w[0]) * C.sum(axis=0) / n + w[0] / k
    Q = np.empty(C.shape)
    for i, row in enumerate(C):
        if not row.any():
            Q[i] = lower
        elif form == "interpolated":
            Q[i] = (1 - w[1]) * row / row.sum() + w[1] * lower
        elif (row > 0).all():
            Q[i] = row / row.sum()
        else:
            others = lower[row == 0].sum()
            shared = w[1] * lower / others if others else 0 * lower
            Q[i] = np.where(row > 0, (1 - w[1]) * row / row.sum(), shared)
    return Q


def left_out_weights(C, form):
    """The weights of `interpolated`: pair by pair, each walks from its row to the pooled counts."""
    k, n, w = C.shape[1], C.sum(), [0.5, 0.5]
    for _ in range(500):
        asked, went = [0.0, 0.0], [0.0, 0.0]
        for row in C:
            for j, count in enumerate(row):
                if count == 0:
                    continue
                rest, others = max(C[:, j].sum() - 1, 0), max(n - 1, 0)
                own, sums = max(count - 1, 0), max(row.sum() - 1, 0)
                lower = (1 - w[0]) * rest / others + w[0] / k if others else 1 / k
                goes = 1.0
                if sums:
                    stays = (1 - w[1]) * own / sums
                    goes = w[1] * lower / (stays + w[1] * lower)
                    if form == "backoff":
                        goes = float(own == 0)
                    asked[1] += count
                    went[1] += count * goes
                if others:
                    asked[0] += count * goes
                    went[0] += count * goes * w[0] / k / lower
        new = [
            min(max(b / a, 1e-6), 1 - 1e-6) if a else 0.5 for a, b in zip(asked, went, strict=True)
        ]
        if max(abs(one - other) for one, other in zip(new, w, strict=True)) < 1e-6:
            return new
        w = new
    return w


def witten_bell(C):
    """``(C_ij + D_i u_j) / (C_i + D_i)``, ``D_i`` distinct outcomes; ``u`` is the same, pooled."""

    def interpolate(counts, base):
        D = np.minimum(counts, 1).sum()
        return (counts + D * base) / (counts.sum() + D) if D else base

    lower = interpolate(C.sum(axis=0), np.full(C.shape[1], 1 / C.shape[1]))
    return np.array([interpolate(row, lower) for row in C])


def three_discounts(C):
    """Chen and Goodman (1998), Eq. 26: ``c - (c + 1) Y n_(c+1) / n_c``, ``Y = n1 / (n1 + 2 n2)``.

    What is taken of each count. An undefined one, or one outside (0, c), is ``Y``; or 3/4.
    """
    n1, n2, n3, n4 = (np.count_nonzero(times == C) for times in (1, 2, 3, 4))
    Y = n1 / (n1 + 2 * n2) if n1 * n2 else 0.75
    D1 = 1 - 2 * Y * n2 / n1 if n1 * n2 else Y
    D2 = 2 - 3 * Y * n3 / n2 if n2 * n3 else Y
    D3 = 3 - 4 * Y * n4 / n3 if n3 * n4 else Y
    D2 = D2 if 0 < D2 < 2 else Y
    D3 = D3 if 0 < D3 < 3 else Y
    return np.select([C == 0, C == 1, C == 2], [0, D1, D2], D3)


def low_rank(C, W, H, smooth_W, smooth_H, iterations, update="simultaneous"):
    """Section 5 from ``(W, H)``; the smoothers turn one vector into a distribution."""

    def each_row(smooth):
        return lambda rows: np.array([smooth(row) for row in rows])

    return factorise(C, W, H, each_row(smooth_W), each_row(smooth_H), iterations, update)


def kept_by_turing(counts, largest, is_katz):
    """What is left of each count: ``r*`` as printed, or Katz's ``d_r r``, or ``r - D``."""
    times = [sum(1 for x in counts if r - 1 < x <= r) for r in range(largest + 2)]
    D = times[1] / (times[1] + 2 * times[2]) if times[1] and times[2] else 0.75
    kept = []
    for x in counts:
        r = int(np.ceil(x))
        if r > largest or r == 0:
            kept.append(x)
            continue
        share = (r + 1) * times[r + 1] / times[r] / r
        if is_katz:
            a = (largest + 1) * times[largest + 1] / times[1] if times[1] else 1
            share = (share - a) / (1 - a) if a < 1 else 0
        kept.append(x * (share if 0 < share < 1 else 1 - D / r))
    return np.array(kept)


def good_turing(C, largest=5, is_katz=False):
    """What each row loses goes to its unseen outcomes: equally, or by Katz as the pooled row."""
    C = np.asarray(C, dtype=float)
    k, sums = C.shape[1], C.sum(axis=0)
    kept = kept_by_turing(sums, largest, is_katz)
    total, lost = sums.sum(), (sums - kept).sum()
    if lost == 0 and (sums == 0).any():
        total, lost = total + 1, 1
    pooled = np.full(k, 1 / k) if not sums.any() else (kept + lost / k) / total
    lower = pooled if is_katz else np.full(k, 1 / k)
    kept = kept_by_turing(C.ravel(), largest, is_katz).reshape(C.shape)
    Q = np.empty(C.shape)
    for i, row in enumerate(C):
        unseen = row == 0
        if not row.any():
            Q[i] = pooled
        elif not unseen.any():
            Q[i] = row / row.sum()
        else:
            lost = row.sum() - kept[i].sum()
            if (kept[i] == row).all():  # one count more, which is lost
                kept[i], lost = row * row.sum() / (row.sum() + 1), row.sum() / (row.sum() + 1)
            Q[i] = (kept[i] + unseen * lost * lower / (lower @ unseen)) / row.sum()
    return Q


def rows_around(C, base, strength, discount):
    """``(c - taken + (theta + freed) B) / (theta + sum c)`` of each row; ``B`` where it is empty.

    ``discount`` is a number, "estimated" or "modified"; a count below one loses its part of it.
    """
    if discount == "modified":
        taken = three_discounts(C)
    else:
        if discount == "estimated":
            once, twice = (C == 1).sum(), (C == 2).sum()
            discount = once / (once + 2 * twice) if once and twice else 0.75
        taken = discount * np.minimum(C, 1)
    Q = np.array(base, dtype=float)
    for i, row in enumerate(C):
        if row.any() and not np.isinf(strength):
            freed = strength + taken[i].sum()
            Q[i] = (row - taken[i] + freed * base[i]) / (strength + row.sum())
    return Q


def mix_shares(sparse, left, bases, counts, prior, steps, shares=None):
    """EM for shares of ``sparse + left sum_b share_b bases_b``, from equal ones unless given."""
    if shares is None:
        shares = np.full(bases.shape[1], 1 / bases.shape[1])
    for _ in range(steps):
        soft = np.array(prior, dtype=float)
        for s, count in enumerate(counts):
            of_bases = left[s] * shares * bases[s]
            soft += count * of_bases / (sparse[s] + of_bases.sum())
        shares = soft / soft.sum()
    return shares


def log_linear(C, norm, penalty, steps=2000):
    """``Q_ij`` proportional to ``exp(b_j + w_ij)``: log-loss plus a norm, by proximal steps.

    The group of ``b_j`` is all of word ``j``, that of ``w_ij`` itself alone.
    """
    (rows, columns), C = C.shape, np.asarray(C, dtype=float)
    sums, seen = C.sum(axis=1), C.sum(axis=0)
    b, w = np.log1p(seen), np.zeros((rows, columns))
    ahead, momentum = (b, w), 1.0
    size = 1 / (3 * np.maximum(seen, C.sum() / columns) + 1e-300)  # of the steps of each word
    for _ in range(steps):
        scores = ahead[0] + ahead[1]
        P = np.exp(scores - scores.max(axis=1, keepdims=True))
        residual = sums[:, None] * P / P.sum(axis=1, keepdims=True) - C
        new_b = np.maximum(ahead[0] - size * residual.sum(axis=0), 0)
        new_w = np.maximum(ahead[1] - size * residual, 0)
        reach = penalty * size
        if norm == "l2":
            new_b, new_w = new_b / (1 + reach), new_w / (1 + reach)
        else:
            new_w = np.maximum(new_w - reach, 0)
        if norm == "l1":
            new_b = np.maximum(new_b - reach, 0)
        if norm == "tree2":
            length = np.sqrt(new_b**2 + (new_w**2).sum(axis=0))
            kept = np.maximum(1 - reach / np.where(length > 0, length, 1.0), 0)
            new_b, new_w = kept * new_b, kept * new_w
        if norm == "treeinf":
            values = -np.sort(-np.vstack([new_b, new_w]), axis=0)
            levels = (np.cumsum(values, axis=0) - reach) / np.arange(1, rows + 2)[:, None]
            level = np.maximum(levels.max(axis=0), 0)
            new_b, new_w = np.minimum(new_b, level), np.minimum(new_w, level)
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        push = (momentum - 1) / following
        turned = ((ahead[0] - new_b) * (new_b - b) / size).sum()
        turned += ((ahead[1] - new_w) * (new_w - w) / size).sum()
        momentum = following
        if turned > 0:
            push, momentum = 0.0, 1.0
        ahead = new_b + push * (new_b - b), new_w + push * (new_w - w)
        b, w = new_b, new_w
    scores = b + w
    P = np.exp(scores - scores.max(axis=1, keepdims=True))
    return P / P.sum(axis=1, keepdims=True)


def class_means(C, W, H):
    """The same start for all contexts never seen, and for all outcomes never seen: their mean."""
    W, H = W.copy(), H.copy()
    contexts, outcomes = C.sum(axis=1) == 0, C.sum(axis=0) == 0
    if contexts.any():
        W[contexts] = W[contexts].mean(axis=0)
    if outcomes.any():
        H[:, outcomes] = H[:, outcomes].mean(axis=1, keepdims=True)
    return W, H


def naive_counts(C, id, constant=0.5, discount=0.75, weighting="equal"):
    """What methods 3 and 4 factorise: ``C + 1/2``; ``n P_AD``, or row ``i`` of it times ``C_i``."""
    if id == "naive-add-half-lr":
        return C + constant
    weights = np.full(len(C), C.sum()) if weighting == "equal" else C.sum(axis=1)
    return weights[:, None] * ad(C, discount)


def empirical_risk(C, Q):
    """Eq. (2): ``(1/n) sum_ij C_ij log((C_ij / C_i) / Q_ij)``; ``n`` is the sum of ``C``."""
    risk = 0.0
    for i, row in enumerate(C):
        for j, count in enumerate(row):
            if count > 0:
                risk += count * np.log(count / row.sum() / Q[i, j])
    return risk / C.sum()


def penalised_risk(C, W, H, constant=0.5):
    """Eq. (3)."""
    penalty = -np.log(W).sum() - np.log(H).sum()
    return empirical_risk(C, W @ H) + constant / C.sum() * penalty


def kl_risk(pi, P, Q):
    """Eq. (1)."""
    cells = ((i, j) for i in range(len(pi)) for j in range(P.shape[1]) if P[i, j] > 0)
    return sum(pi[i] * P[i, j] * np.log(P[i, j] / Q[i, j]) for i, j in cells)


def cross_entropy(C, Q):
    """Section 6: ``(1/n') sum_ij C'_ij log(1 / Q_ij)``."""
    return sum(C[cell] * np.log(1 / Q[cell]) for cell in zip(*np.nonzero(C), strict=True)) / C.sum()


# The methods whose formula `fit` knows.
IDS = (
    *("add-half", "ad", "naive-add-half-lr", "naive-ad-lr", "sb", "kn", "add-half-lr", "ad-lr"),
    *("lr", "jm", "wb", "good-turing", "katz"),
    *("ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"),
    *("mle", "laplace", "interpolated"),
    *("lsa", "plsa"),
)


def fit(id, C, start=None, iterations=0, **options):
    """Return the whole matrix of a method: the formula of each id at its defaults."""
    if id == "add-half":
        return add_half(C, **options)
    if id == "laplace":
        return add_half(C, **{"constant": 1} | options)
    if id == "mle":
        return interpolated(C, 0.0)
    if id == "interpolated":
        return interpolated(C, **options)
    if id == "ad":
        return ad(C, **options)
    if id == "sb":
        return stupid_backoff(C, **options)
    if id == "kn":
        return kneser_ney(C, **options)
    if id == "jm":
        return jelinek_mercer(C, **options)
    if id == "wb":
        return witten_bell(C)
    if id in ("good-turing", "katz"):
        return good_turing(C, is_katz=id == "katz", **options)
    if id == "lsa":
        return semantic_analysis(C, **options)
    if id == "plsa":
        low_rank_part = fit("lr", C, start, iterations)
        unigram = absolute_discount(C.sum(axis=0))
        return (1 - options["weight"]) * low_rank_part + options["weight"] * unigram
    if id.startswith("ll-"):
        return log_linear(C, id.removeprefix("ll-"), **options)
    normalise = lambda c: add_constant(c, 0.0)  # noqa: E731
    smoothers = {
        "add-half-lr": (add_constant, add_constant),
        "ad-lr": (add_constant, absolute_discount),
    }.get(id, (normalise, normalise))
    if id.startswith("naive"):
        start, C = class_means(C, *start), naive_counts(C, id)
    W, H = low_rank(C, *start, *smoothers, iterations)
    return W @ H


def semantic_analysis(C, weight, rank=50, weighting="sqrt"):
    """A truncated SVD of weighted counts, the link of each row, and a share of the unigram."""
    base = absolute_discount(C.sum(axis=0))
    frequency = C / np.maximum(C.sum(axis=1, keepdims=True), 1e-300)
    ratio = np.where(C > 0, frequency / base, 1)
    X = {"sqrt": np.sqrt(C), "counts": C, "probability": frequency}
    X["ppmi"] = np.maximum(np.log(ratio), 0)
    U, s, V = np.linalg.svd(X[weighting], full_matrices=False)
    scores = (U[:, :rank] * s[:rank]) @ V[:rank]
    Q = np.tile(base, (len(C), 1))
    for i in np.flatnonzero(C.sum(axis=1)):
        row = np.maximum(scores[i], 0) ** (2 if weighting == "sqrt" else 1)
        if weighting == "ppmi":
            row = base * np.exp(scores[i])
        Q[i] = row / row.sum() if row.sum() else base
    return (1 - weight) * Q + weight * base


def with_novelty(C, Q, bins, like_all):
    """Return rows that give more to outcomes never seen, and by how much, for each of seven bins.

    By Good-Turing on the distinct pairs of a bin, with `like_all` pseudo-pairs of all bins; as much
    less as fewer outcomes were never seen than are in one pair.
    """
    seen = C > 0
    unseen = ~seen.any(axis=0)
    is_only = seen & (seen.sum(axis=0) == 1)
    of_all = is_only.sum() / (seen.sum() + 1)
    Q, novel = Q.copy(), np.zeros(7)
    for bin in range(7):
        inside = bins == bin
        wanted = is_only[inside].sum() + like_all * of_all
        wanted /= seen[inside].sum() + like_all
        if unseen.sum() < is_only.sum():
            wanted *= unseen.sum() / is_only.sum()
        weights = np.maximum(C[inside].sum(axis=1), 0)
        weights[weights == 0] = 1
        given = (weights * Q[inside][:, unseen].sum(axis=1)).sum() / max(weights.sum(), 1e-300)
        novel[bin] = max((wanted - given) / (1 - given), 0) if unseen.any() else 0
        Q[inside] *= 1 - novel[bin]
        Q[np.ix_(inside, unseen)] += novel[bin] / max(unseen.sum(), 1)
    return Q, novel
