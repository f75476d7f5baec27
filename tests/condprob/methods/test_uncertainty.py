"""Draws from the posterior of counts: against told posteriors, on drawn models, and refusals."""

import numpy as np
import pytest
from scipy.special import gammaln

from condprob import CountMatrix, Posterior, draw_model, posterior, sample_counts
from condprob.methods.uncertainty import (
    CONSTANTS,
    LEAST_STRENGTH,
    STRENGTHS_OF_CLASSES,
    TIMES_LARGEST_ROW,
    draw_constants,
    draw_dirichlet,
)

COUNTS = np.array([[80, 20, 0], [1, 9, 0], [0, 0, 0], [0, 3, 7]])


def test_a_row_whose_base_is_told_is_a_dirichlet():
    """One row, strength 4 around (.5, .25, .25), counts (3, 1, 0): Dir(5, 2, 1), whose sum is 8."""
    size, a = 40_000, np.array([5.0, 2.0, 1.0])
    weights = np.tile(np.float32([0.5, 0.5]), (size, 2, 1))
    classes = np.tile(np.float32([[1, 0, 0], [0, 0.5, 0.5]]), (size, 1, 1))
    told = Posterior(
        CountMatrix.from_dense([[3, 1, 0], [96, 0, 0]]), np.full(size, 4.0), weights, classes
    )
    drawn = told.draw(0, seed=3)
    mean, variance = a / 8, a * (8 - a) / (64 * 9)
    assert (abs(drawn.mean(axis=0) - mean) < 4.5 * np.sqrt(variance / size)).all()
    np.testing.assert_allclose(drawn.var(axis=0), variance, rtol=0.05)
    # The last is Beta(1, 7): its quantile is 1 - (1 - p)^(1/7).
    ends = told.interval(0, 2, level=0.9, seed=1)
    assert ends.low[0] == pytest.approx(1 - 0.95 ** (1 / 7), abs=4e-4)
    assert ends.high[0] == pytest.approx(1 - 0.05 ** (1 / 7), abs=1e-2)


def test_means_are_those_of_the_prior_weighed_by_the_likelihood():
    """With one class: strength and base from the prior, and the probability of the counts."""
    rng, size = np.random.default_rng(0), 60_000
    counts = np.array([[4, 1], [0, 2], [0, 0]])
    b = np.exp(rng.uniform(*np.log(STRENGTHS_OF_CLASSES), size))
    H = draw_dirichlet(np.tile(b[:, None] / 2, 2), rng)
    ends = np.log([LEAST_STRENGTH, 5 * TIMES_LARGEST_ROW])  # the largest row has five tokens
    strength = np.exp(rng.uniform(*ends, size))[:, None]
    a = np.maximum(strength * H, 1e-300)[:, None] + 0 * counts
    # Each row has the probability prod_j (a_j)_c / (strength)_n, with rising factorials.
    logs = (gammaln(a + counts) - gammaln(a)).sum(axis=(1, 2))
    sums = counts.sum(axis=1)
    logs -= (gammaln(strength + sums) - gammaln(strength)).sum(axis=1)
    chance = np.exp(logs - logs.max())
    wanted = [
        np.average((a[:, i, 0] + counts[i, 0]) / (strength[:, 0] + sums[i]), weights=chance)
        for i in range(3)
    ]
    found = posterior(counts, samples=4000, seed=1, burn_in=50, rank=1)
    means = [found.draw(i, seed=2)[:, 0].mean() for i in range(3)]
    np.testing.assert_allclose(means, wanted, atol=0.03)
    wanted = np.average(np.log(strength[:, 0]), weights=chance)
    assert np.log(found.strength).mean() == pytest.approx(wanted, abs=0.3)


