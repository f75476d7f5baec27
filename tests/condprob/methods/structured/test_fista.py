"""Loss, gradient, duality gap and solvers, against dense formulas and another solver."""

import numpy as np
import pytest
from dense_log_linear import Dense

from condprob import Checkpoint, Sentences
from condprob.methods.structured import fista, proximal
from condprob.methods.structured import problem as problems
from condprob.methods.structured.fista import Point, minimise, path
from condprob.methods.structured.problem import (
    Weighting,
    build_problem,
    can_collapse,
    forward,
    gradient_of,
    places_of_sentences,
)
from condprob.methods.structured.proximal import PENALTY_KINDS
from condprob.run import Run

LISTS = [[0, 1, 2, 0, 1, 3], [2], [4, 1, 2, 0, 1, 2], [3, 0, 1, 3, 3]]
K, ORDER = 6, 4  # word 5 never occurs
TEXT = Sentences.from_lists(LISTS, K)
WEIGHTINGS = [Weighting(), Weighting(0.6, "features"), Weighting(0.6, "penalty")]
every_kind = pytest.mark.parametrize("kind", PENALTY_KINDS)


def problem_of(kind="tree2", weighting=WEIGHTINGS[0], collapse=None):
    """The problem of the text, collapsed where that can be, and its contexts."""
    collapse = can_collapse(kind, weighting) if collapse is None else collapse
    places = places_of_sentences(TEXT, ORDER)
    return build_problem(places, TEXT.words, K, collapse, weighting)


def evaluate(problem, weights):
    """The log-loss, and its gradient by the weight of each context."""
    point = Point.at(weights, problem)
    loss = forward(problem, weights, point.score, point.power, point.normaliser)
    gradient_of(problem, point)
    return loss, point.gradient


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("collapse", [False, True])
def test_loss_and_gradient_are_those_of_all_words_at_all_places(weighting, collapse):
    if collapse and weighting == WEIGHTINGS[1]:
        return  # copies have features of their own
    problem, tree = problem_of(weighting=weighting, collapse=collapse)
    dense = Dense(LISTS, K, ORDER, *weighting)
    weights = np.random.default_rng(0).uniform(-0.5, 2, problem.forest.parent.size)
    loss, gradient = evaluate(problem, weights)
    W = dense.spread(problem, tree, weights)
    assert loss == pytest.approx(dense.loss(W), rel=1e-12)
    G = dense.gradient(W)
    seen = dense.spread(problem, tree, np.ones(weights.size)) > 0
    expected = dense.spread(problem, tree, gradient)
    np.testing.assert_allclose(expected[seen], G[seen], rtol=0, atol=1e-12)
    # Unseen pairs only lose by a weight: with w >= 0 they stay at zero (Section 3.1).
    assert (G[~seen] >= 0).all()


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@every_kind
def test_the_minimum_is_that_of_another_solver(kind, weighting):
    pytest.importorskip("cvxpy")
    problem, tree = problem_of(kind, weighting)
    solution = minimise(kind, problem, 0.3, tol=1e-9)
    assert solution.converged
    dense = Dense(LISTS, K, ORDER, *weighting)
    minimum = dense.minimum(kind, 0.3)
    assert solution.history[-1] == pytest.approx(minimum, abs=1e-6)
    W = dense.spread(problem, tree, solution.weights)
    objective = (dense.loss(W) + 0.3 * dense.penalty(kind, W)) / TEXT.n
    assert solution.history[-1] == pytest.approx(objective, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "weighting"),
    [
        ("l1", WEIGHTINGS[0]),
        ("l2", WEIGHTINGS[0]),
        ("treeinf", WEIGHTINGS[0]),
        ("treeinf", WEIGHTINGS[2]),
    ],
)
def test_tree_and_trie_have_the_same_minimum(kind, weighting):
    on_tree, on_trie = (
        minimise(kind, problem_of(kind, weighting, collapse)[0], 0.2, tol=1e-10)
        for collapse in (True, False)
    )
    assert on_tree.weights.size < on_trie.weights.size
    assert on_tree.history[-1] == pytest.approx(on_trie.history[-1], abs=1e-9)


@every_kind
def test_the_gap_is_a_bound_at_every_stop(kind):
    problem, _ = problem_of(kind)
    best = minimise(kind, problem, 0.3, tol=1e-10).history[-1]
    for iterations in (0, 1, 5, 20, 60):
        found = minimise(kind, problem, 0.3, tol=1e-10, iterations=iterations)
        assert found.history.size <= iterations + 1
        assert found.history[-1] - best <= found.gap + 1e-12
        assert found.converged == (found.gap <= 1e-10)


@every_kind
def test_a_path_ends_where_each_of_its_points_would(kind):
    problem, _ = problem_of(kind)
    penalties = [1.0, 0.3, 0.1]
    for penalty, solution in zip(penalties, path(kind, problem, penalties, 1e-9), strict=True):
        alone = minimise(kind, problem, penalty, 1e-9)
        assert solution.history[-1] == pytest.approx(alone.history[-1], abs=2e-9)


@pytest.mark.parametrize("kind", PENALTY_KINDS)
def test_a_fit_that_goes_on_ends_with_the_same_bits(kind, tmp_path):
    problem, _ = problem_of(kind)
    expected = minimise(kind, problem, 0.4, tol=1e-7)
    kept = Checkpoint(tmp_path / "fit.npz", seconds=0)
    for iterations in (0, 7, 8, 33, 10_000, 10_000):
        found = minimise(kind, problem, 0.4, 1e-7, iterations, run=Run(checkpoint=kept))
    assert found.weights.tobytes() == expected.weights.tobytes()
    assert found.history.tobytes() == expected.history.tobytes()
    assert found.gap == expected.gap
    with pytest.raises(ValueError, match="the checkpoint of a fit with other options"):
        minimise(kind, problem, 0.5, 1e-7, run=Run(checkpoint=kept))
    other, _ = problem_of(kind, Weighting(0.5, "features"))
    with pytest.raises(ValueError, match="the checkpoint of a fit of other counts"):
        minimise(kind, other, 0.4, 1e-7, run=Run(checkpoint=kept))


def versions():
    """How many compiled versions each function has."""
    found = {}
    for module in (fista, problems, proximal):
        for name, each in vars(module).items():
            found[name] = len(getattr(each, "signatures", ()))
    return found


def test_a_whole_penalty_and_an_empty_text_compile_nothing_more():
    """Numbers of another type would: all of it once more, which takes seconds."""
    minimise("l1", problem_of("l1")[0], 1.0)
    before = versions()
    empty = Sentences.from_lists([], K)
    none = build_problem(places_of_sentences(empty, ORDER), empty.words, K, collapse=True)
    for problem, penalty in ((problem_of("l1"), 1), (none, 1.0)):
        minimise("l1", problem[0], penalty)
    assert versions() == before
