"""How much another training set changes what PY-LR gains: ten stretches of each text.

`python benchmarks/training_sets.py` writes `training_sets.csv` beside this file, each line when it
is known. A text is cut into ten stretches, one after the other, and each is halved: the first half
is learned from, the second scored, with the words that the first has twice and one for the unknown
(`train`), or those of both (`text`). Beside the four texts, ten stretches of all of Brown, as long
as its text in Table 1. A line has a method's nats per word, mean over the stretches; by how much it
is behind PY-LR, with Student's 95 % interval over the stretches; the standard deviation of that
from one to another, and the least.
"""

import warnings
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from constants import load_corpus_of
from lines import write_lines
from orders import read_lines
from tokens_beside_types import count_halves

from condprob import cross_entropy, method
from condprob.vocabulary import number_words
from reproduction.scores.intervals import student_interval
from reproduction.studies.fresh.plan import VOCABULARIES

CSV = Path(__file__).parent / "training_sets.csv"
TEXTS = ("tartuffe", "genesis", "brown", "pydoc")
ALL_OF_BROWN, LONG = "all of brown", 40_000  # words of a stretch
STRETCHES = 10
OURS = "py-lr"
METHODS = {  # id and options
    OURS: ("py-lr", {}),
    "kn-modified": ("kn", {"discount": "modified"}),
    "kn-ad-lr-learned-gt": ("kn-ad-lr-bins", {"rank": "learned", "novelty": "good-turing"}),
    "gibbs-rows": ("gibbs-rows", {}),
}
COLUMNS = "text,words,vocabulary,method,stretches,nats,behind,low,high,sd,least"


def list_texts() -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name and the ten stretches of each text, numbers of words."""
    for name in TEXTS:
        yield name, np.array_split(load_corpus_of(name).ids, STRETCHES)
    train, test, _ = read_lines()
    words, _ = number_words(chain.from_iterable(line.split() for line in train + test))
    yield ALL_OF_BROWN, [words[s * LONG : (s + 1) * LONG] for s in range(STRETCHES)]


def measure() -> Iterator[str]:
    """Yield a line for each text, vocabulary and method."""
    for text, stretches in list_texts():
        for vocabulary in VOCABULARIES:
            found = {name: [] for name in METHODS}
            for seed, stretch in enumerate(stretches):
                train, test = count_halves(stretch, vocabulary)
                for name, (id, options) in METHODS.items():
                    found[name].append(cross_entropy(test, method(id, **options).fit(train, seed)))
            for name, losses in found.items():
                behind = np.subtract(losses, found[OURS])
                told = f"{text},{stretches[0].size // 2},{vocabulary},{name},{len(losses)}"
                numbers = np.mean(losses), *student_interval(behind), behind.std(ddof=1)
                yield ",".join([told, *(f"{x:.4f}" for x in (*numbers, behind.min()))])


def main() -> None:
    """Measure, and write each line when it is known."""
    warnings.simplefilter("ignore")  # of corpora whose version is another
    write_lines(CSV, COLUMNS, measure())


if __name__ == "__main__":
    main()
