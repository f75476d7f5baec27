"""The survey itself, as verdicts and page take it."""

from reproduction.studies.survey.parts.every import PARTS
from reproduction.studies.survey.parts.perplexities import STATED as OF_TABLE_1
from reproduction.verdicts.criteria import VERDICTS
from reproduction.verdicts.judge import verdicts_on_source
from reproduction.verdicts.source import Source

CLAIMS = tuple(claim for part in PARTS for claim in part.claims)
CRITERIA = {
    "theory": "Reproduced if every case holds: a case is a number and its bound, which say "
    "themselves what is compared. Low ends are those of 95 % intervals over stretches of test "
    "words.",
}
# What claims call by these names; lists are what held-out words choose from.
STATED = {
    "lsa": {"method": "lsa", "weighting": ["sqrt", "counts", "probability", "ppmi"]},
    "plsa": {"method": "plsa", "temperature": [1, 0.8]},
    "sdr": {"method": "sdr", "ridge": [1, 3]},
}
DESCRIPTIONS = {name: text for part in PARTS for name, text in (part.descriptions or {}).items()}


def say_headline(readings):
    """Say how many of its claims hold."""
    verdicts = verdicts_on_source(readings, CLAIMS)
    good, half, bad, _, untested = ((verdicts == verdict).sum() for verdict in VERDICTS)
    return f"Of them, {good} hold, {half} in trend only, {bad} do not, {untested} cannot be tested."


SOURCE = Source(
    title="A Survey of Dimensionality Reduction Techniques for Natural Language",
    noun="survey",
    byline="John Blitzer, Written Preliminary Examination, University of Pennsylvania",
    link="",
    claims=CLAIMS,
    stated=STATED | OF_TABLE_1,
    criteria=CRITERIA,
    order=tuple(DESCRIPTIONS),
    parts=tuple(f"Section {number}" for number in (1, 3, 4, 5, 6, 7, 8)),
    descriptions=DESCRIPTIONS,
    readings=tuple(reading for part in PARTS for reading in part.readings),
    left_out="A survey names its sources for what a program has to know.",
    errata=tuple(erratum for part in PARTS for erratum in part.errata),
    headline=say_headline,
)
