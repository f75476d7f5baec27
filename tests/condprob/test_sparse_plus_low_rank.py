"""The estimate: classes of labels, many pairs, none, bad ones.

That parts answer as the whole array would, which they never build, `test_contract` asks of every
method.
"""

import numpy as np
import pytest
from inputs import EDGES, random_counts

from condprob import method


@pytest.mark.parametrize("id", ["sb", "ad-lr"])
def test_many_pairs_are_looked_up_in_parts(id, monkeypatch):
    counts = random_counts(4, k=15, n=60)
    matrix = method(id).fit(counts)
    contexts, outcomes = np.indices(counts.dense().shape).reshape(2, -1)
    # Of 225 pairs the last part is short.
    monkeypatch.setattr("condprob.matrix.PAIRS_AT_ONCE", 7)
    monkeypatch.setattr("condprob.entries.FLOATS_AT_ONCE", 7)
    found = matrix.at(contexts, outcomes)
    np.testing.assert_allclose(found, matrix.dense().ravel(), rtol=1e-12)


@pytest.mark.parametrize("id", ["py-lr", "ad-lr", "add-half-lr", "kn-ad-lr"])
def test_rounding_puts_no_probability_above_one(id):
    """Of one outcome each has all of a row, which is added up of parts."""
    matrix, everyone = method(id).fit([[20], [30], [0]]), np.arange(3)
    found = matrix.rows(everyone), matrix.dense(), matrix.block(everyone, np.array([0]))
    for probabilities in (*found, matrix.at(everyone, 0)):
        assert probabilities.max() <= 1
        np.testing.assert_allclose(probabilities, 1, rtol=1e-12)


@pytest.mark.parametrize("id", ["kn", "ad-lr"])
def test_no_labels_give_no_values(id):
    matrix = method(id).fit(EDGES["one pair"])
    assert matrix.at([], []).shape == (0,)
    assert matrix.rows([]).shape == (0, 5)
