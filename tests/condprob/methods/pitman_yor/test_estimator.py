"""PY-LR as a whole: edges, invariance, known truth, further contexts, and how it says so."""

import os
import signal
import threading
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import reference
from inputs import EDGES, in_case, random_counts

from condprob import (
    CountMatrix,
    cross_entropy,
    draw_model,
    fit,
    fit_text,
    kl_risk,
    load,
    method,
    sample_counts,
)
from condprob.counts import PairsInOrder
from condprob.methods.pitman_yor.constants import BRIEF, FOLDS
from condprob.methods.pitman_yor.estimator import PitmanYorLowRank
from condprob.methods.pitman_yor.matrix import MOST_PASSES
from condprob.progress import Parts
from condprob.splits import Split

COUNTS = random_counts(3, 20, 400)
FEW = {"largest_rank": 3, "chains": 1, "sweeps": 12}
UNSEEN = np.pad(COUNTS.dense(), ((0, 3), (0, 5)))
MILLION = UNSEEN + 10**6 * np.eye(23, 25, dtype=int)
INPUTS = EDGES | {
    "unseen": CountMatrix.from_dense(UNSEEN),
    "real": CountMatrix.from_dense(UNSEEN * np.random.default_rng(1).uniform(0.1, 2, UNSEEN.shape)),
    "below one": CountMatrix.from_dense(UNSEEN * 1e-3),
    "a million in one cell": CountMatrix.from_dense(
        UNSEEN + 10**6 * np.eye(23, 25, dtype=int)[::-1]
    ),
    "one context": CountMatrix.from_dense([[3, 0, 1]]),
    "one outcome": CountMatrix.from_dense([[3], [0], [1]]),
}
OPTIONS = [
    {},
    {"effort": "light"},
    {"mixed": False},
    {"chains": 3},
    {"sweeps": 1},
    {"largest_rank": 1},
    {"smallest_rank": 9, "largest_rank": 5},
]


@pytest.mark.usefixtures("few_steps")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_rows_are_distributions_without_zeros_and_come_back_from_a_file(options, tmp_path):
    for name, counts in INPUTS.items():
        if options and name in EDGES:
            continue  # rows of each option at each edge: test_contract
        with in_case(name):
            matrix = method("py-lr", **FEW | options).fit(counts, seed=1)
            Q = matrix.dense()
            assert (Q > 0).all()
            np.testing.assert_allclose(Q.sum(axis=1), 1, rtol=0, atol=1e-12)
            matrix.save(tmp_path / "matrix.npz")
            again = load(tmp_path / "matrix.npz")
            np.testing.assert_array_equal(again.dense(), Q)
            assert again.arrays().keys() == matrix.arrays().keys()
            assert again.summary() == matrix.summary()
            assert again.ended == "limit"


def test_ranks_grow_by_a_factor():
    for smallest, largest, ranks in (
        (1, 34, (1, 2, 3, 5, 8, 13, 21, 34)),
        (3, 3, (3,)),
        (9, 5, (5,)),
        (4, 7, (4, 6)),
    ):
        assert method("py-lr", smallest_rank=smallest, largest_rank=largest).ranks == ranks


def test_ranks_grow_to_the_first_that_gains_nothing(monkeypatch):
    how = {"sweeps": 40, "smallest_rank": 1}
    ranks = method("py-lr", **how).fit(COUNTS, seed=1).ranks
    assert ranks.tolist() == np.repeat([1, 2, 3, 5, 8, 13, 21, 34], 2).tolist()[: ranks.size]
    monkeypatch.setattr("condprob.methods.pitman_yor.constants.MANY", 10)
    ranks = method("py-lr", **how).fit(COUNTS, seed=1).ranks  # of many pairs: half, one chain each
    assert ranks.tolist() == [8, 13, 21, 34][: ranks.size]


def test_threads_and_generators_change_nothing_and_another_seed_does():
    one = method("py-lr", **FEW | {"chains": 2}).fit(COUNTS, 1).dense()
    several = method("py-lr", threads=3, **FEW | {"chains": 2})
    for seed in (1, np.random.SeedSequence(1), np.random.default_rng(1)):
        np.testing.assert_array_equal(several.fit(COUNTS, seed).dense(), one)
    assert not np.allclose(several.fit(COUNTS, 2).dense(), one)


