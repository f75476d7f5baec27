"""Proximal steps of tree norms beside SPAMS and the paper's algorithms; a gradient and a step.

SPAMS is GPL-3: it belongs to the bench group, and nothing of the library uses it. Forests are
random, each node below one of the few before it, much as the words after a context are.
"""

from importlib.util import find_spec

import numpy as np
from measure import interleave
from pivots import step_by_pivots
from scipy.sparse import csc_matrix

from condprob import Sentences
from condprob.models.structured.fista import Point, unigram_start
from condprob.models.structured.problem import (
    Forest,
    build_problem,
    expected_counts,
    forward,
    gradient_of,
    places_of_sentences,
)
from condprob.models.structured.proximal import KINDS, Work, proximal_step, step
from reproduction.studies.structured.work import step_by_heaps

SIZES = (1_000, 10_000, 100_000)
THRESHOLD = 0.5
ORDER, WORDS, TYPES = 12, 100_000, 5_000


def time_structured(results, repetitions, quick):
    """Time steps by size, and one gradient with its step on a text of 100,000 words."""
    for size in SIZES[: 2 if quick else 3]:
        forest, values = random_forest(size)
        for kind in ("tree2", "treeinf"):
            runs = {f"condprob {kind}": lambda f=forest, v=values, k=kind: proximal_step(
                k, f, v, THRESHOLD)}  # fmt: skip
            if find_spec("spams"):
                runs[f"SPAMS {kind}"] = prepare_spams(forest, values, kind)
            if kind == "treeinf":
                runs["Algorithm 4"] = lambda f=forest, v=values: step_by_heaps(f, v, THRESHOLD)
                runs["Algorithm 3"] = lambda f=forest, v=values: step_by_pivots(f, v, THRESHOLD)
            seconds = interleave(runs, repetitions)
            problem = f"{size} nodes"
            results.add_times("structured", problem, seconds)
            ours = f"condprob {kind}"
            for quantity in seconds:
                if quantity != ours:
                    ratios = np.divide(seconds[ours], seconds[quantity])
                    results.add("structured", problem, f"{ours} / {quantity}", "times", ratios)
    if not find_spec("spams"):
        results.add("structured", "", "SPAMS", "", note="spams-bin is not installed")
    time_iteration(results, repetitions)


def random_forest(size):
    """Return a forest of so many nodes, parents first, subtrees contiguous; and values for it."""
    rng = np.random.default_rng(size)
    parent, way = np.empty(size, dtype=np.int64), []
    parent[0] = -1
    way.append(0)
    for node in range(1, size):
        del way[1 + int(len(way) * rng.random() ** 0.3) :]
        parent[node] = way[-1]
        way.append(node)
        del way[12:]
    ones = np.ones(size)
    return Forest(np.arange(size + 1), parent, ones, ones, ones), rng.uniform(0, 3, size)


def prepare_spams(forest, values, kind):
    """Return the call of SPAMS for the same step: its tree is built beforehand, as ours is."""
    import spams

    size = forest.parent.size
    below = np.flatnonzero(forest.parent >= 0)
    groups = csc_matrix(
        (np.ones(below.size, dtype=bool), (below, forest.parent[below])), (size, size)
    )
    tree = {
        "eta_g": np.ones(size),
        "groups": groups,
        "own_variables": np.arange(size, dtype=np.int32),
        "N_own_variables": np.ones(size, dtype=np.int32),
    }
    norm = {"tree2": "tree-l2", "treeinf": "tree-linf"}[kind]
    column = np.asfortranarray(values[:, None])
    how = {"lambda1": THRESHOLD, "pos": True, "regul": norm, "numThreads": 1}
    found = spams.proximalTree(column, tree, False, **how)
    np.testing.assert_allclose(found.ravel(), proximal_step(kind, forest, values, THRESHOLD),
                               atol=1e-8)  # fmt: skip
    return lambda: spams.proximalTree(column, tree, False, **how)


def time_iteration(results, repetitions):
    """Time a gradient and a step at order 12 on 100,000 words of Zipf's law, for each penalty."""
    rng = np.random.default_rng(0)
    words = np.minimum(rng.zipf(1.3, WORDS), TYPES) - 1
    words[1:] = np.where(rng.random(WORDS - 1) < 0.4, (words[:-1] * 7 + 3) % TYPES, words[1:])
    text = Sentences.from_lists(np.array_split(words, WORDS // 20), TYPES)
    places, runs, sizes = places_of_sentences(text, ORDER), {}, []
    for kind in KINDS:
        problem, _ = build_problem(places, text.words, TYPES, collapse=kind != "tree2")
        weights = unigram_start(problem)
        point = Point.at(weights, problem)
        work, place = Work.of(weights.size), KINDS.index(kind)

        def run(problem=problem, point=point, work=work, place=place):
            point.ahead[:] = point.weights
            forward(problem, point.ahead, point.score, point.power, point.normaliser)
            expected_counts(problem, point)
            gradient_of(problem, point.expected, point.gradient)
            point.ahead[:] -= point.gradient / point.scale
            step(place, problem.forest, point.ahead, point.scale, 1.0, work)

        runs[f"gradient and step, {kind}"] = run
        sizes.append(f"{kind} {weights.size:,}")
    note = f"weights: {', '.join(sizes)}"
    problem = f"{WORDS} words, order {ORDER}"
    results.add_times("structured", problem, interleave(runs, repetitions), note)
