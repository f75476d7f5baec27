"""Contexts are folded in at fixed bases; mixtures are no worse than their parts."""

import numpy as np
import pytest

from condprob import CountMatrix, Sentences, compare, cross_entropy, load, method, mix

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(0.6, size=(30, 12))
NEW = np.array([[3, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1], [0.5] * 2 + [0] * 9 + [4], [0] * 12])


def refit(counts, H, constant):
    """EM of the rows of W at this H, written from the formula, long after it stands still."""
    W = np.full((len(counts), len(H)), 1 / len(H))
    for _ in range(5000):
        soft = W * ((counts / (W @ H)) @ H.T) + constant
        W = soft / soft.sum(axis=1, keepdims=True)
    return W


def test_low_rank_rows_are_those_of_a_refit_at_this_H():
    for id in ("add-half-lr", "ad-lr"):
        estimator = method(id, rank=4, iterations=30)
        fitted = estimator.fit(COUNTS, seed=1)
        folded = estimator.fold_in(fitted, NEW)
        np.testing.assert_allclose(folded.W, refit(NEW, fitted.H, 0.5), atol=1e-9, rtol=0)
        assert folded.H is fitted.H or (folded.H == fitted.H).all()
        np.testing.assert_allclose(folded.dense().sum(axis=1), 1)
    with pytest.raises(ValueError, match="over 5 outcomes"):
        estimator.fold_in(fitted, np.ones((1, 5)))
    with pytest.raises(ValueError, match="cannot fold in new contexts"):
        method("ad").fold_in(fitted, NEW)
    with pytest.raises(ValueError, match="over 5 outcomes"):
        method("add-half").fold_in(fitted, np.ones((1, 5)))


@pytest.mark.parametrize("unseen", ["factors", "unigram"])
@pytest.mark.parametrize("id", ["lr", "add-half-lr", "ad-lr", "naive-add-half-lr", "naive-ad-lr"])
def test_a_row_without_counts_is_that_of_the_fit(id, unseen):
    estimator = method(id, rank=3, iterations=20, unseen=unseen)
    fitted = estimator.fit([*COUNTS, [0] * 12], seed=1)
    folded = estimator.fold_in(fitted, NEW)
    np.testing.assert_allclose(folded[2], fitted[30], rtol=1e-12)
    plain = method(id, rank=3, iterations=20).fold_in(fitted, NEW)
    np.testing.assert_allclose(folded.rows([0, 1]), plain.rows([0, 1]), rtol=1e-12)
    if unseen == "unigram":
        with pytest.raises(ValueError, match="the fit must have been made with the same option"):
            estimator.fold_in(plain, NEW)


def test_kneser_ney_keeps_its_lower_order():
    estimator = method("kn")
    fitted = estimator.fit(COUNTS)
    np.testing.assert_allclose(estimator.fold_in(fitted, COUNTS).dense(), fitted.dense())
    # An empty row is the lower order itself.
    np.testing.assert_allclose(estimator.fold_in(fitted, NEW)[2], fitted.right[0])
    with pytest.raises(ValueError, match="a number as discount"):
        method("kn", discount="modified").fold_in(fitted, COUNTS)


def test_a_mixture_is_no_worse_than_its_best_part_on_what_tuned_it():
    tune = CountMatrix.from_dense(RNG.poisson(0.5, size=(30, 12)))
    parts = [method(id).fit(COUNTS) for id in ("kn", "add-half", "ad", "wb")]
    mixed = mix(parts, tune)
    best = min(cross_entropy(tune, part) for part in parts)
    assert cross_entropy(tune, mixed) <= best
    expected = sum(w * part.dense() for w, part in zip(mixed.weights, parts, strict=True))
    np.testing.assert_allclose(mixed.dense(), expected)
    # Every part gains nothing any more: the condition of the optimum, of a concave function.
    chances = np.array([part.at(tune.contexts, tune.outcomes) for part in parts])
    gains = chances @ (tune.values / (mixed.weights @ chances)) / tune.n
    assert gains.max() < 1 + 1e-9
    same = mix([parts[0], parts[0]], tune)
    np.testing.assert_allclose(same.dense(), parts[0].dense())
    with pytest.raises(ValueError, match="at least one"):
        mix([], tune)
    with pytest.raises(ValueError, match=r"counts of shape .*: must be"):
        mix([method("ad").fit(np.eye(3))], tune)