def test_a_factor_of_real_counts_and_the_type_of_whole_ones_change_nothing():
    C, fit = INPUTS["real"].dense(), method("py-lr", **FEW).fit
    one, other = fit(C, 1), fit(7 * C, 1)
    np.testing.assert_allclose(other.dense(), one.dense(), rtol=1e-9)
    new = C[:4] + C[4:8]
    folded = (method("py-lr").fold_in(*given).dense() for given in ((one, new), (other, 7 * new)))
    np.testing.assert_allclose(*folded, rtol=1e-9)
    np.testing.assert_array_equal(fit(UNSEEN.astype(float)).dense(), fit(UNSEEN).dense())


def test_the_order_of_contexts_and_outcomes_changes_no_more_than_a_seed(monkeypatch):
    monkeypatch.setattr(PitmanYorLowRank, "discounts_of_classes", lambda self, in_order: [0.0])
    fit, C = method("py-lr", largest_rank=5).fit, COUNTS.dense()
    rng = np.random.default_rng(6)
    s, t = rng.permutation(20), rng.permutation(20)
    one, other, back = fit(C, 1).dense(), fit(C, 2).dense(), np.empty(C.shape)
    back[np.ix_(s, t)] = fit(C[np.ix_(s, t)], 1).dense()
    assert abs(back - one).sum(axis=1).mean() < 0.05
    assert abs(other - one).sum(axis=1).mean() < 0.05


def test_of_a_model_of_low_rank_each_token_has_its_table():
    model = draw_model(40, 2, seed=1)
    counts, test = (sample_counts(model, n, seed=n) for n in (3000, 20_000))
    matrix = method("py-lr", largest_rank=5).fit(counts)
    assert matrix.tables > 0.9
    given = method("add-half-lr", rank=2).fit(counts)  # with the true rank
    assert cross_entropy(test, matrix) < cross_entropy(test, given) + 0.005


def seat_row(rng, base, strength, discount, n):
    """Return the counts of a Pitman-Yor process, and the number of its tables."""
    sizes, outcomes = [], []
    for _ in range(n):
        weights = np.array([s - discount for s in sizes] + [strength + discount * len(sizes)])
        t = rng.choice(weights.size, p=weights / weights.sum())
        if t == len(sizes):
            sizes.append(0)
            outcomes.append(rng.choice(base.size, p=base))
        sizes[t] += 1
    return np.bincount(outcomes, sizes, minlength=base.size), len(sizes)


def test_contexts_of_few_pairs_learn_from_contexts_of_very_many():
    """The rank is not told, and the risk is near that of EM which is told it."""
    model = draw_model(18, 2, "power-law", 1.0, seed=0, outcomes=12)
    rng = np.random.default_rng(1)
    pairs = np.where(np.arange(18) < 12, 10_000, 10)
    counts = CountMatrix.from_dense(
        [rng.multinomial(*of) for of in zip(pairs, model.P, strict=True)]
    )
    pi, few = (pairs == 10) / 6, {"chains": 1, "sweeps": 60, "smallest_rank": 1, "largest_rank": 5}
    found, told, alone = (
        np.mean([kl_risk(pi, model.P, method(id, **options).fit(counts, s)) for s in seeds])
        for id, options, seeds in (
            ("py-lr", few, range(4)),  # of which one differs from another by a quarter
            ("add-half-lr", {"rank": 2}, [0]),
            ("kn", {}, [0]),
        )
    )
    assert found < 1.5 * told
    assert found < alone / 4


def test_rows_that_repeat_themselves_have_as_few_tables_as_they_were_drawn_with():
    rng = np.random.default_rng(1)
    base = rng.dirichlet(np.full(60, 0.5))
    C, tables = zip(*(seat_row(rng, base, 0.5, 0.5, 80) for _ in range(60)), strict=True)
    matrix = method("py-lr", largest_rank=3).fit(np.array(C))
    assert matrix.tables == pytest.approx(sum(tables) / np.sum(C), abs=0.05)
    assert matrix.strength < 3


