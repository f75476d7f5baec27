"""Seats at tables: how often a table opens, and parameters drawn given a seating."""

import numpy as np
import pytest

from condprob.models.rivals.seatings import BASE, Parameters, Restaurants, count, draw_parameters
from condprob.models.rivals.seatings import enter as seat
from condprob.models.rivals.seatings import leave as let_go

DRAWS = 4000


def one_dish(customers, tables, seed=0):
    """Return a restaurant whose one dish has so many customers at so many tables."""
    restaurants = Restaurants.empty(np.array([0, 1]), np.array([customers]))
    rng = np.random.default_rng(seed)
    for number in range(customers):
        # A weight so large opens a table; one of nothing never does once there is one.
        seat(restaurants.dishes, restaurants.slots, 0, 1e300 if number < tables else 0.0, 0.5, rng)
    assert count(restaurants.dishes, 0, 1) == (customers, tables)
    return restaurants


@pytest.mark.parametrize(("discount", "new"), [(0.0, 1.0), (0.75, 1.0), (0.5, 0.1)])
def test_a_second_customer_opens_a_table_by_the_odds_of_its_weight(discount, new):
    # The table that is taken has weight 1 - discount.
    rng, opened = np.random.default_rng(1), 0
    for _ in range(DRAWS):
        restaurants = Restaurants.empty(np.array([0, 1]), np.array([2]))
        given = restaurants.dishes, restaurants.slots, 0, new, discount, rng
        assert seat(*given)  # the first has to
        opened += seat(*given)
    expected = new / (1 - discount + new)
    assert opened / DRAWS == pytest.approx(expected, abs=5 * 0.5 / DRAWS**0.5)


def test_a_table_is_met_by_its_size_less_the_discount():
    # Tables of 4 and of 1 at discount 1/2: of those who join, 3.5 in 4 join the larger.
    rng, joined = np.random.default_rng(2), 0
    for _ in range(DRAWS):
        restaurants = Restaurants.empty(np.array([0, 1]), np.array([6]))
        restaurants.slots["size"][:2], restaurants.dishes["tables"] = (4, 1), 2
        restaurants.slots["table"][:5], restaurants.dishes["customers"] = (0, 0, 0, 0, 1), 5
        assert not seat(restaurants.dishes, restaurants.slots, 0, 0.0, 0.5, rng)
        joined += restaurants.slots["table"][5] == 0
    assert joined / DRAWS == pytest.approx(3.5 / 4, abs=5 * 0.5 / DRAWS**0.5)


def test_all_who_came_can_leave():
    restaurants = one_dish(9, 4)
    rng = np.random.default_rng(3)
    closed = sum(let_go(restaurants.dishes, restaurants.slots, 0, rng) for _ in range(9))
    assert closed == 4
    assert count(restaurants.dishes, 0, 1) == (0, 0)
    assert (restaurants.slots["size"] == 0).all()
    assert sorted(restaurants.slots["spare"]) == [*range(9)]


def draw_many(restaurants, discount=None, strength=None):
    """Return the mean of a chain of draws, of what is not given."""
    drawn = np.array([discount is None, False]), np.array([strength is None, False])
    start = np.array([0.5 if discount is None else discount, 0.5])
    parameters = Parameters(start, np.array([strength or 1.0, 1.0]), *drawn)
    rng, found = np.random.default_rng(4), np.empty((DRAWS, 2))
    for row in found:
        draw_parameters(restaurants, parameters, BASE, rng)
        row[:] = parameters.discounts[BASE], parameters.strengths[BASE]
    return found.mean(axis=0)


def mean_under(density, grid):
    """Return the mean under a density by sums over a fine grid."""
    weights = density(grid)
    return (weights * grid).sum() / weights.sum()


@pytest.mark.parametrize(("customers", "tables"), [(4, 1), (5, 3), (3, 3)])
def test_a_discount_has_its_posterior_given_the_seating(customers, tables):
    # Strength 0.7. The tables are one of customers - tables + 1 and single ones:
    # prod_(i < tables) (0.7 + d i) prod_(j < size) (j - d), and a uniform prior.
    def density(d):
        opened = np.prod([0.7 + d * i for i in range(1, tables)], axis=0)
        size = customers - tables + 1
        return opened * np.prod([j - d for j in range(1, size)], axis=0) * np.ones_like(d)

    found, _ = draw_many(one_dish(customers, tables), strength=0.7)
    assert found == pytest.approx(mean_under(density, np.linspace(0, 1, 4001)), abs=0.03)


@pytest.mark.parametrize(("customers", "tables"), [(4, 1), (5, 3), (6, 6)])
def test_a_strength_has_its_posterior_given_the_seating(customers, tables):
    # prod_(i < tables) (theta + i / 2) / prod_(i < customers) (theta + i), prior exp(-theta).
    def density(theta):
        opened = np.prod([theta + 0.5 * i for i in range(1, tables)], axis=0)
        came = np.prod([theta + i for i in range(1, customers)], axis=0)
        return opened / came * np.exp(-theta)

    _, found = draw_many(one_dish(customers, tables), discount=0.5)
    assert found == pytest.approx(mean_under(density, np.linspace(0, 40, 40_001)), abs=0.08)
