"""The second paper itself, as verdicts and page take it; what the page says is in words.toml."""

from reproduction.studies.entries import ENTRIES
from reproduction.studies.structured.claims import (
    ALPHAS,
    CLAIMS,
    CRITERIA,
    FIGURE_2,
    NAMES,
    OTHER_READINGS,
)
from reproduction.verdicts.criteria import VERDICTS
from reproduction.verdicts.judge import verdicts_on_source
from reproduction.verdicts.source import Source, read_words

_DISCOUNTS = {"kn-text": "estimated", "kn-text-modified": "modified", "kn-text-fixed": 0.75}
OWN = {  # what its claims call by names of its own
    **{
        name: {"method": "kn", "discount": discount, "continuation": "uniform"}
        for name, discount in _DISCOUNTS.items()
    },
    **{name: {"method": name} for name in NAMES},
    **{f"ll-{name}-w": {"method": f"ll-{name}", "decay": alpha} for name, _, alpha in ALPHAS},
    **{f"{name}-a": {"method": name, "decay": "learned"} for name in ("ll-l2", "ll-treeinf")},
}


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
    stated=ENTRIES | OWN,
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    order=("figure-1", FIGURE_2, "figure-3", "alpha", "path"),
    parts=("Figure 1", "Figure 2", "Figure 3", "Table 1", "Proposition", "Section"),
    headline=say_headline,
    **read_words(__file__),
)
