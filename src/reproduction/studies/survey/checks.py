"""Cases of the claims: of scores, and of `exact` and `formulas`."""

import numpy as np
import pandas as pd

from condprob.methods.survey.structure import shared_subspace
from reproduction.scores.pairs import paired_difference
from reproduction.studies.survey.exact import check_exponential, check_factors
from reproduction.studies.survey.formulas import check_arithmetic, check_formulas
from reproduction.studies.survey.plan import (
    ALONE,
    ASO,
    CLASSES,
    DIRECT,
    FEATURES,
    GENRES,
    LARGE,
    LLE,
    LSA,
    MAP,
    PARTIAL,
    PLAIN,
    PLSA,
    PRINTED,
    PRODUCT,
    REDUCED,
    RETRIEVAL,
    RIDGED,
    SDR,
    SUPERVISED,
    TAGGING,
    VECTORS,
    WORDS,
)
from reproduction.studies.survey.tables import errors_saved
from reproduction.studies.survey.words import NEAREST, share_beside
from reproduction.verdicts.cases import at_least, make_case

SMALLEST_GAIN = 1e-6  # nats per word that a difference is above zero
PERPLEXITY_TOLERANCE = 0.05  # how far a ratio of perplexities may be off the one in print
TENTH_OF_POINT, HALF_POINT = 0.001, 0.005  # a share of errors: a tenth and half of a point
SPACES_DRAWN = 2000
PERMUTATIONS, QUANTILE = 2000, 0.99  # of the groups of words on the map
ERROR_TOLERANCE = 0.05  # a share of errors
ROUNDING_TOLERANCE = 1e-9


def check_cases(root, scores, inputs):
    """Yield the cases of all parts; ``scores`` are by exhibit."""
    yield from check_factors(root)
    yield from check_exponential(root)
    yield from check_formulas(root)
    yield from check_arithmetic()
    if "table" in scores:
        yield from check_table(scores["table"])
    if MAP in scores:
        yield from check_map(root, scores[MAP])
    if RETRIEVAL in scores:
        yield from check_retrieval(scores[RETRIEVAL])
    if "tagging" in scores:
        yield from check_structure(root, scores)


def check_map(root, scores):
    """Ask of each model's map how many words are next to a word of their own group."""
    if not len(scores):
        return
    for name, part in scores[scores["group"] != NEAREST].groupby("method", sort=False):
        words = part["word"].tolist()
        group = np.unique(part["group"], return_inverse=True)[1]
        beside = np.array([words.index(other) for other in part["beside"]])
        rng = np.random.default_rng(root)
        share, by_chance = share_beside(group, beside, rng, PERMUTATIONS, QUANTILE)
        case = f"{name}: fraction of words next to one of their group, {share:.2f}; by chance"
        yield at_least("w-semantics", case, share, by_chance)


def check_retrieval(scores):
    """Compare rankings of documents at each length of queries, paired by query."""
    pairs = (("p-retrieval", PLSA, LSA), ("s-retrieval", SDR, LSA), ("s-retrieval", SDR, LLE))
    pairs += (("l-retrieval", LSA, VECTORS), ("l-product", LSA, PRODUCT))
    for words, part in scores.groupby("n") if len(scores) else ():
        length = f"{words} words" if words else "whole documents"
        for id, better, worse in pairs:
            _, low, _ = errors_saved(part, better, worse)
            case = f"queries of {length}: low end of the precision that {better} gains on {worse}"
            yield at_least(id, case, low, 1e-6, n=words)


def check_table(scores):
    """Compare models of Table 1 with each other on the test part of Brown.

    A model that did not come to rest within its budget is not judged.
    """
    if not len(scores):
        return
    scores = scores[scores["converged"].astype(bool)]
    rows = [pick(scores, *each) for each in ((WORDS, 5), (CLASSES, 3))]
    if all(map(len, rows)):
        _, low, _ = paired_difference(pd.concat(rows), CLASSES, WORDS)
        case = "low end of what classes of order 3 gain on words of order 5, nats per word"
        yield at_least("n-classes", case, low, SMALLEST_GAIN)
    yield from check_networks(scores)


def pick(scores, method, order):
    """Return the rows of one model at one order."""
    return scores[(scores["method"] == method) & (scores["order"] == order)]


