"""PY-LR with Good-Turing by windows of the text in place of its own by distinct pairs.

`python benchmarks/windows.py` writes `windows.csv` beside this file, each line when it is known.
Pananjady, Muthukumar and Thangaraj (2024) ask of each token whether its word stands nowhere but
near by, at most so many tokens away: the share of such tokens is what is still to come. A window of
none is Good's own estimate, of tokens. Words of a training half are learned from and as many that
follow are scored; its test half is not read. The rule needs the order of the words, which counts
do not have, so it is put in place of `novelty.unseen_mass` here.
"""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from constants import load_corpus_of, load_text
from lines import write_measured

from condprob import method
from condprob.pitman_yor import novelty

HERE = Path(__file__).parent
TEXTS, SIZES = ("tartuffe", "genesis", "brown", "pydoc"), (1000, 3000, 10_000)
WINDOWS = (0, 10, 100, 1000)
COLUMNS = "text,words,window,said,came,seeds,nats,change"


def is_near_by(words: np.ndarray, window: int) -> np.ndarray:
    """Return whether the word of each token stands nowhere but at most ``window`` tokens away."""
    places = np.arange(words.size)
    first, last = np.full((2, int(words.max()) + 1), -1)
    first[words[::-1]], last[words] = places[::-1], places
    return (places - first[words] <= window) & (last[words] - places <= window)


def unseen_mass_by(words: np.ndarray, window: int):
    """Return what stands in for `novelty.unseen_mass`: the same by bins, of tokens by windows."""
    near = is_near_by(words, window)[1:]  # of a pair that word which follows

    def unseen_mass(counts, bins, size):
        unseen = np.count_nonzero(counts.column_sums == 0)
        if not unseen or not near.any():
            return np.zeros(size)
        bin_of_token = bins[words[:-1]]
        only = np.bincount(bin_of_token, near, minlength=size)
        tokens = np.bincount(bin_of_token, minlength=size)
        each = min(unseen / np.unique(words[1:][near]).size, 1.0)
        like_all = novelty.LIKE_ALL
        return each * (only + like_all * near.mean()) / (tokens + like_all)

    return unseen_mass


def measure(seeds: int) -> Iterator[str]:
    """Yield what each window says and what it earns, as lines; the first is the rule as it is."""
    for text in TEXTS:
        corpus = load_corpus_of(text)
        for n in (size for size in SIZES if 2 * size <= corpus.train.size):
            counts, score = load_text(text, n)
            words, later = corpus.train[:n], corpus.train[n : 2 * n]
            came, plain = float((~np.isin(later, words)).mean()), None
            for window in (None, *WINDOWS):
                rule = novelty.unseen_mass if window is None else unseen_mass_by(words, window)
                with patch.object(novelty, "unseen_mass", rule):
                    frozen = method("py-lr", rules="frozen")
                    fits = (frozen.fit(counts, seed) for seed in range(seeds))
                    nats = float(np.mean([score(fitted) for fitted in fits]))
                said = float(rule(counts, np.zeros(counts.shape[0], int), 1)[0])
                plain = nats if plain is None else plain
                told = "pairs" if window is None else window
                shares = f"{said:.4f},{came:.4f}"
                yield f"{text},{n},{told},{shares},{seeds},{nats:.4f},{nats - plain:+.4f}"


if __name__ == "__main__":
    write_measured(__doc__, HERE / "windows.csv", COLUMNS, measure, seeds=3)
