"""The sampler of tables: Stirling numbers by counting, and posteriors by enumeration."""

import itertools
from fractions import Fraction
from math import factorial, prod

import numpy as np
import pytest

from condprob import CountMatrix
from condprob.methods.pitman_yor.constants import CUSTOMERS
from condprob.methods.pitman_yor.tables import DistinctPairs, Law, Seating, share_alone, sweep


def seatings(customers):
    """Yield every partition of customers into tables, as lists of lists."""
    if not customers:
        yield []
        return
    last, others = customers[-1], customers[:-1]
    for tables in seatings(others):
        yield [*tables, [last]]
        for t in range(len(tables)):
            yield [*tables[:t], [*tables[t], last], *tables[t + 1 :]]


@pytest.mark.parametrize("discount", [Fraction(0), Fraction(1, 3), Fraction(9, 10)])
def test_the_last_customer_sits_alone_as_often_as_in_all_seatings(discount):
    """A table of ``s`` customers has the weight ``(1 - d) (2 - d) ... (s - 1 - d)``."""
    most = 7
    found = share_alone(float(discount), most)
    for c in range(2, most + 1):
        total, alone = [0] * (c + 1), [0] * (c + 1)
        for tables in seatings(list(range(c))):
            weight = prod(r - discount for table in tables for r in range(1, len(table)))
            total[len(tables)] += weight
            alone[len(tables)] += weight if [c - 1] in tables else 0
        expected = [float(alone[t] / total[t]) for t in range(1, c + 1)]
        np.testing.assert_allclose(found[c, 1 : c + 1], expected, rtol=1e-12)


def test_shares_of_many_customers_are_probabilities():
    alone = share_alone(0.98, CUSTOMERS)
    t = np.arange(CUSTOMERS + 1)
    assert np.isfinite(alone).all()
    assert ((alone >= 0) & (alone <= 1 + 1e-12)).all()
    assert (alone[t, t][1:] == 1).all()


def rising(x, n):
    """Return ``x (x + 1) ... (x + n - 1)``."""
    return prod(x + r for r in range(n))


def splits(customers, m, is_one):
    """Yield the numbers of tables in each of ``m`` classes: from one to one for each customer."""
    most = 1 if is_one else customers
    for found in itertools.product(range(most + 1), repeat=m):
        if 1 <= sum(found) <= most:
            yield found


def stirling(n, d):
    """Generalised Stirling numbers ``S(c, t)``, shape (n + 1, n + 1, ...) for discounts ``d``.

    Over all ways to seat ``c`` at ``t`` tables the sum of the products of
    ``(1 - d) (2 - d) ... (size - 1 - d)``: the last to come opens a table, or joins one.
    """
    d = np.asarray(d, dtype=float)
    S = np.zeros((n + 1, n + 1, *d.shape))
    S[0, 0] = 1
    for c in range(n):
        for t in range(1, c + 2):
            S[c + 1, t] = S[c, t - 1] + (c - d * t) * S[c, t]
    return S


def posterior(C, a, b, strength, discount, is_one):
    """Return the tables by class of every state, (states, pairs, m), and their joint weights.

    Rows are Pitman-Yor processes, and both ``W`` and ``H`` have Dirichlet priors.
    """
    pairs, m, k = np.argwhere(C), len(a), C.shape[1]
    customers = C[tuple(pairs.T)]
    S = stirling(C.max(), discount)
    states = list(itertools.product(*(splits(c, m, is_one) for c in customers)))
    weights = []
    for state in states:
        n, x, weight = np.zeros((len(C), m), int), np.zeros((m, k), int), 1.0
        for (i, j), c, tables in zip(pairs, customers, state, strict=True):
            n[i] += tables
            x[:, j] += tables
            ways = factorial(sum(tables)) / prod(map(factorial, tables))
            weight *= ways * (1 if is_one else S[c, sum(tables)])
        for row in n:
            weight *= prod(map(rising, a, row)) / rising(sum(a), row.sum())
            if not is_one:
                weight *= prod(strength + discount * r for r in range(row.sum()))
        for of_class in x:
            weight *= prod(rising(b / k, one) for one in of_class) / rising(b, of_class.sum())
        weights.append(weight)
    return np.array(states), np.array(weights)


