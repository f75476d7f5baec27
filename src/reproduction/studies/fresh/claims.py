"""What is claimed of fresh texts, tables and models; fixed before any method was run on them.

List, claims, margins and criteria were committed on 26 November 2026, before the estimator was
frozen, and before any score of these texts. The result stands whatever it is.

A real table has no truth that a method could be told: there the estimator is to be behind nobody.
On drawn models methods of the paper know the true rank, and the estimator may be 5 % behind them.
"""

from reproduction.studies.beyond.claims import MARGIN, OURS
from reproduction.verdicts.source import Claim

PLACE = {"train": "Words of the first half", "text": "Words of the whole text"}
PLACE |= {"table": "Tables", "models": "Drawn models"}
BEFORE = "py-lr-before"
NAMES = {
    "kn-modified": "Kneser-Ney with three discounts",
    # The fair rival: it has the same ingredients around other bases.
    "kn-ad-lr-learned-gt": "Kneser-Ney mixed with AD-LR, all learned, and Good-Turing",
    "gibbs-rows": "Gibbs samples in its rows",
    "class-rows": "random classes in its rows",
    BEFORE: "PY-LR as it was before",
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


CLAIMS = (*_of_samples(), *_of_models())
