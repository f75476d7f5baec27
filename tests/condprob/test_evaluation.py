"""Intervals, comparisons and reliability, on models that were drawn."""

import numpy as np
import pytest
from scipy import stats

from condprob import (
    CountMatrix,
    Score,
    Sentences,
    compare,
    cross_entropy,
    fit,
    fit_text,
    interval,
    method,
    reliability,
)
from condprob.evaluation import (
    SHARE_OF_LONG_SUBJECTS,
    Losses,
    in_stretches,
    share_of_subjects,
    student_interval,
)
from condprob.sparse_plus_low_rank import SparsePlusLowRank


def test_of_blocks_of_one_size_the_interval_is_that_of_students_test():
    losses = np.random.default_rng(0).exponential(size=7)
    wanted = stats.ttest_1samp(losses / 10, 0).confidence_interval()
    assert student_interval(Losses(losses, np.full(7, 10.0))) == pytest.approx(tuple(wanted))


def test_of_other_sizes_it_is_that_of_the_quadratic_form():
    """Residuals are ``(I - p 1') s``; of blocks of variance ``p`` their form has traces."""
    rng, sizes = np.random.default_rng(1), np.array([40.0, 5, 1, 9, 20, 3])
    sums, p = rng.normal(3 * sizes, np.sqrt(sizes)), sizes / sizes.sum()
    left = np.diag((1 - p) ** -0.5) @ (np.eye(6) - np.outer(p, np.ones(6)))
    form = left @ np.diag(p) @ left.T
    freedom = np.trace(form) ** 2 / np.trace(form @ form)
    error = np.sqrt((left @ sums) @ (left @ sums)) / sizes.sum()
    mean, half = sums.sum() / sizes.sum(), stats.t.ppf(0.975, freedom) * error
    assert student_interval(Losses(sums, sizes)) == pytest.approx((mean - half, mean + half))
    times = np.array([2, 1, 1, 3, 1, 1])
    repeated = Losses(np.repeat(sums, times), np.repeat(sizes, times))
    assert student_interval(Losses(sums, sizes, times)) == pytest.approx(student_interval(repeated))


