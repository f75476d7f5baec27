"""Table 1: memory and work of each penalty's step, and how the work grows with the text.

Counts are the same on every machine. The seconds next to them are not, and are not compared with
those of a reference.
"""

from time import perf_counter

import numpy as np
import pandas as pd

from condprob.methods.structured.fista import minimise
from condprob.methods.structured.problem import build_problem, places_of_sentences
from condprob.methods.structured.proximal import proximal_step
from condprob.text.sentences import NOTHING
from condprob.text.suffixes import NOWHERE
from reproduction.scores.intervals import student_interval
from reproduction.studies.structured import pivots, work
from reproduction.verdicts.cases import at_least, make_case, slope_of_logs

STEP_COLUMNS = ["block", "words", "order", "step", "structure", "weights", "visited", "seconds"]
MEMORY_COLUMNS = ["block", "words", "length", "contexts", "pairs", "outcomes", "gain"]
REPETITIONS = 3  # the fastest counts
# The steps of Table 1: the norm and the structure on which it works.
STEPS = {
    "l1": ("l1", "tree"),
    "l2": ("l2", "tree"),
    "tree2": ("tree2", "trie"),
    "pivot": ("treeinf", "tree"),
    "heap": ("treeinf", "tree"),
}
SHARE_ENCOURAGED = 0.1  # READING: by so much the share is larger where a norm "encourages" it
SHARE_THAT_IS_NEARLY = 0.9  # READING: of |V|, that a gain of memory is "nearly |V|-fold"


def time_steps(texts, order, sizes, penalty):
    """Yield rows of `STEP_COLUMNS`: one step of each penalty, on the first words of each text.

    The step is taken at the solution of the l-infinity norm of trees for the penalty, rough as in
    `work.count_work`. ``visited`` are the values that it looks at: of l1 and squared l2 each once,
    of the l2-norm of trees (Algorithm 2) each once upwards and once downwards, of the l-infinity
    norm those of Algorithms 3 and 4.
    """
    for block, whole in enumerate(texts, start=1):
        for words in [*(size for size in sorted(sizes) if size < whole.n), whole.n]:
            text = whole.split(words / whole.n)[0] if words < whole.n else whole
            places = places_of_sentences(text, order)
            problems = {
                name: build_problem(places, text.words, text.k, name == "tree")[0]
                for name in ("tree", "trie")
            }
            solved = minimise("treeinf", problems["tree"], penalty, tol=0.1, iterations=60)
            of_pairs, threshold = problems["trie"].forest.start, penalty / text.n
            on = {"tree": solved.weights, "trie": np.repeat(solved.weights, np.diff(of_pairs))}
            for name, (norm, structure) in STEPS.items():
                given = problems[structure].forest, on[structure], threshold
                visited, seconds = _time_step(name, norm, *given)
                yield {
                    "block": block,
                    "words": text.n,
                    "order": order,
                    "step": name,
                    "structure": structure,
                    "weights": on[structure].size,
                    "visited": visited,
                    "seconds": seconds,
                }


def _time_step(name, norm, forest, weights, threshold):
    """Return the values that a step visits, and its seconds."""
    if name in ("pivot", "heap"):
        module = pivots if name == "pivot" else work
        visited = module.step_and_count(forest, weights, threshold)[1]  # it is compiled now
        run = module.step_and_count
    else:
        visited = weights.size * (2 if norm == "tree2" else 1)

        def run(*given):
            return proximal_step(norm, *given)

        run(forest, weights, threshold)
    seconds = []
    for _ in range(REPETITIONS):
        begun = perf_counter()
        run(forest, weights, threshold)
        seconds.append(perf_counter() - begun)
    return visited, min(seconds)


def exponents_of_steps(table):
    """Return the exponent of the values visited in the weights, by step, for each block.

    Returns
    -------
    pandas.DataFrame
        Columns ``step``, ``block``, ``exponent``, and ``over``, that of the values visited for each
        ``T log T`` of ``T`` weights: zero or below where they grow no faster.
    """
    rows = []
    for (step, block), part in table.groupby(["step", "block"], sort=False):
        T, visited = part["weights"].to_numpy(dtype=float), part["visited"].to_numpy(dtype=float)
        if T.size > 1:
            row = {"step": step, "block": block, "exponent": slope_of_logs(T, visited)}
            rows.append(row | {"over": slope_of_logs(T, visited / (T * np.log(T)))})
    return pd.DataFrame(rows, columns=["step", "block", "exponent", "over"])


def check_steps(table):
    """Yield the cases of Table 1's growth: over blocks the high end of the interval decides."""
    found = exponents_of_steps(table)
    over = found[found["step"] == "heap"]["over"].to_numpy()
    if not over.size:
        return
    mean, _, high = student_interval(over) if over.size > 1 else (over[0],) * 3
    case = f"exponent of heaps over T log T: high end over {over.size} blocks (mean {mean:.3f})"
    yield make_case("t16-heap", case, high, 0)


def measure_memory(texts, order):
    """Yield rows of `MEMORY_COLUMNS`: weights without positivity for each with it, by length.

    Without the constraint each context has a weight for each of the ``outcomes``; with it for the
    only the words that were seen after it, the ``pairs`` (Section 3.1). ``length`` is that of the
    context in words.
    """
    for block, text in enumerate(texts, start=1):
        histories = text.histories(order)
        for length in range(1, order):
            last = histories[:, -length:]
            there = (last != NOTHING).all(axis=1)
            contexts = np.unique(last[there], axis=0)
            pairs = np.unique(np.column_stack([last[there], text.words[there]]), axis=0)
            row = {"block": block, "words": text.n, "length": length, "contexts": len(contexts)}
            row |= {"pairs": len(pairs), "outcomes": text.k}
            yield row | {"gain": len(contexts) * text.k / max(len(pairs), 1)}


def check_memory(table):
    """Yield the cases of the memory that positivity saves, at the greatest length."""
    for row in table[table["length"] == table["length"].max()].itertuples():
        case = f"block {row.block}: nine tenths of |V| minus the gain after {row.length} words"
        gain = SHARE_THAT_IS_NEARLY * row.outcomes - row.gain
        yield make_case("t5-memory", case, gain, 0, k=row.outcomes, n=row.words)


def check_shared(text, order, penalty):
    """Yield the case of Section 5: weights that are as large as the one above them, on the trie.

    Among the weights that are not zero and stand below another, the share is compared with that of
    the l2-norm of trees.
    """
    places, shares = places_of_sentences(text, order), {}
    problem, _ = build_problem(places, text.words, text.k, False)
    for norm in ("treeinf", "tree2"):
        weights, parent = minimise(norm, problem, penalty, tol=0.01).weights, problem.forest.parent
        below = (parent != NOWHERE) & (weights > 0)
        shares[norm] = (weights[below] == weights[parent[below]]).mean()
    case = "fraction of weights equal to their parent's, l-infinity norm; l2-norm of trees plus 0.1"
    yield at_least(
        "t21", case, shares["treeinf"], shares["tree2"] + SHARE_ENCOURAGED, k=text.k, n=text.n
    )