def draw_classes(rng, prior, classes, outcomes):
    """Draw distributions of a prior: of Pitman-Yor by breaking sticks, d = 1/2 and b = 1."""
    if prior == "dirichlet":
        return rng.dirichlet(np.full(outcomes, 0.3), classes)
    found = np.zeros((classes, outcomes))
    for row in found:
        pieces = rng.beta(0.5, 1.0 + 0.5 * np.arange(1, 2001))
        sticks = pieces * np.cumprod(np.append(1, 1 - pieces[:-1]))
        np.add.at(row, rng.integers(outcomes, size=sticks.size), sticks / sticks.sum())
    return found


@pytest.mark.parametrize("prior", ["dirichlet", "pitman-yor"])
def test_the_prior_of_classes_is_settled_as_the_one_that_made_the_counts(prior):
    for seed in range(2):
        rng = np.random.default_rng(seed)
        H = draw_classes(rng, prior, 4, 1000)
        P = rng.dirichlet(np.full(4, 0.2), 80) @ H
        counts = np.array([rng.multinomial(40, p / p.sum()) for p in P])
        matrix = method("py-lr", largest_rank=8, sweeps=100).fit(counts, seed=seed)
        assert matrix.of_classes == {"dirichlet": 0.0, "pitman-yor": 0.5}[prior]


def test_the_strength_is_the_likeliest_for_the_mixed_base():
    estimator = method("py-lr", largest_rank=3, chains=3, sweeps=12)
    rng = np.random.default_rng(0)
    rows = rng.dirichlet(20 * rng.dirichlet(np.ones(20)), 60)
    counts = CountMatrix.from_dense(np.array([rng.multinomial(200, row) for row in rows]))
    learned = estimator._learn(counts, 0.5, np.random.default_rng(1), False)
    base = sum(w * c.base for w, c in zip(learned.weights, learned.chains, strict=True))
    np.testing.assert_allclose(learned.base, base, rtol=1e-12)
    best = learned.rows.likelihood(learned.base, learned.strength)
    for factor in (0.95, 1.05):
        assert learned.rows.likelihood(base, factor * learned.strength) < best


def test_a_fit_is_its_parts_mixed_by_its_weights():
    """Rows of seen outcomes and the probability of the others, by the numbers that a file holds."""
    words = np.random.default_rng(4).geometric(0.15, 600).clip(0, 24) - 1
    pairs = words[:-1], words[1:]
    for fitted in (
        method("py-lr", **FEW).fit(CountMatrix.from_pairs(*pairs, (24, 30)), 1),
        method("py-lr", **FEW).fit(PairsInOrder(*pairs, (24, 30)), 1),
    ):
        C = CountMatrix.from_pairs(*pairs, (24, 30)).dense()
        Q, new = np.zeros(C.shape), C.sum(axis=0) == 0
        left = fitted.left[:, :-2] / fitted.left[:, :-2].sum(axis=1, keepdims=True)
        base, lower = left @ fitted.right[:-2], method("kn", discount="modified").fit(C).right[0]
        bins, taken = np.searchsorted(fitted.bins, C.sum(axis=1), "right"), 0.75 * (C > 0)
        rows = []
        for taken, strength, around in (
            (reference.three_discounts(C), fitted.strength, base),
            (0.75 * (C > 0), fitted.strength, base),
            (reference.three_discounts(C), 0.0, lower),
        ):
            row = C - taken + (strength + taken.sum(axis=1))[:, None] * around
            sums = strength + C.sum(axis=1)[:, None]
            rows.append(np.where(C.any(axis=1)[:, None], row / np.maximum(sums, 1e-9), around))
        own, _, kn = (row[:, new].sum(axis=1) for row in rows)
        masses = np.array([own + (1 - own) * fitted.lacking[bins], kn, np.ones(24)])
        u = (fitted.unseen[:, bins] * masses).sum(axis=0)
        for weights, row in zip(fitted.mixture[:, bins], rows, strict=True):
            among = row * ~new
            Q += (weights * (1 - u))[:, None] * among / among.sum(axis=1, keepdims=True)
        Q[:, new] = u[:, None] / new.sum()
        np.testing.assert_allclose(fitted.dense(), Q, rtol=1e-9)


def held_out_of(estimator, counts, end=None):
    return estimator._hold_out(counts, np.random.default_rng(1), end)


