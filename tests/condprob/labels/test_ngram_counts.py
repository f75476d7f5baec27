"""Counts of n-grams have the fit of the text that was counted, whatever their size."""

import tracemalloc
from collections import Counter

import numpy as np
import pytest

from condprob import Text, fit_text

LINES = ["the cat sat", "the dog sat", "a", "the cat ran on", "the cat sat", "a dog", "on a on a"]


def count(lines, order):
    found = Counter()
    for line in lines:
        words = ["<s>", *line.split(), "</s>"]
        for length in range(1, order + 1):
            for start in range(len(words) - length + 1):
                found[tuple(words[start : start + length])] += 1
    return dict(found)


METHODS = [
    ("kn", {"discount": "modified"}),
    ("kn", {"continuation": "floor", "form": "backoff"}),
    ("interpolated", {}),
    ("mle", {}),
    ("add-half", {}),
    ("laplace", {}),
]


@pytest.mark.parametrize(("id", "options"), METHODS)
@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("text", [Text(), Text(min_count=2), Text(min_count=2, unknown=0)])
def test_the_fit_is_that_of_the_text(id, options, order, text):
    expected = fit_text(LINES, order, method=id, text=text, **options)
    found = fit_text(count(LINES, order), order, method=id, text=text, **options)
    assert (list(found.words), found.text, found.order) == (
        list(expected.words),
        expected.text,
        order,
    )
    known = [word for word in found.words if word not in ("</s>", "<unk>")]
    for history in ("", *known, *(f"{a} {b}" for a in known for b in known)):
        assert found.row(history) == pytest.approx(expected.row(history), abs=1e-12), history


@pytest.mark.parametrize("id", ["ad", "ad-lr", "sb", "wb", "jm"])
def test_at_order_two_counts_are_all_that_a_method_of_pairs_needs(id):
    options = {"rank": 2, "iterations": 20} if id == "ad-lr" else {}
    expected = fit_text(LINES, 2, method=id, **options)
    found = fit_text(count(LINES, 2), 2, method=id, **options)
    assert found.row("the") == pytest.approx(expected.row("the"), abs=1e-12)


@pytest.mark.parametrize(
    ("id", "order", "told"),
    [
        ("ad", 3, "learned from the end of the text. Counts of n-grams suffice for kn"),
        ("ll-l2", 2, "needs the sentences themselves. Counts of n-grams suffice for kn"),
        ("nplm", 3, "needs the sentences themselves"),
    ],
)
def test_a_method_that_needs_the_text_says_so(id, order, told):
    with pytest.raises(ValueError, match=told):
        fit_text(count(LINES, order), order, method=id)


def test_neither_memory_nor_numbers_hang_on_the_sum_of_the_counts():
    """Unrolled, 10**12 words would take a hundred terabytes."""
    fit_text(count(LINES, 3))  # compiled
    small = {ngram: 1000 * n for ngram, n in count(LINES, 3).items()}
    large = {ngram: 10**11 * n for ngram, n in small.items()}
    peaks, rows = [], []
    for counts in (small, large):
        tracemalloc.start()
        rows.append(fit_text(counts, method="mle").row("the cat"))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
    assert rows[0] == pytest.approx(rows[1], rel=1e-12)
    assert fit_text(large).about.n == 10**14 * sum(len(line.split()) + 1 for line in LINES)


def test_counts_without_the_rare_ones_are_fitted_with_a_warning():
    """As Google's, which leave out n-grams below 40."""
    counts = {ngram: n for ngram, n in count(LINES, 3).items() if n > 1 or len(ngram) < 3}
    with pytest.warns(UserWarning, match="not all n-grams of some sentences. If rare ones were"):
        found = fit_text(counts, 3)
    np.testing.assert_allclose(sum(found.row("the cat").values()), 1)


def test_a_word_whose_own_n_grams_were_left_out_is_known_in_histories():
    """`the` follows no word here: without a number it would cut every history that ends in it."""
    counts = {("<s>", "a"): 3, ("a", "</s>"): 3, ("the", "cat"): 50, ("cat", "</s>"): 40}
    with pytest.warns(UserWarning, match="not all n-grams of some sentences"):
        found = fit_text(counts, 2, method="add-half")
    assert "the" in found.words
    assert found.prob("the", "cat") == (50 + 0.5) / (50 + len(found.words) / 2)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({("the",): 3, ("cat",): 2}, "so there are no contexts to fit"),
        ({("<s>", "a"): 1, ("</s>", "<s>"): 1}, "has a sentence mark inside"),
        ({("<s>", "a"): 0, ("a", "</s>"): 0}, "the text has no words"),
    ],
)
def test_what_are_no_counts_of_sentences_is_refused(counts, told):
    with pytest.raises(ValueError, match=told):
        fit_text(counts)
    with pytest.raises(ValueError, match="lines = False"):
        fit_text(count(LINES, 2), 2, text=Text(lines=False))
