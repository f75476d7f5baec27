"""A model of back-off histories by hand: what was seen, and the factors to shorter histories."""

import numpy as np

from condprob import load
from condprob.sequences.backoff_model import BackoffModel
from condprob.sequences.suffixes import NOWHERE
from condprob.sequences.tree_model import Contexts

# Words 0, 1, 2; the text 1 0 has the contexts (), (0) and (1 0). Probabilities of seen words:
#   ()     0: 1/2, 1: 1/3    and 1/2 of the uniform distribution for the rest: 2 has 1/2 1/3 = 1/6
#   (0)    1: 3/4            and 3/8 of ():  0 has 3/8 1/2 = 3/16, 2 has 3/8 1/6 = 1/16
#   (1 0)  2: 4/5            and 16/75 of (0): 0 has 16/75 3/16 = 1/25, 1 has 16/75 3/4 = 4/25
MODEL = BackoffModel(
    words=3,
    longest=2,
    text=np.array([1, 0]),
    contexts=Contexts(
        parent=np.array([NOWHERE, 0, 1]),
        depth=np.array([0, 1, 2]),
        ends=np.array([0, 2, 2]),
        factor=np.array([1 / 2, 3 / 8, 16 / 75]),
        first=np.array([0, 2, 3, 4]),
    ),
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
    contexts = Contexts(parent, depth, ends, factor, np.array([0, 2, 3, 4, 5]))
    text, word = np.array([0, 1]), np.array([0, 1, 0, 0, 0])
    chances = np.array([0.5, 0.5, 0.7, 0.6, 0.9])
    model = BackoffModel(2**30, 2, text, contexts, word, chances)
    model.save(tmp_path / "model")
    read = load(tmp_path / "model")
    asked = [(), (0,), (1,), (0, 1)], [1, 1, 0, 0]
    np.testing.assert_allclose(read.at(*asked), [0.5, 0.3, 0.6, 0.9])