def test_a_table_holds_out_fifths_and_a_sequence_its_end_as_well_which_tells_three_quarters():
    words = np.random.default_rng(1).integers(10, size=401)
    pairs, seen, settle = (words[:-1], words[1:]), [], PitmanYorLowRank._try

    class Spied(PitmanYorLowRank):
        def _try(self, held_out, *others):
            seen.append(held_out)
            return settle(self, held_out, *others)

    few = {"largest_rank": 3, "chains": 1, "sweeps": 12}
    table = Spied(**few).fit(CountMatrix.from_pairs(*pairs, 10), 1)
    sequence = Spied(**few).fit(PairsInOrder(*pairs, 10), 1)
    assert [table.in_order, sequence.in_order] == [False, True]
    of_table, again, of_sequence = seen  # of a table two priors are tried
    assert of_table is again
    *drawn, end = of_sequence
    assert len(of_table) == len(drawn) == FOLDS
    assert all(each.rest.n + each.pairs.n == 400 for each in (*of_table, *of_sequence))
    np.testing.assert_array_equal(
        end.pairs.dense(), CountMatrix.from_pairs(words[320:400], words[321:], 10).dense()
    )
    evidence = [[each.times * each.pairs.n for each in part] for part in (of_table, drawn, [end])]
    np.testing.assert_allclose([sum(each) for each in evidence], [400, 100, 300])
    assert [each.chains for each in of_sequence] == [1] * FOLDS + [FOLDS]
    assert sequence.of_classes == 0.5


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_a_prior_is_judged_by_the_nats_per_token_of_both_parts(in_order, mixed, factor):
    """The loss of pairs held out by their mixture, and of the rest by itself, by its formula."""
    estimator = method("py-lr", **FEW, mixed=mixed)
    counts = factor * random_counts(6, 30, 900)
    held_out = held_out_of(estimator, counts)
    shares, loss, _ = estimator._try(
        held_out, 0.5, in_order, np.random.default_rng(7), Parts("fit", 2, False)
    )
    lost, of_rest, total = 0.0, [], 0.0
    for each, seed in zip(held_out, np.random.default_rng(7).spawn(FOLDS), strict=True):
        learned = estimator.lighter()._learn(each.rest, 0.5, seed, False, BRIEF)
        matrix = estimator.assemble(learned, shares, in_order)
        times = each.pairs.values / factor  # in tokens
        chances = matrix.at(each.pairs.contexts, each.pairs.outcomes)
        new = each.rest.column_sums == 0  # such outcomes are taken as one
        chances *= np.where(new[each.pairs.outcomes], new.sum(), 1)
        lost -= each.times * (times @ np.log(chances))
        total += each.times * times.sum()
        likelihood = learned.rows.likelihood(learned.base, learned.strength)
        of_rest.append(-likelihood / (each.rest.values.sum() / factor))
    assert loss == pytest.approx(lost / total + np.mean(of_rest), rel=1e-9)


def test_light_effort_is_one_chain_one_prior_and_one_part_held_out(monkeypatch):
    words = np.random.default_rng(1).integers(10, size=400)
    counts = CountMatrix.from_pairs(words[:-1], words[1:], 10)
    light = method("py-lr", effort="light")
    assert light.ranks == (13,)
    assert light.discounts_of_classes(False) == light.discounts_of_classes(True) == [0.5]
    assert [each.chains for each in held_out_of(light, counts)] == [1]
    end = Split(counts, counts)
    assert [each.times for each in held_out_of(light, counts, end)] == [1.0]
    matrix = method("py-lr", effort="light", sweeps=12).fit(counts)
    assert matrix.ranks.tolist() == [13]
    assert light.lighter() == method("py-lr", effort="light", mixed=False)


def test_pairs_that_come_in_twos_are_not_left_to_their_discounts():
    """Discounts from counts of counts are above one there, and Kneser-Ney with .75 is ahead."""
    rng = np.random.default_rng(3)
    base = rng.dirichlet(np.full(60, 0.1), 30)
    pairs = [(i, rng.choice(60, p=base[i])) for i in rng.integers(30, size=3000)]
    twice = np.repeat(np.array(pairs), 2, axis=0)
    train, test = twice[:4000], twice[4000:]
    found, alone, kn = (
        -method(id, **how).fit(PairsInOrder(*train.T, (30, 60)), 1).log_prob(*test.T).mean()
        for id, how in (
            ("py-lr", {"sweeps": 60}),
            ("py-lr", {"mixed": False, "sweeps": 60}),
            ("kn", {}),
        )
    )
    assert kn < alone
    assert found < alone - (alone - kn) / 4


