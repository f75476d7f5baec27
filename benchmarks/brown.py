"""PY-LR on much text: time, memory and margin, on 500,000 words of Brown and on all of it.

    python benchmarks/brown.py [METHOD ...]

The vocabulary is the training part's: its 20,000 most frequent words, or those that it has twice,
and one more for the unknown, which is scored as any other. One line for each fit: nats per word
with the standard error over 50 stretches of the test words, seconds of the processor, and the most
memory that a process of its own took. Needs NLTK's Brown.
"""

import resource
import sys
import time
from collections import Counter
from multiprocessing import get_context

import numpy as np

from condprob import CountMatrix, method
from condprob.risk import pair_losses
from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.sources import read_source

SETTINGS = {  # words to train on, test words, and types at most
    "500,000 words, 20,000 types": (500_000, 100_000, 20_000),
    "all, words seen twice": (1_000_000, 100_000, None),
}
STRETCHES = 50
DEFAULT = ("kn", "py-lr")


def read_numbers(train, test, types):
    """Return both parts as word numbers, and how many there are; 0 is the unknown word."""
    source = read_source("brown", {"source": "nltk", "package": "brown"})
    words = [word for text in source.texts() for word in TOKENIZERS["reattached"](text)]
    train = min(train, len(words) - test)
    found = Counter(words[:train]).most_common(types)
    known = {word: i + 1 for i, (word, count) in enumerate(found) if count > 1}
    ids = np.array([known.get(word, 0) for word in words[: train + test]])
    return ids[:train], ids[train:], len(known) + 1


def measure(id, setting):
    """Fit one method and print what it took."""
    train, test, k = read_numbers(*SETTINGS[setting])
    counts = CountMatrix.from_pairs(train[:-1], train[1:], k)
    options = {"discount": "modified"} if id == "kn" else {}
    method(id, **options).fit(CountMatrix.from_pairs([0, 1], [1, 0], 2))  # what is compiled, is
    begin = time.process_time(), time.perf_counter()
    matrix = method(id, **options).fit(counts, seed=0)
    seconds = time.process_time() - begin[0], time.perf_counter() - begin[1]
    losses = pair_losses(test[:-1], test[1:], matrix)
    means = np.array([part.mean() for part in np.array_split(losses, STRETCHES)])
    error = means.std(ddof=1) / np.sqrt(STRETCHES)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{setting}: {id}, n = {train.size:,}, k = {k:,}, {np.mean(test == 0):.1%} unknown: "
        f"{losses.mean():.4f} +- {error:.4f}, {seconds[0]:.1f} s of the processor, "
        f"{seconds[1]:.1f} s in all, {most:.2f} GiB",
        flush=True,
    )


if __name__ == "__main__":
    for setting in SETTINGS:
        for id in sys.argv[1:] or DEFAULT:
            process = get_context("spawn").Process(target=measure, args=(id, setting))
            process.start()
            process.join()
