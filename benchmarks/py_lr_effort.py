"""Loss and seconds of py-lr by effort, beside Kneser-Ney: pairs of words of Brown as a table.

    python benchmarks/py_lr_effort.py

Words that the training part has once are one word, "rare", as are words that it does not have. The
next 20,000 words are the test set. Seconds are of the processor, on one thread, and the median of
fits one after the other. Writes benchmarks/py_lr_effort.csv, the table of docs/py-lr.md.
"""

from collections import Counter
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from nltk.corpus import brown

import condprob

PAIRS, TEST, TIMES = (1_000, 10_000, 100_000, 1_000_000), 20_000, 3
METHODS = {
    "kn": condprob.method("kn", discount="modified"),
    "light": condprob.method("py-lr", effort="light"),
    "full": condprob.method("py-lr"),
}


def count(words, vocabulary, n):
    """Return the counts of the pairs of a training text of ``n`` pairs, and of its test text."""
    ids = np.array([vocabulary.get(word, 0) for word in words])
    k, cut = len(vocabulary) + 1, n + 1
    parts = (ids[:-1][:n], ids[1:][:n]), (ids[n:-1], ids[cut:])
    return [condprob.CountMatrix.from_pairs(*part, k) for part in parts]


def measure(words, n):
    """Return the row of the table for the first ``n`` pairs."""
    seen = Counter(words[: n + 1])
    vocabulary = {word: at for at, word in enumerate((w for w in seen if seen[w] > 1), 1)}
    train, test = count(words[: n + 1 + TEST], vocabulary, n)
    row, seconds, losses = {"pairs": n, "distinct": train.nnz}, {}, {}
    for seed in range(TIMES):
        for name, estimator in METHODS.items():
            begun = process_time()
            matrix = estimator.fit(train, seed=seed)
            seconds.setdefault(name, []).append(process_time() - begun)
            losses.setdefault(name, []).append(condprob.cross_entropy(test, matrix))
    row |= {f"nats_{name}": round(np.mean(each), 3) for name, each in losses.items()}
    return row | {f"seconds_{name}": float(f"{np.median(s):.2g}") for name, s in seconds.items()}


def main():
    """Measure every size, after a fit of each method that compiles."""
    words = [word.lower() for word in brown.words()]
    measure(words, PAIRS[0])
    table = pd.DataFrame([measure(words, n) for n in PAIRS])
    table.to_csv(Path(__file__).with_suffix(".csv"), index=False)


if __name__ == "__main__":
    main()