def test_constants_are_drawn_from_their_density():
    """Two contexts with 3 and 1 tables of two classes; the density is summed on a grid."""
    n, rng, size = np.array([[3, 0], [0, 1]]), np.random.default_rng(0), 4000
    a, drawn = np.ones(2), np.empty((size, 2))
    for s in range(size):
        a = drawn[s] = draw_constants(n, a, rng)
    logs = np.linspace(*np.log(CONSTANTS), 400)
    grid = np.exp(np.array(np.meshgrid(logs, logs, indexing="ij")))
    density = np.log(grid).sum(axis=0) - grid.sum(axis=0)
    for row in n:
        total = grid.sum(axis=0)
        density += gammaln(total) - gammaln(total + row.sum())
        density += (gammaln(grid + row[:, None, None]) - gammaln(grid)).sum(axis=0)
    density = np.exp(density - density.max())
    wanted = (grid * density).sum(axis=(1, 2)) / density.sum()
    np.testing.assert_allclose(drawn.mean(axis=0), wanted, rtol=0.12)


def test_rows_that_are_told_to_be_dirichlet_tell_their_strength():
    rng = np.random.default_rng(0)
    P = rng.dirichlet(20 * rng.dirichlet(np.ones(25)), size=60)
    found = posterior([rng.multinomial(200, row) for row in P], samples=100, burn_in=100)
    assert 14 < np.exp(np.log(found.strength).mean()) < 28


def test_dirichlets_of_tiny_shapes_are_distributions_with_their_means():
    shapes = np.tile([1e-3, 3e-3, 0.0], (20_000, 1))
    drawn = draw_dirichlet(shapes, np.random.default_rng(0))
    np.testing.assert_allclose(drawn.sum(axis=1), 1)
    # Nearly one of the three is 1: a coin, whose standard error is sqrt(3 / 16 / 20,000) = .003.
    np.testing.assert_allclose(drawn.mean(axis=0), [0.25, 0.75, 0], atol=0.013)


@pytest.mark.parametrize("kind", ["Dirichlet", "low rank"])
def test_intervals_cover_models_that_were_drawn(kind):
    """Of seen pairs, too: of the low rank there a common base alone covers 87 %.

    Rows are drawn independently. Were all of a row missed together, the share covered of 4 x 30
    rows would have a standard error of sqrt(.95 x .05 / 120) = .02; three of them are allowed.
    """
    covered, seen = [], []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        if kind == "Dirichlet":
            P = rng.dirichlet(20 * rng.dirichlet(np.ones(25)), size=30)
            counts = CountMatrix.from_dense([rng.multinomial(30, row) for row in P])
        else:
            model = draw_model(30, 3, "power-law", 1.5, seed=rng, outcomes=25)
            P, counts = model.P, sample_counts(model, 900, seed=rng)
        found = posterior(counts, samples=100, seed=seed, burn_in=50)
        contexts, outcomes = np.divmod(np.arange(P.size), 25)
        low, high = found.interval(contexts, outcomes)
        covered.append((low <= P.ravel()) & (P.ravel() <= high))
        seen.append(counts.sparse().toarray().ravel() > 0)
    covered, seen = np.concatenate(covered), np.concatenate(seen)
    assert covered.mean() > 0.89
    assert covered[seen].mean() > 0.89
    assert covered.mean() < 0.995


def test_counts_with_fractions_are_whole_numbers_of_a_unit_and_this_is_told():
    whole = posterior(COUNTS, samples=20, seed=1, burn_in=5, rank=2)
    with pytest.warns(UserWarning, match="0.25 of them is taken as one observation"):
        quarters = posterior(COUNTS / 4, samples=20, seed=1, burn_in=5, rank=2)
    np.testing.assert_array_equal(quarters.strength, whole.strength)
    np.testing.assert_array_equal(quarters.draw(1), whole.draw(1))
    assert quarters.interval(0, 1) == whole.interval(0, 1)
    # Of no common unit, twice the mean is one, and each seen pair has one at least.
    with pytest.warns(UserWarning, match="of them is taken as one observation"):
        found = posterior([[0.31, 2.77], [0, 0.13]], samples=5, burn_in=2)
    np.testing.assert_array_equal(found.counts.dense(), [[1, 1], [0, 1]])
    np.testing.assert_allclose(found.draw(1).sum(axis=1), 1)