def expect_tables(c, base, strength, discount, others):
    """Seat a count: its first token opens a table, and each further one does so with some odds."""
    tables = min(c, 1)
    for s in range(1, int(c)):
        opens = (strength + discount * (others + tables)) * base
        tables += opens / (opens + s - discount * tables)
    return tables


def fold_by_hand(matrix, counts):
    """Return the row of a context: expected tables and soft counts, and then Eq. (1)."""
    base, first = 0.0, 0
    discount = matrix.discounts[0]
    for m, weight in zip(matrix.ranks, matrix.weights, strict=True):
        H, a = matrix.right[first : first + m], matrix.constants[first : first + m]
        W = a / a.sum()
        for _ in range(MOST_PASSES):
            soft, seated = a.copy(), 0.0
            for j in np.flatnonzero(counts):
                of_classes = W * H[:, j]
                t = expect_tables(counts[j], of_classes.sum(), matrix.strength, discount, seated)
                seated += t
                soft += t * of_classes / of_classes.sum()
            W = soft / soft.sum()
        base, first = base + weight * W @ H, first + m
    three = np.array([0, *matrix.discounts])[np.minimum(counts, 3)]
    uniform, lower = matrix.right[-2:]
    bin, to_new = np.searchsorted(matrix.bins, counts.sum(), side="right"), matrix.of_unseen
    in_classes = base[uniform > 0].sum()
    lower = (1 - to_new[-1]) * lower + to_new[-1] * uniform
    own, rows = [], []
    for taken, strength, around, mass in (
        (three, matrix.strength, base, in_classes),
        (0.75 * (counts > 0), matrix.strength, base, in_classes),
        (three, 0.0, lower, to_new[-1]),
    ):
        share = (strength + taken.sum()) / (strength + counts.sum()) if counts.any() else 1.0
        row = (counts - taken) / (strength + counts.sum()) if counts.any() else 0.0
        own.append(share * mass)
        rows.append((row + share * around * (uniform == 0)) / (1 - share * mass))
    masses = own[0] + (1 - own[0]) * matrix.lacking[bin], own[2], 1.0
    u = matrix.unseen[:, bin] @ masses
    return (1 - u) * (matrix.mixture[:, bin] @ np.array(rows)) + u * uniform


def test_rows_of_further_contexts_are_the_slow_fixed_point():
    estimator = method("py-lr", largest_rank=3)
    matrix, new = estimator.fit(UNSEEN, 1), np.zeros((3, 25), int)
    rng = np.random.default_rng(2)
    mixture, unseen = (rng.dirichlet(np.ones(3), 7).T for _ in range(2))
    matrix = replace(matrix, mixture=mixture, unseen=unseen, strength=2.0)
    matrix = replace(matrix, lacking=rng.uniform(0, 0.5, 7))
    new[0, [2, 5, 23]], new[1, [1, 3]] = [7, 1, 2], [1, 4]
    folded = estimator.fold_in(matrix, new)
    for i in range(3):
        np.testing.assert_allclose(folded.rows([i])[0], fold_by_hand(matrix, new[i]), atol=1e-8)
        alone = estimator.fold_in(matrix, new[[i]])
        np.testing.assert_allclose(alone.dense()[0], folded.dense()[i], rtol=1e-12)
    matrix = estimator.fit(UNSEEN, 1)
    again = estimator.fold_in(matrix, UNSEEN).dense()
    assert abs(again - matrix.dense()).sum(axis=1).max() < 0.2
    alone = estimator.fold_in(matrix, new[[2]])
    np.testing.assert_allclose(alone.rows([0]), matrix.rows([22]), rtol=0.2)  # never seen
    for fitted, counts in ((matrix, np.ones((1, 7))), (method("kn").fit(UNSEEN), new)):
        with pytest.raises(ValueError, match="a fit of py-lr over"):
            estimator.fold_in(fitted, counts)


