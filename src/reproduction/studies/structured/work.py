"""How much each proximal step has to do: values visited, on forests of the text itself.

Counts and not seconds: they are the same on every machine. `make bench` measures the seconds. The
step by heaps is Algorithm 4 as the paper prints it, with its misprints put right. `proximal` has
the step that is used, and `pivots` has Algorithm 3. All three give the same weights. `growth` has
the seconds next to the counts, for Table 1.
"""

import numpy as np
import pandas as pd
from scipy.optimize import minimize

from condprob.catalogue import method
from condprob.jit import EXACT, njit
from condprob.methods.structured.fista import minimise
from condprob.methods.structured.heaps import NONE, merge, pop
from condprob.methods.structured.problem import Forest, build_problem, places_of_sentences
from condprob.text.histories import bigram_contexts
from condprob.text.suffixes import NOWHERE
from reproduction.studies.structured.orders import forget_rare
from reproduction.verdicts.cases import at_least, make_case, slope_of_logs

WORK_COLUMNS = ["corpus", "order", "words", "structure", "weights", "pivots", "heaps", "k", "most"]
# Words of the text, and times a word was seen, of the dense model.
WORDS_OF_DENSE_TEXT, LEAST_TIMES_SEEN = 20_000, 5
# The same of the dense model that is fitted twice.
WORDS_OF_TINY_TEXT = 10_000
LEAST_TIMES_IN_TINY_TEXT = 15
LARGEST_ZERO = 1e-8  # a weight of no more size counts as zero


