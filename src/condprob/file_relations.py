"""How the arrays of a file go together: sparse rows, distributions, trees of contexts."""

import numpy as np

from condprob.checks import check_rising
from condprob.contents import UNIT, Arrays, Sizes
from condprob.entries import (
    blocks,
    check_sparse_rows,
    contexts_of,
    products_of_pairs,
    read_part,
)

SPARSE = ("indptr", "outcomes", "values")
SCORES = "scores_only"  # marks a matrix that is none of distributions, as stupid backoff's
SLACK = 1e-9  # how far below zero rounding may take a probability; not measured
NOWHERE = -1  # the parent of a tree's root, in files: the format
# Pairs whose cells are looked at together, which also bounds what is copied of a mapped factor; not
# measured.
AT_ONCE = 1 << 16
# What files call the factors of a matrix: the first of each that is there.
_FACTORS = (("left", "right"), ("W", "H"), ("of_contexts", "of_outcomes"))


def check_pattern(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless the sparse part is one, and what was seen ascends."""
    if "indptr" in arrays:
        check_sparse_rows(*(arrays[name] for name in SPARSE), _shape(sizes))
    if "seen_contexts" in arrays:
        for name, size in zip(("contexts", "outcomes"), _shape(sizes), strict=True):
            seen = arrays[f"seen_{name}"]
            if (np.diff(seen) <= 0).any() or (seen.size and not 0 <= seen[0] <= seen[-1] < size):
                raise ValueError(f"the {name} that were seen must rise within 0..{size - 1}")


def check_alike(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless contexts and outcomes that were not seen are alike, each like all.

    One of them stands for all where rows are added up.
    """
    if "seen_contexts" not in arrays:
        return
    left, right = (_factor(arrays, *names) for names in zip(*_FACTORS, strict=True))
    unseen = []
    for name, size in zip(("contexts", "outcomes"), _shape(sizes), strict=True):
        unseen.append(np.ones(size, dtype=bool))
        unseen[-1][arrays[f"seen_{name}"]] = False
    _check_equal_rows(left, np.flatnonzero(unseen[0]), "contexts")
    for rows in (right.T, arrays["base"][:, None]) if "base" in arrays else (right.T,):
        _check_equal_rows(rows, np.flatnonzero(unseen[1]), "outcomes")
    if "indptr" in arrays:
        outcomes = arrays["outcomes"]
        is_met = np.diff(arrays["indptr"])[unseen[0]].any() or any(
            unseen[1][read_part(outcomes, part)].any() for part in blocks(outcomes.size)
        )
        if is_met:
            raise ValueError("what is said not to be seen has entries")


def _check_equal_rows(rows: np.ndarray, unseen: np.ndarray, name: str) -> None:
    """Raise ValueError unless the rows of unseen labels are those of the first, up to rounding."""
    slack = SLACK * _largest(rows[unseen[:1]])
    for some in np.array_split(unseen, unseen.size * rows.shape[1] // AT_ONCE + 1):
        if not np.allclose(rows[some], rows[unseen[:1]], rtol=0, atol=slack):
            raise ValueError(f"the {name} that were not seen are not alike")


def check_scores(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless rounding of scores of low rank moves no probability.

    A score is off by as much as its terms, times what one bit is worth; by a softmax, so is the
    logarithm of a probability. Other links ask that all scores are finite.
    """
    left, right = arrays["of_contexts"], arrays["of_outcomes"]
    if left.dtype != np.float64 or right.dtype != np.float64:
        raise ValueError("its factors must be numbers of 64 bits")
    is_softmax = arrays["link"] == "softmax"
    most = UNIT / np.finfo(float).eps if is_softmax else _most_of([left, right])
    with np.errstate(over="ignore"):
        scores = _largest(left, 0) @ _largest(right, 1)
    if not scores <= most:
        raise ValueError("its scores are too large")


def _most_of(arrays: list[np.ndarray]) -> float:
    """Return a size of numbers of the types of arrays up to which their products are finite."""
    return min(float(np.sqrt(np.finfo(array.dtype).max)) for array in arrays)


def _largest(array: np.ndarray, axis: int | None = None) -> np.ndarray:
    """Return the largest size of a number, or along an axis, in 64 bits; zero of none."""
    largest = np.maximum(array.max(axis, initial=0), -array.min(axis, initial=0))
    return largest.astype(float)


def are_distributions(arrays: Arrays) -> bool:
    """Whether all cells of ``S + L R`` are >= 0 and all its rows sum to one, up to rounding.

    So must be the rows of the factors of a low-rank fit.
    """
    left, right = (_factor(arrays, *names) for names in zip(*_FACTORS, strict=True))
    if not (is_nowhere_negative(left) and is_nowhere_negative(right)):
        return False
    fitted = [arrays[name] for name in "WH" if name in arrays]
    if not all(is_nowhere_negative(f) and (abs(f.sum(axis=1) - 1) <= UNIT).all() for f in fitted):
        return False
    sums = left @ right.sum(axis=1)
    if "indptr" in arrays:
        indptr, outcomes, values = (arrays[name] for name in SPARSE)
        for part in blocks(values.size):
            above, columns = read_part(values, part), read_part(outcomes, part)
            rows = contexts_of(indptr, part)
            sums += np.bincount(rows, above, minlength=sums.size)
            # Where the sparse part takes away, the product must have as much.
            takes = np.flatnonzero(above < 0)
            for some in np.array_split(takes, takes.size // AT_ONCE + 1):
                cells = products_of_pairs(left, right, rows[some], columns[some])
                if (cells + above[some] < -SLACK).any():
                    return False
    return bool((abs(sums - 1) <= UNIT).all())


def is_nowhere_negative(factor: np.ndarray) -> bool:
    """Whether all entries are >= 0."""
    return not factor.size or bool(factor.min() >= 0)


def check_distributions(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless rows are distributions, where a file does not say otherwise."""
    if SCORES in arrays and not arrays[SCORES]:
        raise ValueError(f"{SCORES} is a mark, and true where it stands")
    if SCORES not in arrays and not are_distributions(arrays):
        raise ValueError("its rows are no distributions: they must be >= 0 and sum to one")


def check_rows_of(name: str):
    """Return a relation: an array is a distribution, or has them as rows."""

    def check(arrays: Arrays, sizes: Sizes) -> None:
        if (abs(arrays[name].sum(axis=-1) - 1) > UNIT).any():
            raise ValueError(f"{name} do not sum to one")

    return check


def check_courses(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless the course of each fit is numbers up to its end, and NaN after."""
    is_over = np.isnan(arrays.get("history", np.empty(0)))
    if (is_over[..., :-1] & ~is_over[..., 1:]).any():
        raise ValueError("the course of a fit must be numbers up to its end")


def check_histories(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless histories are of the words, and each is a context of the matrix.

    They are all words and then the start of a sentence, or any in lexicographic order, distinct,
    with one context more for all others.
    """
    histories = arrays["histories"]
    words = sizes.get("outcomes", 2**62)  # unknown of a class outside the library
    if histories.size and not -1 <= histories.min() <= histories.max() < words:
        raise ValueError(f"histories must lie within -1..{words - 1}")
    if "pairs" in arrays and arrays["pairs"].item() > len(histories) * words:
        raise ValueError(f"{arrays['pairs']} pairs of {len(histories)} histories are not possible")
    starts = np.append(np.arange(len(histories) - 1), -1)[:, None]
    is_bigram = len(histories) == words + 1 and np.array_equal(histories, starts)
    if not is_bigram and not _rise(histories):
        raise ValueError("histories must be distinct and rise")
    contexts = len(histories) + (not is_bigram)
    if sizes.get("contexts", contexts) != contexts:
        raise ValueError("the contexts of 'matrix' do not go with the histories")


def _rise(histories):
    """Whether they are distinct and in lexicographic order."""
    before, after = histories[:-1], histories[1:]
    if not histories.shape[1]:
        return not len(before)
    column = (before != after).argmax(axis=1)[:, None]
    rises = np.take_along_axis(after, column, 1) > np.take_along_axis(before, column, 1)
    return bool(rises.all())


def check_network(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless the layers of a network, and the n-grams beside it, go together."""
    inputs, features = sizes["inputs"], sizes["hidden"] + 1
    if inputs != arrays["longest"].item() * sizes["size"]:
        raise ValueError("a network must have inputs for each word of its histories")
    if sizes["features"] not in (features, features + inputs):
        raise ValueError("a network must have weights for each of its features")
    layers = [arrays[name] for name in ("embedding", "inward", "offset", "outward")]
    most, (of_input, of_inward, of_offset, _) = _most_of(layers), map(_largest, layers)
    # A layer's numbers are at most the sum of their terms; what tanh leaves is at most one.
    with np.errstate(over="ignore"):
        inner = of_offset + of_input * of_inward * inputs
        outer = max(of_input, 1.0) * _largest(arrays["outward"], 1).sum()
    if not (inner <= most and outer <= most):
        raise ValueError("its scores are too large")


def check_tree(last: int):
    """Return a relation: arrays are a tree of contexts; texts have words up to ``words + last``."""

    def check(arrays: Arrays, sizes: Sizes) -> None:
        words, longest = _words(arrays, sizes), arrays["longest"].item()
        parent, depth, ends = (arrays[name] for name in ("parent", "depth", "ends"))
        nodes, text = parent.size, arrays["text"]
        if not 1 <= words < 2**62 // max(nodes, 1) or not 0 <= longest < 2**20:
            raise ValueError(f"{words} words and histories of {longest} are not possible")
        if text.size and not 0 <= text.min() <= text.max() <= words + last:
            raise ValueError(f"its text must lie within 0..{words + last}")
        if not nodes or parent[0] != NOWHERE or depth[0] != 0:
            raise ValueError("its tree of contexts has no root")
        upper = parent[1:]
        if (upper < 0).any() or (upper >= np.arange(1, nodes)).any():
            raise ValueError("parents must stand before their children")
        if (depth[1:] <= depth[upper]).any() or depth.max() > longest:
            raise ValueError(f"depths must rise from parents to children, up to {longest}")
        if (ends < depth).any() or (ends > text.size).any():
            raise ValueError("contexts must stand in the text")
        if not _extend(text, ends[1:], ends[upper], depth[upper]):
            raise ValueError("the words of a context must begin with those of its parent")
        following = text[ends[1:] - 1 - depth[upper]]  # the word by which a child is found
        edges = np.sort(upper.astype(np.int64) * (words + last + 1) + following)
        if (edges[1:] == edges[:-1]).any():
            raise ValueError("a context must not be there twice")
        check_sparse_rows(arrays["first"], arrays["word"], arrays["word"], (nodes, words))

    return check


def _extend(text, ends, others, lengths) -> bool:
    """Whether so many words of a text up to one end are those up to the other, for all ends.

    The words of each stretch of 1, 2, 4 and so on words get a number, equal ones the same; others
    are two such stretches, which may overlap. So it costs a sort of the text for each doubling.
    """
    size, numbers, longest = 1, text, lengths.max(initial=0)
    while size <= longest:
        some = (lengths >= size) & (lengths < 2 * size)
        one, other, rest = ends[some] - 1, others[some] - 1, lengths[some] - size
        is_same = (numbers[one] == numbers[other]) & (numbers[one - rest] == numbers[other - rest])
        if not is_same.all():
            return False
        if 2 * size <= longest:  # before its 2 * size words a place has no number of its own
            numbers = np.unique(numbers, return_inverse=True)[1].ravel()
            pairs = numbers * text.size  # in 64 bits: both are numbers of places
            pairs[size:] += numbers[:-size]
            numbers = np.unique(pairs, return_inverse=True)[1].ravel()
        size *= 2
    return True


def check_backed_off(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless words seen and the shorter context's others sum to one."""
    parent, depth = arrays["parent"], arrays["depth"]
    if (depth[1:] != depth[parent[1:]] + 1).any():
        raise ValueError("a context must have one word more than its parent")
    if (abs(sums_backed_off(arrays, _words(arrays, sizes)) - 1) > UNIT).any():
        raise ValueError("its rows are no distributions: they must sum to one")


def sums_backed_off(arrays: Arrays, words: int) -> np.ndarray:
    """Return the sum of each context's row, shape (contexts,), if that of the next shorter is one.

    It is that of the words seen after it, and of what it leaves to the others.
    """
    factor, seen = arrays["factor"], arrays["probability"]
    node = np.repeat(np.arange(factor.size), np.diff(arrays["first"]))
    shorter, place = climb(arrays, node, words, factor)
    shorter = np.where(place >= 0, shorter * seen[place], shorter / words)
    left = 1 - np.bincount(node, shorter, minlength=factor.size)
    return np.bincount(node, seen, minlength=factor.size) + factor * left


def check_normalised(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless scores add up over contexts, and normalisers are their sums."""
    words, factor, start = _words(arrays, sizes), arrays["factor"], arrays["start"]
    parent, depth, first = (arrays[name] for name in ("parent", "depth", "first"))
    node = np.repeat(np.arange(factor.size), np.diff(first))
    check_rising(start, arrays["weight"].size, "where weights begin")
    own = np.where(parent >= 0, depth - depth[parent], 1)[node]
    weights = np.diff(start)
    if ((weights != 1) & (weights != own)).any():
        raise ValueError("a pair must have one weight, or one for each of its contexts")
    added = np.add.reduceat(arrays["weight"], start[:-1]) if node.size else np.zeros(0)
    score = arrays["before"] + np.where(weights == 1, own, 1) * added
    _, place = climb(arrays, node, words, np.ones(factor.size))
    before = np.where(place >= 0, score[place], 0.0) if node.size else score
    if not np.allclose(before, arrays["before"], rtol=UNIT, atol=UNIT):
        raise ValueError("scores before must be those of the shorter contexts")
    with np.errstate(over="ignore"):
        powers = np.exp(score) - np.exp(before)
    sums = np.bincount(node, powers, minlength=factor.size).astype(float)  # even of none
    sums += np.where(parent >= 0, factor[parent], words)
    if not (factor > 0).all() or not np.allclose(sums, factor, rtol=UNIT, atol=0):
        raise ValueError("normalisers must be the sums of what they normalise")


def climb(arrays, node, words, factor):
    """Return what is behind the pairs of each context, in the nearest shorter one that has them.

    That are the product of the factors of the contexts between, and the place of the pair; -1 where
    no context has it.
    """
    # Files have integers in 32 bits where they fit; a node times the number of words may not fit.
    parent, word = (arrays[name].astype(np.int64, copy=False) for name in ("parent", "word"))
    keys = node * words + word
    upper = parent[node]
    product, place = np.ones(node.size), np.full(node.size, -1)
    waiting = np.flatnonzero(upper >= 0)
    while waiting.size:
        wanted = upper[waiting] * words + word[waiting]
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        is_there = keys[found] == wanted
        place[waiting[is_there]] = found[is_there]
        waiting = waiting[~is_there]
        product[waiting] *= factor[upper[waiting]]
        upper[waiting] = parent[upper[waiting]]
        waiting = waiting[upper[waiting] >= 0]
    return product, place


def _factor(arrays: Arrays, *names: str) -> np.ndarray:
    return next(arrays[name] for name in names if name in arrays)


def _shape(sizes: Sizes) -> tuple[int, int]:
    return sizes["contexts"], sizes["outcomes"]


def _words(arrays: Arrays, sizes: Sizes) -> int:
    if "words" in arrays:
        return arrays["words"].item()
    # Of a base outside the library they are unknown: the start of a sentence is the last.
    return sizes.get("words", int(max(arrays["text"].max(initial=1), 1)))
