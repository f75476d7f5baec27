"""The algorithm of Section 5: soft counts, Theorem 2, and the bounds on its factors."""

import numpy as np
import pytest
from inputs import LOW_RANK_IDS, random_counts, random_start
from scipy.optimize import minimize

from condprob import ConvergenceWarning, draw_model, method, sample_counts
from condprob.methods.em import factorise
from condprob.methods.smoothing import AbsoluteDiscount, AddConstant


@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
def test_the_definition_is_that_of_responsibilities(update):
    C, (start_W, start_H) = random_counts(2, k=6, n=40).dense(), random_start(3, 6, 2)

    def soft_counts(W, H):
        """Share each cell among the classes by ``P(l | i, j)``."""
        joint = np.einsum("il,lj->ijl", W, H)
        return C[:, :, None] * joint / joint.sum(axis=2, keepdims=True)

    W = AddConstant(0.5)(soft_counts(start_W, start_H).sum(axis=1))
    of_H = soft_counts(W if update == "alternating" else start_W, start_H)
    H = AddConstant(0.5)(of_H.sum(axis=0).T)
    found = factorise(C, start_W, start_H, AddConstant(0.5), AddConstant(0.5), 1, update)
    np.testing.assert_allclose(found[0], W)
    np.testing.assert_allclose(found[1], H)


SMOOTHERS = {
    "lr": (AddConstant(0.0), AddConstant(0.0)),
    "add-half-lr": (AddConstant(0.5), AddConstant(0.5)),
    "ad-lr": (AddConstant(0.5), AbsoluteDiscount(0.75)),
}


@pytest.mark.parametrize("cells", [60, 600])  # visited pair by pair, and by whole rows of counts
@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize("id", SMOOTHERS)
def test_ten_iterations_of_any_rank_are_the_definition(id, update, cells):
    """Not one, after which both are close whatever a pass does with its own result."""
    counts = random_counts(5, k=20, n=cells, exponent=0.3)
    for rank in (1, 2, 3, 5, 8, 16, 64, 65, 90):  # a part of a line, whole lines, and more
        start = random_start(6, 20, rank)
        options = {"rank": rank, "iterations": 10, "update": update, "history": True}
        fitted = method(id, initial=start, **options).fit(counts)
        W, H = factorise(counts.dense(), *start, *SMOOTHERS[id], 10, update)
        np.testing.assert_allclose(fitted.W, W, rtol=1e-10, atol=1e-15)
        np.testing.assert_allclose(fitted.H, H, rtol=1e-10, atol=1e-15)
        if id == "ad-lr":  # whose objective is the risk alone
            seen = counts.contexts, counts.outcomes
            ratio = counts.values / counts.row_sums[counts.contexts] / (W @ H)[seen]
            np.testing.assert_allclose(fitted.history[-1], counts.values @ np.log(ratio) / counts.n)


