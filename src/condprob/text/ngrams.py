"""N-grams of any order, fitted to sentences: Kneser-Ney (Chen and Goodman 1998) and its like."""

from typing import Literal, NamedTuple

import numpy as np

from condprob.checks import check_order
from condprob.checks.entries import count_seldom, narrow_type
from condprob.jit import EXACT, njit
from condprob.text.backoff_model import BackoffModel
from condprob.text.sentences import NOTHING, NgramCounts, Sentences
from condprob.text.suffixes import (
    NOWHERE,
    Pairs,
    Places,
    SuffixTree,
    build_tree,
    list_pairs,
    sort_histories,
)


class Ngrams(NamedTuple):
    """The n-grams of a text in which every sentence begins with one more word, ``outcomes``."""

    outcomes: int
    order: int  # words of the longest n-grams
    tree: SuffixTree  # a trie: each context is a node of its own
    # An n-gram is a context and a word after it. `own` is how often it came where the history is no
    # longer.
    pairs: Pairs


def fit_kneser_ney(
    sentences: Sentences | NgramCounts,
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
    sentences : Sentences, or NgramCounts of the order
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
    return fit_ngrams(list_ngrams(sentences, order), discount, continuation, form)


def fit_ngrams(
    ngrams: Ngrams,
    discount: float | Literal["estimated", "modified"],
    continuation: Literal["discounted", "uniform", "floor"],
    form: Literal["interpolated", "backoff"] = "interpolated",
) -> BackoffModel:
    """Do what `fit_kneser_ney` says with n-grams, whose ``own`` counts are changed."""
    counts = ngrams.pairs.own
    _count_before(ngrams.pairs.upper, counts)
    lengths = np.repeat(ngrams.tree.depth, np.diff(ngrams.pairs.first))
    fixed = np.zeros((ngrams.order, 4))  # of a count of none, one, two and more
    for length in range(ngrams.order):
        of_length = counts[lengths == length]
        if discount == "modified":
            fixed[length, 1:] = estimate_discounts(of_length)
        elif discount == "estimated":
            fixed[length] = discount_of(count_seldom(of_length))
        else:
            fixed[length] = discount
    return fall_back(ngrams, counts, fixed, np.zeros(ngrams.order), continuation, form)


def fall_back(
    ngrams: Ngrams,
    counts: np.ndarray,
    fixed: np.ndarray,
    shares: np.ndarray,
    continuation: Literal["discounted", "uniform", "floor"],
    form: Literal["interpolated", "backoff"],
    spare: bool = False,
) -> BackoffModel:
    """Return the model in which the discounts of a context go to the next shorter context.

    Parameters
    ----------
    ngrams : Ngrams
    counts : numpy.ndarray of int, shape (pairs,)
        Count of each n-gram.
    fixed : numpy.ndarray, shape (order, any)
        Discounts of a count of none, one, two and so on after histories of each length; the last
        is also that of all larger counts.
    shares : numpy.ndarray, shape (order,)
        Of each count, taken besides. Both together lie between zero and the count.
    continuation, form : str
        See `fit_kneser_ney`.
    spare : bool
        Whether a context whose counts have no discounts gives unseen words one count more. If not,
        it gives them nothing.
    """
    outcomes, order, tree, pairs = ngrams
    probability, factor, start = np.empty(counts.size), np.ones(tree.nodes), 0
    if continuation != "uniform":
        start, root = 1, slice(0, pairs.first[1])
        taken = fixed[0, np.minimum(counts[root], fixed.shape[1] - 1)] + shares[0] * counts[root]
        probability[root], factor[0] = _shortest(
            pairs.word[root], counts[root], taken, outcomes, continuation
        )
    _fill_in(
        tree.depth,
        pairs,
        counts,
        fixed,
        shares,
        outcomes,
        form == "backoff",
        spare,
        start,
        factor,
        probability,
    )
    if not counts.size:
        factor[0] = 1.0
    return BackoffModel(outcomes, order - 1, tree, factor, pairs.first, pairs.word, probability)


@njit(**EXACT)
def _count_before(upper, counts):
    """Add the number of distinct words before each n-gram; one with its whole history has none."""
    for p in range(upper.size):
        if upper[p] != NOWHERE:
            counts[upper[p]] += 1


@njit(**EXACT)
def _fill_in(
    depth, pairs, counts, fixed, shares, outcomes, backs_off, spare, start, factor, probability
):
    """Fill in factors and probabilities context by context, from a number on; parents are first."""
    upper, most = pairs.upper, fixed.shape[1] - 1
    for s in range(start, depth.size):
        here, d = range(pairs.first[s], pairs.first[s + 1]), depth[s]
        falls, is_full = backs_off and d > 0, len(here) == outcomes
        total, freed, below = 0.0, 0.0, 0.0
        for p in here:
            total += counts[p]
            freed += fixed[d, min(counts[p], most)] + shares[d] * counts[p]
            probability[p] = 1 / outcomes if upper[p] == NOWHERE else probability[upper[p]]
            below += probability[p]
        total = total if total > 0.0 else 1.0
        if spare and freed == 0.0 and not is_full:
            total, freed = total + 1.0, 1.0
        left = freed / total
        if falls:  # all is left to the words not seen here, of which the shorter context knows less
            left = 0.0 if is_full else left / (1.0 if below >= 1.0 else 1 - below)
        factor[s] = left
        for p in here:
            taken = fixed[d, min(counts[p], most)] + shares[d] * counts[p]
            kept = taken / total if is_full else 0.0
            added = kept if falls else left * probability[p]
            probability[p] = (counts[p] - taken) / total + added


def list_ngrams(text: Sentences | NgramCounts, order: int) -> Ngrams:
    """Return the n-grams of up to ``order`` words; each context is a node of its own.

    The counts of a text's n-grams of this order have the same ones.
    """
    if isinstance(text, NgramCounts):
        places, weights = _places_of_counts(text, order), text.counts
    else:
        places = places_with_starts(text, order)
        weights = np.broadcast_to(places.text.dtype.type(1), text.n)
    by_history = sort_histories(places)
    tree, leaf = build_tree(places, by_history, collapse=False)
    pairs = list_pairs(tree, leaf, places, text.words, weights, by_history)
    return Ngrams(text.k, order, tree, pairs)


def _places_of_counts(ngrams, order):
    """Return a place for each n-gram: its history is a piece of text of its own."""
    before = ngrams.histories(order)
    kind = narrow_type(max(before.size + len(before), ngrams.k))
    starts = before == NOTHING
    # The start of a sentence is one word of a history.
    lengths = np.minimum((~starts).sum(axis=1) + starts.any(axis=1), order - 1)
    text = np.where(starts, ngrams.k, before).ravel().astype(kind)
    ends = (order - 1) * np.arange(1, len(before) + 1, dtype=kind)
    return Places(text, ends, lengths.astype(kind))


def places_with_starts(sentences: Sentences, order: int) -> Places:
    """Return the places of a text in which every sentence begins with one more word, ``k``."""
    # No number is larger than that of the pairs, or of the start of a sentence.
    kind = narrow_type(max(order * (sentences.n + len(sentences)), sentences.k))
    text = np.insert(sentences.words, sentences.starts[:-1], sentences.k).astype(kind)
    places, sizes = np.arange(sentences.n, dtype=kind), np.diff(sentences.starts)
    ends = places + np.repeat(np.arange(1, sizes.size + 1, dtype=kind), sizes)
    since = places - np.repeat(sentences.starts[:-1].astype(kind), sizes)
    return Places(text, ends, np.minimum(since + kind(1), kind(order - 1)))


def _shortest(seen, counts, taken, outcomes, continuation):
    """Return the empty context's probabilities of seen words, and its factor for all others.

    The factor multiplies the uniform distribution.
    """
    of_all = np.zeros((2, outcomes))
    of_all[:, seen] = counts, taken
    lower = continuation_of(*of_all, taken.sum(), continuation)
    others = np.delete(lower, seen)
    return lower[seen], outcomes * others[0] if others.size else 0.0


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
        raise ValueError("discount = 'modified' requires whole counts, but these have fractions")
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
