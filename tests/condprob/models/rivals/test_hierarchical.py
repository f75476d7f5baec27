"""The hierarchical Pitman-Yor language model: its sampler against the enumerated posterior."""

import numpy as np
import pytest
import reference
from inputs import EDGES, cell_counts, random_counts

from condprob import CountMatrix, cross_entropy, method
from condprob.models.rivals import hierarchical

FIXED = {"discount": 0.6, "strength": 0.7, "base_discount": 0.3, "base_strength": 1.7}
SMALL = {
    "two rows": np.array([[3, 1, 0], [2, 0, 0]]),
    "one row": np.array([[4, 2]]),
    "one column": np.array([[2], [0], [1]]),
    "a row and a column without counts": np.array([[2, 0, 2, 0], [0, 0, 0, 0], [1, 0, 3, 0]]),
}
CHAINS = 20


def fit_chains(C, samples, **options):
    """Return the fits of independent chains; a sample costs three times a sweep."""
    estimator = method("hpy", samples=samples, burn_in=50, thinning=2, **options)
    return [estimator.fit(C, seed) for seed in range(CHAINS)]


def check_mean(found, expected):
    """Check that the mean of chains is as expected, within five of its standard errors.

    Returns the largest standard error.
    """
    error = np.std(found, axis=0, ddof=1) / CHAINS**0.5
    assert (abs(np.mean(found, axis=0) - expected) <= 5 * error + 1e-12).all()
    return error.max()


def check_fits(C, samples, precision, **options):
    """Check a posterior against the enumerated one; no cell's error is above ``precision``."""
    fits = fit_chains(C, samples, **options)
    Q, tables, discounts, strengths = reference.hierarchical_pitman_yor(C, **options)
    assert check_mean([fit.dense() for fit in fits], Q) < precision
    check_mean([fit.tables for fit in fits], tables[np.nonzero(C)])
    check_mean([fit.discounts.mean(axis=0) for fit in fits], discounts)
    check_mean([fit.strengths.mean(axis=0) for fit in fits], strengths)


def test_the_enumerated_posterior_by_hand():
    # One outcome of two, twice. The second pair joins the table of the first with weight 1 - d, or
    # opens one with theta + d, if the base, which has the outcome once, gives it once more: with
    # probability q = (1 - d_0 + (theta_0 + d_0) / 2) / (theta_0 + 1).
    d, theta, d_0, theta_0 = FIXED.values()
    q = (1 - d_0 + (theta_0 + d_0) / 2) / (theta_0 + 1)
    one, two = 1 - d, (theta + d) * q
    _, tables, _, _ = reference.hierarchical_pitman_yor(np.array([[2, 0]]), **FIXED)
    assert tables[0, 0] == pytest.approx((one + 2 * two) / (one + two))


def test_stirling_numbers_of_no_discount_are_those_of_cycles():
    # Unsigned, of the first kind: four in one circle in 3! ways, in two circles in 11.
    np.testing.assert_array_equal(reference.stirling(4, 0.0)[4], [0, 6, 11, 6, 1])


@pytest.mark.parametrize("name", SMALL)
def test_with_fixed_parameters_the_mean_is_that_of_the_enumerated_posterior(name):
    check_fits(SMALL[name], 400, 1e-3, **FIXED)


@pytest.mark.parametrize(
    "fixed",
    [(), ("discount",), ("strength", "base_strength"), ("discount", "base_discount", "strength")],
    ids=lambda fixed: "+".join(fixed) or "none",
)
def test_sampled_parameters_have_the_integrated_posterior(fixed):
    check_fits(SMALL["two rows"], 500, 2e-3, **{name: FIXED[name] for name in fixed})


def test_of_single_pairs_without_strength_it_is_kneser_ney():
    # One table each, theta = theta_0 = 0 and d = d_0: what Kneser-Ney interpolates with is
    # max(N_j - d, 0) interpolated with the uniform distribution.
    counts = cell_counts(6, {(0, 1): 1, (0, 2): 1, (3, 4): 1, (5, 0): 1})
    same = {"strength": 1e-13, "base_strength": 1e-13, "discount": 0.7, "base_discount": 0.7}
    kn = method("kn", discount=0.7, continuation="uniform").fit(counts)
    matrix = method("hpy", samples=2, **same).fit(counts)
    np.testing.assert_allclose(matrix.dense(), kn.dense(), rtol=1e-10)


def test_samples_are_taken_after_the_burn_in_and_apart():
    counts = random_counts(3, 20, 300)
    every = method("hpy", samples=9, burn_in=0, thinning=1).fit(counts, seed=2)
    some = method("hpy", samples=2, burn_in=3, thinning=3).fit(counts, seed=2)
    np.testing.assert_array_equal(some.strengths, every.strengths[[5, 8]])
    np.testing.assert_array_equal(some.right, every.right[[5, 8]])
    fixed = method("hpy", samples=2, **FIXED).fit(counts, seed=2)
    np.testing.assert_array_equal(fixed.discounts, [[0.3, 0.6]] * 2)
    np.testing.assert_array_equal(fixed.strengths, [[1.7, 0.7]] * 2)


def test_at_its_defaults_it_has_converged_and_beats_kneser_ney():
    counts, test = random_counts(1, 300, 3000), random_counts(2, 300, 3000)
    short = cross_entropy(test, method("hpy").fit(counts, seed=1))
    long = method("hpy", samples=500, burn_in=500).fit(counts, seed=2)
    assert short == pytest.approx(cross_entropy(test, long), abs=2e-3)
    assert short < cross_entropy(test, method("kn").fit(counts))


def test_no_counts_are_a_uniform_matrix():
    matrix = method("hpy").fit(CountMatrix.from_pairs([], [], shape=(3, 4)))
    np.testing.assert_allclose(matrix.dense(), 1 / 4, rtol=1e-12)


def test_a_context_never_seen_has_the_mean_base():
    counts = random_counts(1, 12, 30)
    matrix = method("hpy").fit(counts)
    rows = matrix.dense()[counts.row_sums == 0]
    np.testing.assert_allclose(rows, np.tile(matrix.right.mean(axis=0), (len(rows), 1)))


def test_as_many_as_may_be_are_seated(monkeypatch):
    monkeypatch.setattr(hierarchical, "MOST", 9)
    method("hpy").fit(EDGES["one pair many times"])
    monkeypatch.setattr(hierarchical, "MOST", 8)
    with pytest.raises(ValueError, match="hpy seats at most 8 pairs, and these are 9"):
        method("hpy").fit(EDGES["one pair many times"])
