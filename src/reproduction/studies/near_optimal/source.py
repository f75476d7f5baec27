"""The paper itself, as verdicts and page take it; most of its words are in words.toml."""

from dataclasses import replace

from reproduction.studies.near_optimal.printed import STATED, TABLE_1, find_printed
from reproduction.studies.theory.source import OTHER_SETTINGS, claims_of
from reproduction.study import read_words
from reproduction.verdicts.criteria import NOT_RUN, REPRODUCED, UNTESTED
from reproduction.verdicts.judge import say_verdicts, verdicts_on_source
from reproduction.verdicts.source import Claim, make_claim, read_source

# Corpora whose words, split, vocabulary and unseen rows were chosen by the printed numbers of the
# methods that no setting touches.
SEARCHED = ("genesis", "brown")
LABELS = {"add-half": "Add-1/2", "ad": "AD", "sb": "SB", "kn": "KN", "ad-lr": "AD-LR"}
# What to call the variants of Kneser-Ney, by their names in the config's `methods`.
KNESER_NEY = {
    "kn-nearest": "the best match to the published numbers",
    "kn-uniform": "the textbook's",
    "kn": "interpolated, the lowest when the settings were searched",
    "kn-floor": "like the best match except in unseen contexts",
}


def say_headline(verdicts):
    """Say where AD-LR is lowest under each setting, and how many claims of each kind hold.

    The verdicts are `judge.SETTING_COLUMNS`.
    """
    tested = verdicts["id"].isin([claim.id for claim in SOURCE.claims if claim.headline])
    tested &= ~verdicts["verdict"].isin((UNTESTED, NOT_RUN))
    counts = []
    for name in SOURCE.judged_under:
        found = verdicts[tested & (verdicts["setting"] == name)]["verdict"]
        if found.size:
            unit = "" if counts else " corpora"
            counts.append(f"{(found == REPRODUCED).sum()} of {found.size}{unit} ({name})")
    text = say_verdicts(SOURCE, verdicts)
    where = f"AD-LR is significantly better than all others on {', on '.join(counts)}. "
    return (where if counts else "") + text + _say_searched(verdicts)


def _say_searched(verdicts):
    """Say of how many numbers that hold under every setting the protocol was searched for."""
    cells = [claim for claim in SOURCE.claims if claim.test == "cell"]
    searched = [claim.id for claim in cells if claim.settings.get("searched")]
    found = verdicts_on_source(verdicts, SOURCE).reindex(searched)
    held = (found == REPRODUCED).all(axis=1).sum()
    if not held:
        return ""
    return (
        f" The protocol behind {held} numbers (Add-1/2, AD and SB on Genesis and Brown) was "
        "chosen to match them."
    )


def claim_cells():
    """Yield the claims on the cells of Table 1, made of its numbers; others are in words.toml."""
    orders = (
        (
            "lowest",
            "Table 1, Section 7",
            "AD-LR has the lowest test cross-entropy of all methods in Table 1.",
            [("ad-lr", other) for other in ("kn", "sb", "ad", "add-half")],
        ),
        (
            "order",
            "Table 1",
            "Kneser-Ney has a lower test cross-entropy than stupid backoff, stupid backoff than "
            "AD, and AD than Add-1/2 (Table 1).",
            [("kn", "sb"), ("sb", "ad"), ("ad", "add-half")],
        ),
    )
    for name, place, statement, pairs in orders:
        for corpus in TABLE_1:
            settings = {"corpus": corpus, "rank": 50, "pairs": pairs}
            id, of_corpus = f"table-1-{corpus}-{name}", f"On {corpus.capitalize()}, {statement}"
            lowest = name == "lowest"
            yield Claim(
                id, place, of_corpus, "order", "table-1", settings=settings, headline=lowest
            )
    for corpus, row in TABLE_1.items():
        for method, value in row.items():
            settings = {"corpus": corpus, "method": method}
            if corpus in SEARCHED and method in ("add-half", "ad", "sb"):
                settings["searched"] = "the protocol was chosen to match this number"
            if method == "ad-lr":
                settings["rank"] = 50
            statement = (
                f"The test cross-entropy of {LABELS[method]} on {corpus.capitalize()} is {value} "
            )
            statement += "nats per word (Table 1)."
            id = f"table-1-{corpus}-{method}"
            yield Claim(id, "Table 1", statement, "cell", "table-1", value, 0.01, settings)


_PAPER = read_source(
    __file__,
    claims=(
        *claim_cells(),
        *map(make_claim, read_words(__file__)["claims"]),
        *claims_of("small"),
    ),
    headline=say_headline,
    kneser_ney=KNESER_NEY,
    find_printed=find_printed,
    stated=STATED,
)
SOURCE = replace(_PAPER, other_settings=(*_PAPER.other_settings, *OTHER_SETTINGS))
