"""Genres of documents from few labelled ones: auxiliary problems that predict frequent words."""

import numpy as np
from scipy.sparse import csr_array, hstack

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.survey.structure import LeastSquares, learn_structure
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.survey.classifiers import (
    errors_by_document,
    scale_basis,
    train_classifier,
)
from reproduction.studies.survey.features import cut_basis
from reproduction.studies.survey.plan import ASO, FEATURES, GENRES, RIDGED, SUPERVISED
from reproduction.studies.survey.tagging import ONE_FILE_IN
from reproduction.studies.textbook.texts import FUNCTION_WORDS

WORDS_OF_EACH = 700  # of a document, for SDR: about as many as Brown's have that are kept


def score_genres(root, tagged, given):
    """Tell the genre of other documents, after training on few: a scorer.

    Yields for each test document whether it was wrong. See `tagging.score_tagging`.
    """
    with np.load(tagged) as file:
        tokens = dict(file)
    kinds, genre = np.unique(tokens["genre"], return_inverse=True)
    documents = np.arange(genre.size)
    is_tested = documents % ONE_FILE_IN == ONE_FILE_IN - 1
    word, often = find_words(tokens, ~is_tested, given["least"])
    X = describe_documents(word, tokens["document"], often, genre.size)
    free, tested = documents[~is_tested], documents[is_tested]
    pieces = tokens["document"] * (word.size + 1) + np.arange(word.size) // given["piece"]
    inside = ~is_tested[tokens["document"]]
    _, piece = np.unique(pieces[inside], return_inverse=True)
    rng = np.random.default_rng(spawn_seed(root, GENRES))
    bases = learn_bases(word[inside], piece, often, X[free], given, rng)
    for size in given["sizes"]:
        for draw in range(given["draws"]):
            rng = np.random.default_rng(spawn_seed(root, GENRES, size, draw))
            chosen = rng.permutation(free)[:size]
            for name, some in bases.items():
                found = train_classifier(X[chosen], genre[chosen], kinds.size, some, name)
                wrong = found.predict(X[tested]) != genre[tested]
                row = {"method": name, "n": size, "seed": draw}
                yield from errors_by_document(row, found, wrong, tested)


def find_words(tokens, is_free, least):
    """Return the number of each token's word, -1 for those left out, and how often each is seen.

    Words are letters, in small ones; the commonest function words are left out, and words seen in
    fewer than ``least`` of the documents that are not tested.
    """
    stop = {word for both in FUNCTION_WORDS for word in both.split("/")}
    small = np.array([label.lower() for label in tokens["labels"].tolist()])
    names, number = np.unique(small, return_inverse=True)
    word, document = number[tokens["word"]], tokens["document"]
    pairs = np.unique(
        word[is_free[document]] * (document.max() + 1.0) + document[is_free[document]]
    )
    seen = np.bincount((pairs // (document.max() + 1)).astype(int), minlength=names.size)
    kept = (seen >= least) & np.array([name.isalpha() and name not in stop for name in names])
    place = np.where(kept, np.cumsum(kept) - 1, -1)
    word = place[word]
    return word, np.bincount(word[(word >= 0) & is_free[document]], minlength=kept.sum())


def describe_documents(word, document, often, size):
    """Return the shares of the words in each document, and a constant, (documents, words + 1).

    All are scaled by one number, with which rows have a mean square of one.
    """
    kept = word >= 0
    counts = csr_array((np.ones(kept.sum()), (document[kept], word[kept])), (size, often.size))
    shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    scale = np.sqrt(size / (shares.power(2)).sum())
    return csr_array(hstack([scale * shares, np.ones((size, 1))]))


def learn_bases(word, piece, often, X, given, rng):
    """Return by variant its ``Phi'`` at each rank.

    The words are divided at random into two groups; predictors find from the words of one which
    word of the other is the most frequent of a piece.
    """
    pieces, group = piece.max() + 1, rng.integers(2, size=often.size)
    shares, parts = describe_documents(word, piece, often, pieces)[:, :-1], []
    counts = csr_array((shares.data, shares.indices, shares.indptr), shares.shape)
    for side in (0, 1):
        hidden, used = (np.flatnonzero(group == side), np.flatnonzero(group != side))
        # Of words that are as frequent in a piece, the one that is rarer elsewhere says more.
        inside = counts[:, hidden].toarray() * (1 - 1e-9 * often[hidden] / often.max())
        best = np.where(inside.max(axis=1) > 0, inside.argmax(axis=1), -1)
        seen = np.bincount(best[best >= 0], minlength=hidden.size)
        common = np.argsort(-seen, kind="stable")[: given["problems"]]
        common = common[seen[common] >= given["least"]]
        labels = (best[:, None] == common).astype(float)
        features = csr_array(hstack([shares[:, used], np.ones((pieces, 1))]))
        ridge = np.append(np.full(used.size, given["strength"] / pieces), 0.0)
        U = np.zeros((often.size, common.size))
        U[used] = LeastSquares(features, labels, ridge).weights()[:-1]
        parts.append(U)
    whole, weights = np.arange(often.size), np.hstack(parts)
    largest = learn_structure(lambda _: weights, [whole], given["ranks"][-1])
    bases = [scale_basis(X, whole, cut_basis(largest, [whole], rank)) for rank in given["ranks"]]
    found = {SUPERVISED: [csr_array((X.shape[1], 0))], ASO: bases, RIDGED: bases[-1:]}
    return found | {FEATURES: [reduce_documents(X, **given["sdr"])]}


def reduce_documents(X, **options):
    """Return ``psi`` of the words over all features: a document has its mean (section 4.3).

    ``options`` are those of the method ``sdr``, which is fitted to the shares of words in
    documents, each as if it had as many words as the others.
    """
    shares = X[:, :-1].tocoo()
    sums = np.asarray(X[:, :-1].sum(axis=1)).ravel()
    rows, columns = shares.coords
    weights = WORDS_OF_EACH * shares.data / sums[rows]
    counts = CountMatrix.from_pairs(rows, columns, shape=shares.shape, weights=weights)
    fit = method("sdr", weight=0.0, **options).fit(counts)
    psi = fit.factors()[1].T
    return scale_basis(X, np.arange(len(psi)), psi - psi.mean(axis=0))
