"""KL risk against a known truth, cross-entropy, and what the paper proves of them."""

import numpy as np
import pytest
import reference
from inputs import (
    SAMPLED_IDS,
    cell_counts,
    in_case,
    is_distribution,
    random_start,
    variant_name,
    variants_of,
)

from condprob import METHODS, CountMatrix, cross_entropy, draw_model, kl_risk, method, perplexity
from condprob.risk import KnownModel, entropy_of_model
from condprob.synthetic import sample_counts

NO_PAIRS = CountMatrix.from_pairs([], [], 2)
UNIFORM = method("add-half").fit(NO_PAIRS)  # 1/2 everywhere


def given(W, H, counts=None):
    """The matrix ``W H`` itself as an estimate."""
    W, H = np.asarray(W, dtype=float), np.asarray(H, dtype=float)
    counts = CountMatrix.from_pairs([], [], len(W)) if counts is None else counts
    return method("lr", rank=len(H), iterations=0, initial=(W, H)).fit(counts)


def test_cross_entropy_of_a_small_matrix():
    # Q = [[3/4, 1/4], [1/2, 1/2]]; pairs (0, 0) twice, (0, 1), (1, 1).
    matrix = given(np.eye(2), [[3 / 4, 1 / 4], [1 / 2, 1 / 2]])
    test = cell_counts(2, {(0, 0): 2, (0, 1): 1, (1, 1): 1})
    expected = (2 * np.log(4 / 3) + np.log(4) + np.log(2)) / 4
    np.testing.assert_allclose(cross_entropy(test, matrix), expected)
    np.testing.assert_allclose(cross_entropy(test, matrix, unit="bits"), np.log2(128 / 9) / 4)
    # (16/9 4 2)^(1/4)
    np.testing.assert_allclose(perplexity(test, matrix), (128 / 9) ** 0.25)
    losses = -matrix.log_prob([0, 0, 1], [0, 1, 1])
    np.testing.assert_allclose(losses, np.log([4 / 3, 4, 2]))


@pytest.mark.parametrize("P", [[[1, 0], [1 / 4, 3 / 4]], (np.eye(2), [[1, 0], [1 / 4, 3 / 4]])])
def test_kl_risk_of_a_small_matrix(P):
    # 1/3 log 2 + 2/3 (1/4 log(1/2) + 3/4 log(3/2)); a zero of P adds nothing.
    P = tuple(np.array(factor, dtype=float) for factor in P) if isinstance(P, tuple) else P
    expected = np.log(2) / 3 + 2 / 3 * (np.log(1 / 2) / 4 + 3 * np.log(3 / 2) / 4)
    np.testing.assert_allclose(kl_risk([1 / 3, 2 / 3], P, UNIFORM), expected)


@pytest.mark.usefixtures("few_steps")  # a risk is that of any matrix
@pytest.mark.filterwarnings("ignore:tol = .* was not met")
@pytest.mark.parametrize("id", METHODS)
def test_both_risks_are_the_slow_formula(id, monkeypatch):
    monkeypatch.setattr("condprob.risk.ROWS_AT_ONCE", 4)  # the last part is short
    model = draw_model(15, 3, "power-law", 1.2, seed=1, outcomes=9)
    counts, test = sample_counts(model, 60, seed=4), sample_counts(model, 40, seed=5)
    # Other samples are matrices of the same kind.
    for options in variants_of(id)[: 1 if id in SAMPLED_IDS else None]:
        with in_case(options):
            matrix = method(id, **options).fit(counts, seed=2)
            Q = matrix.dense()
            with np.errstate(divide="ignore"):  # zeros of `lr` have an infinite risk
                expected = reference.cross_entropy(test.dense(), Q)
            np.testing.assert_allclose(cross_entropy(test, matrix), expected, rtol=1e-12)
            check_kl_risk_by_classes_and_by_rows(model, matrix, Q, is_distribution(id, options))


