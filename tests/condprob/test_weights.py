"""Weights of mixtures: by hand, against general optimisers, at the edges, and invariances."""

import numpy as np
import pytest
from inputs import exactly
from scipy.optimize import minimize

import condprob.weights
from condprob.weights import LARGEST_GAP, mixture_weights


def likelihood(weights, chances, times, prior=0.0, known=0.0, share=1.0):
    """The objective by its formula, nats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        of_pairs = times * np.log(known + share * (weights @ chances))
        of_prior = prior * np.log(weights)
    return float(of_pairs[times > 0].sum() + (of_prior.sum() if prior else 0.0))


def left_to_gain(weights, chances, times, prior=0.0, known=0.0, share=1.0):
    """The duality gap, nats per pair: by concavity no mixture is likelier by more."""
    relative = share * chances / (known + share * (weights @ chances))
    gains = relative @ times + prior / np.where(weights > 0, weights, 1.0)
    n = np.sum(times) + np.broadcast_to(prior, gains.shape).sum()
    return (gains.max() - weights @ gains) / n


def random_problem(seed):
    """A mixture of up to 8 components, some nearly equal, some useless, with known parts or not."""
    rng = np.random.default_rng(seed)
    size, pairs = int(rng.integers(1, 9)), int(rng.integers(1, 120))
    chances = rng.dirichlet(np.full(pairs, rng.choice([0.05, 1.0, 10.0])), size=size) + 1e-12
    if seed % 3 == 0:
        chances[-1] = chances[0] * (1 + 1e-6 * rng.normal(size=pairs))
    if seed % 4 == 0:
        chances *= np.exp(-rng.exponential(20, (size, 1)))
    times = rng.integers(0, int(rng.choice([2, 50, 10**6])), size=pairs).astype(float)
    times[0] += 1
    prior = float(rng.choice([0.0, 0.01, 2.0]))
    known, share = 0.0, 1.0
    if seed % 2:
        known, share = 0.01 * rng.random(pairs), rng.random(pairs)
    return chances, times, prior, known, share


@pytest.mark.parametrize("seed", range(60))
def test_no_mixture_is_likelier(seed):
    chances, times, prior, known, share = random_problem(seed)
    problem = chances, times, prior, known, share
    weights = mixture_weights(chances, times, prior, known=known, share=share)
    assert (weights >= 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-14)
    assert left_to_gain(weights, *problem) < 10 * LARGEST_GAP
    # A general optimiser, of which nothing is taken but the likelihood of what it finds.
    n, size = times.sum() + prior * len(chances), len(chances)
    found = minimize(
        lambda w: -likelihood(np.abs(w) / np.abs(w).sum(), *problem) / n,
        np.full(size, 1 / size),
        method="SLSQP",
        bounds=[(1e-12, 1)] * size,
        constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
        options={"ftol": 1e-13, "maxiter": 500},
    ).x
    theirs = likelihood(np.abs(found) / np.abs(found).sum(), *problem) / n
    assert likelihood(weights, *problem) / n >= theirs - 1e-11


def hard_problem(seed):
    """Probabilities that are e^100 apart, many of them zero, of a few pairs seen very unevenly."""
    rng = np.random.default_rng(seed)
    size, pairs = rng.integers(2, 7), rng.integers(1, 12)
    chances = np.exp(rng.normal(0, rng.choice([1, 5, 20, 60]), (size, pairs)))
    chances[rng.random((size, pairs)) < rng.choice([0, 0.3, 0.6])] = 0
    chances = chances[:, chances.max(axis=0) > 0]
    times = np.exp(rng.normal(0, rng.choice([0.1, 3, 8]), chances.shape[1]))
    return chances, times, rng.choice([0, 1e-6, 1, 100])


# Of 6,000 such problems these have a step that is too long, and is halved.
@pytest.mark.parametrize("seed", [673, 1968, 3831, 4347, 4620, 4822, 4834, 5323])
def test_a_step_that_is_too_long_is_halved(seed):
    chances, times, prior = hard_problem(seed)
    weights = mixture_weights(chances, times, prior)
    n = times.sum() + prior * len(chances)
    assert left_to_gain(weights, chances, times / n, prior / n) < 10 * LARGEST_GAP


@pytest.mark.parametrize("seed", range(60))
def test_few_steps_lead_to_the_likeliest(seed, monkeypatch):
    """As many as `MOST_STEPS` says of random mixtures, and some: then it ends by itself."""
    explain, steps = condprob.weights._explain, []

    def count(*given):
        steps.append(given)
        return explain(*given)

    monkeypatch.setattr(condprob.weights, "_explain", count)
    chances, times, prior, known, share = random_problem(seed)
    weights = mixture_weights(chances, times, prior, known=known, share=share)
    assert left_to_gain(weights, chances, times, prior, known, share) < 10 * LARGEST_GAP
    assert len(steps) <= 25


def test_weights_by_hand():
    # Of two components that share no pair, each has the pairs that it explains.
    np.testing.assert_allclose(mixture_weights(np.eye(2), [3, 1]), [3 / 4, 1 / 4], rtol=1e-9)
    # Two pseudo-observations of each: (3 + 2)/8 and (1 + 2)/8; of the second alone, 3/6 and 3/6.
    np.testing.assert_allclose(mixture_weights(np.eye(2), [3, 1], 2.0), [5 / 8, 3 / 8], rtol=1e-9)
    found = mixture_weights(np.eye(2), [3, 1], [0.0, 2.0])
    np.testing.assert_allclose(found, [1 / 2, 1 / 2], rtol=1e-9)
    # Known parts 1/4 and no other: 3 log(1/4 + w/2) + log(1/4 + (1 - w)/2), with its top where
    # 3 (3/4 - w/2) = 1/4 + w/2, beyond w = 1. Seen as often, it is w = 1/2.
    how = {"known": 0.25, "share": 0.5}
    np.testing.assert_allclose(mixture_weights(np.eye(2), [3, 1], **how), [1, 0], atol=1e-9)
    np.testing.assert_allclose(mixture_weights(np.eye(2), [3, 3], **how), [1 / 2, 1 / 2])
    # 2 (3/4 - w/2) = 1/4 + w/2: w = 5/6.
    np.testing.assert_allclose(mixture_weights(np.eye(2), [2, 1], **how), [5 / 6, 1 / 6], rtol=1e-9)


def test_weights_of_a_mixture_are_the_likeliest_where_a_part_is_hardly_of_use():
    # Two parts a and b of two pairs, seen 3 times and once: a gives them 1/2 each, b 1 - x and x.
    # With weight w for b it is 3 log((1 + w (1 - 2x)) / 2) + log((1 - w (1 - 2x)) / 2), greatest
    # where w (1 - 2x) = 1/2. At x = 1/4 that is w = 1, at its limit: a is of no use, and only just.
    for x, expected in ((0.25, 1.0), (0.1, 0.625), (0.25 - 1e-7, 0.9999998), (0.4, 1.0)):
        chances, times = np.array([[0.5, 0.5], [1 - x, x]]), np.array([3.0, 1.0])
        weights = mixture_weights(chances, times)
        best = times @ np.log([1 - expected, expected] @ chances) / 4
        assert times @ np.log(weights @ chances) / 4 == pytest.approx(best, abs=2e-10)
        np.testing.assert_allclose(weights, [1 - expected, expected], atol=1e-4)
    rng = np.random.default_rng(391)
    for parts, pairs in ((3, 10), (8, 400), (5, 1)):
        chances = rng.dirichlet(np.full(pairs, 0.2), size=parts) + 1e-9
        chances[-1] = chances[0] * (1 + 1e-6 * rng.normal(size=pairs))  # nearly the same part
        times = 10.0 ** rng.integers(13, size=pairs)
        weights = mixture_weights(chances, times)
        # The dual bound, in nats per pair: a mixture with more of a part gains no more than this.
        assert (chances @ (times / (weights @ chances)) / times.sum()).max() - 1 < 1e-9
        assert weights.sum() == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("prior", [0.0, 3.0])
def test_edges(prior):
    times = np.array([2.0, 5.0, 1.0])
    row = np.array([0.2, 0.5, 0.3])
    assert mixture_weights([row], times, prior).tolist() == [1.0]
    # Equal components share alike, beside another or not.
    np.testing.assert_allclose(mixture_weights([row] * 4, times, prior), 1 / 4, rtol=1e-12)
    two = mixture_weights([row, row, row[::-1]], times, prior)
    assert two[0] == pytest.approx(two[1], rel=1e-9)
    # Neither pairs nor a prior: nothing tells the weights. Nor do pairs that were never seen, even
    # those that are impossible.
    np.testing.assert_array_equal(mixture_weights(np.zeros((3, 0)), [], prior), np.full(3, 1 / 3))
    np.testing.assert_array_equal(
        mixture_weights(np.zeros((3, 2)), [0, 0], prior), np.full(3, 1 / 3)
    )
    with_never = mixture_weights([[0.2, 0.0, 0.8], [0.6, 0.0, 0.4]], [3, 0, 4], prior)
    without = mixture_weights([[0.2, 0.8], [0.6, 0.4]], [3, 4], prior)
    np.testing.assert_allclose(with_never, without, rtol=1e-9)
    # A factor of zero leaves the known part alone, which tells nothing.
    found = mixture_weights([row, row[::-1]], times, prior, known=0.5, share=[0.0, 0.0, 0.0])
    np.testing.assert_allclose(found, 1 / 2, rtol=1e-9)


def test_a_component_that_is_of_no_use_has_no_weight():
    rng = np.random.default_rng(4)
    good, times = rng.dirichlet(np.ones(50)), rng.integers(1, 9, 50)
    for useless in (np.zeros(50), np.full(50, 1e-300), good / 2):
        np.testing.assert_allclose(mixture_weights([useless, good], times), [0, 1], atol=1e-9)
    # It keeps its pseudo-observations.
    found = mixture_weights([np.zeros(50), good], times, 3.0)
    assert found[0] == pytest.approx(3 / (times.sum() + 6), rel=1e-9)


def test_probabilities_of_any_size_are_taken():
    rng = np.random.default_rng(5)
    chances, times = rng.random((4, 30)), rng.integers(1, 5, 30).astype(float)
    expected = mixture_weights(chances, times)
    for factor in (1e-300, 1e-150, 1e300, 10.0 ** rng.integers(-290, 290, 30)):
        np.testing.assert_allclose(mixture_weights(chances * factor, times), expected, atol=1e-9)


def test_what_changes_nothing_changes_nothing():
    """Order of components and pairs, the unit of the times, a pair that is cut in two."""
    chances, times, _, known, share = random_problem(7)
    how = {"known": known, "share": share}
    expected = mixture_weights(chances, times, 2.0, **how)
    back = mixture_weights(chances[::-1], times, 2.0, **how)[::-1]
    np.testing.assert_allclose(back, expected, atol=1e-9)
    turned = {"known": known[::-1], "share": share[::-1]}
    back = mixture_weights(chances[:, ::-1], times[::-1], 2.0, **turned)
    np.testing.assert_allclose(back, expected, atol=1e-9)
    scaled = mixture_weights(chances, 1000 * times, 2000.0, **how)
    np.testing.assert_allclose(scaled, expected, atol=1e-9)
    twice = {"known": np.tile(known, 2), "share": np.tile(share, 2)}
    halves = mixture_weights(np.tile(chances, 2), np.tile(times / 2, 2), 2.0, **twice)
    np.testing.assert_allclose(halves, expected, atol=1e-9)


def test_more_pairs_than_are_worked_on_at_a_time():
    rng = np.random.default_rng(6)
    chances, times = rng.random((3, 100)), rng.integers(1, 5, 100)
    expected = mixture_weights(chances, times)
    often = 2000
    found = mixture_weights(np.tile(chances, often), np.tile(times, often))
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((np.zeros((0, 2)), [1, 1]), "a mixture of no components: pass at least one"),
        (
            ([[0.0, 1.0], [0.0, 2.0]], [1, 1]),
            "a pair was seen to which all components give probability zero",
        ),
    ],
)
def test_what_cannot_be_is_one_line(given, message):
    with pytest.raises(ValueError, match=exactly(message)):
        mixture_weights(*given)
