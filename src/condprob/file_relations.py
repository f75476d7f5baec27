"""How the arrays of a file go together: sparse rows, distributions, trees of contexts."""

import numpy as np

from condprob.checks import check_rising
from condprob.contents import UNIT, Arrays, Sizes
from condprob.entries import blocks, check_sparse_rows, contexts_of, read_part

SPARSE = ("indptr", "outcomes", "values")
SCORES = "scores_only"  # marks a matrix that is none of distributions, as stupid backoff's
SLACK = 1e-9  # how far below zero rounding may take a probability; not measured
NOWHERE = -1  # the parent of a tree's root, in files: the format
AT_ONCE = 1 << 16  # pairs whose factors are multiplied at a time; not measured


def check_pattern(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless the sparse part is one, and what was seen ascends."""
    if "indptr" in arrays:
        check_sparse_rows(*(arrays[name] for name in SPARSE), _shape(sizes))
    if "seen_contexts" in arrays:
        for name, size in zip(("contexts", "outcomes"), _shape(sizes), strict=True):
            seen = arrays[f"seen_{name}"]
            if (np.diff(seen) <= 0).any() or (seen.size and not 0 <= seen[0] <= seen[-1] < size):
                raise ValueError(f"the {name} that were seen must rise within 0..{size - 1}")


def are_distributions(arrays: Arrays) -> bool:
    """Whether all cells of ``S + L R`` are >= 0 and all its rows sum to one, up to rounding.

    So must be the rows of the factors of a low-rank fit.
    """
    left, right = _factor(arrays, "left", "W"), _factor(arrays, "right", "H")
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
                cells = np.einsum("sr,sr->s", left[rows[some]], right.T[columns[some]])
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
    if arrays.get("other_words", np.array(sizes["words"])).item() != sizes["words"]:
        raise ValueError("the words of 'other' do not go with the other arrays")


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
        check_sparse_rows(arrays["first"], arrays["word"], arrays["word"], (nodes, words))

    return check


def check_backed_off(arrays: Arrays, sizes: Sizes) -> None:
    """Raise ValueError unless words seen and the shorter context's others sum to one."""
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


def _factor(arrays: Arrays, name: str, otherwise: str) -> np.ndarray:
    return arrays[name] if name in arrays else arrays[otherwise]


def _shape(sizes: Sizes) -> tuple[int, int]:
    return sizes["contexts"], sizes["outcomes"]


def _words(arrays: Arrays, sizes: Sizes) -> int:
    if "words" in arrays:
        return arrays["words"].item()
    # Of a base outside the library they are unknown: the start of a sentence is the last.
    return sizes.get("words", int(max(arrays["text"].max(initial=1), 1)))
