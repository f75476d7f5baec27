"""Log-linear models of histories whose base measure is a smoothed bigram, not the uniform one.

A context multiplies the distribution of the next shorter context by factors of its own:

    p(y | s) = p(y | parent of s) exp(w_y(s)) / Z(s),   w >= 0, zero for words not seen after s,

and its weights minimise the log-loss of the words after it plus ``penalty`` times half their
squares: the squared l2 of Nelakanti et al. (2013), with the smoothed lower order in place of e^0.
Each context so has a problem of its own, whose solution is that of one equation: given ``Z``, each
weight solves ``n q exp(w) / Z + penalty w = count``.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from numbers import Real
from typing import Any, Literal, NamedTuple

import numpy as np
from numba import njit

from condprob.checks import Seed, check_order
from condprob.jit import JIT
from condprob.matrix import ConditionalMatrix
from condprob.progress import Parts, chunks
from condprob.sequences import Trial
from condprob.sequences.grown_model import GrownModel
from condprob.sequences.histories import Fitter, count_bigrams
from condprob.sequences.ngrams import list_ngrams
from condprob.sequences.sentences import Sentences
from condprob.sequences.suffixes import NOWHERE, add_up
from condprob.sequences.tree_model import Contexts
from condprob.splits import HELD_OUT

PENALTIES = 2.0 ** (np.arange(8, -9, -1) / 2)  # compared where it is learned; not measured
STEPS = 60  # of a weight, and of a normaliser, at most; not measured
# Smaller penalties are taken for this one: their normalisers need more digits than floats have. Of
# 200 histories of a text of 400 words all had finite ones with 1e-15, and 7 had none with 1e-17.
NONE = 1e-12
# Relative change at which a normaliser ends, and squared error at which a weight ends: some hundred
# roundings; not measured.
EXACT = 1e-13


def fit_grown(
    estimator: Fitter,
    sentences: Sentences,
    order: int,
    penalty: float | Literal["learned"] = "learned",
    seed: Seed = 0,
    *,
    scout: Fitter | None = None,
    progress: bool = False,
    **how: Any,
) -> GrownModel:
    """Fit a method for pairs to a text, and grow it to longer histories.

    Parameters
    ----------
    estimator : Fitter
        The method of the bigram; its contexts are the words and the start of a sentence.
    sentences : Sentences
    order : int
        Words that the model sees at once, the next one among them; 2 is the bigram itself.
    penalty : float or "learned"
        A learned one is the best of `PENALTIES` on the last tenth of the text (`search`); the model
        is then fitted to all.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
    scout : Fitter, optional
        A lighter method whose bigram is used while the penalty is learned.
    progress : bool
        Show a bar of the fits of the bigram.
    **how
        For the fit of the bigram to all of the text, such as its checkpoint.

    Returns
    -------
    GrownModel

    Raises
    ------
    ValueError
        If the order is below two, or the penalty is not above zero.
    """
    order = check_order(order, 2)
    if penalty != "learned" and not (isinstance(penalty, Real) and 0 < penalty < np.inf):
        raise ValueError(f"penalty = {penalty!r}: must be a number > 0, or 'learned'")
    parts = Parts("fit", 2 if penalty == "learned" else 1, progress)
    if penalty == "learned":
        rest, held_out = sentences.split(1 - HELD_OUT)
        penalty = 1.0
        if rest.n and held_out.n:
            with parts.next():
                base = fit_bigram(scout or estimator, rest, seed, progress=progress)
            ground = prepare(base, rest, order)
            penalty = choose_penalty(ground, lambda m: -m.score(held_out).sum(), progress)
    with parts.next():
        base = fit_bigram(estimator, sentences, seed, progress=progress, **how)
    return grow(prepare(base, sentences, order), penalty)


def fit_bigram(
    estimator: Fitter, sentences: Sentences, seed: Seed = 0, **how: Any
) -> ConditionalMatrix:
    """Return the matrix of a text's pairs: see `histories.count_bigrams`."""
    return estimator.fit(count_bigrams(sentences), seed, **how)


def choose_penalty(
    ground: "Ground", judge: Callable[[GrownModel], float], progress: bool = False
) -> float:
    """Return the penalty with the least loss: see `search`.

    Losses fell and rose once along `PENALTIES` on each of six texts and chains of words, with five
    bigrams at two orders (measured once, without a script).
    """
    most = len(fibonacci(PENALTIES.size)) - 1
    trials = chunks(most, 1, progress, "trial")

    def loss_of(number):
        next(trials, None)
        return float(judge(grow(ground, float(PENALTIES[number]))))

    best = search(loss_of, PENALTIES.size)
    for _ in trials:  # the bar ends, although some trials were not needed
        pass
    return float(PENALTIES[best])


def search(loss_of: Callable[[int], float], size: int) -> int:
    """Return the number below ``size``, at least one, with the least loss; the first of equals.

    Kiefer's (1953) search by Fibonacci numbers, for losses that fall and then rise. Each further
    loss nearly halves the interval: of 17 numbers it needs 6.
    """
    loss_of, low = cache(loss_of), 0
    # The interval begins with ``low``; numbers of ``size`` and more are no better.
    for least, most in reversed(list(pairwise(fibonacci(size)[:-1]))):
        first, second = low + least - 1, low + most - 1
        if second < size and loss_of(first) > loss_of(second):
            low = first + 1
    return low


