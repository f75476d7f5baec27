"""N-grams of any order, fitted to sentences: Kneser-Ney (Chen and Goodman 1998) and its like."""

from typing import Literal, NamedTuple

import numpy as np

from condprob.checks import check_order
from condprob.entries import count_seldom
from condprob.sequences.backoff_model import BackoffModel
from condprob.sequences.sentences import Sentences
from condprob.sequences.suffixes import (
    NOWHERE,
    ContextTree,
    Pairs,
    Places,
    build_contexts,
    list_pairs,
    sort_histories,
)
from condprob.sequences.tree_model import Contexts


def fit_kneser_ney(
    sentences: Sentences,
    order: int,
    discount: float | Literal["estimated", "modified"] = "modified",
    continuation: Literal["discounted", "uniform", "floor"] = "uniform",
    form: Literal["interpolated", "backoff"] = "interpolated",
) -> BackoffModel:
    """Fit interpolated Kneser-Ney to sentences.

    The longest n-grams, and n-grams at the start of a sentence, have their counts. A shorter n-gram
    has the number of distinct words before it. The discounts of a context go to the next shorter
    context, and in the end to the words that were never seen, or to all.

    Parameters
    ----------
    sentences : Sentences
    order : int
        Words that the model sees at once, the next one among them; the start of a sentence is one.
    discount : float, "estimated" or "modified"
        Of every count; "estimated" is ``n1 / (n1 + 2 n2)`` of each order; "modified" is three for
        each order, for counts of one, two and more (`estimate_discounts`).
    continuation, form : str
        See `kneser_ney.KneserNey`; ``continuation`` of the shortest order, ``form`` of all longer.

    Raises
    ------
    ValueError
        If the order is below one, or the discount is not between 0 and 1.
    """
    order = check_order(order)
    if not isinstance(discount, str) and not 0 < discount < 1:
        raise ValueError(f"discount = {discount!r}: must be between 0 and 1, both excluded")
    ngrams = list_ngrams(sentences, order, collapse=False)
    counts = _adjusted_counts(ngrams.pairs, ngrams.tree, sentences.n)
    taken, depth = np.zeros(counts.size), ngrams.tree.depth[ngrams.pairs.context]
    for length in range(order):
        of_length = depth == length
        taken[of_length] = _taken(counts[of_length], discount)
    return fall_back(ngrams, order, counts, taken, continuation, form)


def fall_back(
    ngrams: "Ngrams",
    order: int,
    counts: np.ndarray,
    taken: np.ndarray,
    continuation: Literal["discounted", "uniform", "floor"],
    form: Literal["interpolated", "backoff"],
) -> BackoffModel:
    """Return the model in which the discounts of a context go to the next shorter context.

    Parameters
    ----------
    ngrams : Ngrams
        Of contexts that are not collapsed.
    order : int
    counts, taken : numpy.ndarray, shape (pairs,)
        Count and discount of each n-gram; the discount lies between zero and the count.
    continuation, form : str
        See `fit_kneser_ney`.
    """
    tree, pairs, by_context = ngrams.tree, ngrams.pairs, ngrams.by_context
    depth, size, outcomes = tree.depth[pairs.context], tree.parent.size, ngrams.outcomes
    sums = np.bincount(pairs.context, counts, minlength=size)
    sums = np.where(sums > 0, sums, 1)
    left = np.bincount(pairs.context, taken, minlength=size) / sums
    left[0] = left[0] if counts.size else 1.0
    probability = (counts - taken) / sums[pairs.context]
    for length in range(order):
        here = np.flatnonzero(depth == length)
        context, upper = pairs.context[here], pairs.parent[here]
        shorter = np.where(upper == NOWHERE, 1 / outcomes, probability[upper])
        if length and form == "backoff":
            mass, full = _left_to_unseen(context, shorter, size, outcomes)
            probability[here] += full[context] * taken[here] / sums[context]
            left = np.where(full, 0.0, left / mass)
        elif not length and continuation != "uniform":
            of_here = pairs.outcome[here], counts[here], taken[here]
            probability[here], left[0] = _shortest(*of_here, outcomes, continuation)
        else:
            probability[here] += left[context] * shorter
    contexts = Contexts(tree.parent, tree.depth, ngrams.ends, left, ngrams.first)
    words = pairs.outcome[by_context], probability[by_context]
    return BackoffModel(outcomes, order - 1, ngrams.places.text, contexts, *words)


class Ngrams(NamedTuple):
    """The n-grams of a text in which every sentence begins with one more word, ``k``."""

    outcomes: int
    places: Places
    tree: ContextTree
    pairs: Pairs
    by_context: np.ndarray  # int64, shape (pairs,): the pairs by context, then by word
    # `first`, `ends`: int64: see `tree_model.Contexts`
    first: np.ndarray
    ends: np.ndarray


