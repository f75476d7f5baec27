"""What this project says of its own estimator, as verdicts and page take it."""

from reproduction.studies.beyond.claims import CLAIMS, PLACE
from reproduction.studies.entries import ENTRIES
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.verdicts.criteria import REPRODUCED
from reproduction.verdicts.source import DEFAULT, OtherReading, Source

# What there is to know of each exhibit, in the order of the page.
DESCRIPTIONS = {
    "beyond-settings": "Not in the paper. PY-LR with other settings. Fitted and scored words are "
    "both of the training half of each text: so the settings were chosen.",
    "beyond-settings-models": "Not in the paper. The same on models, of few pairs to many.",
    "beyond-text": "Not in the paper. PY-LR is this project's own estimator: Pitman-Yor rows "
    "around a mean of low-rank bases; every setting of it comes from the training pairs "
    "(docs/py-lr.md). Beside it stand the methods that a sceptic asks for.",
    "beyond-learning-curve": "Not in the paper. Cross-entropy minus that of Kneser-Ney with three "
    "discounts, by the number of training words.",
    "beyond-rivals": "Not in the paper. What a sceptic would build: Kneser-Ney with the same "
    "Good-Turing rule, and mixed with means of AD-LR by weights of bins; other bases in PY-LR's "
    "rows; power low-rank ensembles.",
    "beyond-1a": "Not in the paper. The methods of the paper are told the rank of the model; PY-LR "
    "and its rivals are not.",
    "beyond-1a-power-law": "Not in the paper. The same with power-law rows.",
    "beyond-1b": "Not in the paper. Much data: a regime in which little is left to gain.",
    "beyond-1c": "Not in the paper. A few dozen pairs over a thousand outcomes.",
    "beyond-map": "Not in the paper. Models of rank 1 to 30 with power-law rows, from one pair a "
    "context to many.",
    "beyond-items": "Not in the paper. Counts that are no words: Add-1/2-LR and AD-LR are told the "
    "true rank, PY-LR and its rivals are not.",
    "beyond-ablation": "Not in the paper. PY-LR without one of its ingredients at a time.",
}

# The paper does not say where AD-LR starts: by default here from clusters.
OTHER_READINGS = (OtherReading("AD-LR from random starts", {"ad-lr": "ad-lr-random"}),)


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
