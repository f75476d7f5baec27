"""Models of whole histories: the data, the contract, and n-grams by the methods for pairs."""

import numpy as np
import pytest
from inputs import exactly

from condprob import Sentences, cross_entropy, method
from condprob.sequences.sentences import NOTHING, as_histories

RNG = np.random.default_rng(1)
# Word 6 never occurs.
TEXT = Sentences.from_lists([RNG.integers(0, 6, length) for length in (9, 1, 0, 14, 30)], k=7)


def test_histories_end_at_the_start_of_their_sentence():
    sentences = Sentences.from_lists([[3, 1, 2], [], [0]], k=4)
    assert (sentences.n, len(sentences)) == (4, 3)
    assert sentences.histories(3).tolist() == [
        [NOTHING, NOTHING],
        [NOTHING, 3],
        [3, 1],
        [NOTHING, NOTHING],
    ]
    assert sentences.histories(1).shape == (4, 0)


def test_histories_of_any_length_are_cut_and_filled():
    found = as_histories([(), (2,), (0, 1, 2, 3)], order=3, k=4)
    assert found.tolist() == [[NOTHING, NOTHING], [NOTHING, 2], [2, 3]]


@pytest.mark.parametrize("width", [0, 1, 2, 4])
def test_histories_of_an_array_are_those_of_its_rows(width):
    array = np.random.default_rng(width).integers(0, 4, (5, width))
    array[1:, :1] = NOTHING
    for order in (1, 2, 3, 6):
        found = as_histories(array, order, k=4)
        assert found.tolist() == as_histories(array.tolist(), order, k=4).tolist()
    if width:
        masked = np.ma.array(array, mask=array == 0)
        for wrong, told in ((array + 4, "value 7|value 6|value 5|value 4"), (array + 0.5, "float"),
                            (masked, "masked")):  # fmt: skip
            with pytest.raises(ValueError, match=f"histories.*({told})"):
                as_histories(wrong, 3, k=4)


def test_trigrams_of_add_half_by_hand():
    # After (0, 1) came 2 twice and 0 once: (2 + 1/2) / (3 + 3/2), and 1/3 after a new history.
    text = Sentences.from_lists([[0, 1, 2], [0, 1, 2], [0, 1, 0]], k=3)
    model = method("add-half").fit_text(text, order=3)
    np.testing.assert_allclose(model.at([(0, 1), (0, 1), (2, 2)], [2, 0, 1]), [5 / 9, 1 / 3, 1 / 3])
    assert cross_entropy(text, model) == pytest.approx(-np.mean(model.score(text)))


def test_a_text_is_generated_from_its_seed():
    text = Sentences.from_words([0, 1, 2] * 50, k=3)
    model = method("kn", discount=0.001).fit_text(text, order=3)
    drawn = model.generate(30, seed=4, history=[0, 1])
    np.testing.assert_array_equal(drawn, model.generate(30, seed=4, history=[0, 1]))
    assert drawn[:6].tolist() == [2, 0, 1, 2, 0, 1]  # a discount of 1/1000 hardly ever errs


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Sentences.from_lists([[0, 3]], k=3),
         "words has the value 3: integers 0..2 are needed"),
        (lambda: TEXT.histories(0), "order = 0: an integer >= 1 is needed"),
        (lambda: method("kn").fit_text(TEXT, 2).rows([(9,)]),
         "histories has the value 9: integers 0..6 are needed"),
        (lambda: method("kn").fit_text(TEXT, 2).score(Sentences.from_lists([[0]], 2)),
         "sentences over 2 words: 7 are needed"),
        (lambda: cross_entropy(Sentences.from_lists([], 7), method("kn").fit_text(TEXT, 2)),
         "cross-entropy on no words: at least one test word is needed"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=exactly(message)):
        call()
