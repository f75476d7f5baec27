"""Where structure pays: the best method by the power law of the rows and by the pairs of a context.

Models are those of figure 1 with power-law rows, small enough for all methods. Texts are points
beside them: their pairs per context are counted, and `find_exponent` estimates their exponent.
"""

from itertools import product

import numpy as np
import pandas as pd
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch, Rectangle
from scipy.optimize import brentq

from condprob.counts import CountMatrix
from condprob.synthetic import draw_model
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.exhibits.looks import make_panels, put_legend
from reproduction.exhibits.maps import FILLED, HATCHES
from reproduction.exhibits.palette import look_of
from reproduction.scores.intervals import student_interval
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.trials import draw_models, score_trials

STEEPEST, FLATTEST = 4.0, 0.01  # exponents between which that of a text is looked for
ROWS = 6  # drawn rows over which the distinct outcomes of a context are averaged
TEXT = "text"  # the ``method`` of the row of a text


def score_models(root, inputs, methods, given):
    """Yield the KL risks of methods at each exponent and size (`study.Job`).

    Models of a trial share their contexts and the orders of their outcomes over all exponents.
    """
    k, rank = given["k"], given["rank"]
    for exponent in given["exponents"]:
        law = {"rows": "power-law", "exponent": exponent}
        models = draw_models(root, "structure", k, rank, given["trials"], **law)
        sizes = [pairs * k for pairs in given["pairs"]]
        for row in score_trials(root, "structure", sizes, models, methods):
            yield row | {"exponent": exponent}


def score_texts(root, inputs, methods, given):
    """Yield the size and the exponent of the training pairs of each text (`study.Job`)."""
    for corpus, file in zip(given["corpora"], inputs["words"], strict=True):
        text = read_corpus(file, corpus)
        if text is None:  # it could not be had
            continue
        counts = CountMatrix.from_pairs(*word_pairs(text.train), text.k)
        seed = spawn_seed(root, "structure", corpus)
        yield {
            "corpus": corpus,
            "method": TEXT,
            "rank": given["rank"],
            "n": counts.n,
            "k": counts.seen_contexts.size,
            "exponent": find_exponent(counts, given["rank"], seed),
        }


def find_exponent(counts, rank, seed):
    """Return the exponent whose models have as many distinct pairs as there are in counts.

    The distinct outcomes of a context with ``C_i`` pairs and the row ``p`` are
    ``sum_j 1 - (1 - p_j)^C_i`` on average. Rows are those of models of this rank with power-law
    rows of B, over as many outcomes; contexts and their pairs are those of the counts. The number
    falls with the exponent, and the ends of the range stand for what lies beyond them.
    """
    sizes, times = np.unique(counts.row_sums[counts.seen_contexts], return_counts=True)

    def excess(exponent):
        rows = draw_model(
            ROWS, rank, "power-law", exponent, np.random.default_rng(seed), outcomes=counts.shape[1]
        ).P
        unseen = np.exp(np.multiply.outer(sizes, np.log1p(-rows))).sum(axis=(1, 2)) / ROWS
        return times @ (counts.shape[1] - unseen) - counts.values.size

    if excess(FLATTEST) <= 0:
        return FLATTEST
    return STEEPEST if excess(STEEPEST) >= 0 else brentq(excess, FLATTEST, STEEPEST, xtol=1e-3)


