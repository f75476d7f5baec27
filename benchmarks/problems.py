"""The problems that are timed: the paper's texts, all of Brown, and samples of any size."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from condprob import CountMatrix
from condprob.methods.em.starts import random_factors
from reproduction.corpora.corpus import load_corpus, word_pairs
from reproduction.corpora.errors import CorpusError

CONFIG = Path(__file__).parent.parent / "config.yaml"
ALL_OF_BROWN = "all of Brown"


@dataclass(frozen=True, eq=False)
class Problem:
    """Counts, and factors to start from."""

    name: str
    counts: CountMatrix
    rank: int

    def start(self):
        """Return ``W`` and transposed ``H`` of the seen contexts and outcomes, anew."""
        W, H = random_factors(self.counts, self.rank, np.random.default_rng(0))
        return W[self.counts.seen_contexts], H.T[self.counts.seen_outcomes]

    @property
    def size(self):
        """In words, for the tables."""
        return f"nnz {self.counts.nnz:,}, k {self.counts.k:,}, m {self.rank}"


def load_texts():
    """Load the texts that can be had.

    Returns
    -------
    texts : dict of str to reproduction.corpora.corpus.Corpus
        The paper's in English, all of Brown, and ``pydoc``, which is always there.
    missing : dict of str to str
        Why each of the others is not.
    """
    entries = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["corpora"]
    wanted = {name: entries[name] for name in ("genesis", "brown", "pydoc")}
    whole = {key: value for key, value in entries["brown"].items() if key != "words"}
    wanted[ALL_OF_BROWN] = whole | {"train": "half", "test": "half"}
    texts, missing = {}, {}
    for name, entry in wanted.items():
        try:
            texts[name] = load_corpus(name, entry)
        except CorpusError as error:
            missing[name] = str(error)
    return texts, missing


def small_text(texts):
    """Return the name of the text of the paper's size that whole runs are timed on."""
    return "genesis" if "genesis" in texts else "pydoc"


def count_text(text, words=None):
    """Count the pairs of the training words of a text, or of its first ``words``."""
    ids = text.train if words is None else text.ids[:words]
    return CountMatrix.from_pairs(*word_pairs(ids), text.k)


def text_problems(texts, rank=50):
    """Return the problems of the paper's size, and all of Brown or a stand-in for it."""
    small = [name for name in ("genesis", "brown") if name in texts] or ["pydoc"]
    problems = [Problem(name, count_text(texts[name]), rank) for name in small]
    if ALL_OF_BROWN in texts:
        text = texts[ALL_OF_BROWN]
        return [*problems, Problem(ALL_OF_BROWN, count_text(text, len(text.ids)), rank)]
    return [*problems, zipf_problem(k=90_000, pairs=1_000_000, rank=rank)]


def draw_pairs(k, pairs):
    """Draw independent contexts and outcomes, each label about as often as in Zipf's law."""
    rng = np.random.default_rng(1)
    logs = (rng.random(pairs) * np.log(k + 1) for _ in range(2))
    return tuple((np.exp(each) - 1).astype(np.int32) for each in logs)


def zipf_problem(k, pairs, rank=50):
    """Return the counts of `draw_pairs`."""
    counts = CountMatrix.from_pairs(*draw_pairs(k, pairs), k)
    return Problem(f"Zipf, {counts.nnz:,} pairs", counts, rank)
