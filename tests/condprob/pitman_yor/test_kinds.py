"""Types are weighed against tokens by what held-out pairs say, and slowly."""

import numpy as np
import pytest

from condprob import CountMatrix, draw_model, method, sample_counts
from condprob.pitman_yor.held_out import (
    ALL,
    CLEAR,
    SOME,
    Evidence,
    weigh_types,
)

RANK, K = 3, 60
OPTIONS = {"smallest_rank": RANK, "largest_rank": RANK, "starts": 1}


def draw_tokens(seed):
    """Pairs of a model of low rank: how often one is seen is what there is to learn."""
    return sample_counts(draw_model(K, RANK, seed=seed), 3000, seed=seed)


def draw_types(seed):
    """Distinct pairs of hard classes, each repeated by chance: that says nothing of the classes."""
    rng = np.random.default_rng(seed)
    contexts = rng.integers(K, size=600)
    outcomes = contexts % RANK * (K // RANK) + rng.integers(K // RANK, size=600)
    pairs = CountMatrix.from_pairs(contexts, outcomes, K)
    often = rng.geometric(0.3, pairs.nnz)
    return CountMatrix.from_pairs(pairs.contexts, pairs.outcomes, K, weights=often)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_pairs_speak_for_the_kind_of_which_they_were_drawn(seed):
    matrix = method("py-lr", **OPTIONS).fit(draw_tokens(seed), seed)
    assert matrix.evidence[1] < 0
    assert matrix.evidence[3] == 0
    assert not any(name.startswith("types") for name in matrix.components)
    matrix = method("py-lr", **OPTIONS).fit(draw_types(seed), seed)
    assert matrix.evidence[1] > SOME
    assert any(name.startswith("types") for name in matrix.components)


def test_the_gain_of_types_and_its_error_are_those_of_the_pairs_one_by_one():
    # Three times 0.2, once -0.2: 0.4 in all; deviations from the mean, 0.1, are 0.1 and -0.3, their
    # squares 0.12 in all. The three are new.
    found = weigh_types(np.array([3.0, 1.0]), np.array([0.2, -0.2]), np.array([True, False]))
    assert found.pairs == 3
    assert found.gain == pytest.approx(0.4 / 3)
    assert found.error == pytest.approx(0.12**0.5 / 3)
    assert weigh_types(np.ones(2), np.ones(2), np.zeros(2, bool)) == (0, 0, 0, 0)


def test_their_weight_rises_slowly_from_none_to_all():
    def weight_of(gain):
        return weigh_types(np.ones(2), np.full(2, gain), np.ones(2, bool)).weight

    weights = [weight_of(gain) for gain in (-1.0, 0.0, SOME, (SOME + ALL) / 2, ALL, 1.0)]
    np.testing.assert_allclose(weights, [0, 0, 0, 0.5, 1, 1], atol=1e-12)
    # By a thousandth of a nat no more than a tenth.
    assert max(np.diff([weight_of(gain) for gain in np.arange(0, 0.03, 1e-3)])) < 0.1


@pytest.mark.parametrize(
    ("gain", "loser"),
    [
        (ALL + 0.1 * CLEAR + 1e-6, "tokens"),
        (ALL + 0.1 * CLEAR - 1e-6, None),
        (SOME - 0.1 * CLEAR + 1e-6, None),
        (SOME - 0.1 * CLEAR - 1e-6, "types"),
    ],
)
def test_a_kind_loses_only_if_it_is_clear(gain, loser):
    assert Evidence(100.0, gain, 0.1, 0.5).loser == loser
