"""The sampler: how many tables the tokens of a pair sit at, and which class each table has.

The tables are those of docs/py-lr-model.md, Eq. (3) to (5); their sizes are summed out (Teh 2006).
"""

import math
from typing import NamedTuple

import numpy as np

from condprob.counts import CountMatrix
from condprob.jit import EXACT, njit
from condprob.methods.pitman_yor import constants
from condprob.methods.vectors import (
    BYTES,
    LANES,
    SHORT_BYTES,
    count_at_most,
    larger,
    last,
    prefetch,
    running,
    short_line_at,
    store,
    where_at_most,
)

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
    """The state of a chain, which sweeps change in place; ``m`` classes, up to whole lines.

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
    own : numpy.ndarray of float32, shape (classes + 2, m)
        Share of a pair's tables in each class: of pairs with one table, without, and with several.
    weights, upto : numpy.ndarray of float32, shape (m,)
        Room for the weights of a draw, and for their sums up to each class.
    """

    tables: np.ndarray
    classes: np.ndarray
    of_rows: np.ndarray
    of_contexts: np.ndarray
    of_outcomes: np.ndarray
    sizes: np.ndarray
    distinct: np.ndarray
    own: np.ndarray
    weights: np.ndarray
    upto: np.ndarray

    @classmethod
    def empty(cls, pairs: DistinctPairs, shape: tuple[int, int], m: int) -> "Seating":
        """Return the seating before the first sweep: no table."""
        classes, lines = np.zeros(pairs.customers.sum(), np.uint32), _up_to_lines(m)
        sizes = (shape[0],), (shape[0], lines), (shape[1], lines), (lines,), (lines,)
        counts = (np.zeros(size, np.float32) for size in sizes)
        own = np.eye(m + 2, lines, dtype=np.float32)
        own[m:] = 0
        room = np.zeros((2, lines), np.float32)
        return cls(np.zeros(pairs.customers.size, np.int64), classes, *counts, own, *room)


class Law(NamedTuple):
    """The constants of the model during a sweep; see docs/py-lr-model.md for the symbols.

    Attributes
    ----------
    m : int
    a : numpy.ndarray of float32, shape (m,)
        With zeros up to whole lines.
    all_a : numpy.float32
        Their sum.
    b, d, v : numpy.float32
        Strength and discount of a class, and the probability of an outcome in its own base.
    strength, discount : float
        Of the rows: ``theta``, and the discount of their first customers.
    alone : numpy.ndarray, shape (most + 1, most + 1)
        See `share_alone`.
    are_all_tables : bool
        Whether each token has a table of its own, as with an infinite strength.
    """

    m: int
    a: np.ndarray
    all_a: np.float32
    b: np.float32
    d: np.float32
    v: np.float32
    strength: float
    discount: float
    alone: np.ndarray
    are_all_tables: bool

    @classmethod
    def of(
        cls,
        a: np.ndarray,
        b: float,
        d: float,
        v: float,
        strength: float,
        discount: float,
        alone: np.ndarray,
        are_all_tables: bool = False,
    ) -> "Law":
        """Take the constants as a sweep computes with them: see the attributes."""
        whole = np.zeros(_up_to_lines(len(a)), np.float32)
        whole[: len(a)] = a
        of_classes = whole.cumsum()[-1], *map(np.float32, (b, d, v))
        return cls(len(a), whole, *of_classes, strength, discount, alone, are_all_tables)


