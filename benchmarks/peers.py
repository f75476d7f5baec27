"""Fits beside their peers: the seconds, and how well new pairs are predicted.

Two problems. The pairs of words of a text have the loss of test pairs; users by items, drawn from a
model of low rank, have the share of each user's new items among ten listed ones. Every method is
fitted to the same counts, on one thread. A peer that is not installed is left out.
"""

from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
from measure import interleave
from problems import small_text
from scipy.sparse import csr_matrix

from condprob import CountMatrix, draw_model, method, sample_counts
from condprob.catalogue import METHODS

LISTED = 10  # items for each user
# One test pair of so many is scored, by all: nltk.lm takes milliseconds for each. Outcomes never
# seen in training do not count: two methods of nltk.lm give them no probability.
EVERY = 10
NLTK = ("add-half", "ad", "kn")


@dataclass(frozen=True)
class Factors:
    """Factors of a peer: their product has the scores of pairs."""

    left: np.ndarray  # shape (contexts, rank)
    right: np.ndarray  # shape (rank, outcomes)

    @classmethod
    def normalised(cls, left, right):
        """Return the factors whose product has rows that sum to one."""
        sums = right.sum(axis=1, keepdims=True)
        left = left * sums.T
        return cls(left / np.maximum(left.sum(axis=1, keepdims=True), 1e-300), right / sums)

    def at(self, contexts, outcomes):
        """Return the scores of pairs."""
        return (self.left[contexts] * self.right.T[outcomes]).sum(axis=1)

    def top(self, contexts, n, exclude):
        """Return the best outcomes of contexts without the pairs that are excluded."""
        scores = self.left[contexts] @ self.right
        scores[exclude.contexts, exclude.outcomes] = -np.inf
        return np.argsort(-scores, axis=1)[:, :n], None


def by_scikit_learn(model, **options):
    """Return a fit of `sklearn.decomposition`: the NMF of the KL loss, or LDA."""
    from sklearn import decomposition

    def fit(counts, rank, seed):
        peer = getattr(decomposition, model)(rank, random_state=seed, **options)
        return Factors.normalised(peer.fit_transform(counts.sparse()), peer.components_)

    return fit


def by_enstop(counts, rank, seed):
    """Fit PLSA of enstop, in single precision; its class wants a name that NumPy no longer has."""
    import numba
    from enstop.plsa import plsa_fit

    numba.set_num_threads(1)
    X = csr_matrix(counts.sparse(), dtype=np.float32)[counts.seen_contexts]
    left, weights = np.zeros((counts.shape[0], rank)), np.ones(X.shape[0], dtype=np.float32)
    left[counts.seen_contexts], right = plsa_fit(X, rank, weights, random_state=seed)
    return Factors.normalised(left, right)


def by_implicit(model):
    """Return a fit of implicit, whose scores rank items and are no probabilities."""
    from implicit import als, bpr

    models = {"ALS": als.AlternatingLeastSquares, "BPR": bpr.BayesianPersonalizedRanking}

    def fit(counts, rank, seed):
        peer = models[model](rank, num_threads=1, random_state=seed)
        weighted = csr_matrix(counts.sparse(), dtype=np.float32).copy()  # it writes to the arrays
        peer.fit(weighted, show_progress=False)
        return Factors(np.asarray(peer.user_factors), np.asarray(peer.item_factors).T)

    return fit


def ours(id, **options):
    """Return a fit of the library."""

    def fit(counts, rank, seed):
        given = {"rank": rank} if "rank" in METHODS[id].options else {}
        return method(id, **options | given).fit(counts, seed)

    return fit


def peers_of_any_counts():
    """Return the fits by other packages that take any counts, by name."""
    nmf = {"beta_loss": "kullback-leibler", "solver": "mu", "init": "nndsvda"}
    found = {
        "scikit-learn NMF": by_scikit_learn("NMF", **nmf),
        "scikit-learn LDA": by_scikit_learn("LatentDirichletAllocation"),
    }
    return found | ({"enstop PLSA": by_enstop} if find_spec("enstop") else {})


def compare_words(results, texts, repetitions):
    """Fit the pairs of a text; score pairs of its other half, by nltk.lm, too."""
    name, rank = small_text(texts), 50
    text = texts[name]
    counts = CountMatrix.from_pairs(text.train[:-1], text.train[1:], text.k)
    pairs = np.array([text.test[:-1], text.test[1:]])
    test = pairs[:, np.isin(pairs[1], text.train)][:, ::EVERY]
    fits = {f"condprob {id}": ours(id) for id in (*NLTK, "py-lr")}
    fits["condprob ad-lr"] = ours("ad-lr", initial="clusters")
    fits |= peers_of_any_counts()
    runs, losses = {}, {}

    def fit_and_score(each, fit):
        chances = fit(_copy(counts), rank, 0).at(*test)
        with np.errstate(divide="ignore"):
            losses[each] = -np.log(chances).mean()

    for each, fit in fits.items():
        runs[each] = lambda each=each, fit=fit: fit_and_score(each, fit)
    for id in NLTK:
        runs[f"nltk.lm {id}"] = lambda id=id: losses.update(
            {f"nltk.lm {id}": _by_nltk(id, text, test)}
        )
    seconds = interleave(runs, repetitions)
    for each, taken in seconds.items():
        results.add("words", name, each, "s", taken)
        results.add("words", name, each, "nats a pair", [losses[each]])
    for id in NLTK:
        beside = {each: seconds[each] for each in (f"nltk.lm {id}", f"condprob {id}")}
        results.add_ratios("words", name, beside, f"condprob {id}")


