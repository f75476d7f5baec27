"""The second paper itself, as verdicts and page take it; what the page says is in words.toml."""

from functools import partial

from reproduction.studies.entries import ENTRIES
from reproduction.studies.structured.claims import CLAIMS, CRITERIA, FIGURE_2, OTHER_READINGS
from reproduction.verdicts.judge import say_verdicts
from reproduction.verdicts.source import Source, read_words

SOURCE = Source(
    title="Structured Penalties for Log-linear Language Models",
    byline="Nelakanti, Archambeau, Mairal, Bach and Bouchard, EMNLP 2013, pp. 233\N{EN DASH}243",
    link="https://aclanthology.org/D13-1024/",
    claims=CLAIMS,
    stated=ENTRIES,
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    order=("figure-1", FIGURE_2, "figure-3", "alpha", "path"),
    parts=("Figure 1", "Figure 2", "Figure 3", "Table 1", "Proposition", "Section"),
    headline=partial(say_verdicts, CLAIMS),
    **read_words(__file__),
)
