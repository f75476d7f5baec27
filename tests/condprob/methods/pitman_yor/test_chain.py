"""What a chain learns from its tables, against the optima of the likelihoods."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import gammaln

from condprob import CountMatrix
from condprob.methods.pitman_yor.chain import learn_constants, learn_strength_of_classes
from condprob.methods.pitman_yor.tables import DistinctPairs, Seating

NO_PAIRS = DistinctPairs.of(CountMatrix.from_dense([[0]]), np.zeros(0, np.int64))


def dirichlet_multinomial(counted, a):
    """Return the log-likelihood of rows of counts, but for a constant."""
    sums = counted.sum(axis=1)
    found = gammaln(a.sum()) - gammaln(a.sum() + sums)
    return (found + (gammaln(counted + a) - gammaln(a)).sum(axis=1)).sum()


def draw(a, rows, size, seed=1):
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(rng.integers(size), p) for p in rng.dirichlet(a, rows)])


def test_constants_of_classes_end_at_the_likeliest():
    counted = draw([0.2, 1.0, 3.0], 60, 30)
    a = np.full(3, 0.1)
    for _ in range(3000):
        a = learn_constants(counted, counted.sum(axis=1), a)
    best = minimize(
        lambda log_a: -dirichlet_multinomial(counted, np.exp(log_a)), np.zeros(3), tol=1e-10
    )
    np.testing.assert_allclose(a, np.exp(best.x), rtol=1e-3)
    empty = np.zeros((4, 3))
    np.testing.assert_array_equal(learn_constants(empty, np.zeros(4), a), a)


def seat_class(rng, outcomes, b, d, tables):
    """Seat the tables of a class by the Chinese restaurant; return how many each outcome has."""
    sizes = []
    for seated in range(tables):
        odds = np.append(np.array(sizes) - d, b + d * len(sizes))
        where = int(np.searchsorted(odds.cumsum(), rng.random() * (b + seated), side="right"))
        if where == len(sizes):
            sizes.append(0)
        sizes[where] += 1
    # Each is an outcome of its own: with this many outcomes two are seldom the same.
    return np.bincount(rng.permutation(outcomes)[: len(sizes)], sizes, minlength=outcomes)


def log_of_seating(x, b, d):
    """Return the log-likelihood of the tables of one class, seat by seat, but for a constant."""
    found, sizes, distinct = 0.0, int(x.sum()), np.count_nonzero(x)
    for new in range(distinct):
        found += np.log(b + d * new)
    for seated in range(sizes):
        found -= np.log(b + seated)
    return found


def seat_tables(of_outcomes):
    """Return the seating of tables, shape (outcomes, m), as far as classes are concerned."""
    seating = Seating.empty(NO_PAIRS, (1, len(of_outcomes)), of_outcomes.shape[1])
    sizes, distinct = of_outcomes.sum(axis=0), np.count_nonzero(of_outcomes, axis=0)
    return seating._replace(of_outcomes=of_outcomes, sizes=sizes, distinct=distinct)


def learn(of_outcomes, d):
    b, seating = 1.0, seat_tables(of_outcomes)
    for _ in range(3000):
        b = learn_strength_of_classes(seating, b, d)
    return b


def test_the_strength_of_dirichlet_classes_ends_at_the_likeliest():
    of_classes = draw(np.full(40, 0.15), 12, 400)
    best = minimize(
        lambda log_b: -dirichlet_multinomial(of_classes, np.full(40, np.exp(log_b[0]) / 40)),
        np.zeros(1),
        tol=1e-10,
    )
    assert learn(of_classes.T, 0.0) == pytest.approx(np.exp(best.x[0]), rel=1e-3)


@pytest.mark.parametrize("d", [0.3, 0.5])
def test_the_strength_of_pitman_yor_classes_ends_at_the_likeliest_seating(d):
    rng = np.random.default_rng(1)
    of_classes = np.array([seat_class(rng, 500, 4.0, d, rng.integers(20, 200)) for _ in range(9)])
    best = minimize(
        lambda log_b: -sum(log_of_seating(x, np.exp(log_b[0]), d) for x in of_classes),
        np.zeros(1),
        tol=1e-10,
    )
    assert learn(of_classes.T, d) == pytest.approx(np.exp(best.x[0]), rel=1e-3)


@pytest.mark.parametrize(("b", "d"), [(3.0, 0.0), (30.0, 0.0), (3.0, 0.5), (30.0, 0.5)])
def test_each_fixed_point_finds_the_strength_that_made_the_classes(b, d):
    rng, outcomes = np.random.default_rng(2), 2000
    if d:
        of_classes = np.array([seat_class(rng, outcomes, b, d, 300) for _ in range(150)])
    else:
        of_classes = draw(np.full(outcomes, b / outcomes), 60, 1200)
    assert learn(of_classes.T, d) == pytest.approx(b, rel=0.15)


@pytest.mark.parametrize("d", [0.0, 0.5])
def test_no_tables_leave_the_strength_of_classes(d):
    assert learn_strength_of_classes(seat_tables(np.zeros((40, 2))), 1.7, d) == 1.7