def sample(C, a, b, strength, discount, is_one, sweeps):
    """Return the tables by class after each sweep, and the base of each pair."""
    counts = CountMatrix.from_dense(C)
    customers = np.ones(counts.nnz, np.int64) if is_one else counts.values.astype(np.int64)
    pairs, m = DistinctPairs.of(counts, customers), len(a)
    seating, base = Seating.empty(pairs, counts.shape, m), np.zeros(counts.nnz)
    alone = share_alone(discount, 10)
    law = Law.of(np.array(a), b, 0, 1 / C.shape[1], strength, discount, alone)
    rng, states, bases = np.random.default_rng(1), [], []
    for _ in range(sweeps):
        sweep(pairs, seating, law, base, True, rng)
        labels = [
            seating.classes[first : first + t]
            for first, t in zip(pairs.first, seating.tables, strict=True)
        ]
        states.append([np.bincount(one, minlength=m) for one in labels])
        bases.append(base.copy())
    check_counts(C, seating, states[-1])
    return np.array(states), np.array(bases)


def check_counts(C, seating, tables):
    """Check that the counts which a sweep keeps are those of the tables."""
    of_pairs = np.zeros((*C.shape, seating.sizes.size))  # and no table of classes up to a line
    of_pairs[C > 0, : len(tables[0])] = tables
    np.testing.assert_array_equal(seating.of_rows, of_pairs.sum(axis=(1, 2)))
    np.testing.assert_array_equal(seating.of_contexts, of_pairs.sum(axis=1))
    np.testing.assert_array_equal(seating.of_outcomes, of_pairs.sum(axis=0))
    np.testing.assert_array_equal(seating.sizes, of_pairs.sum(axis=(0, 1)))
    np.testing.assert_array_equal(seating.distinct, (of_pairs.sum(axis=0) > 0).sum(axis=0))


def test_with_one_table_a_pair_the_samples_are_of_the_enumerated_posterior():
    C = np.array([[3, 1, 0], [0, 2, 1]])
    how = {"a": (0.3, 0.8), "b": 0.9, "strength": 2.0, "discount": 0.5, "is_one": True}
    states, weights = posterior(C, **how)
    found, bases = sample(C, **how, sweeps=30_000)
    frequencies = (found[:, None] == states).all(axis=(2, 3)).mean(axis=0)
    np.testing.assert_allclose(frequencies, weights / weights.sum(), atol=0.01)
    # The harmonic mean of the base is the probability of a pair by the others, whose states sum
    # to the weights without it.
    for p, (i, j) in enumerate(np.argwhere(C)):
        others = C.copy()
        others[i, j] = 0
        given = weights.sum() / posterior(others, **how)[1].sum()
        assert 1 / np.mean(1 / bases[:, p]) == pytest.approx(given, rel=0.02)


@pytest.mark.parametrize(("strength", "discount"), [(0.5, 0.3), (8.0, 0.6)])
def test_of_one_class_the_tables_are_of_the_enumerated_posterior(strength, discount):
    C = np.array([[4, 1, 0], [2, 0, 3]])
    how = {"a": (0.7,), "b": 1.5, "strength": strength, "discount": discount, "is_one": False}
    states, weights = posterior(C, **how)
    found, _ = sample(C, **how, sweeps=30_000)
    frequencies = (found[:, None] == states).all(axis=(2, 3)).mean(axis=0)
    np.testing.assert_allclose(frequencies, weights / weights.sum(), atol=0.01)


def test_tables_of_several_classes_are_nearly_of_the_enumerated_posterior():
    """All tables of a pair get their classes at once, which is wrong by a little."""
    C = np.array([[3, 1, 0], [0, 2, 2]])
    how = {"a": (0.3, 0.8), "b": 1.5, "strength": 2.0, "discount": 0.5, "is_one": False}
    states, weights = posterior(C, **how)
    found, _ = sample(C, **how, sweeps=20_000)
    expected = np.tensordot(weights / weights.sum(), states, 1)
    np.testing.assert_allclose(found.mean(axis=0).sum(axis=1), expected.sum(axis=1), atol=0.01)
    np.testing.assert_allclose(found.mean(axis=0), expected, atol=0.03)


