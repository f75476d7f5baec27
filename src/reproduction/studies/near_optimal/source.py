"""The paper itself, as verdicts and page take it; what the page says of it is in words.toml."""

from reproduction.studies.entries import ENTRIES
from reproduction.studies.near_optimal.claims import CLAIMS, CRITERIA, OTHER_READINGS
from reproduction.studies.near_optimal.findings import KNESER_NEY, say_headline
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.verdicts.source import Source, read_words

SOURCE = Source(
    title="Near-Optimal Smoothing of Structured Conditional Probability Matrices",
    byline="Falahatgar, Ohannessian and Orlitsky, NIPS 2016, pp. 4860\N{EN DASH}4868",
    link="https://proceedings.neurips.cc/paper_files/paper/2016/hash/"
    "8bdb5058376143fa358981954e7626b8-Abstract.html",
    claims=CLAIMS,
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    # Exhibits that the paper does not have come after these.
    order=(
        *("figure-1a", "figure-1a-power-law", "figure-1b", "figure-1c", "table-1"),
        *("figure-2a", "figure-2b", "figure-2c", "factor-k-over-m"),
    ),
    parts=("Figure 1", "Figure 2", "Table 1"),
    headline=say_headline,
    kneser_ney=KNESER_NEY,
    find_printed=find_printed,
    stated=ENTRIES,
    **read_words(__file__),
)
