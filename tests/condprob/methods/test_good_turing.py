"""Good-Turing and Katz's back-off: counts of counts by hand, and Katz's formula."""

import numpy as np
import pytest

from condprob import CountMatrix, Sentences, method
from condprob.methods.good_turing import GoodTuring, Katz

# 12 pairs seen once, 4 twice, 2 three times, 1 four times, 1 six times: the sixth outcome is never
# seen after contexts 0 to 3, and context 4 is never seen.
COUNTS = np.array(
    [
        [1, 1, 1, 1, 2, 0],
        [1, 1, 1, 2, 3, 0],
        [1, 1, 1, 2, 4, 0],
        [1, 1, 2, 3, 6, 0],
        [0, 0, 0, 0, 0, 0],
    ]
)
NUMBERS = {1: 12, 2: 4, 3: 2, 4: 1, 5: 0, 6: 1}
ONCE = 2 * 4 / 12
TWICE = 3 * 2 / 4
THRICE = 4 * 1 / 2
# No pair is seen five times: 4* would be zero, and one discount of 12 / (12 + 2 * 4) takes its
# place.
FOUR_TIMES = 4 - 12 / 20


def test_the_counts_of_counts_are_those_of_the_example():
    assert {r: int((r == COUNTS).sum()) for r in NUMBERS} == NUMBERS


def test_good_turing_by_hand():
    rows = method("good-turing").fit(CountMatrix.from_dense(COUNTS)).dense()
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(rows[0, :5], np.array([*[ONCE] * 4, TWICE]) / 6)
    np.testing.assert_allclose(rows[2, :5], np.array([*[ONCE] * 3, TWICE, FOUR_TIMES]) / 9)
    # Above five a count keeps its value.
    np.testing.assert_allclose(rows[3, :5], np.array([ONCE, ONCE, TWICE, THRICE, 6]) / 13)
    # All counts together: 4, 4, 5, 8, 15 are the sums, each seen at most twice.
    sums = COUNTS.sum(axis=0)
    assert sums.tolist() == [4, 4, 5, 8, 15, 0]
    four, five = 5 * 1 / 2, 5 - 0.75  # six is no sum, and neither one nor two
    pooled = np.array([four, four, five, 8, 15, 0])
    np.testing.assert_allclose(rows[4], (pooled + (36 - pooled.sum()) / 6) / 36)


def test_katz_by_hand():
    """``d_r = (r*/r - a) / (1 - a)`` with ``a = 6 n_6 / n_1``: here all pairs lose ``n_1``."""
    a = 6 * 1 / 12
    estimator = Katz()
    found = estimator.ratios(np.array([NUMBERS[r] for r in range(1, 7)]))
    once, twice = (ONCE - a) / (1 - a), (TWICE / 2 - a) / (1 - a)
    assert found[1:3] == pytest.approx([once, twice])
    assert found[6] == 1
    # The formula's own identity, where every ratio is defined: what is lost is n_1.
    numbers = np.array([120, 40, 24, 15, 11, 9])
    ratios = estimator.ratios(numbers)
    r = np.arange(1, 6)
    assert (numbers[:5] * r * (1 - ratios[1:6])).sum() == pytest.approx(numbers[0])
    plain = GoodTuring().ratios(numbers)
    assert (numbers[:5] * r * (1 - plain[1:6])).sum() == pytest.approx(120 - 6 * 9)
    rows = method("katz").fit(CountMatrix.from_dense(COUNTS)).dense()
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(rows[0, :5], np.array([*[once] * 4, 2 * twice]) / 6)


TEXT = Sentences.from_lists([[0, 1, 2, 0, 1], [0, 1, 2, 0, 3], [2, 0, 1], [0, 1, 2]], 6)


def test_a_text_falls_back_order_by_order():
    """A trigram seen has its discounted frequency; others the bigram's, scaled to fill the row."""
    model = method("katz", largest=2).fit_text(TEXT, 3)
    histories = [(), (0,), (0, 1), (2, 0), (4, 5), (1, 0)]
    rows = model.rows(histories)
    np.testing.assert_allclose(rows.sum(axis=1), 1, rtol=1e-14)
    (bigram,) = model.rows([(5, 0)])  # never seen together: the bigram of 0
    (trigram,) = model.rows([(2, 0)])  # 1 twice and 3 once
    unseen = [0, 2, 4, 5]
    np.testing.assert_allclose(
        trigram[unseen] / trigram[unseen].sum(), bigram[unseen] / bigram[unseen].sum()
    )
    # Of six trigrams, those at the start of a sentence among them, two each came once, twice and
    # three times: (start 2 0, 2 0 3), (1 2 0, 2 0 1), (start 0 1, 0 1 2).
    # a = 3 n_3 / n_1 is above one, so that 1 - D / r stands for both ratios.
    D = 2 / (2 + 2 * 2)
    assert trigram[[1, 3]] == pytest.approx(np.array([2 - D, 1 - D]) / 3)
    # Three times in a row of one word: nothing is lost, and the unseen words have one count more.
    assert model.at([(0, 1)], [2]) == pytest.approx([3 / 4])


def test_at_order_one_and_two_it_is_the_matrix():
    counts = CountMatrix.from_dense(np.bincount(TEXT.words, minlength=6)[None])
    (row,) = method("katz").fit_text(TEXT, 1).rows([()])
    np.testing.assert_allclose(row, Katz().pooled(counts), rtol=1e-14)
    assert row.sum() == pytest.approx(1)
