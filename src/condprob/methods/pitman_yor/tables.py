"""The sampler: how many tables the tokens of a pair sit at, and which class each table has.

The tables are those of docs/py-lr-model.md, Eq. (3) to (5); their sizes are summed out (Teh 2006).
"""

import math
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit
from condprob.methods.pitman_yor import constants
from condprob.methods.vectors import BYTES, prefetch

FETCHED_AHEAD = 4  # pairs between the fetch of an outcome and its use
MOST_TOKENS = 4096  # of a customer, as sums of float32 have 24 bits: of a pair, 819,200 have a part


class DistinctPairs(NamedTuple):
    """The distinct pairs.

    Attributes
    ----------
    indptr, outcomes : numpy.ndarray of int64, shapes (contexts + 1,) and (nnz,)
    customers, weights : numpy.ndarray of int64, shape (nnz,)
        Customers of each pair, and how many tokens each of them is.
    first : numpy.ndarray of int64, shape (nnz,)
        Where the tables of a pair begin in `Seating.classes`.
    """

    indptr: np.ndarray
    outcomes: np.ndarray
    customers: np.ndarray
    weights: np.ndarray
    first: np.ndarray

    @classmethod
    def of(cls, counts: CountMatrix, tokens: np.ndarray) -> "DistinctPairs":
        """Take whole counts of tokens, shape (nnz,)."""
        most = constants.CUSTOMERS
        weights = np.minimum(-(-tokens // most), MOST_TOKENS)
        customers = np.minimum(tokens // weights, most)
        stored = counts.indptr.astype(np.int64), counts.outcomes.astype(np.int64)
        return cls(*stored, customers, weights, np.cumsum(customers) - customers)


class Seating(NamedTuple):
    """The state of a chain, which sweeps change in place; ``m`` classes.

    Attributes
    ----------
    tables : numpy.ndarray of int64, shape (nnz,)
        Tables of each pair.
    classes : numpy.ndarray of uint32, shape (customers,)
        Class of each table; as many places as there may be tables.
    of_rows, of_contexts : numpy.ndarray of float32, shapes (contexts,) and (contexts, m)
    of_outcomes, sizes : numpy.ndarray of float32, shapes (outcomes, m) and (m,)
        Tables, in all and by class.
    distinct : numpy.ndarray of float32, shape (m,)
        Outcomes that each class has.
    """

    tables: np.ndarray
    classes: np.ndarray
    of_rows: np.ndarray
    of_contexts: np.ndarray
    of_outcomes: np.ndarray
    sizes: np.ndarray
    distinct: np.ndarray

    @classmethod
    def empty(cls, pairs: DistinctPairs, shape: tuple[int, int], m: int) -> "Seating":
        """Return the seating before the first sweep: no table."""
        classes = np.zeros(pairs.customers.sum(), np.uint32)
        sizes = (shape[0],), (shape[0], m), (shape[1], m), (m,), (m,)
        counts = (np.zeros(size, np.float32) for size in sizes)
        return cls(np.zeros(pairs.customers.size, np.int64), classes, *counts)


class Law(NamedTuple):
    """The constants of the model during a sweep; see docs/py-lr-model.md for the symbols.

    Attributes
    ----------
    a : numpy.ndarray of float32, shape (m,)
    b, d, v : numpy.float32
        Strength and discount of a class, and the probability of an outcome in its own base.
    strength, discount : float
        Of the rows: ``theta``, and the discount of their first customers.
    alone : numpy.ndarray, shape (most + 1, most + 1)
        See `share_alone`.
    are_all_tables : bool
        Whether each token has a table of its own, as with an infinite strength.
    """

    a: np.ndarray
    b: np.float32
    d: np.float32
    v: np.float32
    strength: float
    discount: float
    alone: np.ndarray
    are_all_tables: bool


@njit(**EXACT)
def share_alone(discount, most):
    """Return ``S(c - 1, t - 1) / S(c, t)`` at ``[c, t]``, shape (most + 1, most + 1).

    ``S(c, t) = S(c - 1, t - 1) + (c - 1 - discount t) S(c - 1, t)``.
    """
    alone, before = np.zeros((most + 1, most + 1)), np.full(most + 2, -np.inf)
    before[0] = 0.0
    for c in range(1, most + 1):
        now = np.full(most + 2, -np.inf)
        for t in range(1, c + 1):
            joins, opens = -np.inf, before[t - 1]
            if t < c and c - 1 - discount * t > 0:
                joins = before[t] + math.log(c - 1 - discount * t)
            top = max(joins, opens)
            if top > -np.inf:
                now[t] = top + math.log(math.exp(joins - top) + math.exp(opens - top))
            if opens > -np.inf:
                alone[c, t] = math.exp(opens - now[t])
        before = now
    return alone


@njit(inline="always", **EXACT)
def _count(by, l, i, j, n, x, sizes, distinct):
    """Add ``by`` tables of class ``l``, or take them, in the counts of a row and an outcome."""
    step = np.float32(by)  # whole numbers that have no more than 24 bits
    n[i, l] += step
    x[j, l] += step
    sizes[l] += step
    is_other = x[j, l] == max(step, np.float32(0))  # no branch: no processor can foresee it
    distinct[l] += np.float32(is_other) if by > 0 else -np.float32(is_other)


@njit(inline="always", **EXACT)
def _choose(weights, total, rng):
    """Draw a class in proportion to weights, without a branch that no processor can foresee."""
    left, l = np.float32(rng.random()) * total - weights[0], 0
    for k in range(1, weights.size):
        l += left >= 0
        left -= weights[k]
    return l


@njit(**EXACT)
def sweep(pairs, seating, law, base, moves, rng):
    """Draw the classes of all tables, and with ``moves`` the tables of all pairs.

    The tables of a pair get their classes at once, from weights without one of them. For a pair
    with one table that is Gibbs sampling; for many tables the error is one part in their number.

    Parameters
    ----------
    pairs, seating, law
        See the classes.
    base : numpy.ndarray, shape (nnz,)
        Is filled with the probability of each pair in the base, without one of its tables.
    moves : bool
    rng : numpy.random.Generator
    """
    a, b, d, v, are_all_tables = law.a, law.b, law.d, law.v, law.are_all_tables
    m, all_a = a.size, a.sum()
    weights, own = np.empty(m, np.float32), np.zeros((m + 2, m), np.float32)
    for l in range(m):
        own[l, l] = 1  # of a pair with one table, which is in class l
    # Rows of other pairs. A vector is slow to read where one of its numbers was just written.
    none, several = np.uintp(m), np.uintp(m + 1)
    # No slice is taken for a pair, and no tuple: their references would be counted, which is slow.
    # And unsigned indices are not looked at for a count from the end.
    tables, classes, n = seating.tables, seating.classes, seating.of_contexts
    x, sizes, distinct = seating.of_outcomes, seating.sizes, seating.distinct
    all_x, row = x.ctypes.data, m * x.itemsize
    for i in range(pairs.indptr.size - 1):
        seated = seating.of_rows[i]
        for p in range(np.uintp(pairs.indptr[i]), np.uintp(pairs.indptr[i + 1])):
            j, first = np.uintp(pairs.outcomes[p]), np.uintp(pairs.first[p])
            t, c, by = tables[p], pairs.customers[p], pairs.weights[p]
            ahead = pairs.outcomes[min(np.int64(p) + FETCHED_AHEAD, pairs.outcomes.size - 1)]
            for place in range(0, row, BYTES):
                prefetch(all_x + row * ahead + place)
            begins, end = t == 0, first + np.uintp(t)
            o = none if begins else np.uintp(classes[first])
            if t > 1:
                o = several
                for r in range(first, end):
                    own[o, classes[r]] += np.float32(1) / t
            total = np.float32(0)
            for l in range(m):
                # Where all tables of a class are of this pair, it leaves the class with the table.
                left = distinct[l] - (own[o, l] if x[j, l] <= own[o, l] * t * by else np.float32(0))
                given = max(x[j, l] - own[o, l] - d, np.float32(0))
                given += (b + d * left) * v
                weights[l] = (n[i, l] - own[o, l] + a[l]) * given
                weights[l] /= b + sizes[l] - own[o, l]
            for l in range(m):
                total += weights[l]
            base[p] = total / (seated - (0 if begins else 1) + all_a)
            seated -= t * by
            if t > 1:
                for r in range(first, end):
                    own[several, classes[r]] = 0
            if t == 1 and by == 1 and (c == 1 or not are_all_tables):
                # Mostly the class stays, and nothing is written: the next pair need not wait.
                l = np.uintp(_choose(weights, total, rng))
                if l != o:
                    _count(-1, o, i, j, n, x, sizes, distinct)
                    _count(1, l, i, j, n, x, sizes, distinct)
                    classes[first] = l
            else:
                for r in range(first, end):
                    _count(-by, classes[r], i, j, n, x, sizes, distinct)
                if begins or are_all_tables:
                    t = c if are_all_tables else 1
                    end = first + np.uintp(t)
                # Tables that count as several would spread too much if all were drawn: of the
                # others each class has its share.
                drawn = t if by == 1 else t // by
                for r in range(first, first + np.uintp(drawn)):
                    classes[r] = _choose(weights, total, rng)
                if drawn < t:
                    step, l = total / (t - drawn), 0
                    reached, point = weights[0], np.float32(rng.random()) * step
                    for r in range(first + np.uintp(drawn), end):
                        while reached <= point and l < m - 1:
                            l += 1
                            reached += weights[l]
                        classes[r] = l
                        point += step
                for r in range(first, end):
                    _count(by, classes[r], i, j, n, x, sizes, distinct)
            seated += t * by
            if c > 1 and (moves or begins) and not are_all_tables:
                place, counts = (i, j, first, c, by), (n, x, sizes, distinct)
                others = seated - t * by
                t = _move(place, others, t, begins, classes, counts, weights, law, rng)
                seated = others + t * by
            tables[p] = t
        seating.of_rows[i] = seated


@njit(**EXACT)
def _move(place, others, t, begins, classes, counts, weights, law, rng):
    """Seat a pair's customers anew, one by one, beside other tables of the row; return its own."""
    (i, j, first, c, by), (n, x, sizes, distinct) = place, counts
    a, b, d, v, alone = law.a, law.b, law.d, law.v, law.alone

    def weigh(l):  # a class for a new table: Eq. (4) times (5)
        over = 1 / (b + sizes[l])
        kept = x[j, l] - d if x[j, l] > 0 else np.float32(0)
        return (n[i, l] + a[l]) * (kept * over + (b + d * distinct[l]) * v * over)

    def change(by, l):
        _count(by, l, i, j, n, x, sizes, distinct)
        before = weights[l]
        weights[l] = weigh(l)
        return weights[l] - before

    total, all_a = np.float32(0), a.sum()
    for l in range(weights.size):
        weights[l] = weigh(l)
    for l in range(weights.size):
        total += weights[l]
    for s in range(1 if begins else 0, c):
        if not begins and rng.random() < alone[c, t]:
            r = first + np.uintp(rng.random() * t)
            t -= 1
            l = classes[r]
            classes[r] = classes[first + np.uintp(t)]
            total += change(-by, l)
        seated = np.float32(others + t * by)
        opens = (law.strength + law.discount * seated) * (total / (seated + all_a)) / by
        joins = (s if begins else c - 1) - law.discount * t
        if t == 0 or rng.random() * (opens + joins) < opens:
            l = np.uintp(_choose(weights, total, rng))
            classes[first + np.uintp(t)] = l
            t += 1
            total += change(by, l)
    return t