def _up_to_lines(m: int) -> int:
    return -(-m // LANES) * LANES


def share_alone(discount: float, most: int) -> np.ndarray:
    """Return ``S(c - 1, t - 1) / S(c, t)`` at ``[c, t]``, shape (most + 1, most + 1).

    ``S(c, t) = S(c - 1, t - 1) + (c - 1 - discount t) S(c - 1, t)``.
    """
    alone, logs = np.zeros((most + 1, most + 1)), np.full((most + 1, most + 2), -np.inf)
    logs[0, 0] = 0.0
    _fill_alone(discount, alone, logs)
    return alone


@njit(**EXACT)
def _fill_alone(discount, alone, logs):
    """Fill the quotients of `share_alone`, and the logarithms of ``S``, from the first row on."""
    for c in range(1, alone.shape[0]):
        for t in range(1, c + 1):
            joins, opens = -np.inf, logs[c - 1, t - 1]
            if t < c and c - 1 - discount * t > 0:
                joins = logs[c - 1, t] + math.log(c - 1 - discount * t)
            top = max(joins, opens)
            if top > -np.inf:
                logs[c, t] = top + math.log(math.exp(joins - top) + math.exp(opens - top))
            if opens > -np.inf:
                alone[c, t] = math.exp(opens - logs[c, t])


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
def _add_up(weights, upto):
    """Fill ``upto`` with the sums of the weights up to each; return the sum of all."""
    total, read, written = np.float32(0), weights.ctypes.data, upto.ctypes.data
    for at in range(0, weights.nbytes, SHORT_BYTES):
        line = running(short_line_at(read + at)) + total
        store(written + at, line)
        total = last(line)
    return total


@njit(inline="always", **EXACT)
def _choose(upto, m, rng):
    """Draw a class given the sums of weights up to each, without a branch.

    No processor can foresee which class it is. A sum may be rounded to the last class and beyond.
    """
    point, l, read = np.float32(rng.random()) * upto[upto.size - 1], 0, upto.ctypes.data
    for at in range(0, upto.nbytes, SHORT_BYTES):
        l += count_at_most(short_line_at(read + at), point)
    return min(l, m - 1)


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
    m, all_a, zero = law.m, law.all_a, np.float32(0)
    weights, upto, own = seating.weights, seating.upto, seating.own
    # Rows of ``own`` for pairs without a table and with several. No row serves for both: a vector
    # is slow to read where one of its numbers was just written.
    none, several = np.uintp(m), np.uintp(m + 1)
    # No slice is taken for a pair, and no tuple: their references would be counted, which is slow.
    # And unsigned indices are not looked at for a count from the end.
    tables, classes, n = seating.tables, seating.classes, seating.of_contexts
    x, sizes, distinct = seating.of_outcomes, seating.sizes, seating.distinct
    row, all_x, all_n, all_own = a.nbytes, x.ctypes.data, n.ctypes.data, own.ctypes.data
    at_a, at_sizes, at_distinct = a.ctypes.data, sizes.ctypes.data, distinct.ctypes.data
    at_upto = upto.ctypes.data
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
            total, of_pair = zero, np.float32(t * by)
            at_x, at_n = all_x + row * np.int64(j), all_n + row * i
            at_own = all_own + row * np.int64(o)
            for l in range(0, row, SHORT_BYTES):
                # Where all tables of a class are of this pair, it leaves the class with the table.
                mine, seen = short_line_at(at_own + l), short_line_at(at_x + l)
                left = short_line_at(at_distinct + l) - where_at_most(seen, mine * of_pair, mine)
                given = larger(seen - mine - d, zero) + (left * d + b) * v
                given = given * (short_line_at(at_n + l) - mine + short_line_at(at_a + l))
                given = running(given / (short_line_at(at_sizes + l) - mine + b)) + total
                store(at_upto + l, given)
                total = last(given)
            base[p] = total / (seated - (0 if begins else 1) + all_a)
            seated -= t * by
            if t > 1:
                for r in range(first, end):
                    own[several, classes[r]] = 0
            if t == 1 and by == 1 and (c == 1 or not are_all_tables):
                # Mostly the class stays, and nothing is written: the next pair need not wait.
                l = np.uintp(_choose(upto, m, rng))
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
                    classes[r] = _choose(upto, m, rng)
                if drawn < t:
                    step, l = total / (t - drawn), 0
                    reached, point = upto[0], np.float32(rng.random()) * step
                    for r in range(first + np.uintp(drawn), end):
                        while reached <= point and l < m - 1:
                            l += 1
                            reached = upto[l]
                        classes[r] = l
                        point += step
                for r in range(first, end):
                    _count(by, classes[r], i, j, n, x, sizes, distinct)
            seated += t * by
            if c > 1 and (moves or begins) and not are_all_tables:
                place, counts = (i, j, first, c, by), (n, x, sizes, distinct)
                others = seated - t * by
                t = _move(place, others, t, begins, classes, counts, (weights, upto), law, rng)
                seated = others + t * by
            tables[p] = t
        seating.of_rows[i] = seated


@njit(**EXACT)
def _move(place, others, t, begins, classes, counts, room, law, rng):
    """Seat a pair's customers anew, one by one, beside other tables of the row; return its own."""
    (i, j, first, c, by), (n, x, sizes, distinct), (weights, upto) = place, counts, room
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

    for l in range(weights.size):
        weights[l] = weigh(l)
    total = _add_up(weights, upto)
    for s in range(1 if begins else 0, c):
        if not begins and rng.random() < alone[c, t]:
            r = first + np.uintp(rng.random() * t)
            t -= 1
            l = classes[r]
            classes[r] = classes[first + np.uintp(t)]
            total += change(-by, l)
        seated = np.float32(others + t * by)
        opens = (law.strength + law.discount * seated) * (total / (seated + law.all_a)) / by
        joins = (s if begins else c - 1) - law.discount * t
        if t == 0 or rng.random() * (opens + joins) < opens:
            total = _add_up(weights, upto)
            l = np.uintp(_choose(upto, law.m, rng))
            classes[first + np.uintp(t)] = l
            t += 1
            total += change(by, l)
    return t