def draw_problem(seed):
    """Counts of any size, density and skew, with a rank and a seed for the start."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 25)), int(10 ** rng.uniform(0.3, 3.3))
    return random_counts(seed, k, n, rng.uniform(0, 2)), int(rng.integers(1, 8)), seed


def increases(history):
    """The steps, if any, in which an objective went up by more than rounding."""
    return np.flatnonzero(np.diff(history) > 1e-12 * np.abs(history).max())


@pytest.mark.parametrize(
    ("update", "constant"),
    [("simultaneous", 0.5), ("alternating", 0.5), ("simultaneous", 0.05), ("simultaneous", 3.0)],
)
def test_theorem_2_the_penalised_risk_decreases_in_every_step(update, constant):
    for seed in range(60 if constant == 0.5 else 20):
        counts, rank, start = draw_problem(seed)
        options = {"rank": rank, "iterations": 60, "update": update, "constant": constant}
        history = method("add-half-lr", history=True, **options).fit(counts, start).history
        assert increases(history).size == 0, seed
        assert history[1] < history[0], seed


@pytest.mark.parametrize("update", ["simultaneous", "alternating"])
@pytest.mark.parametrize("id", ["lr", "naive-add-half-lr", "naive-ad-lr"])
def test_maximum_likelihood_decreases_the_risk_in_every_step(id, update):
    for seed in range(30):
        counts, rank, start = draw_problem(seed)
        fitted = method(id, rank=rank, iterations=60, update=update, history=True)
        history = fitted.fit(counts, start).history
        assert increases(history).size == 0, seed
        assert (history > -1e-12).all(), seed  # no factorisation beats C_ij / C_i


@pytest.mark.parametrize("seed", range(3))
def test_a_stationary_point_is_a_fixed_point(seed):
    # Found by another algorithm (BFGS on logits), which knows only Eq. (3).
    counts = random_counts(seed, k=4, n=40)
    C = counts.dense()

    def factors(logits):
        W, H = np.exp(logits[:8].reshape(4, 2)), np.exp(logits[8:].reshape(2, 4))
        return W / W.sum(axis=1, keepdims=True), H / H.sum(axis=1, keepdims=True)

    def objective(logits):
        W, H = factors(logits)
        seen = C > 0
        penalty = -np.log(W).sum() / 2 - np.log(H).sum() / 2
        return penalty - C[seen] @ np.log((W @ H)[seen])

    start = np.random.default_rng(seed).normal(size=16)
    W, H = factors(minimize(objective, start, method="BFGS", options={"gtol": 1e-4}).x)
    matrix = method("add-half-lr", rank=2, iterations=1, initial=(W, H)).fit(counts)
    np.testing.assert_allclose(matrix.W, W, atol=1e-5)
    np.testing.assert_allclose(matrix.H, H, atol=1e-5)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("id", LOW_RANK_IDS)
def test_a_fit_with_a_tolerance_is_the_beginning_of_the_fit_without(id, threads):
    # It stops when an iteration changed the objective by less than `tol`; that is known once the
    # next one has begun, which then is the last.
    counts = random_counts(3, k=20, n=400)
    options = {"rank": 3, "threads": threads, "history": True}
    whole = method(id, iterations=300, **options).fit(counts, seed=1)
    assert whole.converged is None
    tol = 1e-4
    settled = int(np.flatnonzero(np.abs(np.diff(whole.history)) < tol)[0]) + 1
    assert 2 < settled < 290
    short = method(id, iterations=300, tol=tol, **options).fit(counts, seed=1)
    assert short.converged is True
    assert short.history.size == settled + 2
    np.testing.assert_allclose(short.history, whole.history[: settled + 2], rtol=1e-12)
    same = method(id, iterations=settled + 1, **options).fit(counts, seed=1)
    np.testing.assert_array_equal(short.W, same.W)
    np.testing.assert_array_equal(short.H, same.H)
    np.testing.assert_array_equal(short.history, same.history)


def test_a_tolerance_is_in_nats_per_pair():
    # Twice the counts, with nothing added to them, are the same objective per pair.
    counts = random_counts(3, k=20, n=400)
    fits = [method("lr", rank=3, tol=1e-4).fit(C, seed=1) for C in (counts, counts + counts)]
    assert fits[0].history.size == fits[1].history.size


@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_a_tolerance_that_is_not_met_is_told(iterations):
    counts = random_counts(3, k=20, n=400)
    with pytest.warns(ConvergenceWarning, match=r"tol = 1e-09 was not met in \d iter") as seen:
        matrix = method("ad-lr", rank=3, iterations=iterations, tol=1e-9).fit(counts, seed=1)
    assert seen[0].filename == __file__  # the line that fits
    assert matrix.converged is False


def test_a_tolerance_met_in_the_last_iteration_is_met():
    counts = random_counts(3, k=20, n=400)
    whole = method("lr", rank=3, iterations=300, history=True).fit(counts, seed=1).history
    settled = int(np.flatnonzero(np.abs(np.diff(whole)) < 1e-4)[0]) + 1
    matrix = method("lr", rank=3, iterations=settled, tol=1e-4).fit(counts, seed=1)
    assert matrix.converged is True
    np.testing.assert_array_equal(matrix.history, whole[: settled + 1])


def test_products_of_factors_that_fall_for_ever_are_no_denormal_numbers():
    """Without smoothing entries halve and halve; a product of two is zero or a normal number."""
    counts = sample_counts(draw_model(k=12, rank=3, seed=0), n=300, seed=1)
    fitted = method("lr", rank=4, iterations=3000).fit(counts)
    for factor in (fitted.W, fitted.H):
        assert factor[factor > 0].min() ** 2 >= np.finfo(float).smallest_normal
        assert (factor == 0).any()
    assert (fitted.at(counts.contexts, counts.outcomes) > 0).all()
