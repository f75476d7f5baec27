"""Cases of the bounds and rates in print: see `verdicts.cases`.

Most publications print a rate without its constant. Its slope is checked then, on logarithmic axes:
a rate is an upper bound, so that a fall may be steeper. Tolerances were fixed before the first run.
"""

import numpy as np

from reproduction.scores.intervals import student_interval
from reproduction.studies.since.chains import ANCHORED, AVERAGED, LINEAR, NATURAL, PAIRS, ROWS
from reproduction.studies.since.plan import BOUNDS, ORACLE, REGRET, TRAJECTORY, UNBIASED
from reproduction.verdicts.cases import make_case, slope_of_logs

SLACK = 0.15  # of a slope
FROM = 20  # pairs for each context from where slopes against n are taken
UNBIASED_WITHIN = 0.02  # nats per pair
AS_GOOD = 1.1  # of the risk from independent pairs
MIXES = 0.3  # a spectral gap from where a trajectory is as good as independent pairs


def check_cases(root, scores, inputs):
    """Yield the cases of the study's claims (`study.Theory`)."""
    models = scores[REGRET]
    for method in ("nuclear-ml", "rank-ml"):
        yield from check_slopes("zhu-rate", models, method + ORACLE, "kl_risk", -1)
    yield from check_slopes("zhang-rate", models, "spectral" + ORACLE, "total_variation", -0.5)
    yield from check_slopes("chhor-rate", models, "blocks" + ORACLE, "total_variation", -0.5)
    yield from check_blocks(models)
    yield from check_bias(models)
    yield from check_trajectories(scores[TRAJECTORY])
    yield from check_bounds(scores[BOUNDS])


def check_slopes(check, scores, method, column, wanted):
    """Hold the slope of a mean against n, between the two largest n of a model, to a rate."""
    rows = scores[(scores["method"] == method) & (scores["n"] >= FROM * scores["k"])]
    for (law, k, rank), part in rows.groupby(["corpus", "k", "rank"], sort=True):
        means = part.groupby("n")[column].mean().iloc[-2:]
        if means.size == 2:
            slope = slope_of_logs(means.index, means)
            case = f"{law}, {method}: slope of {column} against n"
            yield make_case(check, case, slope, wanted + SLACK, k, rank, means.index[-1])


def check_blocks(scores):
    """Hold the total variation to ``log(k) sqrt(rank k / n)``: the rate of the publication.

    READING: its constant is taken as one, and so is the power of its logarithm.
    """
    rows = scores[scores["method"] == "blocks"]
    for (law, k, rank, n), part in rows.groupby(["corpus", "k", "rank", "n"], sort=True):
        bound = np.log(k) * np.sqrt(rank * k / n)
        yield make_case("chhor-bound", law, part["total_variation"].mean(), bound, k, rank, n)


def check_bias(scores):
    """Ask of the unbiased risks whether their mean error may be within the tolerance."""
    rows = scores[scores["method"] == "nuclear-ml" + UNBIASED]
    for (law, k, rank, n), part in rows.groupby(["corpus", "k", "rank", "n"], sort=True):
        mean, low, high = student_interval(part["bias"].to_numpy())
        least = max(low, -high, 0.0)  # of the mean's size
        check = "bigot-unbiased" if n >= FROM * k else "bigot-unbiased-few"
        yield make_case(check, f"{law}: mean error {mean:.3f}", least, UNBIASED_WITHIN, k, rank, n)


def check_trajectories(scores):
    """Hold risks of add-one to bounds that follow from counting, and to independent pairs."""
    for (k, n, gap), part in scores.groupby(["k", "n", "gap"], sort=True):
        means = part.groupby(["method", "drawn"])["kl_risk"].mean()
        cells = k * (k - 1)
        bound = cells / (n - 1) * (1 + np.log(1 + (n - 1) / cells))
        case, value = f"gap {gap:g}: the mean of add-one estimates", means[AVERAGED].iloc[0]
        yield make_case("han-averaged", case, value, bound, k, n=n)
        value = means["laplace", PAIRS]
        yield make_case("laplace-pairs", f"gap {gap:g}", value, cells / n, k, n=n)
        if gap >= MIXES:
            for method in ("add-half", "laplace"):
                ratio = means[method, ROWS] / means[method, PAIRS]
                case = f"gap {gap:g}, {method}: risk from a trajectory over that from pairs"
                yield make_case("han-gap", case, ratio, AS_GOOD, k, n=n)


def bound_of_good_turing(n):
    """Return by how much the variant of Good-Turing is above the best natural estimator, nats."""
    return 3 / n ** (1 / 3)


def check_bounds(scores):
    """Hold Good-Turing to its bound, and two spectral estimates to the sizes of their rates."""
    for (case, method, n), part in scores[scores["case"].isin(NATURAL)].groupby(
        ["case", "method", "n"], sort=True
    ):
        check = "orlitsky-bound" if method == "good-turing" else "empirical-bayes-bound"
        bound = bound_of_good_turing(n)
        yield make_case(check, f"{case}: mean excess", part["value"].mean(), bound, n=n)
    means = scores[scores["case"] == LINEAR].groupby("k")["value"].mean()
    case = "slope of total variation against k at 25 pairs for each context"
    slope = slope_of_logs(means.index, means)
    yield make_case("huang-linear", case, slope, SLACK, means.index[-1], 2)
    means = scores[scores["case"] == ANCHORED].groupby("n")["value"].mean()
    case, slope = "slope of total variation against n", slope_of_logs(means.index, means)
    yield make_case("duan-rate", case, slope, -0.5 + SLACK, 40, 4, means.index[-1])