def check_kl_risk_by_classes_and_by_rows(model, matrix, Q, is_distribution):
    """Compare the risk, by all cells and by factors, with the slow formula."""
    with np.errstate(divide="ignore"):
        expected = reference.kl_risk(model.pi, model.P, Q)
    assert expected > 0 or not is_distribution
    factors = (model.A, model.B)
    entropy = entropy_of_model(model.pi, *factors)
    for found in (
        kl_risk(model.pi, model.P, matrix),
        kl_risk(model.pi, factors, matrix),
        kl_risk(model.pi, factors, matrix, entropy),
    ):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("rows", ["uniform", "power-law"])
def test_the_truth_has_no_risk_and_all_else_has_some(rows):
    exponent = 2.0 if rows == "power-law" else None
    for seed in range(10):
        model = draw_model(20, 3, rows, exponent, seed)
        truth = given(model.A, model.B, sample_counts(model, 30, seed))
        assert abs(kl_risk(model.pi, model.P, truth)) < 1e-12
        assert abs(kl_risk(model.pi, (model.A, model.B), truth)) < 1e-12
        other = given(*random_start(seed, 20, 3))
        assert kl_risk(model.pi, model.P, other) > 0.01
        assert kl_risk(model.pi, (model.A, model.B), other) > 0.01


def test_a_zero_that_occurs_is_an_infinite_loss_without_a_warning():
    matrix = method("lr", rank=1, iterations=1).fit(cell_counts(2, {(0, 0): 1}))  # H = (1, 0)
    pi, A, B = np.array([1 / 2, 1 / 2]), np.ones((2, 1)), np.array([[1 / 2, 1 / 2]])
    assert kl_risk(pi, A @ B, matrix) == kl_risk(pi, (A, B), matrix) == np.inf
    assert cross_entropy(cell_counts(2, {(1, 1): 1}), matrix) == np.inf
    assert cross_entropy(cell_counts(2, {(1, 0): 1}), matrix) == 0


@pytest.mark.parametrize("factors", [False, True])
def test_a_context_that_never_occurs_adds_no_risk(factors):
    # Q has a zero where P has none, after context 1 alone, whose pi is zero: not 0 times infinity.
    A, B = np.eye(2), np.array([[1 / 2, 1 / 2], [1 / 2, 1 / 2]])
    matrix = given(np.eye(2), [[1 / 2, 1 / 2], [1, 0]])
    assert abs(kl_risk([1, 0], (A, B) if factors else A @ B, matrix)) < 1e-15


@pytest.mark.parametrize(
    ("id", "options"),
    [
        ("add-half", {}),
        ("ad", {}),
        ("sb", {}),
        ("kn", {}),
        ("kn", {"continuation": "uniform"}),
        *(
            (id, {"rank": 2, "iterations": 100})
            for id in ("naive-add-half-lr", "naive-ad-lr", "add-half-lr", "ad-lr")
        ),
    ],
    ids=variant_name,
)
def test_synthetic_data_recover_the_truth_as_n_grows(id, options):
    # `lr` is left out: it has zeros, and so an infinite risk, until every cell can be told.
    risks = []
    for n in (100, 1000, 10_000, 100_000):
        models = [draw_model(10, 2, seed=seed) for seed in range(5)]
        fits = [method(id, **options).fit(sample_counts(model, n, seed=9)) for model in models]
        pairs = zip(models, fits, strict=True)
        risks.append(np.mean([kl_risk(model.pi, model.P, matrix) for model, matrix in pairs]))
    assert (np.diff(risks) < 0).all()
    # k (k - 1) = 90 free parameters cost about 90/(2n) nats, 0.00045 at the end; naive AD-LR, to
    # which a context seen rarely weighs as much as any, is not efficient and costs thrice that.
    assert risks[-1] < 0.002


def test_a_known_model_gives_the_risks_of_many_estimates_and_wants_their_shape():
    model = draw_model(7, 2, seed=3)
    known = KnownModel(model.pi, model.A, model.B)
    for n in (5, 40):
        counts = sample_counts(model, n, seed=n)
        for id in ("add-half", "kn"):
            matrix = method(id).fit(counts)
            expected = kl_risk(model.pi, model.P, matrix)
            assert known.risk(matrix) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match=r"an estimate of shape \(2, 2\): must be \(7, 7\)"):
        known.risk(method("kn").fit(np.eye(2)))
