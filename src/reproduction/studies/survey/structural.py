"""Structural learning: tables, figures and cases of the errors that it saves."""

import numpy as np
import pandas as pd

from condprob.models.survey.structure import shared_subspace
from reproduction.exhibits.looks import make_panels, put_legend, reach, set_ticks
from reproduction.scores.pairs import interval_of_mean
from reproduction.studies.survey.parts import (
    ASO,
    GENRES,
    RIDGED,
    SHOWN_AS,
    SUPERVISED,
    TAGGING,
)
from reproduction.verdicts.cases import at_least, make_case

COLUMNS = ["n", "method", "accuracy", "low", "high", "gain", "gain_low", "gain_high", "draws",
           "rank", "settled"]  # fmt: skip
SHOWN = {SUPERVISED: "#7f7f7f", ASO: "#0072b2", RIDGED: "#d55e00"}
ONCE, SUFFICES = 0.001, 0.005  # a share of errors: a tenth and half of a point
DRAWN = 2000
EXACT = 1e-9


def tabulate(given):
    """Return accuracies, and the gain of each method beside ASO, with 95 % intervals.

    Intervals are over documents and draws of the labelled examples (`study.Material`); of
    ASO beside the supervised method, of a changed ingredient beside ASO with a ridge on v;
    paired by document and draw.
    """
    rows = []
    for (n, name), own in (
        given.scores.groupby(["n", "method"], sort=False) if len(given.scores) else ()
    ):
        mean, low, high = interval_of_mean(own)
        row = {"n": n, "method": name, "accuracy": 1 - mean, "low": 1 - high, "high": 1 - low}
        row |= {"draws": own["seed"].nunique(), "rank": own.groupby("seed")["rank"].first().mean()}
        part = given.scores[given.scores["n"] == n]
        row["settled"] = own["converged"].mean()
        other = SUPERVISED if name in (ASO, RIDGED) else RIDGED
        if name != SUPERVISED:
            gains = errors_saved(part, name, other)
            row |= dict(zip(("gain", "gain_low", "gain_high"), gains, strict=True))
        rows.append(row)
    return pd.DataFrame(rows, columns=COLUMNS)


def errors_saved(scores, better, worse):
    """Return the errors per example of worse less better, with a 95 % interval.

    Both saw the same examples: the difference is taken in each draw and each document.
    """
    table = scores.pivot(index=["seed", "block"], columns="method", values="loss")
    pairs = scores.groupby("block")["pairs"].first()
    rows = (table[worse] - table[better]).rename("loss").reset_index()
    return interval_of_mean(rows.assign(pairs=rows["block"].map(pairs)))


def draw(table, exhibit, methods):
    """Draw accuracies against the number of labels, and the effect of each ingredient."""
    others = table[~table["method"].isin(SHOWN)]
    figure, grid = make_panels(1, 2 if len(others) else 1)
    ax, handles = grid[0, 0], {}
    for name, colour in SHOWN.items():
        part = table[table["method"] == name].sort_values("n")
        ends = reach(part["accuracy"], part["low"], part["high"])
        handles[SHOWN_AS[name]] = ax.errorbar(
            part["n"], part["accuracy"], yerr=ends, marker="o", capsize=3, color=colour
        )
    unit = "words" if exhibit["kind"] == TAGGING else "documents"
    ax.set_xlabel(f"labelled {unit}")
    ax.set_ylabel("accuracy")
    if len(table):
        ax.set_xscale("log")
        ax.minorticks_off()
        set_ticks(ax, table["n"].unique())
    if len(others):
        side = grid[0, 1]
        for place, row in enumerate(others.itertuples()):
            ends = 100 * reach(row.gain, row.gain_low, row.gain_high)
            side.errorbar(100 * row.gain, -place, xerr=ends, marker="o", color=SHOWN[RIDGED])
        side.axvline(0, color="black", lw=0.8)
        side.set_yticks([-place for place in range(len(others))],
                        [SHOWN_AS[name] for name in others["method"]])  # fmt: skip
        side.set_xlabel("points of accuracy more than with it")
        side.set_title(f"in place of ASO, ridge on v: {others['n'].iloc[0]:,} labelled {unit}")
    put_legend(figure, handles, ["95 % intervals over documents and draws of the labelled; "
                                 "differences are paired."])  # fmt: skip
    return figure


def check_structure(root, scores):
    """Yield the cases of the claims on structural learning."""
    yield from check_algebra(np.random.default_rng(root))
    tagging = scores.get(TAGGING, ())
    if not len(tagging):
        return
    for name, id in ((ASO, "a-better"), (RIDGED, "a-ridged")):
        yield from check_gains(id, tagging, name)
    yield from check_gains("a-genres", scores[GENRES], ASO)
    for n, part in tagging.groupby("n"):
        if "counts" not in set(part["method"]):
            continue
        for id, name in (("a-negatives", "negatives"), ("a-types", "untyped")):
            _, low, _ = errors_saved(part, RIDGED, name)
            yield at_least(id, f"low end of the errors saved beside {name}", low, 1e-6, n=n)
        _, low, high = errors_saved(part, RIDGED, "passes")
        case = "farther end of what several passes change, share of errors"
        yield make_case("a-once", case, max(abs(low), abs(high)), ONCE, n=n)
        _, low, _ = errors_saved(part, "counts", SUPERVISED)
        yield at_least("a-counts", "low end of the errors they save", low, 1e-6, n=n)
        _, _, high = errors_saved(part, RIDGED, "counts")
        yield make_case(
            "a-counts",
            "high end of what the weights of predictors save beside them",
            high,
            SUFFICES,
            n=n,
        )


def check_gains(id, scores, name):
    """Ask at each number of labels that fewer errors are made than by the supervised method."""
    for n, part in scores.groupby("n") if len(scores) else ():
        _, low, _ = errors_saved(part, name, SUPERVISED)
        yield at_least(id, "low end of the errors saved, share", low, 1e-6, n=n)


def check_algebra(rng):
    """Section 6.3.1 on small matrices."""
    U, rank = rng.normal(size=(9, 7)), 2
    phi = shared_subspace(U, rank)

    def lost(phi):
        return ((U - phi.T @ (phi @ U)) ** 2).sum()

    drawn = [np.linalg.qr(rng.normal(size=(9, rank)))[0].T for _ in range(DRAWN)]
    case = f"penalty, against the least of {DRAWN:,} random spaces"
    yield make_case("a-svd", case, lost(phi), min(map(lost, drawn)))
    v = np.linalg.lstsq(phi.T, U, rcond=None)[0]
    yield make_case("a-v", "least squares: off Φu", abs(v - phi @ U).max(), EXACT)
    w, x = rng.normal(size=9), rng.normal(size=9)
    score = w @ x + v[:, 0] @ phi @ x
    case = "score of u: off that of w and v"
    for id, sign in (("a-u-printed", -1), ("a-u", 1)):
        yield make_case(id, case, abs((w + sign * phi.T @ v[:, 0]) @ x - score), EXACT)
