"""Cases of the theory's claims at large sizes, from scores: see `verdicts.cases`."""

import numpy as np
import pandas as pd

from reproduction.scores.intervals import bootstrap_weights, percentile_interval, student_interval
from reproduction.studies.theory.complexity import check_complexity
from reproduction.studies.theory.coverage import RUNS
from reproduction.studies.theory.descent import CLUSTERS
from reproduction.studies.theory.deviation import check_deviation
from reproduction.studies.theory.plan import (
    AD_LR,
    ADD_HALF,
    ADD_HALF_LR,
    COMPLEXITY,
    DESCENT,
    DEVIATION,
    INTERVALS,
    POSTERIOR,
    QUANTISATION,
    RATES,
    RESTARTS,
)
from reproduction.studies.theory.quantisation import check_quantisation
from reproduction.studies.theory.rates import check_risks, rate, upper_bound
from reproduction.studies.theory.theorems import check_descent as check_theorem_2
from reproduction.verdicts.cases import make_case, slope_of_logs

AT_REST = 1e-6  # nats per pair: a gradient, a move, or a gap of objectives below this is none
LARGEST_DRIFT = 1e-3  # nats per pair: means of 1,000 iterations this near do not drift
LARGEST_LOSS_OF_START = 0.05  # share of the risk that a typical start may lose
SIZES = "n", "k", "rank"
# Of intervals, the share with the truth; and how far off it may be.
WANTED_COVERAGE = 0.95
COVERAGE_TOLERANCE = 0.02
# Times the length of its subjects: from there on a text tells of further subjects.
LENGTHS_OF_SUBJECTS = 20
LOST = {"k": 1, "rank": -1}  # the same of the factor k/m that is lost without the structure


def check_cases(root, scores, inputs):
    """Yield the cases of the study's claims."""
    yield from check_risks(scores[RATES])
    yield from check_slopes(scores[RATES])
    yield from check_complexity(scores[COMPLEXITY])
    yield from check_descent(scores[DESCENT])
    yield from check_restarts(scores[RESTARTS])
    yield from check_quantisation(scores[QUANTISATION])
    yield from check_deviation(scores[DEVIATION])
    for name in (INTERVALS, POSTERIOR):
        yield from check_coverage(scores[name], name)


def find_sweeps(scores):
    """Yield the floor, the size that varies, and the rows, of each sweep of a single size."""
    for floor, of_floor in scores.groupby("floor", sort=True):
        for size in SIZES:
            others = [other for other in ("k", "rank", "n") if other != size]
            for _, rows in of_floor.groupby(others, sort=True):
                if rows[size].nunique() > 2:
                    yield floor, size, rows


def fit_slope(rows, size, beside=None):
    """Return the slope of log mean risk against the log of a size, with its 95 % interval.

    Of the ratio of two risks, where the rows of another method on the same samples are given.
    """
    logs = np.log(np.sort(rows[size].unique()))
    logs -= logs.mean()
    weights = logs / (logs @ logs)
    slope, drawn = _slopes(rows, size, weights)
    if beside is not None:
        other, others = _slopes(beside, size, weights)
        slope, drawn = slope - other, drawn - others
    return slope, *percentile_interval(drawn)


def _slopes(rows, size, weights):
    """Return the slope of log mean risks, and those of draws of trials, for all methods alike."""
    points = [part["kl_risk"].to_numpy() for _, part in rows.groupby(size, sort=True)]
    drawn = [bootstrap_weights(point.size, i) @ point for i, point in enumerate(points)]
    means = np.array([point.mean() for point in points])
    return np.log(means) @ weights, np.log(np.stack(drawn, axis=1)) @ weights


def check_slopes(scores):
    """Hold the slopes of log risks against those of the paper's bounds, by their intervals.

    A risk between the bounds of Theorems 4 and 3 at every size has a slope between theirs, of km/n
    and of km/n with a squared logarithm.
    """
    for _, size, rows in find_sweeps(scores[scores["floor"] == 0]):
        own, direct = (rows[rows["method"] == id] for id in (ADD_HALF_LR, ADD_HALF))
        wanted = [_slope_of_bound(own, size, bound) for bound in (rate, upper_bound)]
        yield _check_slope(f"theory-slope-{size}", fit_slope(own, size), size, wanted)
        if size in LOST and len(direct):
            slope = fit_slope(direct, size, own)
            yield _check_slope("theory-factor", slope, size, [LOST[size]])


