"""What this project claims of PY-LR, its own estimator, on data beyond the study `beyond`.

The texts and tables of the list ``fresh`` had not been seen. Its list, claims, margins and criteria
were committed on 27 November 2026, before the estimator was frozen, and before any method was run
on the list. The result stands whatever it is: a mended estimator has a new list. The list of 26
November, ``seen``, has been seen since, and has no claims. A real table has no truth that a method
could be told: there the estimator is to be behind nobody.

Claims on settings were written on 26 November, before their first run.
"""

from reproduction.studies.beyond.claims import (
    CORPORA,
    NAMES,
    NATS_OF_DEFEAT,
    OURS,
    SCEPTICS,
    against,
    claim,
    near_told,
    unbeaten,
    unbeaten_on,
)

GAIN_OF_OTHER_SETTINGS = 0.005  # nats per word: what another setting may gain on a training half
SPREAD_OF_STARTS = 0.005  # nats per word or pair: standard deviation over random starts
PLACE = {
    "fresh-train": "Words of the first half",
    "fresh-text": "Words of the whole text",
    "fresh-table": "Tables",
    "settings": "Settings",
    "rivals": "Rivals",
}
ON_MODELS = (
    "smallest-2",
    "smallest-10",
    "largest-17",
    "largest-68",
    "chains-1",
    "chains-8",
    "sweeps-100",
    "sweeps-400",
)
SETTINGS_ON_MODELS = tuple(f"{OURS}-{name}" for name in ON_MODELS)
SETTINGS = (*SETTINGS_ON_MODELS, "py-lr-chains-2", "py-lr-chains-4")
ITEMS = "600 users and 600 items"
RIVALS = {  # of fresh texts and tables
    "kn": "Kneser-Ney",
    "kn-modified": "Kneser-Ney with three discounts",
    # The fair rival: it has the same ingredients around other bases.
    "kn-ad-lr-learned-gt": "Kneser-Ney mixed with AD-LR, all learned, and Good-Turing",
    "gibbs-rows": "Gibbs samples in its rows",
}


def _of_settings():
    for corpus in CORPORA:
        statement = f"On halves of the training words of {NAMES[corpus]}, halving or doubling a "
        statement += f"setting of PY-LR gains at most {GAIN_OF_OTHER_SETTINGS:g} nats per word."
        yield unbeaten(
            f"beyond-{corpus}-settings",
            PLACE["settings"],
            statement,
            "beyond-settings",
            SETTINGS,
            GAIN_OF_OTHER_SETTINGS,
            corpus=corpus,
        )
    statement = "On models of rank 5, halving or doubling a setting does not significantly lower "
    statement += "the KL risk of PY-LR."
    name = "beyond-settings-models"
    yield unbeaten(name, PLACE["settings"], statement, name, SETTINGS_ON_MODELS)


def _of_rivals():
    for corpus in CORPORA:
        yield claim(
            f"beyond-{corpus}-lowest-of-rivals",
            PLACE["rivals"],
            f"On {NAMES[corpus]}, PY-LR has a lower cross-entropy than Kneser-Ney with three "
            "discounts, Kneser-Ney mixed with AD-LR, and Gibbs samples in its rows.",
            "order",
            "beyond-rivals",
            settings={"corpus": corpus, "pairs": against("kn-modified", *SCEPTICS)},
        )
    yield from unbeaten_on("beyond-items", ITEMS)
    yield near_told("beyond-items", ITEMS)


def _on_fresh_samples():
    """Yield what is claimed of the words of texts, with both vocabularies, and of tables."""
    for reading in ("train", "text", "table"):
        exhibit = f"fresh-{reading}"
        sample = "table" if reading == "table" else "text"
        for rival, name in RIVALS.items():
            settings = {"setting": reading, "pairs": against(rival)}
            yield claim(
                f"{exhibit}-average-{rival}",
                PLACE[exhibit],
                f"Averaged over package families, PY-LR has a lower cross-entropy than {name} on "
                f"{sample}s ({PLACE[exhibit].lower()}).",
                "average",
                exhibit,
                0.0,
                settings=settings | {"families": "package"},
            )
            yield claim(
                f"{exhibit}-behind-{rival}",
                PLACE[exhibit],
                f"On no {sample} is the cross-entropy of PY-LR more than {NATS_OF_DEFEAT:g} nats "
                f"above that of {name} ({PLACE[exhibit].lower()}).",
                "unbeaten",
                exhibit,
                tolerance=NATS_OF_DEFEAT,
                settings=settings,
            )
        if reading != "text":  # there PY-LR has one start
            yield claim(
                f"{exhibit}-seeds",
                PLACE[exhibit],
                f"On every {sample}, the cross-entropy of PY-LR varies between random seeds by a "
                f"standard deviation of at most {SPREAD_OF_STARTS:g} nats.",
                "spread",
                exhibit,
                tolerance=SPREAD_OF_STARTS,
                settings={"setting": reading, "method": OURS},
            )


CLAIMS = (*_of_settings(), *_of_rivals(), *_on_fresh_samples())