def test_draws_are_rows_and_the_same_for_the_same_seed():
    found = posterior(COUNTS, samples=20, seed=1, burn_in=5, rank=2)
    assert found.weights.shape == (20, 4, 2)
    assert found.classes.shape == (20, 2, 3)
    for i in range(4):
        drawn = found.draw(i, seed=1)
        assert drawn.shape == (20, 3)
        assert (drawn >= 0).all()
        np.testing.assert_allclose(drawn.sum(axis=1), 1)
    seed = np.random.SeedSequence(1)
    one, two = (posterior(COUNTS, samples=20, seed=seed, burn_in=5, rank=2) for _ in range(2))
    np.testing.assert_array_equal(one.classes, two.classes)
    again, other = (posterior(COUNTS, samples=20, seed=s, burn_in=5, rank=2) for s in (1, 2))
    np.testing.assert_array_equal(found.draw(3, seed=1), again.draw(3, seed=1))
    assert (found.strength != other.strength).any()
    assert (found.draw(3, seed=1) != found.draw(3, seed=2)).any()
    np.testing.assert_array_equal(found.draw(3), found.draw(3, seed=0))  # docs/peers.md: seed=0


def test_more_pairs_are_surer_and_a_context_never_seen_least():
    counts = np.array([[800, 200, 0], [8, 2, 0], [0, 0, 0], [30, 9, 3]])
    found = posterior(counts, samples=200, seed=0, burn_in=50, rank=3)
    low, high = found.interval([0, 1, 2], 0)
    assert (np.diff(high - low) > 0).all()
    many, few = found.interval(1, 0, level=0.99), found.interval(1, 0, level=0.5)
    assert many.low < few.low < few.high < many.high


def test_intervals_come_in_the_order_of_the_pairs():
    found = posterior(COUNTS, samples=50, seed=0, burn_in=5, rank=2)
    one = found.interval([3, 0, 3], [2, 0, 1], seed=4)
    # Contexts are drawn in rising order from one generator.
    rng = np.random.default_rng(4)
    rows = {i: found.draw(i, rng) for i in (0, 3)}
    for place, (i, j) in enumerate([(3, 2), (0, 0), (3, 1)]):
        low, high = np.quantile(rows[i][:, j], [0.025, 0.975])
        assert (one.low[place], one.high[place]) == pytest.approx((low, high))


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (6, 1), (2, 9)])
def test_any_shape_will_do(shape):
    found = posterior(np.ones(shape, dtype=int), samples=5, burn_in=2)
    np.testing.assert_allclose(found.draw(shape[0] - 1).sum(axis=1), 1)


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda: posterior([[0.5, -1]]), "counts"),
        (lambda: posterior(COUNTS, samples=0), "samples = 0: must be an integer >= 1"),
        (lambda: posterior(COUNTS, burn_in=-1), "burn_in = -1: must be an integer >= 0"),
        (lambda: posterior(COUNTS, rank=0), "rank = 0: must be an integer >= 1"),
        (lambda: posterior(COUNTS, rank=10**12), "takes .* GB of memory"),
        (lambda: posterior(COUNTS, 2, burn_in=0).interval(0, 0, level=1), "level = 1: must be"),
        (lambda: posterior(COUNTS, 2, burn_in=0).interval(0, 0, level=0.0), "level = 0.0: must"),
        (lambda: posterior([[98, 1]], 2, burn_in=0).interval(0, 0), "99 pairs in 1 contexts"),
        (lambda: posterior(9 * np.eye(12), 2, burn_in=0).interval(0, 0), "108 pairs in 12"),
        (lambda: posterior(COUNTS, 2, burn_in=0).interval(4, 0), "contexts contain 4"),
        (lambda: posterior(COUNTS, 2, burn_in=0).interval(0, 3), "outcomes contain 3"),
    ],
)
def test_nonsense_is_refused_in_one_line(act, told):
    with pytest.raises(ValueError, match=told) as caught:
        act()
    assert "\n" not in str(caught.value)
