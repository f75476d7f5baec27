"""When PY-LR leaves out bases by tokens: where types alone are ahead, or where tokens add nothing.

`python benchmarks/tokens_beside_types.py` writes `tokens_beside_types.csv` beside this file, each
line when it is known. Stretches of the training halves are halved; the first half is learned from
with the words that it has twice (`train`) or those of both (`text`), and the second is scored. No
test half is read. ``ADDED`` infinite: tokens are left out wherever types alone are clearly ahead on
the first fold, as it was at first; minus infinity: they never are. ``left_out`` says with how many
seeds they were.
"""

import argparse
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from constants import changed, load_corpus_of
from lines import write_lines

from condprob import CountMatrix, cross_entropy, method
from condprob.estimators.pitman_yor import kinds
from condprob.estimators.pitman_yor.settings import KindsAsked
from reproduction.corpora.corpus import word_pairs
from reproduction.studies.fresh.plan import VOCABULARIES
from reproduction.studies.fresh.texts import halve

HERE = Path(__file__).parent
TEXTS, SIZES = ("tartuffe", "genesis", "brown", "pydoc"), (1000, 2000, 5000)
STRETCHES = 2  # of each text and size, where it is long enough
VALUES = (np.inf, 0.028, kinds.ADDED, 0.007, -np.inf)
COLUMNS = "text,words,stretch,vocabulary,added,left_out,seeds,mean,sd,worst"


def list_cases() -> Iterator[tuple]:
    """Yield each text, size, stretch and vocabulary with counts to learn from and to score."""
    for text in TEXTS:
        words = load_corpus_of(text).train
        for n in SIZES:
            for stretch in range(min(words.size // (2 * n), STRETCHES)):
                part = words[stretch * 2 * n : (stretch + 1) * 2 * n]
                for vocabulary in VOCABULARIES:
                    *parts, k = halve(np.unique(part, return_inverse=True)[1], vocabulary)
                    counts = [CountMatrix.from_pairs(*word_pairs(half), k) for half in parts]
                    yield (text, n, stretch, vocabulary), *counts


def fit_both(train: CountMatrix, test: CountMatrix, seed: int) -> tuple:
    """Return the scores with tokens left out and kept, and how much they may add.

    The last is minus infinity where nothing is left out in either case.
    """
    ask, told = KindsAsked.gain_of_tokens, []

    def listen(*given):
        told.append(ask(*given))
        return told[-1]

    with patch.object(KindsAsked, "gain_of_tokens", listen):
        found = cross_entropy(test, fit(train, seed, np.inf))
    if not told:
        return found, found, -np.inf
    kept = cross_entropy(test, fit(train, seed, -np.inf))
    return found, kept, told[0].gain + kinds.CLEAR * told[0].error


def fit(counts: CountMatrix, seed: int, added: float):
    """Return PY-LR's fit with another constant."""
    with changed("ADDED", (added,)):
        return method("py-lr").fit(counts, seed)


def measure(seeds: int) -> Iterator[str]:
    """Yield mean, standard deviation and what the worst seed is above the mean, as lines."""
    for case, train, test in list_cases():
        fits = [fit_both(train, test, seed) for seed in range(seeds)]
        left_out, kept, most = map(np.array, zip(*fits, strict=True))
        for value in VALUES:
            is_kept = most >= value
            scores = np.where(is_kept, kept, left_out)
            spread = f"{scores.std(ddof=1):.4f},{scores.max() - scores.mean():.4f}"
            told = ",".join(map(str, case))
            out = int(seeds - np.sum(is_kept | np.isneginf(most)))
            yield f"{told},{value},{out},{seeds},{scores.mean():.4f},{spread}"


def main() -> None:
    """Measure, and write each line when it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of corpora whose version is another
    write_lines(HERE / "tokens_beside_types.csv", COLUMNS, measure(asked.seeds))


if __name__ == "__main__":
    main()
