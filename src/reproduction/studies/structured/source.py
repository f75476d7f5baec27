"""The second paper itself, as verdicts and page take it."""

from reproduction.studies.structured.claims import (
    CLAIMS,
    CRITERIA,
    FIGURE_2,
    OTHER_READINGS,
)
from reproduction.verdicts.criteria import VERDICTS
from reproduction.verdicts.judge import DEFAULT
from reproduction.verdicts.source import Erratum, Reading, Source


def say_headline(readings):
    """Say how many of the paper's claims there are of each verdict."""
    theirs = {claim.id for claim in CLAIMS if claim.by == "source"}
    verdicts = readings[(readings["reading"] == DEFAULT) & readings["id"].isin(theirs)]["verdict"]
    good, half, bad, larger, untested = ((verdicts == verdict).sum() for verdict in VERDICTS)
    told = [
        f"{good} are reproduced",
        *([f"{half} in trend only"] if half else []),
        f"{bad} are not",
    ]
    told += [f"{larger} need a larger run"] if larger else []
    told += [f"{untested} cannot be tested"] if untested else []
    return f"Of them, {', '.join(told[:-1])} and {told[-1]}."


ERRATA = (
    Erratum(
        "Algorithm 1 does not add up as printed",
        "Line 6 has (1 - mu) Z where only rho tau Z makes the weights of the sum those of a mean. "
        "As printed it diverges on a small problem; corrected it comes to the optimum "
        "(tests/condprob/loglinear/test_fista.py).",
    ),
    Erratum(
        "Algorithms 2, 3 and 4 have misprints",
        "In 2 a square floats at the end of the upward pass. 3 compares with the index of the "
        "pivot instead of its value, and lacks the case of a subtree whose sum is below the "
        "threshold. 4 begins its sums without the copies and forgets them in what it takes.",
    ),
    Erratum(
        "Weights that rise with depth cannot be collapsed",
        "The paper collapses weighted penalties of the l-infinity norm. With group weights "
        "alpha^depth that is right for alpha at most one, and wrong above; with feature values "
        "alpha^depth it is wrong for any alpha but one.",
    ),
    Erratum(
        "The normaliser is no bottleneck",
        "It differs from that of the next shorter context in the words seen after it alone, so "
        "that a whole gradient costs the seen pairs.",
    ),
)
READINGS = (
    Reading("alpha", "What alpha weighs",
            "An exponential decrease of weights alpha^m for a feature at depth m; then: feature "
            "weighting.", "Feature values; group weights beside them.",
            "That alpha < 1 cures under-penalised depth says feature values; that the weighted "
            "l-infinity norm still collapses says group weights.", "low", "methods", (FIGURE_2,)),
    Reading("loss", "Sum or mean of the log-loss", "The print sums.", "The sum: a penalty that "
            "was chosen on 30,000 words serves 100,000.", "Eq. (2).", "medium", "", (FIGURE_2,)),
    Reading("choice", "The words that choose a penalty", "30,000 and 10,000 words; of their "
            "preparation nothing.", "They are prepared as a block is: what the first part has once "
            "is unknown, and unknown words are not scored.",
            "With the words of the whole block a tenth of what chooses would be words never seen, "
            "of which the test has none: every penalty came out too large.", "medium",
            "studies: structured: choose", (FIGURE_2,)),
    Reading("root", "Whether the empty context is penalised", "Nothing.", "It is.",
            "Words never seen keep e^0; without a penalty seen words outgrow them.", "medium", "",
            (FIGURE_2,)),
    Reading("text", "The text", "Associated Press News, which is not at hand.",
            "Blocks of Brown; its tags tell proper nouns and numbers.", "Orderings may carry over, "
            "numbers do not.", "low", "studies: structured: corpus", (FIGURE_2,)),
    Reading("kn", "Which Kneser-Ney", "Interpolated, by SRILM.",
            "One discount of 3/4 for all orders; three discounts of each order beside it.",
            "SRILM's default has three.", "low", "methods: kn-text", (FIGURE_2,)),
)  # fmt: skip
SOURCE = Source(
    title="Structured Penalties for Log-linear Language Models",
    byline="Nelakanti, Archambeau, Mairal, Bach and Bouchard, EMNLP 2013, pp. 233\N{EN DASH}243",
    link="https://aclanthology.org/D13-1024/",
    claims=CLAIMS,
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    order=("figure-1", FIGURE_2, "figure-3", "alpha", "path"),
    parts=(
        "Figure 1",
        "Figure 2",
        "Figure 3",
        "Table 1",
        "Proposition",
        "Section",
    ),
    descriptions={
        "figure-1": "A tree of eight weights, collapsed, and after one step of either norm. All of "
        "(d) and five numbers of (c) are legible in the paper.",
        "figure-3": "The paper has the time of a step against the order and against the size, and "
        "in Table 1 the growth of both algorithms: the heap beats random pivots increasingly.",
        FIGURE_2: "Perplexity against the order of the model, for penalties without and with "
        "weights by depth, beside interpolated Kneser-Ney of the same order. In the paper l1 and "
        "squared l2 turn upwards early, the l2-norm of trees is level with Kneser-Ney, and the "
        "l-infinity norm is lowest at order 5.",
    },
    readings=READINGS,
    left_out="The paper says how its text was prepared, but the text is not to be had; it leaves "
    "open what its depth weights multiply, and which Kneser-Ney it used.",
    errata=ERRATA,
    headline=say_headline,
)
