"""Algorithm 1 of the second paper: against FISTA, a ridge problem that is solved, and by hand."""

import numpy as np
import pytest
from scipy.optimize import brentq

from condprob import Checkpoint, ConvergenceWarning, CountMatrix, Sentences, method
from condprob.methods.structured.fista import minimise
from condprob.methods.structured.problem import (
    Weighting,
    build_problem,
    can_collapse,
    places_of_counts,
    places_of_sentences,
)
from condprob.methods.structured.proximal import PENALTY_KINDS
from condprob.methods.structured.stochastic import (
    largest_curvature,
    minimise_stochastically,
    strong_convexity,
)
from condprob.run import Run

LISTS = [[0, 1, 2, 0, 1, 3], [2], [4, 1, 2, 0, 1, 2], [3, 0, 1, 3, 3]]
K = 6  # word 5 never occurs
TEXT = Sentences.from_lists(LISTS, K)
LARGE = 20_000  # places of a mini-batch whose gradient is nearly that of all places


def problem_of(kind, weighting=None, order=4):
    weighting = weighting or Weighting()
    places, collapse = places_of_sentences(TEXT, order), can_collapse(kind, weighting)
    return build_problem(places, TEXT.words, K, collapse, weighting)[0]


@pytest.mark.parametrize("kind", PENALTY_KINDS)
def test_it_comes_to_the_minimum_of_fista(kind):
    problem = problem_of(kind)
    best = minimise(kind, problem, 0.5, tol=1e-10).history[-1]
    found = minimise_stochastically(kind, problem, 0.5, 1e-12, 600, Run(1), batch=LARGE)
    assert -1e-9 <= found.history[-1] - best < 1e-3
    assert found.history[-1] - best <= found.gap + 1e-12


def ridge(batch, **how):
    """A word with probability p among two, one weight, squared l2: the minimum is one equation.

    Returns the weight that solves ``n (sigma(w) - p) + penalty w = 0``, and that of a fit.
    """
    counts, penalty = CountMatrix.from_dense([[0.0, 300.0]]), 40.0
    places = places_of_counts(counts, 1)
    problem, _ = build_problem(places, counts.outcomes, 2, True, weights=counts.values)
    assert problem.forest.parent.size == 1
    root = brentq(lambda w: 300 * (1 / (1 + np.exp(-w)) - 1) + penalty * w, 0, 5)
    found = minimise_stochastically("l2", problem, penalty, 1e-12, batch=batch, **how)
    return root, found


def test_a_ridge_problem_with_a_known_solution():
    root, found = ridge(100, passes=400)
    assert found.weights == pytest.approx([root], abs=1e-3)
    assert found.gap < 1e-5


def test_as_printed_it_leaves_all_numbers():
    root, found = ridge(100, passes=400, form="printed")
    least = np.log(1 + np.exp(-root)) + 40 / 300 * root**2 / 2
    assert found.history[-1] - least > 0.1  # from 0.69 of a weight of zero
    problem = problem_of("l2")
    found = minimise_stochastically(
        "l2", problem, 0.5, 1e-12, 600, Run(1), batch=LARGE, form="printed"
    )
    assert (found.history[-1], found.gap) == (np.inf, np.inf)
    assert found.history.size < 100  # and it ends there


def test_first_steps_by_hand():
    """All places are alike, so that each mini-batch has the whole gradient, and no chance is left.

    ``L`` is 1/2 and ``mu`` 40/300; Eq. numbers are lines of the paper's Algorithm 1, corrected.
    """
    n, penalty, L = 300.0, 40.0, 0.5
    mu = penalty / n
    w = z = 0.0
    tau = delta = 1.0
    rho, objectives = L + mu, []
    for _ in range(6):
        v = (1 - tau) * w + tau * z  # line 4
        gradient = 1 / (1 + np.exp(-v)) - 1
        w = max(v - gradient / rho, 0) / (1 + mu / rho)  # the procedure
        z = (rho * tau * z + (mu - rho) * v + rho * w) / (rho * tau + mu)  # line 6
        rho, tau = L + mu / delta, (np.sqrt(4 * delta + delta**2) - delta) / 2  # line 7
        delta *= 1 - tau
        objectives.append(np.log(1 + np.exp(-w)) + mu * w**2 / 2)
    _, found = ridge(300, passes=6)
    assert found.history[0] == pytest.approx(np.log(2))
    assert found.history[1:] == pytest.approx(objectives, rel=1e-12)


def test_constants_of_the_objective():
    """Half the squared length of the features of a history of three words and none: 4 / 2."""
    assert largest_curvature(problem_of("l1")) == 2
    falling = Weighting(0.5, "features")
    assert largest_curvature(problem_of("l1", falling)) == (1 + 1 / 4 + 1 / 16 + 1 / 64) / 2
    assert strong_convexity("l2", problem_of("l2"), 0.5) == 0.5 / TEXT.n
    assert [strong_convexity(kind, problem_of(kind), 0.5) for kind in ("l1", "tree2")] == [0, 0]


def test_a_fit_that_goes_on_ends_with_the_same_bits(tmp_path):
    problem = problem_of("treeinf")
    expected = minimise_stochastically("treeinf", problem, 0.4, 1e-9, 30, Run(3), batch=5)
    kept = Checkpoint(tmp_path / "fit.npz", seconds=0)
    for passes in (0, 7, 30, 30):
        how = {"batch": 5, "run": Run(3, checkpoint=kept)}
        found = minimise_stochastically("treeinf", problem, 0.4, 1e-9, passes, **how)
    assert found.weights.tobytes() == expected.weights.tobytes()
    assert found.history.tobytes() == expected.history.tobytes()
    with pytest.raises(ValueError, match="the checkpoint of a fit with other options"):
        minimise_stochastically(
            "treeinf", problem, 0.4, 1e-9, 30, **how | {"run": Run(4, checkpoint=kept)}
        )


@pytest.mark.parametrize("id", ["ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"])
def test_the_solver_is_an_option_of_the_method(id):
    exact = method(id, penalty=0.5, tol=1e-8).fit_text(TEXT, 3)
    model = method(id, penalty=0.5, tol=1e-9, solver="stochastic", batch=LARGE, passes=300)
    with pytest.warns(ConvergenceWarning, match="was not met in 300 passes"):
        found = model.fit_text(TEXT, 3, seed=2)
    rows = [(), (0,), (1, 2), (0, 1)]
    assert found.rows(rows) == pytest.approx(exact.rows(rows), abs=0.02)
    with pytest.warns(ConvergenceWarning):
        again = model.fit_text(TEXT, 3, seed=2)
    assert found.history.tobytes() == again.history.tobytes()


def test_pairs_and_a_learned_penalty():
    counts = CountMatrix.from_dense([[8.0, 2.5, 0], [1, 0, 6], [0, 3, 3]])
    exact = method("ll-l2", penalty=1.0, tol=1e-8).fit(counts)
    model = method("ll-l2", penalty=1.0, tol=1e-4, solver="stochastic", batch=LARGE, passes=2000)
    assert model.fit(counts, seed=1).dense() == pytest.approx(exact.dense(), abs=0.01)
    learned = method("ll-l2", solver="stochastic", tol=0.5).fit_text(TEXT, 2)
    assert learned.penalty == method("ll-l2", tol=0.5).fit_text(TEXT, 2).penalty


def test_no_words_have_no_steps():
    none = method("ll-l1", penalty=1.0, solver="stochastic").fit(CountMatrix.from_dense([[0, 0]]))
    assert none.dense() == pytest.approx(0.5)
