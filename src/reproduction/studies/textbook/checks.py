"""Cases of the textbook's claims: examples, theorems, digits, styles, and n-grams of Brown."""

import numpy as np

from reproduction.scores.intervals import student_interval
from reproduction.scores.pairs import compare_orders
from reproduction.studies.textbook import exact
from reproduction.studies.textbook.lowdim import cluster_digits, judge_style, load_zeros_and_ones
from reproduction.studies.textbook.plan import COMPLETION, MEMORY, NGRAMS, STYLE
from reproduction.verdicts.cases import at_least, make_case

PLAIN = "interpolated"  # the smoothing by which orders are compared
FAR = 36  # images, a tenth: two starts that differ by more lead to different clusters
FOUR = 4  # words of an n-gram whose histories have three


def check_cases(root, scores, inputs):
    """Yield the cases of the study's claims (`study.Theory`)."""
    rng = np.random.default_rng(root)
    for chapter in (exact.check_clusters, exact.check_subspaces, exact.check_ngrams,
                    exact.check_completion):  # fmt: skip
        yield from chapter(rng)
    yield from check_digits(root)
    for name, part in scores[STYLE].groupby("corpus") if len(scores[STYLE]) else ():
        points, labels = part[["x", "y"]].to_numpy(), part["name"].to_numpy(dtype=str)
        right, by_chance = judge_style(points, labels, root)
        case = f"{name}: share of blocks placed rightly"
        yield at_least(f"s-{name.lower()}", case, right, by_chance)
    yield from check_orders(scores[NGRAMS])
    yield from check_memory(scores[MEMORY])
    yield from check_biases(scores[COMPLETION])


def check_digits(root):
    """Compare the images, and those that are in the wrong cluster, with the print."""
    images, _, digits = load_zeros_and_ones()
    best, every = cluster_digits(root)
    yield make_case("k-digits", "images: off 360", abs(len(images) - 360), 0)
    wrong = int((best != digits).sum())
    yield make_case("k-digits", "misclassified by the best of 20 starts: off 2", abs(wrong - 2), 0)
    yield at_least("k-starts", "20 starts: most misclassified, less fewest", np.ptp(every), FAR)
    yield make_case("k-pixels", "the largest pixel", images.max(), 15)


def check_orders(scores):
    """Ask of each order up to three that it be better than the one before."""
    part = scores[(scores["method"] == PLAIN)] if len(scores) else scores
    part = part[part["n"] == part["n"].max()] if len(part) else part
    for order in (2, 3) if len(part) else ():
        if {order - 1, order} <= set(part["order"]):
            _, low, _ = compare_orders(part, order, order - 1)
            case = f"low end of what order {order} gains, nats per word"
            yield at_least("n-order", case, low, 1e-6)


def check_memory(scores):
    """Ask how much n-grams remember, and whether it rises with the order."""
    if not len(scores):
        return
    table = scores.set_index("order").sort_index()
    if FOUR in table.index:
        case = "share of histories of three words with one continuation"
        yield at_least("n-memory", case, table["single"][FOUR], 0.5)
    for low, high in zip(table.index, table.index[1:], strict=False):
        case = f"share of 4-grams found in the training text: order {low}, against {high}"
        yield make_case("n-found", case, table["found"][low], table["found"][high])


def check_biases(scores):
    """Ask of each rank that biases lower the error of held-out entries, paired by trial."""
    if not len(scores):
        return
    by_biases = scores[scores["rank"] > 0].pivot(
        index=["rank", "trial"], columns="biases", values="rmse"
    )
    for rank, part in by_biases.groupby("rank"):
        for check, kind in ("m-bias", "contexts"), ("m-bias-both", "both"):
            _, _, high = student_interval(part[kind] - part["none"])
            case = f"high end of the change of RMSE by biases, {len(part)} trials"
            yield make_case(check, case, high, 0, rank=int(rank))
