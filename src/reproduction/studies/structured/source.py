"""The second paper itself, as verdicts and page take it; what the page says is in words.toml."""

from reproduction.studies.structured.claims import CLAIMS, CRITERIA, FIGURE_2, OTHER_READINGS
from reproduction.verdicts.criteria import VERDICTS
from reproduction.verdicts.judge import verdicts_on_source
from reproduction.verdicts.source import Source, read_words


def say_headline(readings):
    """Say how many of the paper's claims there are of each verdict."""
    verdicts = verdicts_on_source(readings, CLAIMS)
    good, half, bad, larger, untested = ((verdicts == verdict).sum() for verdict in VERDICTS)
    told = [
        f"{good} are reproduced",
        *([f"{half} in trend only"] if half else []),
        f"{bad} are not",
    ]
    told += [f"{larger} need a larger run"] if larger else []
    told += [f"{untested} cannot be tested"] if untested else []
    return f"Of them, {', '.join(told[:-1])} and {told[-1]}."


SOURCE = Source(
    title="Structured Penalties for Log-linear Language Models",
    byline="Nelakanti, Archambeau, Mairal, Bach and Bouchard, EMNLP 2013, pp. 233\N{EN DASH}243",
    link="https://aclanthology.org/D13-1024/",
    claims=CLAIMS,
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    order=("figure-1", FIGURE_2, "figure-3", "alpha", "path"),
    parts=("Figure 1", "Figure 2", "Figure 3", "Table 1", "Proposition", "Section"),
    headline=say_headline,
    **read_words(__file__),
)
