"""The paper itself, as verdicts and page take it; most of its words are in words.toml."""

from reproduction.studies.entries import ENTRIES
from reproduction.studies.near_optimal.claims import CLAIMS
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.study import read_words
from reproduction.verdicts.criteria import REPRODUCED, TREND, UNTESTED
from reproduction.verdicts.judge import DEFAULT
from reproduction.verdicts.source import read_source

# What to call the variants of Kneser-Ney, by their names in the config's `methods`.
KNESER_NEY = {
    "kn-nearest": "the one nearest to the printed numbers",
    "kn-uniform": "the textbook's",
    "kn": "the strongest found when the readings were searched",
    "kn-floor": "like the nearest except in contexts never seen",
}
# No claim is judged by the nearest, as it was found by its nearness to the printed numbers.
NEAREST = (
    "Of the variant nearest to the printed numbers it holds: see below that “Kneser-Ney” is not "
    "one method."
)


def say_headline(verdicts):
    """Say in two sentences on how many corpora AD-LR is lowest, and against which Kneser-Ney.

    Nothing where no such claim could be tested; the verdicts are `judge.READING_COLUMNS`.
    """
    tested = verdicts["id"].str.endswith("-lowest") & (verdicts["verdict"] != UNTESTED)
    strongest = verdicts[tested & (verdicts["reading"] == DEFAULT)]["verdict"]
    if strongest.empty:
        return ""
    count = (strongest == REPRODUCED).sum()
    trend = (strongest == TREND).sum()
    text = (
        "That AD-LR has the lowest cross-entropy is reproduced on "
        f"{count} of {strongest.size} corpora against the strongest Kneser-Ney"
    )
    if trend:
        text += f" (in trend only on {trend})"
    others = read_words(__file__)["other_readings"]
    (name,) = (other["name"] for other in others if other["new"] == "kn-uniform")
    textbook = verdicts[tested & (verdicts["reading"] == name)]["verdict"]
    if textbook.size:
        count = (textbook == REPRODUCED).sum()
        text += f", and on {count} of {textbook.size} against the textbook's ({name})"
    return f"{text}. {NEAREST}"


SOURCE = read_source(
    __file__,
    claims=CLAIMS,
    headline=say_headline,
    kneser_ney=KNESER_NEY,
    find_printed=find_printed,
    stated=ENTRIES,
)
