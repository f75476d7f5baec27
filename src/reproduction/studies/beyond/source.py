"""What this project says of its own estimator, as verdicts and page take it."""

from reproduction.studies.beyond.claims import CLAIMS, PLACE
from reproduction.studies.entries import ENTRIES
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.verdicts.criteria import REPRODUCED
from reproduction.verdicts.judge import DEFAULT
from reproduction.verdicts.source import OtherReading, Source

# What there is to know of each exhibit.
DESCRIPTIONS = {
    "beyond-text": "Not in the paper. PY-LR is this project's own estimator: Pitman-Yor rows "
    "around a mean of low-rank bases; every setting of it comes from the training pairs "
    "(docs/py-lr.md). Beside it stand the methods that a sceptic asks for.",
    "beyond-ablation": "Not in the paper. PY-LR without one of its ingredients at a time.",
    "beyond-learning-curve": "Not in the paper. Cross-entropy minus that of Kneser-Ney with three "
    "discounts, by the number of training words.",
    "beyond-2c": "Not in the paper. AD-LR from the same random starts, by EM and with one token of "
    "each pair left out of the soft counts.",
    "beyond-1a": "Not in the paper. The methods of the paper are told the rank of the model; PY-LR "
    "is not.",
    "beyond-1a-power-law": "Not in the paper. The same with power-law rows.",
    "beyond-1b": "Not in the paper. Much data: a regime in which little is left to gain.",
    "beyond-1c": "Not in the paper. A few dozen pairs over a thousand outcomes: nothing is left "
    "when a pair is left out, and PY-LR takes AD-LR for its base.",
    "beyond-k-over-m": "Not in the paper. As in the exhibit on the factor k/m, with fewer pairs.",
    "beyond-added": "Not in the paper. Kneser-Ney gets three discounts, Good-Turing, a low-rank "
    "part and learned settings, one after the other; then PY-LR, without Good-Turing and with it.",
    "beyond-seeds": "Not in the paper. How much of PY-LR's cross-entropy is chance: 20 seeds.",
    "beyond-1c-400": "Not in the paper. The models of figure 1(c) with enough trials to tell .01.",
    "beyond-items": "Not in the paper. Counts that are no words: Add-1/2-LR and AD-LR are told the "
    "true rank, PY-LR is not.",
    "beyond-items-wide": "Not in the paper. 5,000 users, each of a few classes, and 800 items. "
    "Add-1/2-LR and AD-LR are told the true rank, or given 10 or 30 in its place.",
    "beyond-rivals": "Not in the paper. What a sceptic would build: Kneser-Ney with the same "
    "Good-Turing rule, and mixed with means of AD-LR by weights of bins; other bases in PY-LR's "
    "rows; power low-rank ensembles.",
    "beyond-rivals-learning": "Not in the paper. The same by the number of training words.",
    "beyond-rivals-models": "Not in the paper. The same on models of low rank.",
    "beyond-rivals-uniform": "Not in the paper. The same where rows of B are uniform.",
    "beyond-rivals-1b": "Not in the paper. The same on models of figure 1(b).",
    "beyond-rivals-1c": "Not in the paper. The same on models of figure 1(c): a handful of pairs.",
    "beyond-rivals-map": "Not in the paper. The same on the models of the map.",
    "beyond-bilinear": "Not in the paper. A log-bilinear bigram, its rank and ridge chosen on "
    "quarters of the training pairs, in PY-LR's rows: the nearest to a neural model, and slow.",
    "beyond-map": "Not in the paper. Models of rank 1 to 30 with power-law rows, from one pair a "
    "context to many.",
}

# The paper does not say where AD-LR starts: by default here from clusters.
OTHER_READINGS = (
    OtherReading("AD-LR from random starts", ("pairs",), "ad-lr", "ad-lr-random"),
    OtherReading("400 trials", ("exhibit",), "beyond-1c", "beyond-1c-400"),
)


def say_headline(verdicts):
    """Say how many of our claims are borne out."""
    own = verdicts[verdicts["reading"] == DEFAULT]["verdict"]
    return f"Of them, {(own == REPRODUCED).sum()} are borne out by this run."


SOURCE = Source(
    title="Beyond the paper",
    byline="PY-LR, this project's own estimator: what we claim of it, judged as what others claim",
    link="",
    claims=CLAIMS,
    stated=ENTRIES,
    other_readings=OTHER_READINGS,
    order=tuple(DESCRIPTIONS),
    parts=tuple(PLACE.values()),
    descriptions=DESCRIPTIONS,
    headline=say_headline,
    find_printed=find_printed,
    is_paper=False,
)
