"""What is claimed of fresh texts; fixed, with its criteria, before any method was run on them.

Texts, claims, margins and methods were committed on 23 November 2026 with or after the last change
of the estimator, and before the first run. The result stands whatever it is.
"""

from reproduction.studies.beyond.claims import MARGIN, OURS
from reproduction.verdicts.source import Claim

PLACE = {"train": "Words of the first half", "text": "Words of the whole text"}
RIVALS = {
    "kn-modified": "Kneser-Ney with three discounts",
    "kn-ad-lr": "Kneser-Ney mixed with AD-LR",
    # As it was committed before the run. Its rank was not learned, but the exhibit's, 50.
    "kn-ad-lr-bins-gt": "Kneser-Ney mixed with means of AD-LR, all learned, and Good-Turing",
}
# Nats per word on average: half of what it had been on the texts that were seen, or less.
LEAST = {"kn-modified": 0.05, "kn-ad-lr": 0.03, "kn-ad-lr-bins-gt": 0.01}


def _claims():
    for vocabulary, place in PLACE.items():
        exhibit, settings = f"fresh-{vocabulary}", {"reading": vocabulary}
        for rival, name in RIVALS.items():
            pairs = {"pairs": [(OURS, rival)]}
            statement = f"On average over the packages PY-LR is {LEAST[rival]:g} nats per word or "
            yield Claim(
                f"{exhibit}-average-{rival}", place, f"{statement}more below {name}.", "average",
                exhibit, LEAST[rival], settings=settings | pairs | {"families": "package"}, by="us",
            )  # fmt: skip
            yield Claim(
                f"{exhibit}-unbeaten-{rival}", place,
                f"On no text is PY-LR beaten by {name} ({MARGIN:g} nats per word).",
                "unbeaten", exhibit, tolerance=MARGIN, settings=settings | pairs, by="us",
            )  # fmt: skip
            yield Claim(
                f"{exhibit}-clear-{rival}", place, f"On every text PY-LR is clearly below {name}.",
                "order", exhibit, settings=settings | pairs, by="us",
            )  # fmt: skip


CLAIMS = tuple(_claims())
