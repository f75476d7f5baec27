"""PY-LR on much text: time, memory and margin, on 500,000 words of Brown and on all of it.

    python benchmarks/brown.py [--words 500,000] [METHOD ...]

The vocabulary is the training part's: its 20,000 most frequent words, or those that it has twice,
and one more for the unknown, which is scored as any other. One line for each fit: nats per word
with the standard error over 50 stretches of the test words, seconds of the processor, and the most
memory that a process of its own took. They are kept in brown.csv, a line for each method and size:
what is measured again replaces its line. Needs NLTK's Brown.
"""

import argparse
import csv
import resource
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

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
CSV = Path(__file__).parent / "brown.csv"
METHODS = {  # id and options; of the fair rival rank and discount are learned, its starts are fewer
    "kn-modified": ("kn", {"discount": "modified"}),
    "kn-gt": ("kn-gt", {}),
    "kn-ad-lr-learned": ("kn-ad-lr-bins", {"starts": 10}),
    "kn-ad-lr-learned-gt": ("kn-ad-lr-bins", {"starts": 10, "novelty": "good-turing"}),
    "py-lr": ("py-lr", {}),
}
DEFAULT = ("kn-modified", "py-lr")
COLUMNS = ("setting", "method", "n", "types", "unknown", "nats", "error", "seconds", "wall", "gib")


def read_numbers(train, test, types):
    """Return both parts as word numbers, and how many there are; 0 is the unknown word."""
    source = read_source("brown", {"source": "nltk", "package": "brown"})
    words = [word for text in source.texts() for word in TOKENIZERS["reattached"](text)]
    train = min(train, len(words) - test)
    found = Counter(words[:train]).most_common(types)
    known = {word: i + 1 for i, (word, count) in enumerate(found) if count > 1}
    ids = np.array([known.get(word, 0) for word in words[: train + test]])
    return ids[:train], ids[train:], len(known) + 1


def measure(name, setting):
    """Fit one method; print and keep what it took."""
    train, test, k = read_numbers(*SETTINGS[setting])
    counts = CountMatrix.from_pairs(train[:-1], train[1:], k)
    id, options = METHODS[name]
    method(id, **options).fit(CountMatrix.from_pairs([0, 1], [1, 0], 2))  # what is compiled, is
    begin = time.process_time(), time.perf_counter()
    matrix = method(id, **options).fit(counts, seed=0)
    seconds = time.process_time() - begin[0], time.perf_counter() - begin[1]
    losses = pair_losses(test[:-1], test[1:], matrix)
    means = np.array([part.mean() for part in np.array_split(losses, STRETCHES)])
    error = means.std(ddof=1) / np.sqrt(STRETCHES)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    row = (setting, name, train.size, k, f"{np.mean(test == 0):.4f}", f"{losses.mean():.4f}",
           f"{error:.4f}", f"{seconds[0]:.3g}", f"{seconds[1]:.3g}", f"{most:.2f}")  # fmt: skip
    print(dict(zip(COLUMNS, row, strict=True)), flush=True)
    keep(row)


def keep(row):
    """Put a line in the place of the one of its setting and method."""
    rows = []
    if CSV.exists():
        with CSV.open(encoding="utf-8", newline="") as file:
            rows = [old for old in list(csv.reader(file))[1:] if old[:2] != list(row[:2])]
    with CSV.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows, row])


def main():
    """Measure each method at each size, in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", default="", help="sizes whose name begins so, such as 500,000")
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(METHODS))
    asked = parser.parse_args()
    for setting in (each for each in SETTINGS if each.startswith(asked.words)):
        for name in asked.methods or DEFAULT:
            process = get_context("spawn").Process(target=measure, args=(name, setting))
            process.start()
            process.join()


if __name__ == "__main__":
    main()
