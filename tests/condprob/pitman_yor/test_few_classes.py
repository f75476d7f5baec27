"""The constant of the weights is halved where held-out pairs say that contexts mix few classes."""

import numpy as np
import pytest
from inputs import random_counts

from condprob import CountMatrix, draw_model, kl_risk, method, sample_counts
from condprob.pitman_yor import few_classes
from condprob.pitman_yor.bases import (
    TOKENS_OF_FEW,
    Background,
    Fitting,
    LowRankBase,
    fit_components,
)
from condprob.pitman_yor.few_classes import FittedFold, KindSelection
from condprob.pitman_yor.held_out import ADDED, Evidence, FoldPairs, deal_out, predict_fold
from condprob.pitman_yor.settings import Candidates, KindComparison
from condprob.splits import take_out

OPTIONS = {"largest_rank": 6, "starts": 1}
HOW = Fitting("random", 10, 20, 1e-6, "leave-one-out", 1)
BASE_ALONE = Candidates((np.inf,), (0.0,))


def draw_users(concentration, seed=0):
    return draw_model(1000, 4, "power-law", 1.2, seed, outcomes=100, concentration=concentration)


def kinds_of(matrix):
    return {name.split()[0] for name in matrix.components if " " in name}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("concentration", [0.1, 0.2])
def test_users_of_few_classes_are_learned_better(concentration, seed):
    model = draw_users(concentration, seed)
    counts = sample_counts(model, 30_000, seed)
    learned = method("py-lr", **OPTIONS).fit(counts, seed)
    assert kinds_of(learned) <= TOKENS_OF_FEW.keys()
    assert learned.evidence[3] == 0
    of_the_paper = method("py-lr", bases="tokens", **OPTIONS).fit(counts, seed)
    risks = [kl_risk(model.pi, model.P, each) for each in (learned, of_the_paper)]
    assert risks[0] < 0.95 * risks[1]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_users_as_the_paper_draws_them_keep_its_constant(seed):
    counts = sample_counts(draw_users(1.0, seed), 30_000, seed)
    assert kinds_of(method("py-lr", **OPTIONS).fit(counts, seed)) == {"tokens"}


def test_where_it_is_not_clear_a_fit_is_as_if_there_were_no_other_constant(monkeypatch):
    cases = [random_counts(5, 60, 3000), sample_counts(draw_users(1.0), 30_000, 1)]
    found = [method("py-lr", **OPTIONS).fit(counts, 1).dense() for counts in cases]
    monkeypatch.setattr(KindSelection, "_try_smaller_priors", lambda *_: None)
    for counts, rows in zip(cases, found, strict=True):
        np.testing.assert_array_equal(method("py-lr", **OPTIONS).fit(counts, 1).dense(), rows)


def made_up(counts, gives):
    """A fold of one of each distinct pair, and a component that gives to these what is said."""
    fold = take_out(counts, np.ones(counts.nnz))
    pairs = fold.held_out.contexts, fold.held_out.outcomes
    part = FoldPairs(fold.rest, *pairs, fold.held_out.values, gives[:, None])
    return fold, FittedFold([Background("uniform")], [None], part)


def test_what_is_compared_is_what_the_pairs_are_given():
    counts = random_counts(3, 12, 60)
    rng = np.random.default_rng(1)
    one, other = rng.uniform(0.1, 0.9, size=(2, counts.nnz))
    fold, first = made_up(counts, one)
    _, second = made_up(counts, other)
    of_fold = KindSelection(fold, BASE_ALONE, HOW, 3, ADDED)
    found = few_classes._compare(of_fold._explain(first), of_fold._explain(second))
    new = (counts.values == 1).sum()  # of each distinct pair one is held out
    gains = np.log(one / other)
    assert found.gain == pytest.approx(gains.sum() / new)
    assert found.error == pytest.approx(np.sqrt(((gains - gains.mean()) ** 2).sum()) / new)


def first_fold(counts):
    """The first fold of counts, with bases by types and by tokens of three ranks fitted to it."""
    components = [LowRankBase(kind, m) for kind in ("types", "tokens") for m in (2, 3, 5)]
    components.append(Background("uniform"))
    fold = deal_out(counts, np.random.default_rng(1))[0]
    fits = fit_components(components, fold.rest, HOW, np.random.default_rng(2), None)
    return KindSelection(fold, BASE_ALONE, HOW, 3, ADDED), FittedFold(
        components, fits, predict_fold(fold, fits)
    )


@pytest.mark.parametrize(
    ("loser", "asked"), [("tokens", [["tokens/2 3", "uniform"]]), (None, [[
        "tokens/2 2", "tokens/2 3", "tokens/2 5", "uniform"]])],
)  # fmt: skip
def test_a_text_costs_one_base_more(monkeypatch, loser, asked):
    first, tried = first_fold(random_counts(5, 40, 2000))
    fitted = []

    def fit_and_tell(components, *rest):
        fitted.append([one.name for one in components])
        return fit_components(components, *rest)

    monkeypatch.setattr(few_classes, "fit_components", fit_and_tell)
    by = []
    monkeypatch.setattr(few_classes, "_is_ahead", lambda *given: by.append(given[2:]))
    gain = {"tokens": 9.0, None: 0.01}[loser]
    assert first._try_smaller_priors(tried, Evidence(1.0, gain, 1.0, 1.0)) is None
    assert fitted == asked
    assert by == [(9.0 / 5,)] if loser else [()]