@pytest.mark.parametrize("id", ["naive-add-half-lr", "naive-ad-lr"])
def test_naive_methods_smooth_what_they_fold_in(id):
    counts = RNG.poisson(1.5, size=(9, 6))
    counts[4] = 0
    options = {} if id == "naive-add-half-lr" else {"weighting": "equal"}
    made = method(id, rank=2, iterations=30_000, **options)
    matrix = made.fit(counts, seed=1)
    folded = made.fold_in(matrix, counts)
    # Each row of a fit that has settled is the optimum at its bases, which is unique here; the row
    # without counts is the one of the fit.
    np.testing.assert_allclose(folded.dense(), matrix.dense(), atol=1e-7)
    # Against a slow reference: EM of a row of smoothed counts, from the formula.
    row = np.array([3, 0, 0, 1, 0, 2])
    smoothed = method("add-half" if id == "naive-add-half-lr" else "ad").fit([row]).dense()[0]
    w = np.full(2, 0.5)
    for _ in range(20_000):
        w = w * (matrix.H @ (smoothed / (w @ matrix.H)))
    found = made.fold_in(matrix, [row]).dense()[0]
    np.testing.assert_allclose(found, w @ matrix.H, atol=1e-9)


def test_a_mixture_of_models_of_histories(tmp_path):
    text = Sentences.from_lists(RNG.integers(0, 5, size=(40, 8)).tolist(), 5)
    tune = Sentences.from_lists(RNG.integers(0, 5, size=(10, 8)).tolist(), 5)
    parts = [method("kn").fit_text(text, 3), method("add-half").fit_text(text, 2)]
    mixed = mix(parts, tune)
    assert cross_entropy(tune, mixed) <= min(cross_entropy(tune, part) for part in parts)
    np.testing.assert_allclose(mixed.rows([(0, 1), ()]).sum(axis=1), 1)
    assert (mixed.order, mixed.ended) == (3, "direct")
    mixed.save(tmp_path / "m.npz")
    again = load(tmp_path / "m.npz")
    np.testing.assert_array_equal(again.score(tune), mixed.score(tune))
    np.testing.assert_array_equal(again.weights, mixed.weights)


def test_a_comparison_and_a_mixture_that_cannot_be_are_told():
    kn, half = (method(id).fit(COUNTS) for id in ("kn", "add-half"))
    mle, again = (method("mle").fit(COUNTS) for _ in range(2))
    lsa = method("lsa", rank=2).fit(COUNTS)
    zero = np.zeros(COUNTS.shape, dtype=int)
    never = zero.copy()
    never[np.unravel_index(np.argmin(COUNTS), COUNTS.shape)] = 1  # not seen: impossible by mle
    for call, message in (
        (lambda: compare(kn, half, zero), "the data contain nothing to compare on"),
        (lambda: compare(mle, again, never), "both models give probability zero"),
        (lambda: mix([kn, lsa], COUNTS), r"\(got .*LinkedMatrix"),
        (
            lambda: method("kn", unseen="unigram").fold_in(
                method("kn", unseen="unigram").fit(COUNTS), NEW
            ),
            "with one lower order",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.warns(UserWarning, match="no interval.* 1 block and 1 pair"):
        assert compare(kn, mle, never).value == np.inf
    one = mix([kn, half], COUNTS)
    np.testing.assert_array_equal(mix((m for m in (kn, half)), COUNTS).weights, one.weights)


def test_counts_that_decay_are_forgotten_in_the_end():
    counts, new = CountMatrix.from_pairs([0], [0], 2), CountMatrix.from_pairs([1], [1], 2)
    for _ in range(400):
        counts = 0.5 * counts + new
    np.testing.assert_allclose(counts.dense(), [[0, 0], [0, 2]])  # 1 + 1/2 + 1/4 + ...
    assert counts.nnz == 1
