"""What PY-LR's folds are dealt out in where counts are no whole numbers.

`python benchmarks/real_counts.py` writes `real_counts.csv` beside this file, each line when it is
known. Each token of a training half's text, or pair drawn from a model, weighs what is drawn for
it. PY-LR deals out units of the weights (`splits.units_of`): all of a distinct pair at once, or
other readings of what one observation weighs. Cross-entropy of the words that follow, nats, or KL
risk.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from constants import load_corpus_of
from lines import write_lines

from condprob import CountMatrix, cross_entropy, draw_model, kl_risk, method
from condprob.pitman_yor import held_out
from condprob.splits import units_of
from reproduction.corpora.corpus import word_pairs

HERE = Path(__file__).parent
DRAWS = 10
WORDS = 3000
PAIRS = (1000, 10_000)
SEED = 4_000_000
WEIGHTS = {
    "one": lambda rng, n: np.ones(n),
    "one half": lambda rng, n: np.full(n, 0.5),
    "1/2 to 3/2": lambda rng, n: rng.uniform(0.5, 1.5, n),
    "exponential": lambda rng, n: rng.exponential(1, n),
    "log-normal": lambda rng, n: rng.lognormal(0, 1, n),
}
UNITS = {  # of weights, what one observation weighs; None is what `units_of` says
    "as built": None,
    "all at once": lambda values: np.inf,
    "median": np.median,
    "mean": np.mean,
    "three medians": lambda values: 3 * np.median(values),
}


def list_cases(draw: int) -> Iterator[tuple]:
    """Yield the name of each case, its counts, and what scores an estimate."""
    rng = np.random.default_rng([SEED, draw])
    for text in ("genesis", "brown"):
        corpus = load_corpus_of(text)
        learned, scored = (word_pairs(corpus.train[i * WORDS :][:WORDS]) for i in (0, 1))
        test = CountMatrix.from_pairs(*scored, corpus.k)
        for name, weigh in WEIGHTS.items():
            weights = weigh(rng, WORDS - 1)
            counts = CountMatrix.from_pairs(*learned, corpus.k, weights=weights)
            yield text, name, counts, lambda fitted, test=test: cross_entropy(test, fitted)
    for n in PAIRS:
        model = draw_model(60, 5, "power-law", 1.2, seed=SEED + draw)
        contexts = rng.choice(60, n, p=model.pi)
        outcomes = np.array([rng.choice(60, p=model.P[i]) for i in contexts])
        for name, weigh in WEIGHTS.items():
            counts = CountMatrix.from_pairs(contexts, outcomes, 60, weights=weigh(rng, n))
            pi, P = model.pi, model.P
            yield f"model, {n:,} pairs", name, counts, lambda Q, pi=pi, P=P: kl_risk(pi, P, Q)


def measure() -> Iterator[str]:
    """Yield the score of each reading, as lines."""
    for draw in range(DRAWS):
        for data, weights, counts, score in list_cases(draw):
            for name, unit in UNITS.items():
                if counts.is_whole and unit is not None:
                    continue

                def units(counts, unit=unit):
                    if counts.is_whole or unit is None:
                        return units_of(counts)
                    found = np.rint(counts.values / unit(counts.values))
                    return np.maximum(found, 1).astype(np.int64)

                with patch.object(held_out, "units_of", units):
                    found = score(method("py-lr", rules="frozen").fit(counts, seed=draw))
                yield f'"{data}","{weights}",{draw},"{name}",{found:.5f}'


def main() -> None:
    """Measure, and write each line when it is known."""
    warnings.simplefilter("ignore")
    write_lines(HERE / "real_counts.csv", "data,weights,draw,unit,score", measure())


if __name__ == "__main__":
    main()
