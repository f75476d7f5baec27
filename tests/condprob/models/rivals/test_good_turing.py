"""Kneser-Ney with Good-Turing: a case by hand. test_rectangles has it against the dense formula."""

import numpy as np

from condprob import method


def test_a_case_by_hand():
    C = np.array([[2, 1, 0, 0], [0, 1, 0, 0]])
    # Two pairs once, one twice: Y = 2 / (2 + 2), which is also what is taken of a one, 1 - 2 Y / 2,
    # and stands for the others. So 1 of 3 and 1/2 of 1 are freed. Distinct contexts of the outcomes
    # are 1, 2, 0, 0: one and one, Y = 1/3 is taken of each, and the 2/3 go to the two never seen.
    lower = np.array([2, 5, 1, 1]) / 9
    rows = np.array([[1.5, 0.5, 0, 0], [0, 0.5, 0, 0]]) / [[3], [1]]
    rows += np.array([[1 / 3], [1 / 2]]) * lower
    # Of three distinct pairs one is an outcome's only one: a share of 1 / (3 + 1), in the one bin
    # there is (1 + 50 / 4) / (3 + 50). The rows have 2/27 and 1/9, by tokens (3 * 2/27 + 1/9) / 4.
    wanted, given = 13.5 / 53, 1 / 12
    novel = (wanted - given) / (1 - given)
    expected = (1 - novel) * rows + novel * np.array([0, 0, 0.5, 0.5])
    np.testing.assert_allclose(method("kn-gt").fit(C).dense(), expected)


def test_where_every_outcome_was_seen_it_is_kneser_ney():
    C = np.array([[2, 1], [0, 1]])
    expected = method("kn", discount=0.4).fit(C).dense()
    np.testing.assert_array_equal(method("kn-gt", discount=0.4).fit(C).dense(), expected)
