"""LSA: the best approximation, the survey's example, and contexts that are folded in."""

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD

from condprob import CountMatrix, embed, method
from condprob.methods import svd

RNG = np.random.default_rng(2)
# Terms by documents, the survey's Figure 1: u1 to u3 on user interfaces, g1 to g3 on graphs.
TERMS = np.array(
    [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 1, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 0, 0],
        [0, 1, 1, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [0, 0, 0, 1, 0, 1],
        [0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 1, 1],
    ]
)
TEXT = CountMatrix.from_dense(RNG.poisson(RNG.gamma(0.3, 2, (30, 3)) @ RNG.gamma(0.3, 2, (3, 20))))


def test_no_other_matrix_of_the_rank_is_nearer():
    X, rank = np.sqrt(TEXT.dense()), 3
    fit = method("lsa", rank=rank, weight=0.0).fit(TEXT)
    error = ((X - fit.left @ fit.right) ** 2).sum()
    dropped = np.linalg.svd(X, compute_uv=False)[rank:]
    assert error == pytest.approx((dropped**2).sum())
    for scale in (1e-3, 0.1, 1.0):
        for _ in range(30):
            A = fit.left + scale * RNG.normal(size=fit.left.shape)
            B = np.linalg.lstsq(A, X)[0]  # the best of all with these columns
            assert ((X - A @ B) ** 2).sum() >= error - 1e-9


def test_lanczos_iterations_find_what_the_whole_decomposition_has(monkeypatch):
    whole = {w: method("lsa", rank=4, weighting=w, weight=0.2).fit(TEXT) for w in ("sqrt", "ppmi")}
    monkeypatch.setattr(svd, "LANCZOS_FROM", 5)
    for weighting, expected in whole.items():
        found = [method("lsa", rank=4, weighting=weighting, weight=0.2).fit(TEXT) for _ in range(2)]
        np.testing.assert_array_equal(found[0].dense(), found[1].dense())
        np.testing.assert_allclose(found[0].dense(), expected.dense(), rtol=1e-8, atol=1e-12)


def test_the_example_of_the_survey_separates_users_from_graphs():
    fit = method("lsa", rank=2, weighting="counts").fit(TERMS.T)
    documents = embed(fit)
    assert documents.vectors.shape == (6, 2)
    cosines = documents.cosines(range(6), range(6))
    within = np.kron(np.eye(2), np.ones((3, 3))) > 0
    assert cosines[within].min() >= 0.945
    assert cosines[~within].max() <= 0.3111
    nearest, cosines = documents.nearest([0, 5], 2)
    assert [set(row) for row in nearest.tolist()] == [{1, 2}, {3, 4}]
    assert (np.diff(cosines) <= 0).all()
    # Terms as points of the transposed matrix, and the other side of this one, are the same.
    terms = embed(fit, "outcomes").cosines(range(12), range(12))
    other = embed(method("lsa", rank=2, weighting="counts").fit(TERMS))
    np.testing.assert_allclose(terms, other.cosines(range(12), range(12)), atol=1e-12)
    # A query for "human" and "computer" is nearest to documents on interfaces.
    query = np.zeros((1, 12), dtype=int)
    query[0, [0, 2]] = 1
    folded = method("lsa", rank=2, weighting="counts").fold_in(fit, query)
    vector = embed(folded, axes_of=fit).vectors
    near = documents.vectors @ vector[0]
    assert near[:3].min() > near[3:].max()


def test_the_similarity_of_a_query_is_the_printed_product():
    queries = RNG.poisson(0.4, (3, 20)) + (np.arange(20) == np.arange(3)[:, None])
    weigh = {
        "counts": lambda C: C,
        "sqrt": np.sqrt,
        "probability": lambda C: C / np.maximum(C.sum(axis=1, keepdims=True), 1),
    }
    for weighting, of in weigh.items():
        lsa = method("lsa", rank=4, weighting=weighting)
        found = lsa.similarity(lsa.fit(TEXT), queries)
        # By hand, with the dense decomposition of the term-by-document matrix of section 3.1.
        X, Q = of(TEXT.dense().astype(float)).T, of(queries.astype(float)).T
        phi, S, _ = np.linalg.svd(X)
        project = np.diag(np.sqrt(S[:4])) @ phi[:, :4].T
        np.testing.assert_allclose(found, (project @ Q).T @ (project @ X), rtol=1e-9, atol=1e-9)
    # And with the transform of scikit-learn.
    counts = method("lsa", rank=4, weighting="counts")
    svd_of = TruncatedSVD(4, algorithm="arpack").fit(TEXT.dense().astype(float))
    documents, asked = (svd_of.transform(each.astype(float)) for each in (TEXT.dense(), queries))
    expected = asked * svd_of.singular_values_ @ documents.T
    np.testing.assert_allclose(counts.similarity(counts.fit(TEXT), queries), expected, rtol=1e-8)


def test_a_query_of_the_example_finds_documents_without_its_word():
    lsa = method("lsa", rank=2, weighting="counts")
    query = np.eye(12, dtype=int)[:1]  # "human", which is in u1 alone
    (found,) = lsa.similarity(lsa.fit(TERMS.T), query)
    assert found[:3].min() > 0.2
    assert found[3:].max() < 0
    ppmi = method("lsa", rank=2, weighting="ppmi")
    assert ppmi.similarity(ppmi.fit(TERMS.T), TERMS.T).shape == (6, 6)
    with pytest.raises(
        ValueError, match="must be a fit of lsa with weighting='ppmi' over 12 outcomes"
    ):
        ppmi.similarity(lsa.fit(TERMS.T), query)


def test_a_context_that_is_folded_in_is_what_it_was():
    for weighting in ("sqrt", "counts", "probability", "ppmi"):
        lsa = method("lsa", rank=3, weighting=weighting)
        fit = lsa.fit(TEXT, seed=1)
        folded = lsa.fold_in(fit, TEXT.dense()[:7])
        np.testing.assert_allclose(folded.dense(), fit.dense()[:7], rtol=1e-9, atol=1e-15)
        vectors = embed(folded, axes_of=fit).vectors
        np.testing.assert_allclose(vectors, embed(fit).vectors[:7], atol=1e-9)
    with pytest.raises(
        ValueError, match="must be a fit of lsa with weighting='counts' over 20 outcomes"
    ):
        method("lsa", weighting="counts").fold_in(fit, TEXT)


def test_the_vectors_of_any_fit_by_factors():
    ad_lr = method("ad-lr", rank=3, iterations=20).fit(TEXT)
    P = ad_lr.W @ ad_lr.H
    for of, rows in (("contexts", P), ("outcomes", P.T)):
        vectors = embed(ad_lr, of).vectors
        np.testing.assert_allclose(vectors @ vectors.T, rows @ rows.T, atol=1e-12)
        assert (np.diff((vectors**2).sum(axis=0)) < 0).all()  # the first coordinates tell most
    scores = method("lsa", rank=3, weighting="ppmi").fit(TEXT)
    kept = scores.left[:, :-1] @ scores.right[:-1]  # without the biases
    vectors = embed(scores).vectors
    np.testing.assert_allclose(vectors @ vectors.T, kept @ kept.T, atol=1e-9)
    with pytest.raises(ValueError, match="has no factors to embed"):
        embed(method("kn").fit(TEXT))
    with pytest.raises(ValueError, match="must be the fit into which"):
        embed(ad_lr, axes_of=method("ad-lr", rank=2, iterations=2).fit(TEXT))