def step_by_heaps(
    forest: Forest, weights: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the step by Algorithm 4: each subtree is a heap, whose largest values are lowered.

    READING: as printed, ``tau`` begins as the value where ``c_x v_x`` is meant, and ``delta``
    forgets the copies; what the threshold takes of the sum is the threshold.

    The second array, of the same shape (weights,), says how many values each step lowered, ``k``;
    zero where all became zero.
    """
    found = np.maximum(weights, 0.0)
    lowered = np.zeros(found.size, dtype=np.int64)
    _by_heaps(forest.parent, forest.copies, forest.groups, found, threshold, lowered)
    return found, lowered


def step_and_count(forest: Forest, weights: np.ndarray, threshold: float) -> tuple[np.ndarray, int]:
    """Return the step by Algorithm 4, and the values it visits: each node once, and comparisons.

    Two heaps that become one are one comparison; so are two values of which the larger is sought.
    """
    found = np.maximum(weights, 0.0)
    lowered = np.zeros(found.size, dtype=np.int64)
    compared = _by_heaps(forest.parent, forest.copies, forest.groups, found, threshold, lowered)
    return found, int(compared) + found.size


@njit(**EXACT)
def _comparisons_of_pop(child, sibling, top):
    """Return how many heaps become one with another when a top is taken off."""
    heaps, item = 0, child[top]
    while item != NONE:
        heaps, item = heaps + 1, sibling[item]
    return max(heaps - 1, 0)


@njit(**EXACT)
def _by_heaps(parent, copies, groups, weights, threshold, lowered):
    heap, child, sibling = np.full((3, weights.size), NONE)
    value, sums, gone = weights.copy(), copies * weights, np.zeros(weights.size, dtype=np.bool_)
    taken, compared = np.empty(weights.size, dtype=np.int64), 0
    for p in range(weights.size - 1, -1, -1):
        reach = threshold * groups[p]
        compared += heap[p] != NONE
        heap[p] = merge(value, child, sibling, heap[p], p)
        if sums[p] <= reach:
            gone[p] = True
            continue
        total, width, k, top = 0.0, 0.0, 0, heap[p]
        while top != NONE and (k == 0 or value[top] * width > total - reach):
            total += copies[top] * value[top]
            width += copies[top]
            taken[k] = top
            k += 1
            compared += 1 + _comparisons_of_pop(child, sibling, top)
            top = pop(value, child, sibling, top)
        lowered[p] = k
        for i in range(k):
            item = taken[i]
            value[item] = (total - reach) / width
            child[item] = sibling[item] = NONE
            compared += top != NONE
            top = merge(value, child, sibling, top, item)
        if parent[p] != NOWHERE:
            sums[parent[p]] += sums[p] - reach
            compared += heap[parent[p]] != NONE and top != NONE
            heap[parent[p]] = merge(value, child, sibling, heap[parent[p]], top)
    for p in range(weights.size):
        gone[p] |= parent[p] != NOWHERE and gone[parent[p]]
        weights[p] = 0.0 if gone[p] else value[p]
    return compared


def count_work(corpus, train, orders, sizes, penalty):
    """Yield rows of `WORK_COLUMNS`: the work of one step of the l-infinity norm of trees.

    ``pivots`` are the values that Algorithm 3 gathers, all subtrees added up, at least; ``heaps``
    those that Algorithm 4 pops; ``k`` their mean for each subtree that is not made zero, ``most``
    the largest. The whole text is measured at all orders, and parts of it, of the ``sizes``, at the
    highest; the step is taken at the solution for the penalty.
    """
    points = [(order, train.n) for order in orders]
    points += [(max(orders), size) for size in sizes if size < train.n]
    for order, words in points:
        text, _ = train.split(words / train.n) if words < train.n else (train, None)
        places = places_of_sentences(text, order)
        for structure in ("tree", "trie"):
            problem, _ = build_problem(places, text.words, text.k, structure == "tree")
            solution = minimise("treeinf", problem, penalty, tol=0.1, iterations=60)
            _, lowered = step_by_heaps(problem.forest, solution.weights, penalty / text.n)
            busy = lowered[lowered > 0]
            parent = problem.forest.parent
            row = {"corpus": corpus, "order": order, "words": text.n, "structure": structure}
            row |= {"weights": parent.size, "pivots": int(subtree_sizes(parent).sum())}
            row |= {"heaps": int(lowered.sum()), "k": busy.mean() if busy.size else 0.0}
            yield row | {"most": int(lowered.max(initial=0))}


def pivots_by_order(texts, orders):
    """Return, for each text, the pivots' work at each order on the collapsed tree.

    Parameters
    ----------
    texts : iterable of condprob.Sentences
    orders : sequence of int

    Returns
    -------
    numpy.ndarray, shape (texts, orders)
        The ``pivots`` of `count_work`.
    """
    return np.array([[_pivots_at(text, order) for order in orders] for text in texts])


def _pivots_at(text, order):
    problem, _ = build_problem(places_of_sentences(text, order), text.words, text.k, True)
    return subtree_sizes(problem.forest.parent).sum()


def check_sublinear(pivots, orders):
    """Yield the cases of T15: a logarithm of the order fits the work of each text better.

    The same comparison as that of the number of weights (T13), whose trend the paper compares
    this with. A power law has no such shape: its exponent rests on the lowest orders.
    """
    orders = np.asarray(orders, dtype=float)
    for block, work in enumerate(pivots, start=1):
        case = f"block {block}: R^2 of the pivots' work against order, logarithmic fit; linear"
        fits = r_squared(np.log(orders), work), r_squared(orders, work)
        yield at_least("t15", case, *fits)


def subtree_sizes(parent):
    """Return how many nodes each subtree has."""
    size = np.ones(parent.size, dtype=np.int64)
    for node in range(parent.size - 1, -1, -1):
        if parent[node] >= 0:
            size[parent[node]] += size[node]
    return size


def check_work(rows, train, k):
    """Yield cases of T13, T14, T16 and T18, from `count_work`, of ``train`` words out of ``k``."""
    table = pd.DataFrame(rows)
    by_order = table[table["words"] == table["words"].max()]
    trie, tree = (by_order[by_order["structure"] == name] for name in ("trie", "tree"))
    orders = tree["order"].to_numpy(dtype=float)
    for check, part, claimed in (("t13-trie", trie, "linear"), ("t13-tree", tree, "logarithmic")):
        fits = {
            "linear": r_squared(orders, part["weights"]),
            "logarithmic": r_squared(np.log(orders), part["weights"]),
        }
        other = "linear" if claimed == "logarithmic" else "logarithmic"
        case = f"R^2 of weights against order, {claimed} fit; {other}"
        yield at_least(check, case, fits[claimed], fits[other], n=train)
    last = tree.iloc[-1]
    yield make_case("t14", "mean k at the chosen penalty", last["k"], 4, n=train)
    yield at_least("t14", "mean k at the chosen penalty", last["k"], 1.5, n=train)
    yield make_case("t14", "largest k", last["most"], 20, n=train)
    sizes = table[(table["structure"] == "tree") & (table["order"] == table["order"].max())]
    sizes = sizes.sort_values("words")
    ratio = (sizes["heaps"] / sizes["pivots"]).to_numpy()
    yield make_case(
        "t16", "values that heaps pop for each that pivots gather, most", ratio.max(), 1
    )
    yield at_least("t16", "the same at the smallest size; at the largest", ratio[0], ratio[-1])
    growth = slope_of_logs(sizes["weights"], sizes["pivots"])
    yield make_case("t16-square", "exponent of the pivots' work in the weights", growth, 2)
    naive = train * k
    share = naive / (naive + last["heaps"] + last["weights"])
    case = "fraction of the normaliser, every word visited at every place"
    yield at_least("t18", case, share, 0.5, k=k, n=train)
    ours = last["weights"]
    share = ours / (ours + last["heaps"] + 2 * last["weights"])
    case = "fraction of the normaliser by pairs of the tree"
    yield at_least("t18-exact", case, share, 0.5, k=k, n=train)


def r_squared(x, y):
    """Return the share of variance that a straight line explains."""
    y = np.asarray(y, dtype=float)
    rest = y - np.polyval(np.polyfit(x, y, 1), x)
    return 1 - rest.var() / y.var()


def check_positivity(words, k, penalty):
    """Yield cases of T5: the cost of the constraint ``w >= 0`` for order 2 with squared l2.

    The model without it has a weight for every pair of the ``k`` words. The first four fifths of
    the text are fitted, the others scored.
    """
    train, test = words.split(0.8)
    objective, scores_of = dense_objective(train, k, penalty)
    how = {"maxiter": 500, "maxfun": 1000}
    flat = np.zeros(k + (k + 1) * k)
    found = minimize(objective, flat, jac=True, method="L-BFGS-B", options=how)
    free = -scores_of(found.x)[bigram_contexts(test), test.words].mean()
    model = method("ll-l2", penalty=penalty, tol=1e-5).fit_text(train)
    cost = -model.score(test).mean() - free
    yield make_case("t5", "what w >= 0 costs, nats per word", cost, 0.01, k=k, n=train.n)


def dense_objective(train, k, penalty):
    """Return functions of all weights of order 2, flat, (k + (k + 1) k,): first those of no word.

    One returns log-loss and squared l2 of a text with their slopes, the other the logarithms of all
    probabilities, (k + 1, k); the last row is the start of a sentence.
    """
    counts = np.zeros((k + 1, k))
    np.add.at(counts, (bigram_contexts(train), train.words), 1)
    sums = counts.sum(axis=1, keepdims=True)

    def scores_of(flat):
        scores = flat[:k] + flat[k:].reshape(k + 1, k)
        top = scores.max(axis=1, keepdims=True)
        return scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True))

    def objective(flat):
        logs = scores_of(flat)
        residual = sums * np.exp(logs) - counts
        slope = np.concatenate([residual.sum(axis=0), residual.ravel()]) + penalty * flat
        return -(counts * logs).sum() + penalty * (flat @ flat) / 2, slope

    return objective, scores_of


def check_zeros(words, k, penalty):
    """Yield cases of Section 3.1: weights of pairs never seen, without ``w >= 0`` and with it.

    Both are fitted with squared l2 by SciPy's L-BFGS-B to all pairs of ``k`` words: nothing there
    knows which pairs were seen. A text that has all pairs has no case.
    """
    objective, _ = dense_objective(words, k, penalty)
    seen = np.zeros((k + 1, k), dtype=bool)
    seen[bigram_contexts(words), words.words] = True
    met = seen.any(axis=1)  # a word that is nobody's history has no reason to move
    if seen[met].all():
        return
    flat, ends = np.zeros(k + (k + 1) * k), {}
    for name, bounds in (("free", None), ("positive", [(0, None)] * flat.size)):
        how = {"jac": True, "method": "L-BFGS-B", "bounds": bounds}
        found = minimize(objective, flat, options={"maxiter": 500}, **how)
        ends[name] = found.x[k:].reshape(k + 1, k)[met][~seen[met]]
    moved = (abs(ends["free"]) > LARGEST_ZERO).mean()
    case = "fraction of weights of unseen pairs that are not zero, any sign"
    yield at_least("t5-zeros", case, moved, 0.99, k=k, n=words.n)
    case = "largest weight of an unseen pair where w >= 0"
    yield make_case("t5-zeros", case, ends["positive"].max(), 0, k=k, n=words.n)


def shorten(sentences, words, least):
    """Return the first words of a text over those seen often enough; word 0 stands for others."""
    first, _ = sentences.split(words / sentences.n)
    return forget_rare(first, first, least)[0]
