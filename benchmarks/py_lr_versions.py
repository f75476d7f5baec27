"""Held-out loss of two versions of py-lr over seeds, on texts of NLTK: half to fit, half to test.

    git worktree add ../former d9c7b4b4
    PYTHONPATH=../former/src python benchmarks/py_lr_versions.py former.csv
    python benchmarks/py_lr_versions.py now.csv
    python benchmarks/py_lr_versions.py --compare former.csv now.csv

The last command writes benchmarks/py_lr_seeds.csv, the table of docs/py-lr-evaluation.md.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from nltk.corpus import brown, genesis, shakespeare
from nltk.tokenize import wordpunct_tokenize

import condprob

SEEDS, WORDS, TAGS = 10, 9_000, 1_200
LANGUAGES = ("english-kjv", "finnish", "french", "german", "lolcat", "portuguese", "swedish")


def load_texts():
    """Return the words of each text, in lower case, by its name; and the tags of another."""
    lines = ["".join(line.itertext()) for line in shakespeare.xml("macbeth.xml").iter("LINE")]
    texts = {f"Genesis, {each}": genesis.words(f"{each}.txt") for each in LANGUAGES}
    texts |= {"Brown": brown.words(), "Macbeth": wordpunct_tokenize(" ".join(lines))}
    texts = {name: [word.lower() for word in words[:WORDS]] for name, words in texts.items()}
    return texts | {"Brown, tags": [tag for _, tag in brown.tagged_words()[:TAGS]]}


def fit(words, k, seed):
    """Fit the version that is imported to a text in order."""
    estimator, pairs = condprob.method("py-lr"), (words[:-1], words[1:])
    if hasattr(estimator, "fit_in_order"):  # versions up to 0.2
        return estimator.fit_in_order(*pairs, k, seed=seed)
    return estimator.fit(condprob.PairsInOrder(*pairs, (k, k)), seed=seed)


def score(path):
    """Write the test loss of each text and seed, nats per word."""
    rows = []
    for name, text in load_texts().items():
        vocabulary, words = np.unique(text, return_inverse=True)
        k, half = len(vocabulary), len(words) // 2
        test = condprob.CountMatrix.from_pairs(words[half:-1], words[half + 1 :], k)
        for seed in range(SEEDS):
            loss = condprob.cross_entropy(test, fit(words[:half], k, seed))
            rows.append({"text": name, "pairs": half - 1, "seed": seed, "loss": loss})
            print(name, seed, f"{loss:.4f}", flush=True)
    pd.DataFrame(rows).to_csv(path, index=False)


def compare(former, now, path):
    """Write means and standard deviations over seeds of both, and the difference of the means."""
    columns = {}
    for name, rows in (("former", pd.read_csv(former)), ("now", pd.read_csv(now))):
        losses = rows.groupby(["text", "pairs"], sort=False)["loss"]
        columns |= {name: losses.mean(), f"sd_{name}": losses.std()}
    table = pd.DataFrame(columns).reset_index()
    table["difference"] = table["now"] - table["former"]
    table.round(4).to_csv(path, index=False)


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        compare(*sys.argv[2:4], Path(__file__).with_name("py_lr_seeds.csv"))
    else:
        score(sys.argv[1])