def test_a_customer_of_a_pair_with_many_tokens_counts_as_several_of_them():
    """Of 2,000 tokens in two classes of one half each, 1,000 are in the first, variance 500."""
    counts = CountMatrix.from_dense([[10 * CUSTOMERS]])
    pairs = DistinctPairs.of(counts, np.array([10 * CUSTOMERS]))
    assert (pairs.customers.tolist(), pairs.weights.tolist()) == ([CUSTOMERS], [10])
    law = Law.of(np.full(2, 1e5), 1.0, 0.0, 1.0, 1e9, 0.0, share_alone(0.0, CUSTOMERS), True)
    seating, base, found = Seating.empty(pairs, counts.shape, 2), np.zeros(1), []
    for _ in range(4000):
        sweep(pairs, seating, law, base, True, np.random.default_rng(len(found)))
        found.append(seating.of_contexts[0, 0])
        assert (
            seating.of_rows[0] == seating.sizes.sum() == seating.of_contexts.sum() == 10 * CUSTOMERS
        )
    n = 10 * CUSTOMERS
    assert np.mean(found) == pytest.approx(n / 2, abs=4.5 * np.sqrt(n / 4 / 4000))
    assert np.var(found) == pytest.approx(n / 4, rel=0.15)


@pytest.mark.parametrize("m", [1, 7, 8, 9, 20])
def test_a_class_is_drawn_as_often_as_its_weight_says(m):
    """Two pairs of one row: given the class of the other, that of each has weight n + a times H."""
    counts = CountMatrix.from_dense([[1, 1]])
    pairs = DistinctPairs.of(counts, np.ones(2, np.int64))
    a, b, k = np.random.default_rng(m).random(m) + 0.1, 2.0, 2
    law = Law.of(a, b, 0.0, 1 / k, 1.0, 0.5, share_alone(0.5, 2))
    seating, base = Seating.empty(pairs, counts.shape, m), np.zeros(2)
    rng, times, sweeps = np.random.default_rng(0), np.zeros((m, m)), 20_000
    for _ in range(sweeps):
        sweep(pairs, seating, law, base, False, rng)
        times[tuple(seating.classes)] += 1
    same = np.eye(m, dtype=bool)
    joint = np.where(same, a * (a + 1) * (b / k) ** 2 / (b * (b + 1)), np.outer(a, a) / k**2)
    joint /= joint.sum()
    error = np.sqrt(joint * (1 - joint) / sweeps)
    assert (abs(times / sweeps - joint) <= 6 * error + 1e-3).all()


def test_pairs_of_more_tokens_than_customers_lose_no_more_than_one_in_so_many():
    tokens = np.array([1, 7, CUSTOMERS, CUSTOMERS + 1, 3 * CUSTOMERS - 1, 800_001])
    pairs = DistinctPairs.of(CountMatrix.from_dense([tokens]), tokens)
    assert (pairs.customers <= CUSTOMERS).all()
    kept = pairs.customers * pairs.weights
    np.testing.assert_array_equal(kept[:3], tokens[:3])
    assert ((kept <= tokens) & (tokens - kept < pairs.weights)).all()


def test_the_base_is_that_of_the_other_pairs_with_the_discount_of_a_class():
    C = np.array([[3, 1, 0, 0], [0, 2, 1, 0], [5, 1, 0, 0]])
    counts, d, b, k = CountMatrix.from_dense(C), 0.4, 1.5, 4
    pairs = DistinctPairs.of(counts, np.ones(counts.nnz, np.int64))
    seating, base = Seating.empty(pairs, C.shape, 1), np.zeros(counts.nnz)
    law = Law.of(np.ones(1), b, d, 1 / k, 1.0, 0.5, share_alone(0.5, 2))
    for _ in range(2):  # of one class and one table a pair nothing is drawn
        sweep(pairs, seating, law, base, True, np.random.default_rng(0))
    for p, (i, j) in enumerate(np.argwhere(C)):
        others = (C > 0).astype(int)
        others[i, j] = 0
        x = others.sum(axis=0)
        found = max(x[j] - d, 0) + (b + d * np.count_nonzero(x)) / k
        assert base[p] == pytest.approx(found / (b + x.sum()), rel=1e-6)