def _by_nltk(id, text, test):
    """Fit a model of nltk.lm, and return the loss of the scored pairs."""
    from nltk import lm
    from nltk.util import everygrams

    vocabulary = lm.Vocabulary([*_spell(range(text.k))])
    model = {
        "add-half": lambda: lm.Lidstone(0.5, 2, vocabulary=vocabulary),
        "ad": lambda: lm.AbsoluteDiscountingInterpolated(2, discount=0.75, vocabulary=vocabulary),
        "kn": lambda: lm.KneserNeyInterpolated(2, discount=0.75, vocabulary=vocabulary),
    }[id]()
    model.fit([list(everygrams(_spell(text.train), max_len=2))])
    chances = [
        model.score(word, [context]) for context, word in zip(*map(_spell, test), strict=True)
    ]
    return -np.log(chances).mean()


def _spell(ids):
    return [f"w{number}" for number in ids]


def compare_users(results, repetitions, quick):
    """Fit users by items, and list items for each user."""
    users, items, n = (500, 300, 20_000) if quick else (2000, 2000, 110_000)
    rank, problem = 16, f"{users:,} users x {items:,} items"
    law = {"rows": "power-law", "exponent": 1.0, "outcomes": items, "concentration": 0.1}
    model = draw_model(users, rank, seed=1, **law)
    train, test = (sample_counts(model, n, seed=seed) for seed in (1, 2))
    fits = {f"condprob {id}": ours(id) for id in ("kn", "ad-lr", "py-lr")} | peers_of_any_counts()
    if find_spec("implicit"):
        fits |= {f"implicit {model}": by_implicit(model) for model in ("ALS", "BPR")}
    found, runs = {}, {}
    for each, fit in fits.items():
        fit(sample_counts(model, users, seed=3), 2, 0)  # compiles
        runs[each] = lambda each=each, fit=fit: found.update({each: fit(_copy(train), rank, 0)})
    seconds = interleave(runs, repetitions, warm_up=False)
    found["the model that drew them"] = Factors(model.A, model.B)
    new = np.setdiff1d(*(c.contexts * items + c.outcomes for c in (test, train)))
    for each, fitted in found.items():
        if each in seconds:
            results.add("users", problem, each, "s", seconds[each])
        best, _ = fitted.top(np.arange(users), LISTED, exclude=train)
        listed = (np.arange(users)[:, None] * items + best)[best >= 0]
        recall = np.isin(listed, new).sum() / new.size
        results.add("users", problem, each, f"recall at {LISTED}", [recall])


def _copy(counts):
    """Return the counts anew: they cache derived arrays."""
    return CountMatrix(counts.shape, counts.indptr, counts.outcomes, counts.values)


def compare_lsa(results, texts, repetitions):
    """Decompose the square roots of a text's counts, beside gensim and scikit-learn."""
    from sklearn.decomposition import TruncatedSVD

    from condprob.methods.svd import truncated_svd

    name, rank, found = small_text(texts), 50, {}
    words, k = texts[name].train, texts[name].k
    X = np.sqrt(CountMatrix.from_pairs(words[:-1], words[1:], k).sparse().astype(float))

    def by_scikit_learn(algorithm):
        svd = TruncatedSVD(rank, algorithm=algorithm, random_state=0)
        return svd.fit_transform(X), svd.components_

    def by_gensim():
        from gensim.matutils import Sparse2Corpus
        from gensim.models import LsiModel

        corpus = Sparse2Corpus(X.tocsr(), documents_columns=False)
        names = {column: column for column in range(k)}
        terms = LsiModel(corpus, rank, names, random_seed=0).projection.u
        return X @ terms, terms.T

    def by_condprob():
        U, s, V = truncated_svd(X, rank)
        return U * s, V

    fits = {"LSA condprob": by_condprob}
    fits["LSA scikit-learn, ARPACK"] = lambda: by_scikit_learn("arpack")
    fits["LSA scikit-learn, randomized"] = lambda: by_scikit_learn("randomized")
    if find_spec("gensim"):
        fits["LSA gensim"] = by_gensim
    runs = {
        each: lambda each=each, fit=fit: found.update({each: fit()}) for each, fit in fits.items()
    }
    seconds = interleave(runs, repetitions)
    for each, taken in seconds.items():
        results.add("lsa", name, each, "s", taken)
        results.add("lsa", name, each, "share of the squared norm", [_left_out(X, *found[each])])
    results.add_ratios("lsa", name, seconds, "LSA condprob")


def _left_out(X, left, right):
    """Return the share of the squared norm that an approximation leaves."""
    squares, inner = (X.data**2).sum(), (left * (X @ right.T)).sum()
    return float((squares - 2 * inner + ((left.T @ left) * (right @ right.T)).sum()) / squares)