def tabulate(given):
    """Return mean risks with intervals, how far each is above the best, and the points of texts.

    ``above`` is the mean risk over that of the best method of the cell, less one, in per cent.
    ``is_best`` marks the latter; ``is_clear``, whether its paired interval below the second leaves
    out zero.
    """
    scores = given.scores
    texts = scores[scores["method"] == TEXT]
    cells = scores[scores["method"] != TEXT]
    rows = []
    for (exponent, k, rank, n), cell in cells.groupby(["exponent", "k", "rank", "n"], sort=True):
        risks = cell.pivot(index="trial", columns="method", values="kl_risk")
        order = risks.mean().sort_values(kind="stable").index
        _, low, _ = student_interval(risks[order[1]] - risks[order[0]])
        for name in given.entry["methods"]:
            mean, *ends = student_interval(risks[name])
            rows.append(
                {
                    "exponent": exponent,
                    "k": k,
                    "rank": rank,
                    "n": n,
                    "pairs": n / k,
                    "method": name,
                    "mean": mean,
                    "low": ends[0],
                    "high": ends[1],
                    "trials": len(risks),
                    "above": 100 * (mean / risks[order[0]].mean() - 1),
                    "is_best": name == order[0],
                    "is_clear": name == order[0] and low > 0,
                }
            )
    points = texts[["corpus", "exponent", "k", "rank", "n", "method"]] if len(texts) else texts
    return pd.concat([pd.DataFrame(rows), points.assign(pairs=texts["n"] / texts["k"])])


def draw(table, exhibit, methods):
    """Draw the best method of each cell, by how much per cent the second is behind, and texts."""
    names = list(methods)
    texts, cells = table[table["method"] == TEXT], table[table["method"] != TEXT]
    exponents, pairs = (sorted(cells[axis].unique()) for axis in ("exponent", "pairs"))
    figure, ((ax,),) = make_panels(1, 1, height=4.2)
    colours = [look_of(name, methods[name]["method"]).colour for name in names]
    best = np.empty((len(exponents), len(pairs)))
    handles = {}
    for (row, exponent), (column, size) in product(enumerate(exponents), enumerate(pairs)):
        cell = cells[(cells["exponent"] == exponent) & (cells["pairs"] == size)]
        first = cell[cell["is_best"].astype(bool)].iloc[0]
        place = names.index(first["method"])
        best[row, column] = place
        hatch = HATCHES[(place + 1) % len(names)]  # the last method is plain
        look = {"facecolor": colours[place], "edgecolor": "white", "hatch": hatch, "linewidth": 0}
        ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, alpha=0.55, **look))
        handles[methods[first["method"]].get("label", first["method"])] = Patch(alpha=0.55, **look)
        second = cell.loc[~cell["is_best"].astype(bool), "above"].min()
        ax.text(
            column,
            row,
            f"{second:.0f}" if first["is_clear"] else f"({second:.0f})",
            ha="center",
            va="center",
            fontsize=8,
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.75},
        )
    ax.imshow(best, cmap=ListedColormap(["none"]), **FILLED)
    for turn, text in enumerate(texts.sort_values("pairs").itertuples()):
        x = np.interp(np.log(text.pairs), np.log(pairs), range(len(pairs)))
        y = np.interp(text.exponent, exponents, range(len(exponents)))
        ax.plot(x, y, "*", ms=11, mfc="white", mec="black")
        name = exhibit.get("labels", {}).get(text.corpus, text.corpus)
        is_left = turn < len(texts) / 2
        # Numbers stand in the middle of the rows, so names stand between two rows.
        border = np.ceil(y + 0.5) - 0.5 if turn % 2 else np.floor(y - 0.5) + 0.5
        ax.annotate(
            name,
            (x, y),
            (x - 0.08 if is_left else x + 0.08, border),
            arrowprops={"arrowstyle": "-", "lw": 0.8, "relpos": (is_left, 0.5), "shrinkB": 5},
            zorder=5,
            ha="right" if is_left else "left",
            va="center",
            fontsize=8,
            fontweight="bold",
        )
    ax.set_xticks(range(len(pairs)), [f"{value:g}" for value in pairs])
    ax.set_yticks(range(len(exponents)), [f"{value:g}" for value in exponents])
    k, rank = (int(cells[size].iloc[0]) for size in ("k", "rank"))
    ax.set(xlabel="pairs for each context, n / k", ylabel="exponent of the rows of B")
    ax.grid(False)
    put_legend(
        figure,
        handles,
        [
            f"The lowest mean risk of {cells['trials'].max():.0f} trials, k = {k}, m = {rank}.",
            "Numbers: per cent by which the second is above; in parentheses if by chance.",
            "Stars: texts, by their own pairs and exponent.",
        ],
    )
    return figure
