"""What is claimed and said of fresh texts, tables and models.

List, claims, margins and criteria were committed on 26 November 2026, before the estimator was
frozen, and before any method was run on the list. The result stands whatever it is.

A real table has no truth that a method could be told: there the estimator is to be behind nobody.
On drawn models methods of the paper know the true rank, and the estimator may be 5 % behind them.
"""

from reproduction.studies.beyond.claims import MARGIN, OURS
from reproduction.studies.beyond.source import say_headline
from reproduction.studies.entries import ENTRIES
from reproduction.verdicts.source import Claim, Source

PLACE = {"train": "Words of the first half", "text": "Words of the whole text"}
PLACE |= {"table": "Tables", "models": "Drawn models"}
NAMES = {
    "kn-modified": "Kneser-Ney with three discounts",
    # The fair rival: it has the same ingredients around other bases.
    "kn-ad-lr-learned-gt": "Kneser-Ney mixed with AD-LR, all learned, and Good-Turing",
    "gibbs-rows": "Gibbs samples in its rows",
    "class-rows": "random classes in its rows",
}
TOLD = ("add-half-lr", "ad-lr-random")  # the true rank
SHARE_OF_TOLD = 0.05  # of the risk of a method that is told the true rank
CLOSE = 0.005  # nats per word: on the primary vocabulary, to Kneser-Ney
SPREAD = 0.003  # nats per word: standard deviation over random starts


def _claim(*given, **named):
    return Claim(*given, **named, by="us")


def _of_samples():
    """Yield what is claimed of the words of texts, under both readings, and of tables."""
    for reading in ("train", "text", "table"):
        exhibit, place = f"fresh-{reading}", PLACE[reading]
        sample = "table" if reading == "table" else "text"
        for rival, name in NAMES.items():
            close = CLOSE if (reading, rival) == ("train", "kn-modified") else MARGIN
            settings = {"reading": reading, "pairs": [(OURS, rival)]}
            yield _claim(
                f"{exhibit}-average-{rival}", place,
                f"On average over the packages PY-LR is below {name}.", "average", exhibit, 0.0,
                settings=settings | {"families": "package"},
            )  # fmt: skip
            yield _claim(
                f"{exhibit}-behind-{rival}", place,
                f"On no {sample} is PY-LR behind {name} by more than {close:g} nats per word.",
                "never-behind", exhibit, tolerance=close, settings=settings,
            )  # fmt: skip
    yield _claim(
        "fresh-train-seeds", PLACE["train"],
        f"On every text starts of PY-LR differ by no more than {SPREAD:g} nats per word.",
        "spread", "fresh-train", tolerance=SPREAD,
        settings={"reading": "train", "method": OURS},
    )  # fmt: skip


def _of_models():
    exhibit, place = "fresh-models", PLACE["models"]
    yield _claim(
        f"{exhibit}-told", place,
        f"On drawn models PY-LR is never more than {SHARE_OF_TOLD:.0%} behind a method that is "
        "told the true rank.", "within-share", exhibit, tolerance=SHARE_OF_TOLD,
        settings={"pairs": [(OURS, other) for other in TOLD]},
    )  # fmt: skip
    yield _claim(
        f"{exhibit}-untold", place,
        "On drawn models no method is clearly better that is not told the true rank.",
        "unbeaten", exhibit, tolerance=MARGIN,
        settings={"pairs": [(OURS, other) for other in NAMES]},
    )  # fmt: skip


_SEEN = (
    "Not in the paper. Texts of Debian's packages that nobody had looked at when the estimator was "
    "finished; translations of one manual depend on each other, and are one package. "
)
DESCRIPTIONS = {
    "fresh-train": _SEEN + "The words are those that the first half has at least twice; all others "
    "are one more word, the unknown, which is scored as any other.",
    "fresh-text": _SEEN + "The words are those of the whole text, as the paper's sizes have it: "
    "each method knows how many words there are that it has never seen.",
    "fresh-table": "Not in the paper. Tables of Debian's packages that are no texts: half of the "
    "pairs, shuffled, are fitted, and the other half is scored.",
    "fresh-models": "Not in the paper. Models from seeds of their own; Add-1/2-LR and AD-LR are "
    "told the true rank.",
}

SOURCE = Source(
    title="Frozen, then tried",
    byline="PY-LR on texts that nobody had looked at: its claims came before the first run",
    link="",
    claims=(*_of_samples(), *_of_models()),
    stated=ENTRIES,
    order=tuple(DESCRIPTIONS),
    parts=tuple(PLACE.values()),
    descriptions=DESCRIPTIONS,
    headline=say_headline,
    is_paper=False,
)
