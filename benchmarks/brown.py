"""PY-LR on much text: time, memory and margin, on 500,000 words of Brown and on all of it.

    python benchmarks/brown.py [--words 500,000] [--seeds 10] [METHOD ...]

The vocabulary is the training part's: its 20,000 most frequent words, or those that it has twice,
and one more for the unknown, which is scored as any other. One line for each method at each size:
nats per word, mean over the seeds, with the standard error over 50 stretches of the test words and
the standard deviation over seeds; by how much it is behind PY-LR, with a 95 % interval over the
stretches, on which both are compared; seconds of the processor, the least of the seeds; and the
most memory that a process of its own took. They are kept in brown.csv: what is measured again
replaces its line. Needs NLTK's Brown.
"""

import argparse
import csv
import resource
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from condprob import CountMatrix, method
from condprob.catalogue import METHODS as RECORDS
from condprob.risk import pair_losses
from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.sources import read_source
from reproduction.scores.intervals import student_interval

SETTINGS = {  # words to train on, test words, and types at most
    "500,000 words, 20,000 types": (500_000, 100_000, 20_000),
    "all, words seen twice": (1_000_000, 100_000, None),
}
STRETCHES = 50
CSV = Path(__file__).parent / "brown.csv"
OURS = "py-lr"
METHODS = {  # id and options; of the fair rival rank and discount are learned, its starts are fewer
    "kn-modified": ("kn", {"discount": "modified"}),
    "kn-gt": ("kn-gt", {}),
    "kn-ad-lr-learned": ("kn-ad-lr-bins", {"starts": 10}),
    "kn-ad-lr-learned-gt": ("kn-ad-lr-bins", {"starts": 10, "novelty": "good-turing"}),
    OURS: ("py-lr", {}),
    "py-lr-96": ("py-lr", {"largest_rank": 96}),
}
DEFAULT = (OURS, "kn-modified", "kn-ad-lr-learned-gt")
COLUMNS = ("setting", "method", "n", "types", "unknown", "seeds", "nats", "error", "sd", "behind",
           "low", "high", "seconds", "gib")  # fmt: skip


@cache
def read_numbers(train, test, types):
    """Return both parts as word numbers, and how many there are; 0 is the unknown word."""
    source = read_source("brown", {"source": "nltk", "package": "brown"})
    words = [word for text in source.texts() for word in TOKENIZERS["reattached"](text)]
    train = min(train, len(words) - test)
    found = Counter(words[:train]).most_common(types)
    known = {word: i + 1 for i, (word, count) in enumerate(found) if count > 1}
    ids = np.array([known.get(word, 0) for word in words[: train + test]])
    return ids[:train], ids[train:], len(known) + 1


def fit(name, setting, seed):
    """Return the mean loss of each stretch, the seconds of the processor and the memory, GiB."""
    train, test, k = read_numbers(*SETTINGS[setting])
    counts = CountMatrix.from_pairs(train[:-1], train[1:], k)
    id, options = METHODS[name]
    method(id, **options).fit(CountMatrix.from_pairs([0, 1], [1, 0], 2))  # what is compiled, is
    begin = time.process_time()
    matrix = method(id, **options).fit(counts, seed=seed)
    seconds = time.process_time() - begin
    losses = pair_losses(test[:-1], test[1:], matrix)
    means = [part.mean() for part in np.array_split(losses, STRETCHES)]
    return np.array(means), seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def measure(name, setting, seeds):
    """Return what `fit` does of each seed, in one process of its own: three arrays."""
    seeds = range(seeds if RECORDS[METHODS[name][0]].random else 1)
    how = {"max_workers": 1, "mp_context": get_context("spawn")}
    with ProcessPoolExecutor(**how) as pool:
        found = []
        for seed in seeds:
            found.append(pool.submit(fit, name, setting, seed).result())
            told = f"{found[-1][0].mean():.4f} nats, {found[-1][1]:.3g} s"
            print(f"{setting}: {name}, seed {seed}: {told}", flush=True)
    return tuple(map(np.array, zip(*found, strict=True)))


def list_rows(setting, methods, seeds):
    """Yield a line for each method; PY-LR is measured first, whether it is asked for or not."""
    train, test, k = read_numbers(*SETTINGS[setting])
    ours, *told = measure(OURS, setting, seeds)
    for name in dict.fromkeys(methods):
        means, seconds, gib = (ours, *told) if name == OURS else measure(name, setting, seeds)
        of_stretches = means.mean(axis=0)
        behind, low, high = student_interval(of_stretches - ours.mean(axis=0))
        error = of_stretches.std(ddof=1) / np.sqrt(STRETCHES)
        sd = means.mean(axis=1).std(ddof=1) if len(means) > 1 else 0.0
        yield (setting, name, train.size, k, f"{np.mean(test == 0):.4f}", len(means),
               f"{of_stretches.mean():.4f}", f"{error:.4f}", f"{sd:.4f}", f"{behind:.4f}",
               f"{low:.4f}", f"{high:.4f}", f"{seconds.min():.3g}", f"{gib.max():.2f}")  # fmt: skip


def keep(row):
    """Put a line in the place of the one of its setting and method."""
    rows = []
    if CSV.exists():
        with CSV.open(encoding="utf-8", newline="") as file:
            rows = [old for old in list(csv.reader(file))[1:] if old[:2] != list(row[:2])]
    with CSV.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *rows, row])


def main():
    """Measure each method at each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", default="", help="sizes whose name begins so, such as 500,000")
    parser.add_argument("--seeds", type=int, default=10, help="of each method with randomness")
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(METHODS))
    asked = parser.parse_args()
    for setting in (each for each in SETTINGS if each.startswith(asked.words)):
        for row in list_rows(setting, asked.methods or DEFAULT, asked.seeds):
            print(dict(zip(COLUMNS, row, strict=True)), flush=True)
            keep(row)


if __name__ == "__main__":
    main()
