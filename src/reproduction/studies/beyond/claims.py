"""What this project claims beyond the paper: of PY-LR, its own estimator.

Claims were fixed on 22 November 2026, before the first full run. The four texts and the models had
been seen while the estimator was made, and so had the texts of the study of readings: only those
of the study `fresh` had not. What "unbeaten" means, and what counts as no effect, was fixed on
23 November, when results of an earlier estimator were known: stricter than before. Claims beside
the rivals that a sceptic would build, which `beyond_full` judges, were fixed on that day before its
first run; two seeds on training halves (570a500:benchmarks/rivals.csv) were known. That of figure
1(c) with 400 trials was written down after its run, which shows it failing.

Three groups were written on 24 November, after looking: that the map's models leave PY-LR unbeaten
(its losses, of up to 7.5 %, were known); that it is never more than 8 % behind, which was a goal of
the design; and those on the wide matrix, of whose kind one had been found that breaks both.
Rivals that claims of "every other method" lacked came in on 25 November: SB, the naive methods,
those with a token left out of the soft counts, and on texts KN with Good-Turing. On a text the
naive ones take a minute a fit; the survey's table has them.
"""

from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.verdicts.source import Claim

MARGIN = 0.01  # nats: whoever is behind by more is beaten; as what does not count as degrading
BEHIND = 0.08  # of the risk of a method that is told the truth: a goal of the design
NONE = 0.001  # nats per word: what an ingredient is worth that is worth nothing
PLACE = {"text": "Text", "models": "Models", "ablation": "Ablation", "rivals": "Rivals"}
OURS = "py-lr"
ON_TEXT = ("sb", "wb", "jm", "kn", "kn-modified", "kn-gt", "hpy", "ad-lr", "ad-lr-random")
ON_TEXT += ("ad-lr-loo", "ad-lr-mean", "kn-ad-lr")
ON_MODELS = ("add-half", "ad", "sb", "kn", "naive-add-half-lr", "naive-ad-lr", "add-half-lr")
ON_MODELS += ("add-half-lr-loo", "ad-lr-random", "ad-lr-loo")
ON_THE_MAP = ("kn-modified", "jm")  # and not elsewhere
GIVEN_THE_RANK = ("add-half-lr", "add-half-lr-loo", "ad-lr-random")  # the true rank
WIDE_UNTOLD = ("kn-modified", "add-half-lr-loo-10", "add-half-lr-loo-30", "kn-ad-lr-learned")
SCEPTICS = ("kn-modified", "kn-gt", "kn-ad-lr", "kn-ad-lr-learned", "kn-ad-lr-learned-gt")
SCEPTICS += ("gibbs-rows", "aggregate-rows", "class-rows", "plre")
MODELS_OF_RIVALS = {
    "beyond-rivals-models": "figure 1(a) with power-law rows",
    # Fixed on 25 November 2026, before these were run.
    "beyond-rivals-uniform": "figure 1(a) with uniform rows",
    "beyond-rivals-1b": "figure 1(b)",
    "beyond-rivals-1c": "figure 1(c)",
    "beyond-rivals-map": "the map",
}
INGREDIENTS = {
    "py-lr-no-strength": "a strength",
    "py-lr-no-novelty": "Good-Turing on the distinct pairs",
    "py-lr-one-rank": "averaging over ranks",
}
MODELS = {
    "beyond-1a": "figure 1(a) with uniform rows",
    "beyond-1a-power-law": "figure 1(a) with power-law rows",
    "beyond-1b": "figure 1(b)",
    "beyond-1c": "figure 1(c)",
    "beyond-1c-400": "figure 1(c), in 400 trials,",
    "beyond-k-over-m": "the factor k/m",
    "beyond-map": "the map",
}
NEVER_FAR_BEHIND = {
    "beyond-map": "the models of the map",
    "beyond-items": "600 users and 600 items of low rank",
    "beyond-items-wide": "5,000 users and 800 items of low rank",
}


def _claim(*given, **named):
    return Claim(*given, **named, by="us")


def _against(*others):
    return [(OURS, other) for other in others]


def _on_text():
    for corpus in (*TABLE_1, "pydoc"):
        settings = {"corpus": corpus}
        statement = f"On {corpus} PY-LR has a lower cross-entropy than every other method."
        yield _claim(
            f"beyond-{corpus}-lowest-of-all", PLACE["text"], statement, "order", "beyond-text",
            settings=settings | {"pairs": _against(*ON_TEXT)},
        )  # fmt: skip
        for rival, name in (("kn", "KN"), ("ad-lr", "AD-LR")):
            statement = f"On {corpus} PY-LR is at least 0.1 nats per word below {name}."
            yield _claim(
                f"beyond-{corpus}-tenth-{rival}", PLACE["text"], statement, "at-least",
                "beyond-text", 0.1,
                settings=settings | {"pairs": _against(rival)},
            )  # fmt: skip
        statement = f"On {corpus} PY-LR is below KN with three discounts, at every training size."
        yield _claim(
            f"beyond-{corpus}-learning", PLACE["text"], statement, "order", "beyond-learning-curve",
            settings=settings | {"pairs": _against("kn-modified")},
        )  # fmt: skip


