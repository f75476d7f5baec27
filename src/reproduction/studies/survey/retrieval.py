"""Retrieval of documents of Brown: precision at ten, where what has the query's genre is relevant.

A query is a document that no model was fitted to, whole, or some words of it. Each model of the
survey ranks all others by a similarity of its own, next to the vector space without a reduction and
locally linear embedding.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from condprob.catalogue import method
from condprob.counts import CountMatrix
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.survey.genres import find_words
from reproduction.studies.survey.plan import LLE, LSA, PLSA, PRODUCT, RETRIEVAL, SDR, VECTORS
from reproduction.studies.survey.tagging import ONE_FILE_IN

TOP = 10  # documents that are retrieved
NEIGHBOURS = 30  # of locally linear embedding
# READING: the survey does not say how PLSA and SDR are fitted.
OPTIONS = {
    PLSA: {"weight": 0.0, "iterations": 1000},
    SDR: {"weight": 0.0, "ridge": 1.0, "iterations": 200},
}


class Collection(NamedTuple):
    """Documents, or queries, as counts of words."""

    counts: csr_array  # shape (documents, words)
    genre: np.ndarray  # int, shape (documents,)

    def part(self, chosen):
        """Return some of them."""
        return Collection(self.counts[chosen], self.genre[chosen])


def rank_by_words(documents, queries, rank, seed):
    """Return the cosines of the square roots of counts: the vector space of all words."""
    return (unit_rows(queries) @ unit_rows(documents).T).toarray(), True


def rank_by_product(documents, queries, rank, seed):
    """Return ``(S^1/2 Phi' q)' (S^1/2 Phi' x)`` (section 3.1) of the same vectors."""
    lsa, documents, queries = _lsa(documents, queries, rank)
    return lsa.similarity(lsa.fit(documents), queries), True


def rank_by_lsa(documents, queries, rank, seed):
    """Return the cosines of ``S^1/2 Phi' q`` with ``S^1/2 Phi' x``.

    READING: similarities are between normalised vectors (section 3), also in the subspace.
    """
    lsa, documents, queries = _lsa(documents, queries, rank)
    fit = lsa.fit(documents)
    roots = np.sqrt(np.linalg.norm(fit.left, axis=0))
    return cosines(lsa.fold_in(fit, queries).left * roots, fit.left * roots), True


def _lsa(documents, queries, rank):
    """Return the estimator, and both collections as shares of words, whose roots it takes."""
    lsa = method("lsa", rank=rank, weighting="sqrt", weight=0.0)
    return lsa, *(as_counts(shares_of(each)) for each in (documents, queries))


def rank_by_plsa(documents, queries, rank, seed):
    """Return the cosines of ``p(w|q)``, folded in, with ``p(w|d)`` (section 3.2.1)."""
    plsa = method("plsa", rank=rank, **OPTIONS[PLSA])
    fit = plsa.fit(as_counts(documents), seed)
    folded = plsa.fold_in(fit, as_counts(queries))
    return cosines(folded.W @ fit.H, fit.W @ fit.H), rests(fit)


def rank_by_sdr(documents, queries, rank, seed):
    """Return the cosines of the mean ``psi`` of words, less its mean over documents.

    READING: these means are what SDR holds of a document, and a query that is not folded in has
    them, too (section 8). On documents that are no queries they did better than the probability
    of a query by a document.
    """
    fit = method("sdr", rank=rank, **OPTIONS[SDR]).fit(as_counts(documents))
    psi = fit.factors()[1].T
    points, asked = shares_of(documents) @ psi, shares_of(queries) @ psi
    centre = points.mean(axis=0)
    return cosines(asked - centre, points - centre), rests(fit)


def rank_by_lle(documents, queries, rank, seed):
    """Return minus the distances in a locally linear embedding (Roweis and Saul 2000)."""
    from sklearn.manifold import LocallyLinearEmbedding

    size = min(NEIGHBOURS, documents.shape[0] - 1)
    lle = LocallyLinearEmbedding(n_neighbors=size, n_components=rank, eigen_solver="dense")
    points = lle.fit_transform(unit_rows(documents).toarray())
    asked = lle.transform(unit_rows(queries).toarray())
    return -((asked[:, None] - points) ** 2).sum(axis=2), True


RANKINGS = {
    VECTORS: rank_by_words,
    PRODUCT: rank_by_product,
    LSA: rank_by_lsa,
    PLSA: rank_by_plsa,
    SDR: rank_by_sdr,
    LLE: rank_by_lle,
}


def cosines(queries, documents):
    """Return the cosines of rows, shape (queries, documents); of a row of zeros they are zero."""
    one, other = (
        each / np.where(norms > 0, norms, 1.0)
        for each in (queries, documents)
        for norms in [np.linalg.norm(each, axis=1, keepdims=True)]
    )
    return one @ other.T


def rests(fit):
    """Whether a fit came to rest."""
    return fit.ended != "limit"


def shares_of(counts):
    """Return counts divided by the sum of their row."""
    return csr_array(counts / np.maximum(counts.sum(axis=1), 1)[:, None])


def unit_rows(counts):
    """Return the square roots of shares: rows of length one."""
    return shares_of(counts).sqrt()


def as_counts(matrix):
    """Return a sparse matrix as counts."""
    matrix = matrix.tocoo()
    rows, columns = matrix.coords
    return CountMatrix.from_pairs(rows, columns, shape=matrix.shape, weights=matrix.data)


def precision(similarity, relevant, top=TOP):
    """Return the share of relevant documents among the most similar ones of each query.

    Parameters
    ----------
    similarity : numpy.ndarray, shape (queries, documents)
    relevant : numpy.ndarray of bool, shape (queries, documents)
    top : int
        How many are retrieved; of equal ones the first.

    Returns
    -------
    numpy.ndarray, shape (queries,)
    """
    best = np.argsort(-similarity, axis=1, kind="stable")[:, :top]
    return np.take_along_axis(relevant, best, axis=1).mean(axis=1)


def choose_rank(name, documents, ranks, seed):
    """Return the rank with the highest precision for every fifth document, among all others."""
    if len(ranks) == 1 or name == VECTORS:
        return ranks[0]
    is_query = np.arange(documents.genre.size) % ONE_FILE_IN == ONE_FILE_IN - 1
    rest, asked = documents.part(~is_query), documents.part(is_query)
    relevant = asked.genre[:, None] == rest.genre
    found = [
        precision(RANKINGS[name](rest.counts, asked.counts, rank, seed)[0], relevant).mean()
        for rank in ranks
    ]
    return ranks[int(np.argmax(found))]


def shorten(counts, words, rng):
    """Return counts of so many words of each row, sampled without replacement."""
    counts = counts.tocsr()
    rows = []
    for row in range(counts.shape[0]):
        part = counts[[row]].toarray().ravel().astype(np.int64)
        rows.append(rng.multivariate_hypergeometric(part, min(words, int(part.sum()))))
    return csr_array(np.array(rows, dtype=float))


def score_retrieval(root, tagged, given):
    """Rank documents for queries by each model: a scorer.

    Parameters
    ----------
    root : int
    tagged : path
        A file of `texts.save_tagged`.
    given : mapping
        ``least`` documents that a word is in, the ``ranks`` to choose from, and the ``queries``:
        numbers of words, of which zero is all.

    Yields
    ------
    dict
        For each query (``block``) how many of ten documents are not of its genre (``loss``).
    """
    with np.load(tagged) as file:
        tokens = dict(file)
    kinds, genre = np.unique(tokens["genre"], return_inverse=True)
    is_query = np.arange(genre.size) % ONE_FILE_IN == ONE_FILE_IN - 1
    word, often = find_words(tokens, ~is_query, given["least"])
    kept = word >= 0
    counts = csr_array(
        (np.ones(kept.sum()), (tokens["document"][kept], word[kept])), (genre.size, often.size)
    )
    whole = Collection(counts, genre)
    documents, queries = whole.part(~is_query), whole.part(is_query)
    relevant, numbers = queries.genre[:, None] == documents.genre, np.flatnonzero(is_query)
    for name, rank_by in RANKINGS.items():
        seed = spawn_seed(root, RETRIEVAL, name)
        rank = choose_rank(name, documents, given["ranks"], seed)
        for words in given["queries"]:
            rng = np.random.default_rng(spawn_seed(root, RETRIEVAL, words))
            asked = shorten(queries.counts, words, rng) if words else queries.counts
            similarity, is_settled = rank_by(documents.counts, asked, rank, seed)
            shares = precision(similarity, relevant)
            row = {"corpus": "brown", "method": name, "n": words, "seed": 0, "pairs": TOP}
            row |= {"rank": 0 if name == VECTORS else rank, "converged": is_settled}
            for number, share, kind in zip(numbers, shares, queries.genre, strict=True):
                loss = round(TOP * (1 - share))
                yield row | {"block": int(number), "loss": loss, "genre": str(kinds[kind])}