def test_a_summary_says_what_was_learned_in_plain_words():
    matrix = replace(
        method("py-lr", **FEW | {"chains": 2}).fit(COUNTS),
        strength=2.0,
        mixture=np.array([[0.75, 0.5], [0.15, 0.1], [0.1, 0.4]]),
        of_classes=0.5,
        in_order=False,
        discounts=np.array([0.5, 0.75, 1.25]),
        tables=0.4,
        ranks=np.array([2, 2, 3]),
        weights=np.array([0.25, 0.25, 0.5]),
        losses=np.array([1.5, 1.6, 1.25]),
    )
    heading, *lines = matrix.summary().splitlines()
    told = dict(line.split(maxsplit=1) for line in lines)
    assert heading == "PitmanYorMatrix: 20 x 20, iteration limit"
    assert told["classes"] == "2, 3: the mean of 3 such models; their prior is Pitman-Yor"
    assert told["contexts"].endswith("as much as 2 tokens")
    assert told["tokens"].startswith("40% come from classes")
    assert "in_order=False" in told["pairs"]
    mixture = next(line for line in lines if line.startswith("mixture"))
    for share in ("50% to 75%", "10% to 15%", "10% to 40%"):
        assert share in mixture
    assert told["discounts"] == "0.5 0.75 1.25"
    assert told["weights"] == "0.25 0.25 0.5"
    assert told["losses"] == "1.5 1.6 1.25"


@pytest.mark.parametrize("order", [2, 3])
def test_the_summary_of_a_fit_in_labels_says_whether_pairs_had_an_order(order):
    text = "the cat sat\nthe dog sat\na cat saw the dog\n" * 9
    of_text = fit_text(text, order=order, method="py-lr", **FEW)
    assert "in_order=True" in of_text.summary()
    assert "their prior is Pitman-Yor" in of_text.summary()
    pairs = [("ann", "tea")] * 3 + [("bob", "milk")] * 2
    assert "in_order=False" in fit(pairs, **FEW).summary()


def test_pairs_with_labels_are_a_table_or_in_order_a_sequence():
    steps = np.random.default_rng(3).geometric(0.3, 200).clip(0, 9)
    pairs = [(str(one), int(other)) for one, other in pairwise(steps)]
    rows, columns = (np.unique(each, return_inverse=True)[1] for each in zip(*pairs, strict=True))
    shape = rows.max() + 2, columns.max() + 1
    estimator = method("py-lr", **FEW)
    found = fit(pairs, method=estimator, in_order=True, seed=1)
    expected = estimator.fit(PairsInOrder(rows, columns, shape), 1)
    np.testing.assert_array_equal(found.model.dense(), expected.dense())
    table = fit(pairs, method=estimator, seed=1).model
    counts = CountMatrix.from_pairs(rows, columns, shape)
    np.testing.assert_array_equal(table.dense(), estimator.fit(counts, 1).dense())
    kn = [fit(pairs, method="kn", in_order=each).model.dense() for each in (False, True)]
    np.testing.assert_array_equal(*kn)
    for weighted in ([(*pair, 2) for pair in pairs], {"a": {"b": 2}}):
        with pytest.raises(ValueError, match="a sequence have no weights"):
            fit(weighted, in_order=True)


@pytest.mark.parametrize("in_order", [False, True])
def test_a_long_fit_at_a_terminal_shows_its_progress_and_once_what_less_would_take(
    in_order, monkeypatch, capsys
):
    place, estimator = "condprob.methods.pitman_yor.estimator", method("py-lr", **FEW)
    pairs = PairsInOrder(COUNTS.contexts, COUNTS.outcomes, COUNTS.shape)
    fit = partial(estimator.fit, pairs if in_order else COUNTS)
    for is_terminal, seconds, is_told in (
        (True, 0.0, True),
        (True, 60.0, False),
        (False, 0, False),
    ):
        for module in (place, "condprob.progress"):
            monkeypatch.setattr(f"{module}.SECONDS_OF_PATIENCE", seconds)
        monkeypatch.setattr(
            "condprob.progress.is_at_terminal", lambda is_terminal=is_terminal: is_terminal
        )
        fit()
        shown = capsys.readouterr().err
        assert shown.count("effort='light' would take") == is_told
        assert ("sweeps" in shown) == is_told
    monkeypatch.setattr("condprob.progress.is_at_terminal", lambda: True)
    fit(progress=False)
    assert not capsys.readouterr().err


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_fit_leaves_no_thread(threads):
    running = threading.active_count()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        method("py-lr", sweeps=3000, threads=threads).fit(random_counts(1, 50, 2000))
    assert threading.active_count() <= running + 1  # the timer may be ending
