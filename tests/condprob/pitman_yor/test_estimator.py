"""PY-LR as a whole: edges, invariance, known truth, further contexts, and how it says so."""

import os
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest
import reference
from inputs import EDGES, in_case, random_counts

from condprob import (
    CountMatrix,
    Sentences,
    cross_entropy,
    draw_model,
    fit,
    fit_text,
    kl_risk,
    load,
    method,
    sample_counts,
)
from condprob.pitman_yor.constants import FOLDS, LIKE_PAIRS, LIKE_TOKENS
from condprob.pitman_yor.estimator import PitmanYorLowRank
from condprob.pitman_yor.matrix import MOST_PASSES
from condprob.progress import Parts
from condprob.splits import Split, hold_out

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


def test_ranks_grow_to_the_first_that_gains_nothing_and_of_many_pairs_there_is_one_chain(
    monkeypatch,
):
    how = {"sweeps": 40, "smallest_rank": 1}
    ranks = method("py-lr", **how).fit(COUNTS, seed=1).ranks
    assert ranks.tolist() == np.repeat([1, 2, 3, 5, 8, 13, 21, 34], 2).tolist()[: ranks.size]
    monkeypatch.setattr("condprob.pitman_yor.constants.MANY", 10)
    ranks = method("py-lr", **how).fit(COUNTS, seed=1).ranks
    assert ranks.tolist() == [1, 2, 3, 5, 8, 13, 21, 34][: ranks.size]


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
    monkeypatch.setattr(PitmanYorLowRank, "discounts_of_classes", lambda self, observed: [0.0])
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
    pi, few = (pairs == 10) / 6, {"chains": 1, "sweeps": 200, "smallest_rank": 1, "largest_rank": 5}
    found, told, alone = (
        kl_risk(pi, model.P, method(id, **options).fit(counts, seed=0))
        for id, options in (("py-lr", few), ("add-half-lr", {"rank": 2}), ("kn", {}))
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
    best = learned.rows.likelihood(learned.base, learned.strengths[0])
    for factor in (0.95, 1.05):
        assert learned.rows.likelihood(base, factor * learned.strengths[0]) < best


def test_each_part_of_the_mixture_is_its_formula():
    counts = INPUTS["unseen"]
    C, estimator = counts.dense(), method("py-lr", **FEW)
    learned = estimator._learn(counts, 0.5, np.random.default_rng(1), False)
    three, one, kn = (estimator.assemble(learned, "none", each) for each in np.eye(3))
    np.testing.assert_allclose(kn.dense(), method("kn").fit(counts).dense(), rtol=1e-12)
    base = sum(w * c.W @ c.H for w, c in zip(learned.weights, learned.chains, strict=True))
    for matrix, strength, taken in (
        (three, three.strengths[0], reference.three_discounts(C)),
        (one, one.strengths[1], 0.75 * (C > 0)),
    ):
        sums = C.sum(axis=1, keepdims=True)
        Q = C - taken + (strength + taken.sum(axis=1, keepdims=True)) * base
        Q = np.where(sums > 0, Q / (strength + sums), base)
        np.testing.assert_allclose(matrix.dense(), Q, rtol=1e-9)
    given = learned.rows.with_one_discount()
    of_pairs = base[counts.contexts, counts.outcomes]
    assert given.likelihood(of_pairs, one.strengths[1]) > -np.inf
    weights = np.array([0.5, 0.2, 0.3])
    mixed = estimator.assemble(learned, "tokens", weights).dense()
    parts = [estimator.assemble(learned, "tokens", each).dense() for each in np.eye(3)]
    np.testing.assert_allclose(mixed, np.tensordot(weights, parts, axes=1), rtol=1e-9)


def test_weights_of_the_mixture_are_the_likeliest_for_pairs_held_out():
    rng = np.random.default_rng(5)
    counts = random_counts(6, 30, 900)
    estimator = method("py-lr", **FEW)
    splits = [hold_out(counts, 0.2, seed) for seed in (1, 2)]
    seeds = np.random.default_rng(7)
    parts = Parts("fit", 2, False)
    found, _ = estimator._try(splits, 0.5, "tokens", seeds, parts)
    chances, times = [], []
    for split, seed in zip(splits, np.random.default_rng(7).spawn(2), strict=True):
        light = replace(estimator.lighter(), chains=FOLDS // 2)
        learned = light._learn(split.rest, 0.5, seed, False)
        pairs = split.held_out.contexts, split.held_out.outcomes
        chances.append([estimator.assemble(learned, "tokens", e).at(*pairs) for e in np.eye(3)])
        times.append(split.held_out.values)
    chances, times = np.hstack(chances), np.concatenate(times)

    def height(weights):
        return times @ np.log(weights @ chances) + LIKE_TOKENS * np.log(weights[0])

    assert found.sum() == pytest.approx(1)
    others = rng.dirichlet(np.ones(3), 500)
    assert height(found) >= max(height(w) for w in [*others, *np.eye(3)[:1]]) - 1e-9


@pytest.mark.parametrize("order", ["tokens", "pairs"])
@pytest.mark.parametrize("mixed", [True, False])
@pytest.mark.parametrize("factor", [1.0, 0.25])
def test_a_prior_is_judged_by_the_nats_per_token_of_both_parts(order, mixed, factor):
    """The loss of the pairs held out by the mixture, and of the rest by itself, by its formula."""
    estimator = method("py-lr", **FEW, mixed=mixed)
    splits = [hold_out(random_counts(6, 30, 900), 0.2, seed) for seed in (1, 2)]
    splits = [Split(factor * split.rest, factor * split.held_out) for split in splits]
    parts = Parts("fit", 2, False)
    weights, loss = estimator._try(splits, 0.5, order, np.random.default_rng(7), parts)
    chances, times, of_rest = [], [], []
    for split, seed in zip(splits, np.random.default_rng(7).spawn(2), strict=True):
        light = replace(estimator.lighter(), chains=FOLDS // 2)
        learned = light._learn(split.rest, 0.5, seed, False)
        pairs = split.held_out.contexts, split.held_out.outcomes
        chances.append([estimator.assemble(learned, order, e).at(*pairs) for e in np.eye(3)])
        times.append(split.held_out.values / factor)  # in tokens
        likelihood = learned.rows.likelihood(learned.base, learned.strengths[0])
        of_rest.append(-likelihood / (split.rest.values.sum() / factor))
    chances, times = np.hstack(chances), np.concatenate(times)
    mixture = weights @ chances if mixed else chances[0]
    expected = -(times @ np.log(mixture)) / times.sum() + np.mean(of_rest)
    assert loss == pytest.approx(expected, rel=1e-9)
    like = {"tokens": LIKE_TOKENS, "pairs": LIKE_PAIRS}[order]
    slopes = (chances / (weights @ chances)) @ times + like * np.eye(3)[0] / weights
    # At the likeliest weights no slope is above the mean one, which is what they all weigh.
    assert slopes.max() <= slopes @ weights * (1 + 1e-9)


def test_a_text_holds_out_its_end_and_counts_are_held_out_at_random(monkeypatch):
    seen = []
    settle = PitmanYorLowRank._try

    def spy(self, splits, discount, observed, *others):
        seen.append((splits, observed))
        return settle(self, splits, discount, observed, *others)

    monkeypatch.setattr(PitmanYorLowRank, "_try", spy)
    words = np.random.default_rng(1).integers(10, size=400)
    text = Sentences.from_words(words, 10)
    estimator = method("py-lr", **FEW)
    model = estimator.fit_text(text, 2, 1)
    matrix = estimator.fit(CountMatrix.from_pairs(words[:-1], words[1:], 10), 1)
    (((rest, held_out),), observed), (splits, of_counts), _ = seen  # of counts two priors are tried
    assert (observed, of_counts) == ("pairs", "tokens")
    contexts = np.append(10, words[:-1])
    ended = CountMatrix.from_pairs(contexts[320:], words[320:], (11, 10))
    np.testing.assert_array_equal(held_out.dense(), ended.dense())
    assert rest.n == 320
    assert len(splits) == FOLDS
    assert all(split.rest.n + split.held_out.n == 399 for split in splits)
    assert not model.matrix.by_tokens
    assert matrix.by_tokens
    assert model.matrix.of_classes == 0.5


def test_pairs_that_come_in_twos_are_not_left_to_their_discounts():
    """Discounts from counts of counts are above one there, and Kneser-Ney with .75 is ahead."""
    rng = np.random.default_rng(3)
    base = rng.dirichlet(np.full(60, 0.1), 30)
    pairs = [(i, rng.choice(60, p=base[i])) for i in rng.integers(30, size=3000)]
    twice = np.repeat(np.array(pairs), 2, axis=0)
    train, test = twice[:4000], twice[4000:]
    found, alone, kn = (
        -method(id, **how).fit_in_order(*train.T, (30, 60), 1).log_prob(*test.T).mean()
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
    taken = np.array([0, *matrix.discounts])[np.minimum(counts, 3)]
    new, lower = matrix.right[-2:]
    found = 0.0
    for part, weight in enumerate(matrix.mixture):
        if part:
            taken = 0.75 * (counts > 0)
        of_base = lower if part == 2 else base
        row = counts - taken + (matrix.strengths[part] + taken.sum()) * of_base
        row = row / (matrix.strengths[part] + counts.sum()) if counts.any() else of_base
        share = 0.0
        if part < 2:
            share = matrix.novel[part, np.searchsorted(matrix.bins, counts.sum(), side="right")]
        found += weight * ((1 - share) * row + share * new)
    return found


def test_rows_of_further_contexts_are_the_slow_fixed_point():
    estimator = method("py-lr", largest_rank=3)
    matrix, new = estimator.fit(UNSEEN, 1), np.zeros((3, 25), int)
    matrix = replace(matrix, mixture=np.array([0.5, 0.3, 0.2]), strengths=np.array([2.0, 5.0, 0.0]))
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
        strengths=np.array([2.0, 3.0, 0.0]),
        mixture=np.array([0.75, 0.15, 0.1]),
        of_classes=0.5,
        by_tokens=True,
        discounts=np.array([0.5, 0.75, 1.25]),
        tables=0.4,
        ranks=np.array([2, 2, 3]),
        weights=np.array([0.25, 0.25, 0.5]),
        losses=np.array([1.5, 1.6, 1.25]),
    )
    heading, *lines = matrix.summary().splitlines()
    told = dict(line.split(maxsplit=1) for line in lines)
    assert heading == "PitmanYorMatrix: 20 x 20, limit"
    assert told["classes"] == "2, 3: the mean of 3 such models; their prior is Pitman-Yor"
    assert told["contexts"].endswith("as much as 2 tokens")
    assert told["tokens"].startswith("40% come from classes")
    assert told["unseen"] == "new outcomes are told by tokens, as pairs have no order"
    mixture = [line.split() for line in lines if line.startswith("mixture")]
    assert mixture[0][1] == "0.750"
    assert mixture[1] == ["mixture", "0.75", "0.15", "0.1"]
    assert told["discounts"] == "0.5 0.75 1.25"
    assert told["weights"] == "0.25 0.25 0.5"
    assert told["losses"] == "1.5 1.6 1.25"


@pytest.mark.parametrize("order", [2, 3])
def test_the_summary_of_a_fit_in_labels_says_what_tells_new_outcomes(order):
    text = "the cat sat\nthe dog sat\na cat saw the dog\n" * 9
    of_text = fit_text(text, order=order, method="py-lr", **FEW)
    assert "new outcomes are told by distinct pairs" in of_text.summary()
    assert "their prior is Pitman-Yor" in of_text.summary()
    of_table = fit([("ann", "tea")] * 3 + [("bob", "milk")] * 2, **FEW)
    assert "new outcomes are told by tokens" in of_table.summary()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_fit_leaves_no_thread(threads):
    running = threading.active_count()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        method("py-lr", sweeps=3000, threads=threads).fit(random_counts(1, 50, 2000))
    assert threading.active_count() <= running + 1  # the timer may be ending
