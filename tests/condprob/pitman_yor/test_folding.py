"""Further contexts get rows at the bases and settings of a fit."""

import numpy as np
import pytest

from condprob import CountMatrix, draw_model, method, sample_counts

RNG = np.random.default_rng(5)
MODEL = draw_model(k=60, rank=3, rows="power-law", exponent=1.2, outcomes=20, seed=2)
USERS = draw_model(300, 4, "power-law", 1.2, seed=2, outcomes=20, concentration=0.15)
TEXT = CountMatrix.from_dense(RNG.poisson(np.outer(RNG.pareto(1, 40), RNG.pareto(1.0, 30)) / 9))
NEW = np.zeros((4, 30))
NEW[0, [3, 4, 9]], NEW[1, [1, 29]], NEW[3, 0] = (2, 1, 7), (1, 1), 40


def row_by_hand(matrix, new, starts, constants):
    """A row by (1) and (2) of docs/py-lr.md, each base by EM at its H, written as loops."""
    total, at = new.sum(), 0
    bin = sum(total >= edge for edge in matrix.bins)
    base = np.zeros(new.size)
    for name, share in zip(matrix.components, matrix.shares[bin], strict=True):
        kind, _, rank = str(name).partition(" ")
        for _ in range(starts if rank else 1):
            H = matrix.right[at : at + int(rank or 1)]
            at += len(H)
            w = np.full(len(H), 1 / len(H))
            if rank and total:
                counts = np.minimum(new, 1) if kind == "types" else new
                for _ in range(4000):
                    soft = w * (H @ (counts / (w @ H))) + constants[kind]
                    w = soft / soft.sum()
            base += share / (starts if rank else 1) * (w @ H)
    taken = [0 if not c else matrix.discounts[min(int(c), 3) - 1] for c in new]
    strength = matrix.strength
    row = base
    if total and np.isfinite(strength):
        row = (new - taken + (strength + sum(taken)) * base) / (strength + total)
    kept = 1 - matrix.novel[bin]
    return kept * row + ((1 - kept) * matrix.right[-1] if matrix.novel.any() else 0)


@pytest.mark.parametrize(
    ("counts", "options"),
    [
        (TEXT, {"bases": "types", "starts": 2, "largest_rank": 3}),
        (sample_counts(MODEL, 2000, seed=1), {"bases": "tokens", "starts": 1, "largest_rank": 5}),
        (sample_counts(USERS, 15_000, seed=1), {"starts": 1, "largest_rank": 5}),
        (TEXT, {"bases": "ad-lr", "starts": 1, "largest_rank": 2, "strength": "infinite"}),
        (TEXT, {"largest_rank": 0}),
    ],
    ids=["types", "tokens", "tokens of few classes", "paper", "no base"],
)
def test_rows_are_those_of_the_formula_at_these_bases(counts, options):
    estimator = method("py-lr", iterations=10, **options)
    fitted, new = estimator.fit(counts, seed=3), NEW[:, : counts.shape[1]]
    folded = estimator.fold_in(fitted, new)
    constants = {"types": 0.05, "tokens": 1.0, "tokens/4": 0.25, "ad-lr": 0.5}
    wanted = [row_by_hand(fitted, row, options.get("starts", 1), constants) for row in new]
    np.testing.assert_allclose(folded.dense(), wanted, atol=1e-9)
    np.testing.assert_allclose(folded.dense().sum(axis=1), 1)
    np.testing.assert_allclose(estimator.fold_in(folded, new).dense(), folded.dense())
    np.testing.assert_allclose(folded.top([0], 3)[1], folded.top(0, 3)[1][None])


def test_a_context_without_counts_is_one_that_was_never_seen():
    counts = TEXT.sparse().toarray()
    counts[7] = 0
    estimator = method("py-lr", largest_rank=3, iterations=5)
    fitted = estimator.fit(counts, seed=0)
    folded = estimator.fold_in(fitted, np.zeros((1, 30)))
    np.testing.assert_allclose(folded.rows([0]), fitted.rows([7]))


def test_what_is_no_such_fit_is_told():
    estimator = method("py-lr", largest_rank=2, iterations=2)
    fitted = estimator.fit(TEXT, seed=0)
    for matrix, counts in ((fitted, np.ones((1, 7))), (method("kn").fit(TEXT), NEW)):
        with pytest.raises(ValueError, match="a fit of py-lr over"):
            estimator.fold_in(matrix, counts)
    rival = method("gibbs-rows").fit(TEXT, seed=0)
    with pytest.raises(ValueError, match="a fit of py-lr over 30 outcomes"):
        estimator.fold_in(rival, NEW)
