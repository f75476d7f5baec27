"""The sampler: each draw against its density, and all of them together against the prior."""

import math
from itertools import product

import numpy as np
import pytest
from made_up_priors import draw_law
from scipy.special import gammaln

from condprob import CountMatrix
from condprob.uncertainty.chain import (
    LEAST_STRENGTH,
    TIMES_LARGEST_ROW,
    Chain,
    log_likelihood,
    move,
)
from condprob.uncertainty.priors import (
    OF_SHARES,
    OF_WEIGHTS,
    Shapes,
    Weights,
    draw_dirichlet,
    log_rising,
)

PAIRS = 6  # of each context


def test_dirichlets_of_tiny_shapes_are_distributions_with_their_means():
    shapes = np.tile([1e-3, 3e-3, 0.0], (20_000, 1))
    drawn = draw_dirichlet(shapes, np.random.default_rng(0))
    np.testing.assert_allclose(drawn.sum(axis=1), 1)
    # Nearly one of the three is 1: a coin, whose standard error is sqrt(3 / 16 / 20,000) = .003.
    np.testing.assert_allclose(drawn.mean(axis=0), [0.25, 0.75, 0], atol=0.013)


def test_the_likelihood_is_that_of_a_dirichlet_multinomial():
    for count in (0, 1, 8, 9, 30):
        assert log_rising(0.7, count) == pytest.approx(gammaln(0.7 + count) - gammaln(0.7))
    # a = (1, 3): (1 x 2) (3) / (4 x 5 x 6).
    found = log_likelihood(4.0, np.array([0.25, 0.75]), np.array([2, 1]), np.array([3]))
    assert found == pytest.approx(math.log(6 / 120))


def test_tables_move_to_classes_as_all_assignments_say():
    """Three tables of one context: p(z) ~ prod_l Gamma(n_l + a_l) prod_t H_(z_t, j_t)."""
    a, H = np.array([0.5, 1.5]), np.array([[0.6, 0.1], [0.4, 0.9]])  # outcomes x classes
    outcomes = (0, 1, 1)
    chances = {}
    for z in product((0, 1), repeat=3):
        n = np.bincount(z, minlength=2)
        chances[z] = np.exp(gammaln(n + a).sum()) * np.prod(H[list(outcomes), list(z)])
    total = sum(chances.values())
    tables = np.array([(0, j, 0) for j in outcomes])
    rng, size = np.random.default_rng(0), 8000
    met = dict.fromkeys(chances, 0)
    for _ in range(size):
        of_contexts, of_outcomes = np.zeros((1, 2), dtype=int), np.zeros((2, 2), dtype=int)
        move(tables, a, H, of_contexts, of_outcomes, rng)
        met[tuple(tables[:, 2])] += 1
    assert of_contexts.sum() == of_outcomes.sum() == 3
    for z, chance in chances.items():
        assert met[z] / size == pytest.approx(chance / total, abs=0.026)


def draw_chain(rng, contexts=3, outcomes=3, m=2):
    """Draw all parameters from the prior."""
    weights, shapes = Weights(m), Shapes(m, np.ones(outcomes), rng)
    weights.concentration = rng.gamma(OF_WEIGHTS[0]) / OF_WEIGHTS[1]
    weights.spread = rng.gamma(OF_SHARES[0]) / OF_SHARES[1]
    weights.shares = draw_dirichlet(np.full(m, weights.spread / m), rng)
    W = draw_dirichlet(np.tile(weights.shapes, (contexts, 1)), rng)
    drawn = (part[0] for part in draw_law(m, outcomes, rng, 1))
    shapes.values, shapes.labels, shapes.levels, shapes.law, shapes.evenness = drawn
    H = shapes.values / shapes.values.sum(axis=1, keepdims=True)
    strengths = math.log(LEAST_STRENGTH), math.log(TIMES_LARGEST_ROW * PAIRS)
    return Chain(math.exp(rng.uniform(*strengths)), W, H, weights, shapes, strengths)


def watch(chain):
    """Return functions of a state that have variances."""
    weights, shapes = chain.weights, chain.shapes
    return (
        math.log(chain.strength), math.exp(-weights.concentration), math.exp(-weights.spread),
        weights.shares.max(), (chain.W**2).sum(), (chain.H**2).sum(), (shapes.law**2).sum(),
        math.log(shapes.evenness), (chain.W @ chain.H)[0, 0],
    )  # fmt: skip


def draw_counts(chain, rng):
    """Draw as many pairs of each context."""
    P = draw_dirichlet(chain.strength * (chain.W @ chain.H), rng)
    return CountMatrix.from_dense(np.array([rng.multinomial(PAIRS, row) for row in P]))


def test_data_and_sweeps_in_turn_leave_the_prior_as_it_was():
    """Geweke (2004): where each sweep is followed by new data, the parameters keep their prior.

    Errors are those of 30 batches of the chain; 4.5 of them are allowed.
    """
    rng, sweeps, batches = np.random.default_rng(1), 1200, 30
    prior = np.array([watch(draw_chain(rng)) for _ in range(1500)])
    chain, states = draw_chain(rng), []
    for _ in range(sweeps):
        chain.sweep(draw_counts(chain, rng), rng)
        states.append(watch(chain))
    of_batches = np.array(states).reshape(batches, -1, prior.shape[1]).mean(axis=1)
    error = np.sqrt(of_batches.var(axis=0, ddof=1) / batches + prior.var(axis=0) / len(prior))
    score = (of_batches.mean(axis=0) - prior.mean(axis=0)) / error
    assert (abs(score) < 4.5).all(), score.round(1)
