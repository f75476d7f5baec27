"""NPLM's options, one changed at a time, on training halves.

`python benchmarks/neural.py` writes `neural.csv` beside this file, each line when it is known. Of
the training half of a text the first nine tenths are learned from and the rest is scored, nats per
word: by the network alone, by the n-grams that it is mixed with, and by both. Test halves are not
read.
"""

import argparse
import csv
import time
from pathlib import Path

import yaml

from condprob import Sentences, method
from condprob.models.survey.neural.estimator import NeuralLanguageModel
from reproduction.corpora.corpus import load_corpus

HERE = Path(__file__).parent
CASES = (("genesis", 2), ("genesis", 3), ("brown", 3))
TRIED = {
    "rate": (0.5, 1.0, 2.0),
    "batch": (16, 32, 64),
    "direct": (False, True),
    "slowing": (0.0, 0.1, 0.5),
    "embedding": (15, 30, 60),
    "hidden": (25, 50, 100),
    "decay": (1e-5, 1e-4, 1e-3),
}
COLUMNS = ("text", "order", "words", "change", "alone", "ngrams", "mixed", "share", "epochs", "s")


def load_text(name, words):
    """Return the two parts of the training half of a text."""
    entry = yaml.safe_load((HERE.parent / "config.yaml").read_text(encoding="utf-8"))["corpora"]
    corpus = load_corpus(name, entry[name])
    text = Sentences.from_words(corpus.train[:words], corpus.k)
    return text.split(0.9)


def score(parts, order, options):
    """Return the columns of one fit, from ``alone`` on."""
    learned, rest = parts
    began = time.process_time()
    model = method("nplm", **options).fit_text(learned, order, seed=1)
    seconds = time.process_time() - began
    ngrams = method("kn", discount="modified").fit_text(learned, min(order, 3))
    histories = model._histories(rest.histories(order))
    losses = [
        -part.mean()
        for part in (model.network.log_at(histories, rest.words), ngrams.score(rest),
                     model.score(rest))
    ]  # fmt: skip
    found = [f"{loss:.4f}" for loss in losses]
    return [*found, f"{model.share:.3f}", model.history.size - 1, f"{seconds:.1f}"]


def main():
    """Try each option at each value, all others at their defaults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=100_000, help="of each text, at most")
    parser.add_argument("--cases", type=int, nargs="*", default=range(len(CASES)))
    parser.add_argument("--options", nargs="*", default=list(TRIED))
    options = parser.parse_args()
    with open(HERE / "neural.csv", "a", newline="", encoding="utf-8") as file:
        write = csv.writer(file, lineterminator="\n").writerow
        if not file.tell():
            write(COLUMNS)
        for text, order in (CASES[case] for case in options.cases):
            parts = load_text(text, options.words)
            size = sum(part.n for part in parts)
            settings = [{}] + [
                {name: value}
                for name in options.options
                for value in TRIED[name]
                if value != getattr(NeuralLanguageModel, name)
            ]
            for changed in settings:
                told = " ".join(f"{name}={value}" for name, value in changed.items())
                write([text, order, size, told or "default", *score(parts, order, changed)])
                file.flush()


if __name__ == "__main__":
    main()
