"""The SVD of LSA beside scikit-learn's, by ARPACK and with random projections, and gensim's.

PLSA's peers stand with the passes of EM (`iteration`): its fit is that of the low-rank methods.
"""

from importlib.util import find_spec

import numpy as np
from measure import interleave
from problems import small_text
from sklearn.decomposition import TruncatedSVD

from condprob import CountMatrix
from condprob.models.svd import truncated_svd

RANK = 50
SAME = 1e-8  # share of the squared norm by which errors may differ


def time_lowdim(results, texts, repetitions):
    """Decompose the square roots of the counts of a text."""
    name = small_text(texts)
    words, k = texts[name].train, texts[name].k
    X = np.sqrt(CountMatrix.from_pairs(words[:-1], words[1:], k).sparse().astype(float))

    def sklearn_by(algorithm):
        svd = TruncatedSVD(RANK, algorithm=algorithm, random_state=0)
        return svd.fit_transform(X), svd.components_

    def ours():
        U, s, V = truncated_svd(X, RANK)
        return U * s, V

    runs = {
        "LSA condprob": ours,
        "LSA scikit-learn, ARPACK": lambda: sklearn_by("arpack"),
        "LSA scikit-learn, randomized": lambda: sklearn_by("randomized"),
    }
    if find_spec("gensim"):
        runs["LSA gensim"] = lambda: _by_gensim(X)
    errors = {each: error_of(X, *run()) for each, run in runs.items()}
    seconds = interleave(runs, repetitions)
    least = errors["LSA condprob"]
    for each, taken in seconds.items():
        excess = errors[each] - least
        size = "the same" if abs(excess) < SAME else f"larger by {excess:.1e} of the squared norm"
        results.add_times("lowdim", name, {each: taken}, f"error {size}")
        if each != "LSA condprob":
            ratios = [a / b for a, b in zip(taken, seconds["LSA condprob"], strict=True)]
            results.add("lowdim", name, f"{each} / LSA condprob", "times", ratios)


def _by_gensim(X):
    from gensim.matutils import Sparse2Corpus
    from gensim.models import LsiModel

    corpus = Sparse2Corpus(X.tocsr(), documents_columns=False)
    names = {column: column for column in range(X.shape[1])}
    terms = LsiModel(corpus, RANK, names, random_seed=0).projection.u
    return X @ terms, terms.T


def error_of(X, left, right):
    """Return the share of the squared norm that an approximation leaves."""
    squares = (X.data**2).sum()
    inner = (left * (X @ right.T)).sum()
    return float((squares - 2 * inner + ((left.T @ left) * (right @ right.T)).sum()) / squares)
