"""What this project claims beyond the paper: of PY-LR, its own estimator.

The four texts and the models had been seen while the estimator was made. Claims next to other
methods, "unbeaten" and the margin of what counts as no effect were fixed on 22 and 23 November
2026, for an earlier estimator by this name. Those on the ways to count tables were written on 26
November for this one, before their first run; the author of the estimator had compared such
variants on training halves. Claims on data that had not been seen are in benchmarks/py_lr.
"""

from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.verdicts.source import Claim

# Nats: whoever is behind by more is beaten; as what does not count as degrading.
NATS_OF_DEFEAT = 0.01
LARGEST_SHARE_BEHIND = 0.05  # of the risk of a method that is told the truth: a goal of the design
NATS_WORTH_NOTHING = 0.001  # nats per word: what an ingredient is worth that is worth nothing
TEXT, OF_MODELS, ABLATION = "Text", "Models", "Ablation"
OURS = "py-lr"
ON_TEXT = ("sb", "wb", "jm", "kn", "kn-modified", "ad-lr", "ad-lr-random")
SCEPTICS = ("kn-ad-lr-learned-gt", "gibbs-rows")
GIVEN_THE_RANK = ("add-half-lr", "ad-lr-random")  # the true rank
OF_THE_PAPER = ("add-half", "ad", "sb", "kn", "naive-add-half-lr", "naive-ad-lr", *GIVEN_THE_RANK)
UNTOLD = ("kn-modified", *SCEPTICS)  # of rivals on models
INGREDIENTS = {
    "py-lr-dirichlet": "Pitman-Yor classes (Dirichlet classes instead)",
    "py-lr-by-tokens": "Good-Turing on the distinct pairs (on the tokens instead)",
    "py-lr-chains-1": "a second chain for each rank",
    "py-lr-unmixed": "the mixture with Kneser-Ney",
    "py-lr-no-novelty": "Good-Turing",
    "py-lr-one-rank": "averaging over chains",
}
MODELS = {
    "beyond-1a": "figure 1(a) with uniform rows",
    "beyond-1a-power-law": "figure 1(a) with power-law rows",
    "beyond-1b": "figure 1(b)",
    "beyond-1c": "figure 1(c)",
    "beyond-map": "the map of ranks and sample sizes",
}
NAMES = {name: name.capitalize() for name in TABLE_1} | {"pydoc": "Python's documentation"}
CORPORA = tuple(NAMES)


def claim(*given, **named):
    """Return a claim of this project's."""
    return Claim(*given, **named, by="project")


def against(*others):
    """Return the pairs of PY-LR with other methods."""
    return [(OURS, other) for other in others]


def unbeaten(id, place, statement, exhibit, others, tolerance=NATS_OF_DEFEAT, **settings):
    """Return that none of other methods is better by more than a margin."""
    return claim(
        id,
        place,
        statement,
        "unbeaten",
        exhibit,
        tolerance=tolerance,
        settings=settings | {"pairs": against(*others)},
    )


def unbeaten_on(exhibit, models):
    """Yield that no method of the paper, and none that is not given the rank, is better."""
    statement = f"On the models of {models}, no method of the paper has a significantly lower KL "
    statement += "risk than PY-LR, although those of low rank are given the true rank."
    yield unbeaten(f"{exhibit}-unbeaten", OF_MODELS, statement, exhibit, OF_THE_PAPER)
    statement = f"On the models of {models}, no competitor that is not given the true rank has a "
    statement += "significantly lower KL risk than PY-LR."
    yield unbeaten(f"{exhibit}-rivals", OF_MODELS, statement, exhibit, UNTOLD)


def near_told(exhibit, models):
    """Return that no method that is told the true rank is ahead by much."""
    statement = f"On the models of {models}, the KL risk of PY-LR is at most "
    statement += f"{LARGEST_SHARE_BEHIND:.0%} above that of each method given the true rank."
    return claim(
        f"{exhibit}-near-told",
        OF_MODELS,
        statement,
        "within-share",
        exhibit,
        tolerance=LARGEST_SHARE_BEHIND,
        settings={"pairs": against(*GIVEN_THE_RANK)},
    )


def _on_text():
    for corpus in CORPORA:
        settings = {"corpus": corpus}
        statement = f"On {NAMES[corpus]}, PY-LR has the lowest cross-entropy of all methods."
        yield claim(
            f"beyond-{corpus}-lowest-of-all",
            TEXT,
            statement,
            "order",
            "beyond-text",
            settings=settings | {"pairs": against(*ON_TEXT)},
        )
        for rival, name in (("kn", "Kneser-Ney"), ("ad-lr", "AD-LR")):
            statement = f"On {NAMES[corpus]}, the cross-entropy of PY-LR is at least 0.1 nats per "
            statement += f"word lower than that of {name}."
            yield claim(
                f"beyond-{corpus}-tenth-{rival}",
                TEXT,
                statement,
                "size",
                "beyond-text",
                0.1,
                settings=settings | {"pairs": against(rival)},
            )
        statement = f"On {NAMES[corpus]}, PY-LR has a lower cross-entropy than Kneser-Ney with "
        statement += "three discounts at every training size."
        yield claim(
            f"beyond-{corpus}-learning",
            TEXT,
            statement,
            "order",
            "beyond-learning-curve",
            settings=settings | {"pairs": against("kn-modified")},
        )


def _on_models():
    for exhibit, models in MODELS.items():
        yield from unbeaten_on(exhibit, models)
    for exhibit in ("beyond-1a", "beyond-1a-power-law"):
        statement = f"On the models of {MODELS[exhibit]}, PY-LR has a lower KL risk than every "
        statement += "method of the paper."
        yield claim(
            f"{exhibit}-lowest-of-all",
            OF_MODELS,
            statement,
            "order",
            exhibit,
            settings={"pairs": against(*OF_THE_PAPER)},
        )
    yield near_told("beyond-map", MODELS["beyond-map"])


def _of_ingredients():
    for without, ingredient in INGREDIENTS.items():
        for corpus in CORPORA:
            statement = f"On {NAMES[corpus]}, the cross-entropy of PY-LR is more than "
            statement += f"{NATS_WORTH_NOTHING:g} nats per word higher without {ingredient}."
            yield claim(
                f"beyond-{corpus}-{without}",
                ABLATION,
                statement,
                "effect",
                "beyond-ablation",
                tolerance=NATS_WORTH_NOTHING,
                settings={"corpus": corpus, "pairs": [(OURS, without)]},
            )


CLAIMS = (*_on_text(), *_on_models(), *_of_ingredients())