def _slope_of_bound(rows, size, bound):
    """Return the slope of a bound at the sizes of a sweep, fitted as that of the risks."""
    points = bound(rows).groupby(rows[size]).mean()
    return slope_of_logs(points.index, points)


def _check_slope(check, fitted, size, wanted):
    """Return the case of a slope: it is no farther from the exponents than its interval reaches.

    ``wanted`` is one exponent, or the ends of a range of them.
    """
    slope, low, high = fitted
    least, most = min(wanted), max(wanted)
    exponents = " to ".join(f"{end:.3g}" for end in dict.fromkeys((least, most)))
    case = f"slope {slope:.3f} [{low:.3f}, {high:.3f}] against {size}, off {exponents}"
    off = max(least - slope, slope - most, 0.0)
    return make_case(check, case, off, slope - low if slope > most else high - slope)


def name_texts(scores):
    """Return scores in which the corpus of no text is "a drawn model"."""
    drawn = "a drawn model"
    if "corpus" not in scores:  # no text could be had
        return scores.assign(corpus=drawn)
    return scores.assign(corpus=scores["corpus"].fillna(drawn))


def check_descent(scores):
    """Ask of each fit whether it descends, and whether it comes to rest."""
    scores = name_texts(scores)
    for (corpus, id, start), rows in scores.groupby(["corpus", "method", "start"], sort=True):
        rows, name = rows.sort_values("iteration"), f"{corpus}, initialisation {start}"
        last, sizes = rows.iloc[-1], dict(rows.iloc[-1][["k", "rank", "n"]])
        if id == AD_LR:
            yield make_case("theory-ad-lr-rest", f"{name}: last move", last["moved"], AT_REST)
            if last["moved"] > AT_REST:
                case = f"{name}: no lag brings the objective back nearer than"
                yield make_case("theory-ad-lr-cycle", case, AT_REST, last["recurs"], **sizes)
                case = f"{name}: change of the mean objective"
                yield make_case(
                    "theory-ad-lr-drift", case, abs(last["drifts"]), LARGEST_DRIFT, **sizes
                )
            continue
        yield from check_theorem_2(name, rows["objective"], last["slope"], **sizes)


def compare_starts(scores):
    """Return how starts differ, a row for each sample on which they end in different minima.

    Returns
    -------
    pandas.DataFrame
        ``n``; ``typical``: the median risk of random starts over that of the lowest objective,
        less one; ``clusters``: by how much the start from clusters ends below the median objective.
    """
    rows = []
    for (n, _), fits in scores.groupby(["n", "trial"], sort=True):
        drawn = fits[fits["start"] != CLUSTERS]
        (clusters,) = fits.loc[fits["start"] == CLUSTERS, "objective"]
        if np.ptp(drawn["objective"]) > AT_REST:
            lowest = drawn.loc[drawn["objective"].idxmin(), "kl_risk"]
            typical = drawn["kl_risk"].median() / lowest - 1
            below = drawn["objective"].median() - clusters
            rows.append({"n": n, "typical": typical, "clusters": below})
    return pd.DataFrame(rows, columns=["n", "typical", "clusters"])


def check_restarts(scores):
    """Ask how much a typical start loses, and whether that from clusters gains."""
    for n, rows in compare_starts(scores).groupby("n", sort=True):
        if len(rows) > 1:
            mean, low, high = student_interval(rows["typical"])
            case = f"relative excess risk of the median run over the best, {mean:.4f}, up to"
            yield make_case("theory-starts-typical", case, high, LARGEST_LOSS_OF_START, n=n)
            mean, low, high = student_interval(rows["clusters"])
            case = f"clusters below the median run by {mean:.2g} nats per pair, at least"
            yield make_case("theory-starts-clusters", case, AT_REST, low, n=n)


def check_coverage(scores, name):
    """Hold the share of intervals with the truth against the level, for each size and kind.

    Texts of less than `LENGTHS_OF_SUBJECTS` times their subjects are no cases: they cannot tell.
    """
    for (quantity, data, size), rows in scores.groupby(["quantity", "data", "size"], sort=True):
        run = RUNS.get(data, 1)
        if run > 1 and size < LENGTHS_OF_SUBJECTS * run:
            continue
        check = f"theory-{name}" + ("-runs" if run > 1 else "")
        held = rows["held"].mean()
        case = f"{quantity}, {data}, {size}: {held:.3f}, off {WANTED_COVERAGE}"
        yield make_case(check, case, abs(held - WANTED_COVERAGE), COVERAGE_TOLERANCE)
