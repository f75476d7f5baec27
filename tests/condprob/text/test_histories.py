"""Models of whole histories: the data, n-grams by the methods for pairs, back-off by hand."""

import numpy as np
import pytest
from inputs import exactly

from condprob import Sentences, cross_entropy, load, method
from condprob.text import arpa
from condprob.text.backoff_model import BackoffModel
from condprob.text.sentences import NOTHING, as_histories
from condprob.text.suffixes import NOWHERE, Places, SuffixTree, sort_histories

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
        for wrong, told in (
            (array + 4, "contain [4-7], but"),
            (array + 0.5, "float"),
            (masked, "masked"),
        ):
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
        (
            lambda: Sentences.from_lists([[0, 3]], k=3),
            "words contain 3, but must be integers 0..2",
        ),
        (lambda: TEXT.histories(0), "order = 0: must be an integer >= 1"),
        (
            lambda: method("kn").fit_text(TEXT, 2).rows([(9,)]),
            "histories contain 9, but must be integers 0..6",
        ),
        (
            lambda: method("kn").fit_text(TEXT, 2).score(Sentences.from_lists([[0]], 2)),
            "sentences over 2 words: the model has 7",
        ),
        (
            lambda: cross_entropy(Sentences.from_lists([], 7), method("kn").fit_text(TEXT, 2)),
            "cross-entropy on no words: pass at least one test word",
        ),
    ],
)
def test_bad_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=exactly(message)):
        call()


# Words 0, 1, 2; the text 1 0 has the contexts (), (0) and (1 0). Probabilities of seen words:
#   ()     0: 1/2, 1: 1/3    and 1/2 of the uniform distribution for the rest: 2 has 1/2 1/3 = 1/6
#   (0)    1: 3/4            and 3/8 of ():  0 has 3/8 1/2 = 3/16, 2 has 3/8 1/6 = 1/16
#   (1 0)  2: 4/5            and 16/75 of (0): 0 has 16/75 3/16 = 1/25, 1 has 16/75 3/4 = 4/25
MODEL = BackoffModel(
    words=3,
    longest=2,
    tree=SuffixTree(
        text=np.array([1, 0]),
        parent=np.array([NOWHERE, 0, 1]),
        depth=np.array([0, 1, 2]),
        ends=np.array([0, 2, 2]),
    ),
    factor=np.array([1 / 2, 3 / 8, 16 / 75]),
    first=np.array([0, 2, 3, 4]),
    word=np.array([0, 1, 1, 2]),
    probability=np.array([1 / 2, 1 / 3, 3 / 4, 4 / 5]),
)
ROWS = {
    (): [1 / 2, 1 / 3, 1 / 6],
    (0,): [3 / 16, 3 / 4, 1 / 16],
    (1, 0): [1 / 25, 4 / 25, 4 / 5],
    (2, 0): [3 / 16, 3 / 4, 1 / 16],  # not known: what is known of (0)
    (2, 2): [1 / 2, 1 / 3, 1 / 6],
    (0, 2, 1, 0): [1 / 25, 4 / 25, 4 / 5],  # the last two count
}


def test_an_unseen_word_has_what_the_shorter_history_gives_it_times_the_factor():
    np.testing.assert_allclose(MODEL.rows([*ROWS]), [*ROWS.values()], rtol=1e-14)
    np.testing.assert_allclose(MODEL.rows([*ROWS]).sum(axis=1), 1)
    histories = [history for history in ROWS for _ in range(3)]
    found = MODEL.at(histories, np.tile(np.arange(3), len(ROWS)))
    np.testing.assert_allclose(found, np.ravel([*ROWS.values()]), rtol=1e-14)


def test_it_says_its_size():
    assert (MODEL.order, MODEL.outcomes, MODEL.parameters) == (3, 3, 4)


def test_a_file_is_read_whose_contexts_times_words_are_beyond_32_bits(tmp_path):
    # the contexts (), (0), (1) and (0, 1), and two words of a thousand million after each of them
    parent, depth, ends = np.array([[-1, 0, 0, 2], [0, 1, 1, 2], [0, 1, 2, 2]])
    # by hand: what is left beside the words seen, over what the shorter context leaves to others
    factor = np.array([0, (1 - 0.7) / (1 - 0.5), (1 - 0.6) / (1 - 0.5), (1 - 0.9) / (1 - 0.6)])
    tree = SuffixTree(np.array([0, 1]), parent, depth, ends)
    first, word = np.array([0, 2, 3, 4, 5]), np.array([0, 1, 0, 0, 0])
    chances = np.array([0.5, 0.5, 0.7, 0.6, 0.9])
    model = BackoffModel(2**30, 2, tree, factor, first, word, chances)
    model.save(tmp_path / "model")
    read = load(tmp_path / "model")
    asked = [(), (0,), (1,), (0, 1)], [1, 1, 0, 0]
    np.testing.assert_allclose(read.at(*asked), [0.5, 0.3, 0.6, 0.9])


def test_histories_of_words_beyond_two_bytes_are_sorted_by_their_words():
    """Numbers that a sort by two bytes would take for each other, or for the end of a history."""
    text = np.array([2**16, 0, 2**16 - 1, 1, 2**16 - 2])
    ends = np.arange(1, text.size + 1)
    places = Places(text, ends, lengths=np.ones_like(ends))
    assert text[sort_histories(places)].tolist() == sorted(text.tolist())


@pytest.mark.parametrize("most", [1, 50, 2**62])
def test_rows_of_words_are_ranked_as_whole_rows(monkeypatch, most):
    monkeypatch.setattr(arpa, "MOST_EDGES", most)  # of more, ranks are taken on the way
    rows = np.random.default_rng(0).integers(0, 4, (60, 3))
    wanted = np.unique(rows, axis=0, return_inverse=True)[1].ravel()
    assert arpa._rank_rows(rows, 4).tolist() == wanted.tolist()
