"""PY-LR: the methods that it contains, what it learns, and how it says so."""

import numpy as np
import pytest
import reference
from inputs import EDGES, in_case, random_counts, random_start

from condprob import CountMatrix, cross_entropy, draw_model, kl_risk, method, sample_counts
from condprob.pitman_yor import estimator
from condprob.pitman_yor.held_out import Evidence
from condprob.pitman_yor.rows import bin_of
from condprob.pitman_yor.settings import KindComparison

COUNTS = random_counts(3, 20, 400)
LARGE = random_counts(7, 40, 4000)
REAL = CountMatrix.from_sparse(COUNTS.sparse() * 0.3)
WHOLE = {"some unseen": COUNTS, "much unseen": random_counts(1, 30, 50), **EDGES}
INPUTS = {"real": REAL, **WHOLE}
FEW = {"largest_rank": 4, "iterations": 6}


def fit(counts, seed=1, **options):
    return method("py-lr", **options).fit(counts, seed)


def assert_same_rows(matrix, expected):
    np.testing.assert_allclose(matrix.dense(), expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("discount", [0.75, 0.3, "estimated", "modified"])
def test_around_the_continuation_alone_it_is_kneser_ney(discount):
    options = {"largest_rank": 0, "background": "continuation", "strength": 0}
    for name, counts in (WHOLE if isinstance(discount, str) else INPUTS).items():
        with in_case(name):
            expected = method("kn", discount=discount).fit(counts).dense()
            assert_same_rows(fit(counts, discount=discount, **options), expected)


def test_around_the_uniform_with_half_a_token_for_each_outcome_it_is_add_half():
    options = {"largest_rank": 0, "background": "uniform", "discount": 0}
    for name, counts in INPUTS.items():
        with in_case(name):
            expected = method("add-half").fit(counts).dense()
            assert_same_rows(fit(counts, strength=counts.k / 2, **options), expected)


def test_around_the_unigram_with_infinite_strength_every_row_is_the_unigram():
    options = {"largest_rank": 0, "background": "unigram", "strength": "infinite"}
    for name, counts in INPUTS.items():
        with in_case(name):
            expected = np.tile(reference.absolute_discount(counts.column_sums), (counts.k, 1))
            assert_same_rows(fit(counts, **options), expected)


@pytest.mark.parametrize("iterations", [1, 15])
@pytest.mark.parametrize("id", ["add-half-lr", "ad-lr"])
def test_with_infinite_strength_it_is_its_low_rank_base(id, iterations):
    ranks = {"smallest_rank": 3, "largest_rank": 3, "tol": 1e-100}
    options = {"bases": id, "background": "none", "strength": "infinite"}
    for name, counts in INPUTS.items():
        how = {"iterations": iterations, "initial": random_start(4, counts.k, 3)}
        expected = method(id, rank=3, **how).fit(counts).dense()
        for starts in (1, 3):  # the mean of as many as one likes, if they are the same
            with in_case(f"{name}, {starts} starts"):
                assert_same_rows(fit(counts, starts=starts, **ranks, **options, **how), expected)


@pytest.mark.parametrize("soft_counts", ["leave-one-out", "expectation"])
def test_a_base_by_tokens_is_the_slow_formula(soft_counts):
    W, H = random_start(4, 20, 3)
    matrix = fit(
        COUNTS, smallest_rank=3, largest_rank=3, starts=1, tol=1e-100, bases="tokens",
        background="none", strength="infinite", initial=(W, H), iterations=5,
        soft_counts=soft_counts,
    )  # fmt: skip
    W, H, _ = reference.leave_one_out(
        COUNTS.dense(), (W, H), 5, 1.0,
        lambda c: reference.interpolate_class(c, 0.5, 0.1 * 20, np.full(20, 1 / 20)),
        float(soft_counts == "leave-one-out"), 0.7,
    )  # fmt: skip
    np.testing.assert_allclose(matrix.dense(), W @ H, rtol=1e-6)


@pytest.mark.parametrize(
    ("smallest", "largest", "ranks"),
    [
        (2, 48, (2, 3, 5, 8, 13, 21, 34)),
        (1, 4, (1, 2, 3, 4)),
        (3, 3, (3,)),
        (9, 5, (5,)),
        (2, 0, ()),
    ],
)
def test_ranks_grow_by_a_factor(smallest, largest, ranks):
    assert method("py-lr", smallest_rank=smallest, largest_rank=largest).ranks == ranks


@pytest.mark.parametrize("strength", ["learned", 2.0])
@pytest.mark.parametrize("discount", ["learned", 0.5, "modified", "estimated"])
def test_what_was_learned_is_what_the_rows_are_made_of(discount, strength):
    model = draw_model(40, 5, "power-law", 1.2, seed=1)
    counts = sample_counts(model, 4000, seed=2)
    matrix = fit(counts, largest_rank=0, discount=discount, strength=strength)
    C = counts.dense()
    of_lower = "modified" if discount == "learned" else discount
    known = {
        "continuation": reference.continuation(C, of_lower),
        "unigram": reference.absolute_discount(C.sum(axis=0)),
        "uniform": np.full(40, 1 / 40),
    }
    np.testing.assert_allclose(matrix.shares.sum(axis=1), 1)
    assert (matrix.shares >= 0).all()
    shares = matrix.shares[bin_of(counts.row_sums)]
    base = shares @ [known[name] for name in matrix.components]
    taken = np.array([0, *matrix.discounts])[np.minimum(C, 3)]
    Q = base.copy()
    for i, row in enumerate(C):
        if row.any():
            freed = matrix.strength + taken[i].sum()
            Q[i] = (row - taken[i] + freed * base[i]) / (matrix.strength + row.sum())
    np.testing.assert_allclose(matrix.dense(), Q, rtol=1e-9)
    assert np.isfinite(matrix.strength)
    if discount == "modified":
        np.testing.assert_allclose(taken, reference.three_discounts(C))
    if strength != "learned":
        assert matrix.strength == strength


def test_of_independent_pairs_the_base_is_all_and_of_a_cycle_it_is_nothing():
    # Context and outcome know nothing of each other: rows say nothing that their sum does not. A
    # cycle, each context with one outcome, is told by the rows alone.
    matrix = fit(random_counts(1, 20, 3000), largest_rank=0)
    assert matrix.strength > 100
    cycle = CountMatrix.from_dense(50 * np.roll(np.eye(20, dtype=int), 1, axis=1))
    matrix = fit(cycle, largest_rank=0)
    assert matrix.strength == 0
    assert (matrix.at(np.arange(20), (np.arange(20) + 1) % 20) > 0.98).all()


def test_components_say_what_is_mixed():
    matrix = fit(LARGE, bases="types", largest_rank=3, background="uniform", iterations=5)
    assert set(matrix.components) <= {"types 2", "types 3", "uniform"}
    assert matrix.shares.shape == (matrix.bins.size + 1, matrix.components.size)
    assert (matrix.shares.max(axis=0) > 0).all()
    none = fit(LARGE, bases="types", largest_rank=2, background="none", iterations=5)
    assert none.components.tolist() == ["types 2"]


def kinds_of(matrix):
    return {name.split()[0] for name in matrix.components}


def test_both_kinds_stand_side_by_side_until_one_has_clearly_lost(monkeypatch):
    # The last weight decides; who has lost by the first fold is not fitted to the others.
    options = FEW | {"background": "none", "strength": 2.0, "largest_rank": 2}
    fitted = []
    fit_components = estimator.fit_components
    monkeypatch.setattr(
        estimator,
        "fit_components",
        lambda components, *rest: (
            fitted.append(len(components)) or fit_components(components, *rest)
        ),
    )
    for gain, error, kinds, frozen in (
        (9.0, 0.1, {"types", "tokens"}, {"types"}),
        (-9.0, 0.1, {"tokens"}, {"tokens"}),
        (9.0, 99.0, {"types", "tokens"}, {"types", "tokens"}),
        (-9.0, 99.0, {"tokens"}, {"tokens"}),
        (0.01, 99.0, {"types", "tokens"}, {"types", "tokens"}),
    ):
        weight = float(np.clip((gain - 0.005) / 0.01, 0, 1))
        evidence = Evidence(1.0, gain, error, weight)
        monkeypatch.setattr(KindComparison, "weigh", lambda _, found=evidence: found)
        fitted.clear()
        matrix = fit(COUNTS, **options)
        assert kinds_of(matrix) == kinds
        assert matrix.evidence.tolist() == list(evidence)
        del fitted[2:]
        assert kinds_of(fit(COUNTS, rules="frozen", **options)) == frozen
        for found, first in ((kinds, 0), (frozen, 2)):  # after the first fold
            is_one = error < 1 and len(found) == 1
            assert fitted[first : first + 2] == ([1, 1] if is_one else [2, 2])
        if kinds == {"types", "tokens"}:
            has_types = matrix.shares[:, matrix.components == "types 2"].max()
            assert has_types <= weight + 1e-12


def test_what_is_moved_to_outcomes_never_seen_has_the_weight_of_types(monkeypatch):
    counts, novel = random_counts(1, 40, 150), []
    for weight in (0.0, 0.5, 1.0):
        evidence = Evidence(1.0, 0.0, 99.0, weight)
        monkeypatch.setattr(KindComparison, "weigh", lambda _, found=evidence: found)
        matrix = fit(counts, **FEW)
        novel.append(matrix.novel.sum())
        np.testing.assert_allclose(matrix.row_sums(), 1, rtol=0, atol=1e-12)
    assert novel[0] == 0 < novel[1] < novel[2]


def test_a_few_pairs_do_not_choose_a_kind():
    options = FEW | {"background": "none", "largest_rank": 2}
    few, enough = (random_counts(3, 20, n) for n in (99, 100))
    assert kinds_of(fit(few, **options)) == {"ad-lr"}
    assert "ad-lr" not in kinds_of(fit(enough, **options))


@pytest.mark.parametrize(("pairs", "smallest"), [(19, 5), (20, 2)])
def test_fewer_pairs_than_a_tenth_of_the_contexts_have_the_larger_ranks(pairs, smallest):
    # Ranks 2, 3, 5, 8, 13, of which 5 is the middle.
    matrix = fit(random_counts(3, 200, pairs), background="none", largest_rank=13, iterations=2)
    ranks = [rank for rank in (2, 3, 5, 8, 13) if rank >= smallest]
    assert matrix.components.tolist() == [f"ad-lr {rank}" for rank in ranks]


def test_the_seed_decides_the_starts_and_the_folds():
    one, again, other = (fit(COUNTS, seed, **FEW).dense() for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.allclose(one, other)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("bases", ["types", "tokens", "ad-lr"])
def test_threads_change_the_order_of_sums_and_nothing_else(bases, threads):
    one, several = (
        fit(COUNTS, bases=bases, threads=count, strength=1.0, discount=0.5, **FEW).dense()
        for count in (1, threads)
    )
    np.testing.assert_allclose(several, one, rtol=1e-6)


def test_more_starts_are_more_bases_of_one_rank_each():
    options = {"smallest_rank": 3, "largest_rank": 3, "background": "none", "bases": "types"}
    for starts in (1, 2, 4):
        settled = fit(COUNTS, starts=starts, strength=1.0, discount=0.5, **options)
        learned = fit(COUNTS, starts=starts, **options)
        assert settled.left.shape == learned.left.shape == (20, 3 * starts)


@pytest.mark.parametrize("bases", ["learned", "types", "tokens", "add-half-lr"])
def test_real_counts_and_rectangles(bases):
    rng = np.random.default_rng(1)
    for shape in ((30, 7), (3, 60)):
        C = rng.poisson(1.0, shape) * rng.uniform(0.01, 3, shape)
        matrix = fit(C, bases=bases, **FEW)
        assert matrix.shape == shape
        np.testing.assert_allclose(matrix.row_sums(), 1, rtol=0, atol=1e-12)
        assert (matrix.dense() >= 0).all()
    with pytest.raises(ValueError, match="'modified' needs whole counts"):
        fit(C, discount="modified", **FEW)


def test_a_pair_of_factors_is_for_a_single_rank():
    start = random_start(4, 20, 3)
    with pytest.raises(ValueError, match="initial W has shape"):
        fit(COUNTS, initial=start, smallest_rank=2, largest_rank=3)
    options = {"initial": start, "smallest_rank": 3, "largest_rank": 3}
    np.testing.assert_allclose(fit(COUNTS, **options).row_sums(), 1, atol=1e-12)


def test_it_learns_what_is_good_for_other_pairs():
    # Of a model of low rank, and of independent pairs: near or below the best of what it contains.
    model = draw_model(50, 3, seed=1)
    counts, rivals = sample_counts(model, 1500, seed=2), ("add-half", "kn", "ad-lr", "add-half-lr")
    truth = model.pi, (model.A, model.B)
    own = kl_risk(*truth, fit(counts, largest_rank=6, iterations=50))
    options = [{"rank": 3, "iterations": 50} if "lr" in id else {} for id in rivals]
    risks = [
        kl_risk(*truth, method(id, **o).fit(counts, 1))
        for id, o in zip(rivals, options, strict=True)
    ]
    assert own < min(risks)
    train, test = random_counts(1, 40, 600), random_counts(2, 40, 5000)
    scores = [cross_entropy(test, method(id).fit(train)) for id in ("add-half", "kn")]
    assert cross_entropy(test, fit(train, **FEW)) < min(scores)


def test_what_is_learned_leaves_no_outcome_impossible():
    # Of a few pairs those held out are often seen among the others, and a row that gave nothing to
    # its base would be the likeliest.
    for seed in range(12):
        model = draw_model(60, 3, "power-law", 2.0, seed=seed)
        counts = sample_counts(model, 12, seed=seed)
        matrix = method("py-lr", largest_rank=3, iterations=3).fit(counts, seed=seed)
        assert (matrix.dense() > 0).all()
        assert np.isfinite(kl_risk(model.pi, model.P, matrix))


@pytest.mark.parametrize("total", [0.4, 99.5, 150.5])
def test_of_a_single_real_pair_nothing_is_learned(total):
    # Nothing is left of it when it is held out, however much it weighs.
    matrix = fit(CountMatrix.from_dense([[0, total], [0, 0]]), **FEW)
    assert matrix.strength == 0
    assert matrix.discounts.tolist() == [0.9] * 3
    assert {name.split()[0] for name in matrix.components} >= {"ad-lr", "uniform"}
    np.testing.assert_allclose(matrix.shares, 1 / matrix.components.size)
    assert (matrix.dense() > 0).all()


@pytest.mark.parametrize("bases", ["types", "tokens", "add-half-lr"])
def test_a_fit_says_how_it_ended(bases):
    options = {"bases": bases, "smallest_rank": 2, "largest_rank": 3, "background": "none"}
    short = fit(COUNTS, iterations=2, tol=1e-6, **options)
    settled = fit(COUNTS, iterations=3000, tol=1e-6, **options)
    assert (short.ended, settled.ended) == ("limit", "settled")
    # Of each base and start the last iteration is the one that the tolerance ended.
    assert settled.history.shape[:2] == (settled.components.size, 16)
    for course in settled.history.reshape(-1, settled.history.shape[2]):
        course = course[~np.isnan(course)]
        assert abs(course[-1] - course[-2]) < 1e-6
    # A tolerance above what counts as settled is no excuse.
    assert fit(COUNTS, iterations=3000, tol=1e-2, **options).ended == "limit"


def test_fits_that_never_come_to_rest_ended_at_the_limit():
    # AD-LR has no guarantee, and on these counts its risk jumps for ever.
    options = {"bases": "ad-lr", "largest_rank": 3, "background": "none", "iterations": 500}
    matrix = fit(COUNTS, **options)
    assert matrix.ended == "limit"
    assert matrix.history.shape[2] > 250


def test_without_low_rank_bases_nothing_iterates():
    matrix = fit(COUNTS, largest_rank=0)
    assert matrix.ended == "direct"
    assert np.isnan(matrix.history).all()
