"""What order 3 is to methods for pairs: histories as contexts, or a bigram that is grown.

    python benchmarks/grown.py [METHOD ...]

Nats per word on the test part of `orders.py`, of its first 60 files; the first 9,000 sentences of
the training part are fitted. One line for each method: its bigram, each distinct history of two
words as a context of pairs, and the bigram grown to order 3 (`growth.fit_grown`), which is what
`fit_text` does but for methods with a reading of their own. Lines are kept in grown.csv. Needs
NLTK's Brown.
"""

import sys
import warnings
from collections import Counter
from pathlib import Path

import pandas as pd
from orders import UNKNOWN, number_sentences, read_lines

from condprob import method
from condprob.sequences.growth import fit_grown

CSV = Path(__file__).parent / "grown.csv"
METHODS = ("ad", "jm", "wb", "sb", "kn", "kn-gt", "hpy", "plre", "ad-lr", "kn-ad-lr", "plsa",
           "class-exchange")  # fmt: skip
LINES, FILES = 9_000, 60
STOP = "</s>"


def read_text():
    """Return both parts as sentences; words that the first has once are one word."""
    train, test, files = read_lines()
    train, test = (
        train[:LINES],
        [line for line, file in zip(test, files, strict=True) if file < FILES],
    )
    found = Counter(word for line in train for word in line.split())
    parts = [
        [[word if found[word] > 1 else UNKNOWN for word in line.split()] + [STOP] for line in part]
        for part in (train, test)
    ]
    return number_sentences(*parts, further=[UNKNOWN])


def measure(id, train, test):
    """Return the line of a method."""
    estimator = method(id)
    models = {
        "bigram": estimator.fit_text(train, 2),
        "histories": estimator._fit_histories(train, 3, 0),
        "grown": fit_grown(estimator, train, 3),
    }
    scores = {name: round(-model.score(test).mean(), 4) for name, model in models.items()}
    return {"method": id, "words": train.n, "types": train.k, "scored": test.n} | scores


def main(ids):
    """Measure methods; lines of others stay as they are."""
    warnings.simplefilter("ignore")  # what is not settled says so in each fit
    train, test = read_text()
    rows = pd.read_csv(CSV).set_index("method").to_dict("index") if CSV.exists() else {}
    for id in ids:
        row = measure(id, train, test)
        print(row, flush=True)
        rows[row.pop("method")] = row
        pd.DataFrame.from_dict(rows, "index").rename_axis("method").to_csv(CSV)


if __name__ == "__main__":
    main(sys.argv[1:] or METHODS)