def fibonacci(size: int) -> list[int]:
    """Return 1, 2, 3, 5 and so on, to the first number above ``size``."""
    found = [1, 2]
    while found[-1] <= size:
        found.append(found[-2] + found[-1])
    return found


def trace_penalties(ground: "Ground", judge: Callable[[GrownModel], float]) -> Iterator[Trial]:
    """Yield a trial of each penalty."""
    for penalty in PENALTIES.tolist():
        model = grow(ground, penalty)
        yield Trial({"penalty": penalty}, float(judge(model)), model.parameters)


class Ground(NamedTuple):
    """The parts that models of all penalties share."""

    base: ConditionalMatrix  # shape (words + 1, words)
    longest: int
    text: np.ndarray  # int
    contexts: Contexts  # their ``factor`` is one
    depth: np.ndarray  # int, shape (nodes,): words of the shortest context of each node
    # `word`, `upper`: int, shape (pairs,): by context; the same word after the parent of the
    # context
    word: np.ndarray
    upper: np.ndarray
    # `counts`, `share`: shape (pairs,): how often the word followed, and its probability in the
    # base, where that is needed
    counts: np.ndarray
    share: np.ndarray


def prepare(base: ConditionalMatrix, sentences: Sentences, order: int) -> Ground:
    """Return the ground of a bigram of `fit_bigram`, shape (words + 1, words)."""
    _, text, contexts, word, upper, own = list_ngrams(sentences, order, collapse=True)
    parent, context = contexts.parent, contexts.nodes_of_pairs
    # A node whose shortest context has one word, or none, belongs to the bigram.
    depth = np.where(parent == NOWHERE, -1, contexts.depth[parent]) + 1
    longer = depth[context] > 1
    share = np.zeros(word.size)
    share[longer] = base.at(text[contexts.ends[context[longer]] - 1], word[longer])
    counts = add_up(upper, own).astype(float)
    return Ground(base, order - 1, text, contexts, depth, word, upper, counts, share)


def grow(ground: Ground, penalty: float) -> GrownModel:
    """Return the model of one penalty."""
    score, factor = np.zeros(ground.word.size), ground.contexts.factor.copy()
    given = ground.contexts, ground.depth, ground.upper, ground.counts, ground.share
    _grow(*given, max(float(penalty), NONE), score, factor)
    contexts = ground.contexts._replace(factor=factor)
    kept = ground.base, ground.longest, ground.text
    return GrownModel(*kept, contexts, ground.word, score, float(penalty))


@njit(**JIT)
def _grow(contexts, depth, upper, counts, share, penalty, score, factor):
    """Fill in scores and factors, node by node, parents first."""
    most = 0
    for s in range(depth.size):
        most = max(most, contexts.first[s + 1] - contexts.first[s])
    room_q, room_weights = np.empty(most), np.empty(most)
    for s in range(depth.size):
        if depth[s] < 2:
            continue
        start, stop = contexts.first[s], contexts.first[s + 1]
        above, total = factor[contexts.parent[s]], 0.0
        q, weights = room_q[: stop - start], room_weights[: stop - start]
        for p in range(start, stop):
            weights[p - start] = 0.0
            score[p] = score[upper[p]]
            q[p - start] = share[p] * np.exp(score[p]) * above
            total += counts[p]
        z = _solve(q, counts[start:stop], total, penalty, weights)
        factor[s] = above / z
        for p in range(start, stop):
            score[p] += weights[p - start]


@njit(**JIT)
def _solve(q, counts, total, penalty, weights):
    """Fill in the weights of one context; return its normaliser.

    Newton's steps on ``log Z``, to the one root of a falling difference. A step that leaves the
    interval around the root is replaced by its middle.
    """
    low, high, log_z, made, rise = 0.0, np.inf, 0.0, 1.0, 0.0
    for _ in range(STEPS):
        z, made, slope = np.exp(log_z), 1.0, 0.0
        for y in range(q.size):
            if q[y] == 0.0:  # nothing makes a word likelier that the base cannot give
                continue
            start = weights[y] + rise if weights[y] > 0.0 else np.inf
            weights[y] = _weight(total * q[y] / z, counts[y], penalty, start)
            if weights[y] > 0.0:
                expected = counts[y] - penalty * weights[y]  # the equation of the weight
                raised = expected * z / total
                made += raised - q[y]
                slope += raised * expected / (expected + penalty)
        off = np.log(made) - log_z
        if off > 0.0:
            low = log_z
        else:
            high = log_z
        step = off / (1.0 - slope / made)
        if not low <= log_z + step <= high:
            step = (low + high) / 2 - log_z
        log_z += step
        rise = max(step, 0.0)  # no weight will rise by more
        if abs(step) <= EXACT:
            break
    return made


@njit(**JIT)
def _weight(unweighted, count, penalty, start):
    """Return the ``w >= 0`` with ``unweighted exp(w) + penalty w = count``; 0 if there is none.

    It is not above ``start``, which may be infinite.
    """
    if unweighted >= count:
        return 0.0
    # The left side is convex: from above Newton's steps fall to the root.
    weight = start
    if start == np.inf:
        weight = count / penalty
        if unweighted > 0.0:
            weight = min(weight, np.log(count / unweighted))
    for _ in range(STEPS):
        expected = unweighted * np.exp(weight)
        step = (expected + penalty * weight - count) / (expected + penalty)
        weight -= step
        if step * step <= EXACT * weight:  # the error is at most half of that square
            break
    return max(weight, 0.0)
