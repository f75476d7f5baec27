"""The synthetic models follow the laws of Section 7, and the pairs follow the models."""

import numpy as np
import pytest

from condprob import Model, draw_model, sample_counts


def kolmogorov_distance(sample, distribution):
    """The largest difference between an empirical and a given distribution function."""
    sample = np.sort(sample)
    below = distribution(sample)
    steps = np.arange(sample.size + 1) / sample.size
    return max(np.abs(below - steps[1:]).max(), np.abs(below - steps[:-1]).max())


# N independent draws are farther than 1.95/sqrt(N) once in a thousand.
def tolerance(N):
    return 1.95 / np.sqrt(N)


def simplex_coordinate(size):
    """P(p_1 <= x) = 1 - (1 - x)^(size - 1) for p uniform on the simplex of that size."""
    return lambda x: 1 - (1 - x) ** (size - 1)


def test_shapes_and_sums():
    model = draw_model(7, 3, seed=0)
    assert (model.k, model.rank) == (7, 3)
    for rows, shape in ((model.A, (7, 3)), (model.B, (3, 7)), (model.P, (7, 7))):
        assert rows.shape == shape
        assert (rows >= 0).all()
        np.testing.assert_allclose(rows.sum(axis=1), 1)
    assert model.pi.shape == (7,)
    np.testing.assert_allclose(model.pi.sum(), 1)
    np.testing.assert_array_equal(model.P, model.A @ model.B)
    assert np.linalg.matrix_rank(model.P) == 3


@pytest.mark.parametrize("coordinate", [0, -1])
def test_rows_of_both_factors_are_uniform_on_the_simplex(coordinate):
    A = draw_model(2000, 4, seed=1).A[:, coordinate]
    assert kolmogorov_distance(A, simplex_coordinate(4)) < tolerance(2000)
    B = draw_model(4, 2000, seed=1).B[:, coordinate]
    assert kolmogorov_distance(B, simplex_coordinate(4)) < tolerance(2000)


def test_contexts_are_uniform_on_the_simplex():
    # Over models: the first coordinate of pi.
    first = [draw_model(3, 1, seed=seed).pi[0] for seed in range(1000)]
    assert kolmogorov_distance(np.array(first), simplex_coordinate(3)) < tolerance(1000)


def test_power_laws_are_permuted_anew_in_each_row():
    # Exponent 1 and k = 3: 1, 1/2, 1/3 over 11/6.
    B = draw_model(3, 600, rows="power-law", exponent=1.0, seed=2).B
    np.testing.assert_allclose(np.sort(B, axis=1), np.tile([2 / 11, 3 / 11, 6 / 11], (600, 1)))
    # Each of the six orders 100 times, sd sqrt(600 1/6 5/6) = 9.1: within four of these.
    _, times = np.unique(B, axis=0, return_counts=True)
    assert times.size == 6
    assert np.abs(times - 100).max() < 37


def test_a_power_law_has_the_asked_exponent():
    # Exponent 2: the r-th largest is the largest over r^2.
    B = draw_model(100, 5, rows="power-law", exponent=2.0, seed=3).B
    largest_first = -np.sort(-B, axis=1)
    np.testing.assert_allclose(largest_first[:, :1] / largest_first, [np.arange(1, 101) ** 2.0] * 5)


def test_contexts_of_a_low_concentration_have_a_few_of_the_classes():
    # One coordinate of a Dirichlet distribution of 0.2 over 5 classes is Beta(0.2, 0.8): its second
    # moment is 0.2 1.2 / (1 2) = 0.12, that of the uniform one 1 2 / (5 6) = 1 / 15.
    for concentration, moment in ((0.2, 0.12), (1.0, 1 / 15)):
        model = draw_model(4000, 5, outcomes=7, concentration=concentration, seed=4)
        assert model.shape == (4000, 7)
        assert abs((model.A**2).mean() - moment) < 0.006  # four standard errors, at most
    assert np.array_equal(model.A, draw_model(4000, 5, outcomes=7, seed=4).A)


def draw_through_classes(model, n, seed):
    """Draw pairs one by one, as where there are more cells than pairs: most never occur."""
    room = 500  # labels
    pi, A = np.zeros(room), np.tile(np.eye(1, model.rank), (room, 1))
    B = np.zeros((model.rank, room))
    pi[: model.k], A[: model.k], B[:, : model.k] = model.pi, model.A, model.B
    assert room**2 > n
    C = sample_counts(Model(pi, A, B), n, seed).dense()
    assert C[: model.k, : model.k].sum() == C.sum() == n
    return C[: model.k, : model.k]


def draw_cells(model, n, seed):
    """Draw the counts of all cells at once, as where there are more pairs than cells."""
    assert model.k**2 < n
    return sample_counts(model, n, seed).dense()


both_ways = pytest.mark.parametrize("draw", [draw_cells, draw_through_classes])


@both_ways
def test_pairs_follow_the_model(draw):
    # Pearson's statistic over the k^2 cells has k^2 - 1 degrees of freedom: mean 24 and variance
    # 48; it passes 24 + 4 sqrt(48) = 51.7 once in a thousand draws. For the contexts alone, and for
    # the outcomes, 4 + 4 sqrt(8) = 15.3 likewise: four in a thousand.
    model = draw_model(5, 2, seed=4)
    n = 200_000
    C = draw(model, n, seed=5)
    cells = model.pi[:, None] * model.P
    for found, expected, bound in (
        (C, n * cells, 51.7),
        (C.sum(axis=1), n * model.pi, 15.3),
        (C.sum(axis=0), n * cells.sum(axis=0), 15.3),
    ):
        assert expected.min() > 50  # the normal approximation holds
        assert ((found - expected) ** 2 / expected).sum() < bound
    swapped = n * cells.T  # the test can fail
    assert ((C - swapped) ** 2 / swapped).sum() > 1000


@both_ways
def test_what_has_probability_zero_never_occurs(draw):
    # pi, A and B with zeros at the start, in the middle and at the end.
    pi = np.array([0, 0.3, 0, 0.7, 0])
    A = np.array([[1, 0, 0], [0, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [1, 0, 0]])
    B = np.array([[0, 0, 1, 0, 0], [0.1, 0, 0, 0, 0.9], [0, 0.4, 0, 0.6, 0]])
    C = draw(Model(pi, A, B), 20_000, seed=6)
    assert (C[(pi[:, None] * (A @ B)) == 0] == 0).all()
    assert (C[(pi[:, None] * (A @ B)) > 0] > 0).all()


def test_seeds_decide_everything():
    model, again, other = (draw_model(6, 2, "power-law", 1.5, seed) for seed in (1, 1, 2))
    for name in ("pi", "A", "B"):
        np.testing.assert_array_equal(getattr(model, name), getattr(again, name))
    assert (model.pi != other.pi).any()
    counts, same, changed = (sample_counts(model, 500, seed).dense() for seed in (1, 1, 2))
    np.testing.assert_array_equal(counts, same)
    assert (counts != changed).any()
    assert counts.sum() == 500


def test_one_context_and_one_class():
    model = draw_model(1, 1, seed=0)
    assert model.P.tolist() == [[1.0]]
    assert sample_counts(model, 3).dense().tolist() == [[3]]
