"""Proximal steps of tree norms beside SPAMS and the paper's algorithms.

SPAMS is GPL-3: it belongs to the bench group, and nothing of the library uses it. Forests are
random, each node below one of the few before it, much as the words after a context are.
"""

from importlib.util import find_spec

import numpy as np
from measure import interleave
from scipy.sparse import csc_matrix

from condprob.methods.structured.problem import Forest
from condprob.methods.structured.proximal import proximal_step
from reproduction.studies.structured.pivots import step_by_pivots
from reproduction.studies.structured.work import step_by_heaps

SIZES = (1_000, 10_000, 100_000)
THRESHOLD = 0.5


def time_structured(results, repetitions, quick):
    """Time steps by size."""
    for size in SIZES[: 2 if quick else 3]:
        forest, values = random_forest(size)
        for kind in ("tree2", "treeinf"):
            runs = {
                f"condprob {kind}": lambda f=forest, v=values, k=kind: proximal_step(
                    k, f, v, THRESHOLD
                )
            }
            if find_spec("spams"):
                runs[f"SPAMS {kind}"] = prepare_spams(forest, values, kind)
            if kind == "treeinf":
                runs["Algorithm 4"] = lambda f=forest, v=values: step_by_heaps(f, v, THRESHOLD)
                runs["Algorithm 3"] = lambda f=forest, v=values: step_by_pivots(f, v, THRESHOLD)
            seconds = interleave(runs, repetitions)
            problem = f"{size} nodes"
            results.add_times("structured", problem, seconds)
            results.add_ratios("structured", problem, seconds, f"condprob {kind}")
    if not find_spec("spams"):
        results.add("structured", "", "SPAMS", "", note="spams-bin is not installed")


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
    np.testing.assert_allclose(
        found.ravel(), proximal_step(kind, forest, values, THRESHOLD), atol=1e-8
    )
    return lambda: spams.proximalTree(column, tree, False, **how)
