"""Work and memory of each penalty, and the solvers: by slow counts, by hand, and by SciPy."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime

from condprob import Sentences
from condprob.methods.structured.fista import minimise
from condprob.methods.structured.problem import build_problem, places_of_sentences
from condprob.methods.structured.proximal import PENALTY_KINDS, Work, proximal_step, value_of
from reproduction.studies.structured import growth, pivots, solvers, work
from reproduction.studies.structured.checks import plant
from reproduction.studies.structured.solvers import CORRECTED, FISTA, GROWING, PRINTED, WHOLE

LISTS = np.random.default_rng(5).integers(0, 6, (30, 12)).tolist()
TEXT = Sentences.from_lists(LISTS, 6)


def test_contexts_and_pairs_by_sets():
    table = pd.DataFrame(growth.measure_memory([TEXT], 4)).set_index("length")
    for length in (1, 2, 3):
        seen = {
            (tuple(words[i - length : i]), words[i])
            for words in LISTS
            for i in range(length, len(words))
        }
        contexts = {context for context, _ in seen}
        row = table.loc[length]
        assert (row["contexts"], row["pairs"]) == (len(contexts), len(seen))
        assert row["gain"] == pytest.approx(len(contexts) * 6 / len(seen))


def test_memory_has_to_be_nearly_as_many_times_smaller_as_there_are_words():
    row = {"block": 1, "words": 9, "length": 3, "outcomes": 100}
    for gain, holds in ((91, True), (89, False)):
        (case,) = growth.check_memory(pd.DataFrame([row | {"gain": gain}]))
        assert (case["check"], case["holds"]) == ("t5-memory", holds)


def test_visits_of_both_algorithms_by_hand():
    """A chain of two nodes, children first: 3 above 5, kappa 1. The child is lowered to 4.

    Pivots gather 1 and 2 values; each subtree is looked at once for each pivot that is drawn: the
    child once, both at least once. Heaps visit two nodes. The child's top, 5, is taken off. Both
    heaps become one, the larger, 4, is taken off, and it goes back to that of 3 when it is lowered.
    """
    chain, values = plant((-1, 0)), np.array([3.0, 5.0])
    for module in (pivots, work):
        found, visited = module.step_and_count(chain, values, 1.0)
        assert found == pytest.approx(proximal_step("treeinf", chain, values, 1.0))
        assert visited >= 4
    assert work.step_and_count(chain, values, 1.0)[1] == 2 + 1 + 1 + 1 + 1


def test_growth_of_known_powers():
    sizes = np.array([100.0, 1000, 10_000])
    for visited, over, holds in ((sizes, -0.15, True), (sizes**1.5, 0.35, False)):
        parts = [
            pd.DataFrame({"block": block, "step": "heap", "weights": sizes, "visited": visited})
            for block in (1, 2)
        ]
        found = growth.exponents_of_steps(pd.concat(parts))
        assert found["over"].to_numpy() == pytest.approx(over, abs=0.03)
        (case,) = growth.check_steps(pd.concat(parts))
        assert (case["check"], case["holds"]) == ("t16-heap", holds)


@pytest.mark.parametrize("norm", ["l2", "treeinf"])
def test_a_subgradient_is_the_slope_where_there_is_one(norm):
    problem, _ = build_problem(places_of_sentences(TEXT, 3), TEXT.words, TEXT.k, True)
    forest, kind = problem.forest, PENALTY_KINDS.index(norm)
    weights = np.random.default_rng(0).uniform(0.5, 2, forest.parent.size)
    slopes = np.zeros(weights.size)
    solvers._slopes_of_penalty(norm == "treeinf", forest, weights, slopes)
    expected = approx_fprime(
        weights, lambda w: value_of(kind, forest, w, Work.of(w.size)), epsilon=1e-7
    )
    assert slopes == pytest.approx(expected, abs=1e-5)


def test_courses_of_the_solvers():
    settings = {"order": 3, "penalty": 1, "passes": 40}
    table = pd.DataFrame(solvers.compare_solvers(0, TEXT, settings))
    assert list(table.columns) == solvers.SOLVER_COLUMNS
    for norm, part in table.groupby("norm"):
        problem, _ = build_problem(places_of_sentences(TEXT, 3), TEXT.words, TEXT.k, True)
        least = minimise(norm, problem, 1, tol=1e-8).history[-1]
        first = part[part["passes"] == 0]
        assert first["objective"].to_numpy() == pytest.approx(np.log(6))  # weights of zero
        ends = part.groupby("solver")["objective"].last()
        assert ends.drop(PRINTED).min() >= least - 1e-9
        assert ends[FISTA] == pytest.approx(least, abs=1e-4)
    names = {norm: set(part["solver"]) for norm, part in table.groupby("norm")}
    assert WHOLE in names["l2"]
    assert GROWING in names["treeinf"]
    checks = {case["check"] for case in solvers.check_solvers(table)}
    assert {"a1", "a1-printed", "a1-flat", "a1-growing", "a1-batches", "a1-subgradient"} == checks
    assert CORRECTED in names["l2"] & names["treeinf"]


def test_zeros_by_a_text_in_which_one_pair_is_never_seen():
    words = Sentences.from_lists([[0, 1, 0, 1, 1, 0, 1]] * 3, 2)  # 0 never follows 0
    free, positive = work.check_zeros(words, 2, 1.0)
    assert free["holds"]
    assert positive["value"] == 0