def test_five_contexts_are_enough():
    """Of 2,000 intervals 95 % hold the truth, within 3 standard errors of .5 % and 1 % of skew."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(2000):
        sizes = rng.integers(20, 80, size=5)
        low, high = student_interval(Losses(sizes * rng.normal(2, 1 / np.sqrt(sizes)), sizes))
        held += low < 2 < high
    assert 0.925 < held / 2000 < 0.975


def test_stretches_are_of_four_times_n_to_the_two_thirds():
    # 21,952 = 28^3 words: 28 / 4 = 7 stretches of 4 * 28^2 = 3,136.
    assert in_stretches(np.ones(28**3)).sizes.tolist() == [3136] * 7
    stretches = in_stretches(np.arange(1000.0))  # 10 / 4 = 2.5, and 5 at least
    assert stretches.sizes.tolist() == [200] * 5
    assert stretches.sums[0] == 199 * 200 / 2
    assert stretches.parts.tolist() == [
        np.arange(i * 1000 // 60, (i + 1) * 1000 // 60).sum() for i in range(60)
    ]
    assert in_stretches(np.ones(12)).sizes.tolist() == [2, 2, 3, 2, 3]
    assert in_stretches(np.ones(3)).sizes.tolist() == [1, 1, 1]
    assert in_stretches(np.ones(0)).sizes.tolist() == []


def test_the_share_of_subjects_is_that_of_a_plain_loop():
    losses = np.random.default_rng(0).normal(size=600) + np.repeat([0, 1, 0, 1, 2, 0], 100)
    parts = losses.reshape(60, 10).sum(axis=1)
    r = parts - parts.mean()
    rho = [sum(r[i] * r[i + t] for i in range(60 - t)) / sum(r * r) for t in range(60)]
    time, t = -1.0, 0
    while rho[t] + rho[t + 1] > 0:
        time += 2 * (rho[t] + rho[t + 1])
        t += 2
    assert t > 2
    assert share_of_subjects(in_stretches(losses)) == pytest.approx(time / 60)


def test_a_text_with_few_subjects_has_an_interval_with_a_warning():
    """Losses of 1,200 words: independent, and with two subjects of 600 words each."""
    rng = np.random.default_rng(1)
    losses = rng.normal(size=1200)
    assert share_of_subjects(in_stretches(losses)) < SHARE_OF_LONG_SUBJECTS
    few = losses + np.repeat([0, 1], 600)
    assert share_of_subjects(in_stretches(few)) > SHARE_OF_LONG_SUBJECTS
    text = " ".join("a b" if i < 400 else "c d" for i in range(800))
    one, other = (fit_text("a b c d b a a c " * 20, method=name) for name in ("kn", "add-half"))
    for call in (lambda: interval(text, one), lambda: compare(one, other, text)):
        with pytest.warns(UserWarning, match="may be too narrow: losses are correlated") as told:
            call()
        assert len(told) == 1
        assert told[0].filename == __file__


def test_neighbours_that_go_together_widen_the_interval():
    """Residuals 2, 2, 2, -3, -3 of sizes 10: v = 5 / 4 (3 * 4 + 2 * 9) / 50^2 = .015."""
    sums, sizes = np.array([12.0, 12, 12, 7, 7]), np.full(5, 10.0)
    v, neighbours = 0.015, (4 + 4 - 6 + 9) / 50**2
    half = stats.t.ppf(0.975, 3) * np.sqrt(v + 2 * neighbours + 2 * 4 * v / 25)
    low, high = student_interval(Losses(sums, sizes, is_ordered=True))
    assert (low, high) == pytest.approx((1 - half, 1 + half))
    alone = (1 - stats.t.ppf(0.975, 4) * np.sqrt(v), 1 + stats.t.ppf(0.975, 4) * np.sqrt(v))
    in_turn = Losses(sums[[0, 3, 1, 4, 2]], sizes, is_ordered=True)  # below zero: nothing is added
    assert student_interval(in_turn) == pytest.approx(alone)


@pytest.mark.parametrize(("blocks", "words"), [(4, 20), (6, 8), (49, 1)])
def test_there_is_no_interval_of_few_blocks_or_few_words(blocks, words):
    assert np.isnan(student_interval(Losses(np.arange(blocks), np.full(blocks, words)))).all()


@pytest.mark.parametrize(("blocks", "words"), [(5, 10), (50, 1)])
def test_five_blocks_or_fifty_words_are_enough(blocks, words):
    low, high = student_interval(Losses(np.arange(blocks), np.full(blocks, words)))
    assert low < np.arange(blocks).sum() / (blocks * words) < high


def test_fixed_contexts_have_the_interval_of_single_pairs():
    counts = CountMatrix.from_dense([[30, 10], [5, 15]])
    matrix = SparsePlusLowRank(np.array([[0.5, 0.5], [0.25, 0.75]]), np.eye(2))
    found = interval(counts, matrix, contexts="fixed")
    losses = -np.log(np.repeat([0.5, 0.5, 0.25, 0.75], [30, 10, 5, 15]))
    wanted = stats.ttest_1samp(losses, 0).confidence_interval()
    assert found == pytest.approx((losses.mean(), *wanted))
    assert compare(matrix, matrix, counts, contexts="fixed") == (0, 0, 0)
    tables = [("a", "x")] * 30 + [("a", "y")] * 10 + [("b", "x")] * 5 + [("b", "y")] * 15
    fitted = fit(tables, method="add-half")
    of_labels = interval(tables, fitted, contexts="fixed")
    assert of_labels == pytest.approx(interval(counts, fitted.model, contexts="fixed"))
    for pair in ((fitted, fitted.model), (fitted.model, fitted)):
        with pytest.raises(ValueError, match="the other, of type SparsePlusLowRank, has none"):
            compare(*pair, tables)
    halves = CountMatrix.from_dense([[30.5, 10], [5, 15]])
    with pytest.raises(ValueError, match="'fixed' requires whole counts, but these"):
        interval(halves, matrix, contexts="fixed")
    with pytest.raises(ValueError, match="contexts = 'new': must be one of drawn, fixed"):
        interval(counts, matrix, contexts="new")
    model = fit_text("a b a b b a", method="kn")
    with pytest.raises(ValueError, match="'fixed' applies to pairs, but the data are"):
        interval("a b", model, contexts="fixed")


def test_a_pairing_tells_what_two_intervals_do_not():
    rng = np.random.default_rng(1)
    P = rng.dirichlet(np.ones(6), size=40)
    counts, test = (CountMatrix.from_dense(rng.poisson(n * P)) for n in (8, 20))
    one, other = (method("add-half", constant=constant).fit(counts) for constant in (0.5, 0.8))
    found = compare(one, other, test)
    assert found.value == pytest.approx(cross_entropy(test, other) - cross_entropy(test, one))
    assert found.low < found.value < found.high
    alone = interval(test, one)
    assert alone.value == cross_entropy(test, one)
    assert found.high - found.low < alone.high - alone.low
    assert compare(one, one, test) == (0, 0, 0)
    text = Sentences.from_lists(rng.integers(0, 4, size=(30, 6)).tolist(), 4)
    model = method("kn").fit_text(text, 2)
    assert interval(text, model).low < cross_entropy(text, model) < interval(text, model).high


def test_an_interval_of_few_blocks_is_told_to_be_none():
    counts = CountMatrix.from_dense([[2, 1], [1, 1], [0, 3]])
    one, other = (method("add-half", constant=constant).fit(counts) for constant in (0.5, 0.8))
    for call in (lambda: interval(counts, one), lambda: compare(one, other, counts)):
        with pytest.warns(UserWarning, match="^no interval: fewer than 5 blocks or 50") as told:
            found = call()
        assert [each.filename for each in told] == [__file__]
        assert np.isfinite(found.value)
        assert np.isnan(found[1:]).all()


def test_what_is_true_is_reliable_and_what_is_not_is_seen():
    rng = np.random.default_rng(2)
    P = rng.dirichlet(0.5 * np.ones(8), size=50)
    test = CountMatrix.from_dense([rng.multinomial(400, row) for row in P])
    truth = SparsePlusLowRank(P, np.eye(8))
    said, happened, chances = reliability(test, truth, bins=8)
    error = np.sqrt(said * (1 - said) / chances)
    assert (abs(happened - said) < 4 * error + 1e-12).all()
    assert chances.sum() == 400 * 50 * 8
    flat = reliability(test, SparsePlusLowRank(np.full((50, 1), 1 / 8), np.ones((1, 8))))
    assert flat.said == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    ("bins", "said", "happened", "chances"),
    [
        # Between 1/8, 1/4, 1/2 and 1 stands a cell each.
        (3, [0.125, 0.3, 0.575], [0.1, 0.2, 0.7], [10, 10, 10]),
        # Between 1/8, sqrt(1/8) = .354 and 1: the first bin has two cells.
        (2, [0.2125, 0.575], [0.15, 0.7], [20, 10]),
    ],
)
def test_bins_of_reliability_have_equal_widths_of_logarithms(bins, said, happened, chances):
    row = SparsePlusLowRank(np.array([[0.125, 0.3, 0.575]]), np.eye(3))
    found = reliability(np.array([[1, 2, 7]]), row, bins)
    np.testing.assert_allclose(found, [said, happened, chances])


def test_scores_of_the_same_numbers_are_equal_without_an_interval_too():
    """Python 3.13 compares field by field, and no nan equals itself."""
    one, same = (Score(0.7, float("nan"), float("nan"), 6) for _ in range(2))
    assert one == same
    assert len({one, same, Score(0.7, 0.6, 0.8, 6)}) == 2
    assert one != Score(0.7, 0.6, 0.8, 6)
    assert one != (0.7, 0.6, 0.8, 6)


def test_a_nat_is_so_many_bits():
    assert Score(np.log(2), 0, 1, 10).bits == pytest.approx(1)


@pytest.mark.parametrize("shape", [(7, 9), (9, 7)])
def test_contexts_that_a_test_lacks_at_its_end_have_no_counts(shape):
    model = method("add-half").fit(np.arange(63).reshape(shape))
    test = np.ones((shape[0] - 1, shape[1]), dtype=int)
    whole = np.vstack([test, np.zeros((1, shape[1]), dtype=int)])
    assert interval(test, model) == interval(whole, model)
    with pytest.raises(ValueError, match="must be"):
        interval(test[:, 1:], model)


@pytest.mark.parametrize("wrong", ["ad", np.eye(2), None])
def test_what_is_no_model_is_refused_by_its_type(wrong):
    with pytest.raises(ValueError, match=type(wrong).__name__):
        interval([[1, 2], [3, 4]], wrong)


def test_nothing_is_compared_on_no_pairs():
    models = [method(id).fit(np.ones((2, 3), dtype=int)) for id in ("ad", "kn")]
    with pytest.raises(ValueError, match="nothing to compare on"):
        compare(np.zeros((2, 3), dtype=int), *models)
