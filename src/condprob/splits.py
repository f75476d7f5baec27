"""Random splits of data into a part to fit and a part to test, each a design of its own.

`hold_out` thins counts, `choose_pairs` takes whole distinct pairs, `split_text` sentences, and
`halve` deals each count out to two halves. Who is held out differs, and with it what is measured:
none of them replaces another. `Sentences.split` cuts a text at a place that is not random.
"""

from typing import NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix

TUNING_SHARE = 0.1  # share of the training data that is held out for one setting; not measured
# The unit of real counts, times their mean: 570a500:docs/settings.md, "Counts that are not whole".
UNIT_OF_REAL_COUNTS = 2.0
MOST_UNITS = 10**9  # of a real count, far above the repetitions in a text; not measured
MULTIPLE_TOLERANCE = 1e-9  # relative error of a whole multiple; not measured


class Split(NamedTuple):
    """Counts in two parts, whose sum they are."""

    rest: CountMatrix  # the training part
    held_out: CountMatrix


def take_out(counts: CountMatrix, drawn: np.ndarray) -> Split:
    """Return the two parts of counts of which ``drawn``, shape (nnz,), is held out."""
    pairs = counts.contexts, counts.outcomes
    return Split(
        *(
            CountMatrix.from_pairs(*pairs, shape=counts.shape, weights=values)
            for values in (counts.values - drawn, drawn)
        )
    )


def units_of(counts: CountMatrix) -> np.ndarray:
    """Return in how many parts each count can be dealt out, int64, shape (nnz,), at least one.

    The unit is one observation: one of a whole count; the smallest count if all are its multiples;
    otherwise unknown, and twice the mean count stands for it. Larger units would hold out all of a
    pair or nothing, so that the training part would seem useless for it. Smaller units would cut an
    observation in two, so that the training part would seem to know all of it.
    """
    if counts.is_whole or not counts.nnz:
        return counts.values.astype(np.int64)
    units = counts.values / counts.values.min()
    if not np.allclose(units, np.rint(units), rtol=MULTIPLE_TOLERANCE, atol=0.0):
        units = counts.values / (UNIT_OF_REAL_COUNTS * counts.values.mean())
    return np.clip(np.rint(units), 1, MOST_UNITS).astype(np.int64)


def weigh_units(counts: CountMatrix, units: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the weight of ``drawn`` of the ``units`` of each count, shape (nnz,)."""
    return drawn if counts.is_whole else counts.values * (drawn / units)


def hold_out(counts: CountMatrix, share: float, seed: Seed) -> Split:
    """Hold out a random share of the counts.

    Each unit of a count is held out with probability ``share``: see `units_of`.
    """
    units = units_of(counts)
    drawn = np.random.default_rng(seed).binomial(units, share)
    return take_out(counts, weigh_units(counts, units, drawn))


def choose_pairs(
    contexts: np.ndarray, outcomes: np.ndarray, is_seen: np.ndarray, share: float, seed: Seed
) -> np.ndarray:
    """Return which rows of pairs are for the test, a truth for each, shape (rows,).

    A share of the distinct pairs that were seen is chosen, and all rows of a pair go together. The
    first pair of each context, in the order of the outcomes, is never chosen.
    """
    columns = int(outcomes.max(initial=0)) + 1
    numbers = contexts * columns + outcomes
    distinct, which = np.unique(numbers[is_seen], return_inverse=True)
    is_test = np.random.default_rng(seed).random(distinct.size) < share
    is_test[np.unique(distinct // columns, return_index=True)[1]] = False
    chosen = np.zeros(numbers.size, dtype=bool)
    chosen[is_seen] = is_test[which]
    return chosen


def split_text(sentences: list[list[str]], share: float, seed: Seed) -> tuple[list, list]:
    """Hold out whole sentences of a text, one at least and not all; of one its last words."""
    count = len(sentences)
    if not any(sentences):
        raise ValueError("the text has no words")
    if count == 1:
        (words,) = sentences
        if len(words) < 2:
            raise ValueError("the text has one word: at least two are required")
        cut = len(words) - max(round(share * len(words)), 1)
        return [words[:cut]], [words[cut:]]
    drawn = np.random.default_rng(seed).permutation(count)
    held_out = {*drawn[: min(max(round(share * count), 1), count - 1)].tolist()}
    parts: tuple[list, list] = ([], [])
    for place, sentence in enumerate(sentences):
        parts[place in held_out].append(sentence)
    return parts


def halve(counts: CountMatrix, seed: Seed) -> Split:
    """Deal each count out to two halves; the fraction of a weight goes to one of them whole."""
    rng = np.random.default_rng(seed)
    whole = np.floor(counts.values).astype(np.int64)
    half, beyond = rng.binomial(whole, 0.5), counts.values - whole
    if beyond.any():
        half = half + beyond * rng.integers(2, size=beyond.size)
    return take_out(counts, half)