def check_networks(scores):
    """Compare networks that came to rest with each other and with n-grams."""
    highest = scores.groupby("method")["order"].max()
    rows = {name: pick(scores, name, order) for name, order in highest.items()}
    better = (("n-order-networks", LARGE, DIRECT), ("n-order-classes", DIRECT, CLASSES))
    better += tuple(("n-mixing", name, name + ALONE) for name in (LARGE, DIRECT, PLAIN))
    better += (("n-direct-alone", DIRECT + ALONE, PLAIN + ALONE), ("n-direct-mixed", PLAIN, DIRECT))
    for check, one, other in better:
        if one in rows and other in rows:
            _, low, _ = paired_difference(pd.concat([rows[one], rows[other]]), one, other)
            case = f"low end of what {one} gains on {other}, nats per word"
            yield at_least(check, case, low, SMALLEST_GAIN)
    for name, printed in ((DIRECT, "MLP8"), (LARGE, "MLP10")):
        if name in rows and WORDS in rows:
            own, beside = (
                rows[each]["loss"].sum() / rows[each]["pairs"].sum() for each in (name, WORDS)
            )
            ratio, printed = np.exp(own - beside), PRINTED[printed] / PRINTED["Kneser-Ney"]
            case = f"{name}: its perplexity over Kneser-Ney's, {ratio:.3f}, is off {printed:.3f} by"
            yield make_case("n-cells", case, abs(ratio / printed - 1), PERPLEXITY_TOLERANCE)


def check_structure(root, scores):
    """Yield the cases of the claims on structural learning."""
    yield from check_algebra(np.random.default_rng(root))
    tagging = scores.get(TAGGING, ())
    if not len(tagging):
        return
    for name, id in ((ASO, "a-better"), (RIDGED, "a-ridged")):
        yield from check_gains(id, tagging, name)
    yield from check_gains("a-genres", scores[GENRES], ASO)
    for n, part in scores[GENRES].groupby("n") if len(scores[GENRES]) else ():
        _, _, high = errors_saved(part, SUPERVISED, FEATURES)
        case = "high end of what all words save compared with SDR features, fraction of errors"
        yield make_case("s-features", case, high, ERROR_TOLERANCE, n=n)
    for n, part in tagging.groupby("n"):
        if "counts" not in set(part["method"]):
            continue
        for id, name in (("a-negatives", "negatives"), ("a-types", "untyped")):
            _, low, _ = errors_saved(part, RIDGED, name)
            yield at_least(id, f"low end of the errors saved compared with {name}", low, 1e-6, n=n)
        _, low, high = errors_saved(part, RIDGED, "passes")
        case = "farther end of what several passes change, fraction of errors"
        yield make_case("a-once", case, max(abs(low), abs(high)), TENTH_OF_POINT, n=n)
        for id, name in (("a-counts", "counts"), ("a-sdr", REDUCED), ("a-partial", PARTIAL)):
            _, low, _ = errors_saved(part, name, SUPERVISED)
            yield at_least(id, "low end of the errors they save", low, 1e-6, n=n)
        _, _, high = errors_saved(part, RIDGED, "counts")
        yield make_case(
            "a-counts",
            "high end of what the weights of predictors save compared with them",
            high,
            HALF_POINT,
            n=n,
        )


def check_gains(id, scores, name):
    """Ask at each number of labels that fewer errors are made than by the supervised method."""
    for n, part in scores.groupby("n") if len(scores) else ():
        _, low, _ = errors_saved(part, name, SUPERVISED)
        yield at_least(id, "low end of the fraction of errors saved", low, 1e-6, n=n)


def check_algebra(rng):
    """Section 6.3.1 on small matrices."""
    U, rank = rng.normal(size=(9, 7)), 2
    phi = shared_subspace(U, rank)

    def lost(phi):
        return ((U - phi.T @ (phi @ U)) ** 2).sum()

    drawn = [np.linalg.qr(rng.normal(size=(9, rank)))[0].T for _ in range(SPACES_DRAWN)]
    case = f"penalty, against the least of {SPACES_DRAWN:,} random spaces"
    yield make_case("a-svd", case, lost(phi), min(map(lost, drawn)))
    v = np.linalg.lstsq(phi.T, U, rcond=None)[0]
    yield make_case("a-v", "least squares: off Φu", abs(v - phi @ U).max(), ROUNDING_TOLERANCE)
    w, x = rng.normal(size=9), rng.normal(size=9)
    score = w @ x + v[:, 0] @ phi @ x
    case = "score of u: off that of w and v"
    for id, sign in (("a-u-printed", -1), ("a-u", 1)):
        yield make_case(id, case, abs((w + sign * phi.T @ v[:, 0]) @ x - score), ROUNDING_TOLERANCE)
