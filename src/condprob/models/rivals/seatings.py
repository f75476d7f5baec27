"""Gibbs sampling of the seatings of a hierarchical Pitman-Yor process, with its parameters.

In the restaurant of a context each pair observed is a customer, who sits at a table where everyone
has the same dish, an outcome. Each of its tables is a customer of one more restaurant, the base's.
A sweep makes each pair leave and come in again, given where all others sit, and then draws the
discounts and strengths given the seating (Teh 2006, Section 4; the technical report TRA2/06,
"A Bayesian interpretation of interpolated Kneser-Ney", Appendix C).

To seat a customer takes the same time however many there are. Of the customers of one dish each is
listed with its table. A table is met with a chance proportional to its size less the discount: take
that of any customer, and keep it with probability ``1 - discount / size``, else take another.

Nothing here returns an array: see `em.passes.iterate`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from condprob.jit import EXACT

# Of a parameter drawn, for rounding could make it 0, or 1. Not measured.
SMALLEST, LARGEST = 1e-300, 1 - 1e-12

DISH = np.dtype([("first", np.int64), ("customers", np.int64), ("tables", np.int64)])
SLOT = np.dtype([("table", np.int32), ("seated", np.int32), ("spare", np.int32)])


class Restaurants(NamedTuple):
    """Restaurants, each with its dishes, and the customers of each dish at their tables.

    A dish has as many slots as it may have customers; its tables, too, are numbered by them. What
    belongs together lies together in memory, which halves the time of a sweep.
    """

    # int, shape (restaurants + 1,): restaurant ``u`` owns the dishes ``indptr[u]:indptr[u + 1]``
    indptr: np.ndarray
    # DISH, shape (dishes,): the first slot of each dish, and how many customers and tables it has
    # now
    dishes: np.ndarray
    # SLOT, shape (slots,): ``table``: of a customer, in the first slots of a dish, as many as it
    # has customers. ``seated``: customers at the table with this number; zero if it is free.
    # ``spare``: a free table of a dish, in all but its first slots, as many as it has tables.
    slots: np.ndarray

    @classmethod
    def empty(cls, indptr: np.ndarray, capacity: np.ndarray) -> "Restaurants":
        """Build restaurants without customers; ``capacity`` is the most that each dish may have."""
        ends = np.cumsum(capacity, dtype=np.int64)
        sizes = ends.size, capacity.sum(dtype=np.int64)
        # Fields are attributes, as they are in compiled code, also with NUMBA_DISABLE_JIT.
        dishes, slots = (
            np.zeros(size, dtype).view(np.recarray)
            for size, dtype in zip(sizes, (DISH, SLOT), strict=True)
        )
        dishes["first"] = ends - capacity
        slots["spare"] = np.arange(slots.size)
        return cls(np.asarray(indptr, dtype=np.int64), dishes, slots)


class Parameters(NamedTuple):
    """Discounts and strengths: of the base, then of the rows."""

    # `discounts`, `strengths`: float, shape (2,)
    discounts: np.ndarray
    strengths: np.ndarray
    # `discounts_drawn`, `strengths_drawn`: bool, shape (2,): whether each is drawn, not fixed
    discounts_drawn: np.ndarray
    strengths_drawn: np.ndarray


BASE, ROWS = 0, 1  # places in arrays of two: see `Parameters`


@njit(**EXACT)
def sweep(outcomes, values, rows, base, parameters, is_first, rng):
    """Seat every customer again and draw the parameters; at first, seat them all.

    Outcomes and values, shape (nnz,), are the pairs: the dishes of the rows' restaurants, one for
    each context, and the times that each is ordered. The base is one restaurant, whose dishes are
    the outcomes. The parameters are changed in place.
    """
    dishes, k = base.dishes, base.dishes.size
    d_0, d = parameters.discounts[BASE], parameters.discounts[ROWS]
    theta_0, theta = parameters.strengths[BASE], parameters.strengths[ROWS]
    base_customers, base_tables = count(dishes, 0, k)
    for i in range(rows.indptr.size - 1):
        first, last = rows.indptr[i], rows.indptr[i + 1]
        _, row_tables = count(rows.dishes, first, last)
        for p in range(first, last):
            j = outcomes[p]
            for _ in range(values[p]):
                if not is_first and leave(rows.dishes, rows.slots, p, rng):
                    row_tables -= 1
                    base_customers -= 1
                    if leave(dishes, base.slots, j, rng):
                        base_tables -= 1
                uniform = (theta_0 + d_0 * base_tables) / k
                q = dishes[j].customers - d_0 * dishes[j].tables + uniform
                q /= theta_0 + base_customers
                new = (theta + d * row_tables) * q
                if enter(rows.dishes, rows.slots, p, new, d, rng):
                    row_tables += 1
                    base_customers += 1
                    if enter(dishes, base.slots, j, uniform, d_0, rng):
                        base_tables += 1
    draw_parameters(base, parameters, BASE, rng)
    draw_parameters(rows, parameters, ROWS, rng)


@njit(**EXACT)
def count(dishes, first, last):
    """Return how many customers and tables the dishes ``first..last-1`` have."""
    customers, tables = 0, 0
    for p in range(first, last):
        customers += dishes[p].customers
        tables += dishes[p].tables
    return customers, tables


@njit(**EXACT)
def enter(dishes, slots, p, new, discount, rng):
    """Seat a customer who orders dish ``p``; return whether that opens a table.

    ``new`` is the weight of a new table, where that of one taken is its size less the discount.
    """
    first, customers, tables = dishes[p].first, dishes[p].customers, dishes[p].tables
    taken = customers - discount * tables
    opens = rng.random() * (taken + new) >= taken
    if opens:
        table = slots[first + tables].spare
        dishes[p].tables = tables + 1
    else:
        table = slots[first + int(rng.random() * customers)].table
        while rng.random() * slots[table].seated < discount:
            table = slots[first + int(rng.random() * customers)].table
    slots[table].seated += 1
    slots[first + customers].table = table
    dishes[p].customers = customers + 1
    return opens


@njit(**EXACT)
def leave(dishes, slots, p, rng):
    """Let any customer of dish ``p`` go; return whether that closes a table."""
    first, rest = dishes[p].first, dishes[p].customers - 1
    slot = first + int(rng.random() * (rest + 1))
    table = slots[slot].table
    slots[slot].table = slots[first + rest].table
    dishes[p].customers = rest
    slots[table].seated -= 1
    closes = slots[table].seated == 0
    if closes:
        dishes[p].tables -= 1
        slots[first + dishes[p].tables].spare = table
    return closes


@njit(**EXACT)
def draw_parameters(restaurants, parameters, level, rng):
    """Draw a level's discount and strength given its seating, by auxiliary variables.

    The discount has a uniform prior, the strength an exponential one of mean one. A restaurant
    with ``c`` customers at ``t`` tables has the likelihood ::

        prod_(i = 1)^(t - 1) (strength + discount i) / prod_(i = 1)^(c - 1) (strength + i)
            prod_tables prod_(j = 1)^(size - 1) (j - discount).

    The first factors are sums of two terms: toss which, with odds ``strength : discount i``. The
    second are an integral over ``x`` of a beta distribution. The third are sums, too:
    ``(j - 1) + (1 - discount)``. Given all tosses and ``x``, the discount has a beta distribution
    and the strength a gamma distribution.
    """
    slots, dishes = restaurants.slots, restaurants.dishes
    d, theta = parameters.discounts[level], parameters.strengths[level]
    of_strength, of_discount, of_rest, logs = 0, 0, 0, 0.0
    for u in range(restaurants.indptr.size - 1):
        customers, tables = count(dishes, restaurants.indptr[u], restaurants.indptr[u + 1])
        if customers > 1:
            logs += math.log(max(rng.beta(theta + 1.0, customers - 1.0), SMALLEST))
        for i in range(1, tables):
            if rng.random() * (theta + d * i) < theta:
                of_strength += 1
            else:
                of_discount += 1
    for table in range(slots.size):
        for j in range(1, slots[table].seated):
            if rng.random() * (j - d) >= j - 1:
                of_rest += 1
    if parameters.discounts_drawn[level]:
        drawn = rng.beta(1.0 + of_discount, 1.0 + of_rest)
        parameters.discounts[level] = min(max(drawn, SMALLEST), LARGEST)
    if parameters.strengths_drawn[level]:
        drawn = rng.standard_gamma(1.0 + of_strength) / (1.0 - logs)
        parameters.strengths[level] = max(drawn, SMALLEST)