@pytest.mark.parametrize(("gain", "added", "is_left_out"), [
    (9.0, 0.006, True), (9.0, 0.008, False), (0.0, 0.0, False),
])  # fmt: skip
def test_of_much_text_the_larger_bases_by_tokens_are_not_fitted_in_vain(
    monkeypatch, gain, added, is_left_out
):
    first, tried = first_fold(random_counts(5, 40, 2000))
    evidence, more = Evidence(1.0, gain, 0.1, 1.0), Evidence(1.0, added, 0.0, 0.0)
    monkeypatch.setattr(KindComparison, "weigh", lambda _: evidence)
    monkeypatch.setattr(KindComparison, "gain_of_tokens", lambda *_: more)
    monkeypatch.setattr(KindSelection, "_try_smaller_priors", lambda *_: None)
    monkeypatch.setattr(KindSelection, "_lessen_types", lambda _, types: types)
    fitted = []

    def fit_and_tell(components, *rest):
        fitted.append([one.name for one in components])
        return fit_components(components, *rest)

    monkeypatch.setattr(few_classes, "fit_components", fit_and_tell)
    rngs = [np.random.default_rng(7) for _ in range(2)]
    found, told = first.fit(tried.components, HOW, rngs[0], None)
    others = [] if is_left_out else [["tokens 5"]]
    smaller = ["types 2", "types 3", "types 5", "tokens 2", "tokens 3", "uniform"]
    assert fitted == [smaller, *others]
    # The same as if all had been fitted at once, and what follows is drawn alike.
    at_once = first._replace(middle=5)
    whole, _ = at_once.fit(tried.components, HOW, rngs[1], None)
    assert rngs[0].integers(2**63) == rngs[1].integers(2**63)
    assert [one.name for one in found.components] == [one.name for one in whole.components]
    assert told == evidence
    for one, other in zip(found.fits, whole.fits, strict=True):
        np.testing.assert_array_equal(one.H, other.H)
    np.testing.assert_array_equal(found.pairs.bases, whole.pairs.bases)


@pytest.mark.parametrize(("gains", "constants"), [
    ([0.019], 1), ([0.03, -0.001], 4), ([0.03, 0.001, -0.001], 16), ([0.03, 0.001, 0.001], 64),
])  # fmt: skip
def test_types_have_a_smaller_constant_as_long_as_it_is_likelier(monkeypatch, gains, constants):
    square, rng = random_counts(5, 40, 2000), np.random.default_rng(0)
    contexts = square.seen_contexts[rng.integers(square.seen_contexts.size, size=300)]
    square_first, square_tried = first_fold(square)
    words = square_tried.only(np.array([0, 1, 2, 6]))
    assert square_first._lessen_types(words) is words  # they are taken for words after words
    counts = CountMatrix.from_pairs(contexts, rng.integers(30, size=300), shape=(40, 30))
    first, tried = first_fold(counts)
    told = iter([Evidence(1.0, gain, 0.001, 1.0) for gain in gains])
    monkeypatch.setattr(few_classes, "_compare", lambda *_: next(told))
    types = tried.only(np.array([0, 1, 2, 6]))
    found = first._lessen_types(types)
    kind = f"types/{constants}" if constants > 1 else "types"
    names = [each.name for each in found.components]
    assert names == [f"{kind} 2", f"{kind} 3", f"{kind} 5", "uniform"]
    assert (found is types) == (constants == 1)
    assert next(told, None) is None


def test_contexts_of_one_class_are_learned_better():
    # Twenty classes of forty contexts, each with outcomes of its own, and six pairs a context.
    rng = np.random.default_rng(0)
    B = rng.dirichlet(np.full(100, 0.1), size=20)
    contexts = np.repeat(np.arange(800), 6)
    rows = B[contexts // 40]
    outcomes = (rng.random((contexts.size, 1)) > rows.cumsum(axis=1)).sum(axis=1)
    counts = CountMatrix.from_pairs(contexts, np.minimum(outcomes, 99), shape=(800, 100))
    pi, P = np.full(800, 1 / 800), B[np.arange(800) // 40]
    today, frozen = (method("py-lr", rules=rules).fit(counts, 0) for rules in ("today", "frozen"))
    assert kl_risk(pi, P, today) < 0.8 * kl_risk(pi, P, frozen)


def test_types_that_are_as_good_stay_with_the_constant_of_the_paper(monkeypatch):
    first, tried = first_fold(sample_counts(draw_users(0.2), 30_000, 1))
    evidence = Evidence(1.0, -9.0, 0.1, 0.0)
    found, told = first._try_smaller_priors(tried, evidence)
    assert {one.kind for one in found.components if isinstance(one, LowRankBase)} <= set(
        TOKENS_OF_FEW
    )
    assert told.loser == "types"
    even = Evidence(1.0, 0.0, 9.0, 0.0)
    clear = [Evidence(1.0, 9.0, 0.1, 1.0)] * len(TOKENS_OF_FEW)
    told = iter([*clear, even])
    monkeypatch.setattr(few_classes, "_compare", lambda *_: next(told))
    assert first._try_smaller_priors(tried, evidence) is None