def _on_models():
    for exhibit, models in MODELS.items():
        rivals = ON_MODELS + (ON_THE_MAP if exhibit == "beyond-map" else ())
        statement = f"On the models of {models} no other method is clearly better than PY-LR, "
        statement += "though those of low rank are given the rank."
        yield _claim(
            f"{exhibit}-unbeaten", PLACE["models"], statement, "unbeaten", exhibit,
            tolerance=MARGIN, settings={"pairs": _against(*rivals)},
        )  # fmt: skip
    for exhibit in ("beyond-1a", "beyond-1a-power-law"):
        statement = f"On the models of {MODELS[exhibit]} PY-LR is below all other methods."
        yield _claim(
            f"{exhibit}-lowest-of-all", PLACE["models"], statement, "order", exhibit,
            settings={"pairs": _against(*ON_MODELS)},
        )  # fmt: skip


def _ingredients():
    for without, ingredient in INGREDIENTS.items():
        for corpus in (*TABLE_1, "pydoc"):
            statement = f"On {corpus} PY-LR owes some of its lead to {ingredient}."
            yield _claim(
                f"beyond-{corpus}-{without}", PLACE["ablation"], statement, "effect",
                "beyond-ablation", tolerance=NONE,
                settings={"corpus": corpus, "pairs": [(OURS, without)]},
            )  # fmt: skip


def _beside_rivals():
    for corpus in (*TABLE_1, "pydoc"):
        settings = {"corpus": corpus, "pairs": _against(*SCEPTICS)}
        statement = f"On {corpus} PY-LR is below every rival that a sceptic would build."
        yield _claim(
            f"beyond-{corpus}-lowest-of-rivals", PLACE["rivals"], statement, "order",
            "beyond-rivals", settings=settings,
        )  # fmt: skip
        statement = f"On {corpus} no such rival is clearly better, at any training size."
        yield _claim(
            f"beyond-{corpus}-rivals-learning", PLACE["rivals"], statement, "unbeaten",
            "beyond-rivals-learning", tolerance=MARGIN, settings=settings,
        )  # fmt: skip
        statement = f"On {corpus} PY-LR is below a log-bilinear base in its own rows."
        yield _claim(
            f"beyond-{corpus}-bilinear", PLACE["rivals"], statement, "order", "beyond-bilinear",
            settings=settings | {"pairs": _against("bilinear-rows")},
        )  # fmt: skip
    for exhibit, models in MODELS_OF_RIVALS.items():
        statement = f"On the models of {models} no such rival is clearly better."
        yield _claim(
            f"{exhibit}-unbeaten", PLACE["rivals"], statement, "unbeaten", exhibit,
            tolerance=MARGIN, settings={"pairs": _against(*SCEPTICS)},
        )  # fmt: skip
    statement = "On users and items of low rank no method is clearly better than PY-LR, though "
    statement += "those of the paper are told the rank."
    others = ("kn-modified", "add-half-lr", "add-half-lr-loo", "ad-lr-random")
    yield _claim(
        "beyond-items-unbeaten", PLACE["rivals"], statement, "unbeaten", "beyond-items",
        tolerance=MARGIN, settings={"pairs": _against(*others)},
    )  # fmt: skip


def _off_text():
    for exhibit, models in NEVER_FAR_BEHIND.items():
        statement = f"On {models} PY-LR is never more than {BEHIND:.0%} behind a method that is "
        statement += "told the true rank."
        yield _claim(
            f"{exhibit}-near-told", PLACE["models"], statement, "within-share", exhibit,
            tolerance=BEHIND, settings={"pairs": _against(*GIVEN_THE_RANK)},
        )  # fmt: skip
    statement = "On 5,000 users and 800 items of low rank no method is clearly better that is not "
    statement += "told the true rank, though some guess one."
    yield _claim(
        "beyond-items-wide-unbeaten-by-untold", PLACE["rivals"], statement, "unbeaten",
        "beyond-items-wide", tolerance=MARGIN, settings={"pairs": _against(*WIDE_UNTOLD)},
    )  # fmt: skip


CLAIMS = (*_on_text(), *_on_models(), *_ingredients(), *_beside_rivals(), *_off_text())
