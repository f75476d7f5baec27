"""The size of a run, estimated before it: points, settings and memory."""

import os
from math import prod

from condprob.checks import memory_of_machine
from reproduction.config.schema import show
from reproduction.methods import METHODS

MOST = 100_000  # points of an exhibit, and settings that a method sweeps
GB = 10**9
ROW = 200  # bytes of a row of scores in memory
CELL = 3e-8  # seconds of a processor for a cell of a model in its exact risk; measured at k = 3,000
LONG = 600  # seconds of an exhibit, from which on they are worth a line
# Stretches of a test text whose losses are kept apart, for block bootstraps: rows that a fit gives.
BLOCKS = 50


def most_words(corpus):
    """Return how many words a text has at most, and why; None where that is not known.

    Whatever the encoding, a word takes a byte, and but for wordpunct another that ends it.
    """
    if "words" in corpus:
        return corpus["words"], "words"
    if os.path.isfile(corpus.get("path", "")):
        size = os.path.getsize(corpus["path"])
        words = size if corpus.get("tokenizer") == "wordpunct" else (size + 1) // 2
        return words, f"the {size:,} bytes of {show(corpus['path'])}"
    return None


def size_of_sweep(method, _):
    """Yield that a method sweeps too many settings, if it does."""
    settings = prod(len(value) for value in method.values() if isinstance(value, list))
    if settings > MOST:
        yield (), f"sweeps {settings:,} settings; must be at most {MOST:,}"


def size_of_exhibit(exhibit, right):
    """Yield that an exhibit has too many points, or that a job of it takes too much memory.

    A job may take ``memory_gb`` of the configuration, or by default all memory of this machine.
    """
    axes = [exhibit.get(key, ()) for key in ("k_values", "rank_values", "n_values", "corpora")]
    points = prod(max(len(values), 1) for values in axes)
    if points > MOST:
        yield (), f"has {points:,} points; must be at most {MOST:,}"
        return
    given = right.get("memory_gb")
    limit, whose = (
        (memory_of_machine(), "this machine has") if given is None else (given * GB, "memory_gb is")
    )
    taken, why = _memory_of_exhibit(exhibit, right["methods"])
    if taken > limit:
        text = f"a job takes {_in_gb(taken)} GB of memory, at least, with {why}; {whose}"
        yield (), f"{text} {_in_gb(limit)}"


def seconds_of_exhibit(exhibit):
    """Return the seconds that the exact risks of drawn models take, at least; 0 for texts."""
    if "k_values" not in exhibit:
        return 0.0
    cells = sum(k * exhibit.get("outcomes", k) for k in exhibit["k_values"])
    points = len(exhibit["rank_values"]) * len(exhibit["n_values"])
    return CELL * cells * points * exhibit["trials"] * len(exhibit["methods"])


def _in_gb(size):
    return f"{size / GB:,.1f}" if size >= GB else f"{size / GB:.2g}"


def _memory_of_exhibit(exhibit, methods):
    """Return how many bytes its largest job takes, at least, and with what.

    The ``k`` of a text is not known before it is read: it is at least 2.
    """
    k, rank = max(exhibit.get("k_values", [2])), exhibit.get("rank", 1)
    rank = max(exhibit.get("rank_values", [rank]))
    n, trials = max(exhibit.get("n_values", [1])), exhibit.get("trials", 1)
    seeds, blocks = (exhibit.get("seeds", 1), BLOCKS) if "corpora" in exhibit else (1, 1)
    outcomes = exhibit.get("outcomes", k)
    models = 8 * trials * (k * (rank + 1) + rank * outcomes) if "k_values" in exhibit else 0
    used = [each for each in exhibit.get("methods", []) if each in methods]
    fits = {each: _memory_of_fit(methods[each], (k, outcomes), rank) for each in used}
    largest = max(fits, key=fits.get, default="no method")
    rows = trials * seeds * len(used) * blocks * ROW
    sizes = {"k": k, "rank": rank, "trials": trials, "seeds": seeds}
    why = ", ".join(f"{size} = {value:,}" for size, value in sizes.items() if value > 2)
    taken = models + fits.get(largest, 0) + rows + 24 * min(n, k * outcomes)
    return taken, f"{why} and {largest}" if why else largest


def _memory_of_fit(entry, shape, rank):
    """Return what the largest fit of an entry of ``methods`` takes; 0 if it cannot be made."""
    if entry.get("method") not in METHODS:
        return 0
    known, options = METHODS[entry["method"]].options, {}
    if "rank" in known:
        options["rank"] = rank
    for name in known.keys() & entry.keys():
        values = entry[name] if isinstance(entry[name], list) else [entry[name]]
        numbers = [value for value in values if isinstance(value, int)]
        options[name] = max(numbers) if numbers else values[0]
    try:
        return METHODS[entry["method"]].estimator(**options).memory(shape)
    except ValueError:  # `checks` reports it at the entry of the method
        return 0