def list_ngrams(sentences: Sentences, order: int, collapse: bool) -> Ngrams:
    """Return the n-grams of up to ``order`` words; to collapse, see `suffixes.build_contexts`."""
    places = _places_with_starts(sentences, order)
    by_history = sort_histories(places)
    tree = build_contexts(places, by_history, collapse)
    pairs = list_pairs(places, sentences.words, np.ones(sentences.n), by_history, tree)
    by_context = np.lexsort((pairs.outcome, pairs.context))
    of_context = np.bincount(pairs.context, minlength=tree.parent.size)
    first = np.concatenate([[0], np.cumsum(of_context)])
    ends = places.ends[tree.place] if sentences.n else np.zeros(1, dtype=np.int64)
    return Ngrams(sentences.k, places, tree, pairs, by_context, first, ends)


def _places_with_starts(sentences, order):
    """Return the places of a text in which every sentence begins with one more word, ``k``."""
    text = np.insert(sentences.words, sentences.starts[:-1], sentences.k)
    sizes = np.diff(sentences.starts)
    ends = np.arange(sentences.n) + np.repeat(np.arange(1, sizes.size + 1), sizes)
    since = np.arange(sentences.n) - np.repeat(sentences.starts[:-1], sizes)
    return Places(text, ends, np.minimum(since + 1, order - 1))


def _adjusted_counts(pairs, tree, n):
    """Return counts where a history ends, and numbers of distinct words before elsewhere."""
    ends = np.zeros(tree.parent.size, dtype=bool)
    ends[tree.leaf] = n > 0
    distinct = np.bincount(pairs.parent[pairs.parent != NOWHERE], minlength=pairs.parent.size)
    return np.where(ends[pairs.context], pairs.counts, distinct).astype(np.int64)


def _shortest(seen, counts, taken, outcomes, continuation):
    """Return the empty context's probabilities of seen words, and its factor for all others.

    The factor multiplies the uniform distribution.
    """
    of_all = np.zeros((2, outcomes))
    of_all[:, seen] = counts, taken
    lower = continuation_of(*of_all, taken.sum(), continuation)
    others = np.delete(lower, seen)
    return lower[seen], outcomes * others[0] if others.size else 0.0


def _left_to_unseen(context, shorter, size, outcomes):
    """Return the mass of the next shorter context on the words not seen after each context.

    It is one where there is no such word, or the context has another length. The second array says
    whether all words were seen. Both have the shape (size,).
    """
    full = np.bincount(context, minlength=size) == outcomes
    mass = 1 - np.bincount(context, shorter, minlength=size)
    return np.where(full | (mass <= 0), 1.0, mass), full


def _taken(counts, discount):
    """Return the discounts of the counts of one order."""
    if discount == "modified":
        return estimate_discounts(counts).of(counts)
    if discount == "estimated":
        discount = discount_of(count_seldom(counts))
    return np.full(counts.size, float(discount))


def discount_of(seldom: np.ndarray) -> float:
    """Return ``n1 / (n1 + 2 n2)`` by `entries.count_seldom`, 3/4 where it is undefined."""
    once, twice = seldom[:2].tolist()
    return once / (once + 2 * twice) if once and twice else 0.75


class Discounts(NamedTuple):
    """Discounts of a count of one, of two, and of a larger count."""

    of_one: float
    of_two: float
    of_more: float

    def of(self, counts: np.ndarray) -> np.ndarray:
        """Return the discount of each count, zero of a zero, in their shape."""
        return np.array([0.0, *self])[np.minimum(counts, 3)]


def estimate_discounts(values: np.ndarray) -> Discounts:
    """Return the three discounts of counts in any order: see `discounts_of`."""
    return discounts_of(count_seldom(values), values.dtype.kind != "f")


def discounts_of(seldom: np.ndarray, is_whole: bool) -> Discounts:
    """Return the three discounts of Chen and Goodman (1998, Eq. 26) for whole counts.

    ``c - (c + 1) Y n_(c+1) / n_c`` for ``c`` = 1, 2, 3, where ``Y = n1 / (n1 + 2 n2)`` and ``n_c``,
    of which ``seldom`` has four, is how many values are ``c``.

    READING: where one of them is undefined, or not between 0 and ``c``, ``Y`` stands for it, and
    3/4 for an undefined ``Y``.

    Raises
    ------
    ValueError
        If the counts are not whole.
    """
    if not is_whole:
        raise ValueError("discount = 'modified' needs whole counts, and these have fractions")
    n = seldom.tolist()
    Y = discount_of(seldom)
    found = []
    for c in (1, 2, 3):
        discount = c - (c + 1) * Y * n[c] / n[c - 1] if n[c - 1] else 0.0
        found.append(discount if 0 < discount < c and n[c] else Y)
    return Discounts(*found)


def continuation_of(distinct: np.ndarray, taken: np.ndarray, freed: float, kind: str) -> np.ndarray:
    """Return the lower order of Kneser-Ney, of a kind (see there): a distribution, (outcomes,).

    ``distinct``, shape (outcomes,), is the number of distinct contexts before each outcome; of real
    counts, a pair whose count is below one stands for that part of one. ``taken`` is the discount
    of each, and ``freed`` their sum.
    """
    total, unseen = distinct.sum(), distinct == 0
    if kind == "floor" or total == 0:
        floored = np.maximum(distinct, 1)
        return floored / floored.sum()
    if kind == "uniform":
        return (distinct - taken) / total + freed / total / distinct.size
    if not unseen.any():  # nobody to give to
        return distinct / total
    return (distinct - taken + freed * unseen / unseen.sum()) / total
