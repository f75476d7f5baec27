"""A made-up paper is a `Source` like any other: the same code judges its claims and shows them."""

import numpy as np
import pandas as pd
from made_up_page import describe_target
from made_up_results import RECEIPT, results, text_scores

from reproduction.exhibits.tables import compare_with_paper, summarise_text
from reproduction.page.material import PageMaterial
from reproduction.page.report import write_page
from reproduction.study import Study
from reproduction.verdicts.cases import make_case
from reproduction.verdicts.criteria import FAILED, REPRODUCED
from reproduction.verdicts.judge import judge_claims
from reproduction.verdicts.source import Claim, Erratum, Interpretation, Setting, Source

METHODS = {
    "kn": {"method": "kn", "label": "Kneser and Ney"},
    "sb": {"method": "sb", "label": "Stupid <backoff>"},
    "sb-strong": {"method": "sb", "label": "Stronger backoff", "weight": 0.6},
}
CONFIG = {"results": "results", "methods": METHODS}
ENTRY = {"kind": "table", "title": "Table 9: a tale", "methods": [*METHODS]}
TARGET = Study("tales", {"made-up": ENTRY}, {}, title="Tales", question="Is it so?")
SOURCE = Source(
    title="On Tales",
    byline="Somebody, 1999",
    link="https://example.org/tales",
    claims=(
        Claim(
            "tale-kn",
            "Table 9",
            "KN on tale: 5.5.",
            "cell",
            "made-up",
            5.5,
            0.2,
            {"corpus": "tale", "method": "kn"},
        ),
        Claim(
            "tale-order",
            "Section 4",
            "SB beats KN.",
            "order",
            "made-up",
            settings={"corpus": "tale", "pairs": [("sb", "kn")]},
        ),
        Claim(
            "tale-law",
            "Section 5",
            "Nothing is below zero.",
            "theory",
            "theorems",
            settings={"check": "tale-law"},
            kind="theory",
        ),
        Claim(
            "tale-ours",
            "Section 4",
            "KN beats SB.",
            "order",
            "made-up",
            settings={"corpus": "tale", "pairs": [("kn", "sb")]},
            by="project",
        ),
    ),
    other_settings=(Setting("a stronger SB", {"sb": "sb-strong"}, keys=("pairs",)),),
    order=("made-up",),
    descriptions={"made-up": "Two methods on a tale."},
    interpretations=(
        Interpretation("w", "Words", "Nothing.", "Letters.", "None.", "low", "", ("made-up",)),
    ),
    left_out="The paper leaves everything out.",
    errata=(
        Erratum("SB does not beat KN", "It does not here.", ("tale-order",)),
        Erratum("Told in any case", "It is only a slip."),
        Erratum("Not while one holds", "KN is as printed.", ("tale-order", "tale-kn")),
        Erratum("Not of a claim that is ours", "It is not judged as the paper's.", ("tale-ours",)),
        Erratum("Not of a claim that is gone", "Nobody judged it.", ("tale-gone",)),
    ),
    headline=lambda verdicts: f"{(verdicts['verdict'] == REPRODUCED).sum()} verdicts are good.",
)


def made_up_run():
    """KN is better than SB by 0.2 everywhere, and worse than the stronger SB by 0.1."""
    losses = {"kn": np.full(9, 5.6), "sb": np.full(9, 5.8), "sb-strong": np.full(9, 5.5)}
    scores = text_scores(losses)
    table = summarise_text(scores)
    table = compare_with_paper(table, METHODS, lambda corpus, entry, rank, n: 5.5)
    found = results(scores, table)
    found.receipts = {"tale": RECEIPT | {"sha256": "0" * 64, "source": "here", "check": "pinned"}}
    found.checks = pd.DataFrame([make_case("tale-law", "at one", -1, 0)])
    return found


def test_it_is_judged():
    claims, evidence, settings = judge_claims(made_up_run(), SOURCE)
    assert claims["verdict"].tolist() == [REPRODUCED, FAILED, REPRODUCED, REPRODUCED]
    assert claims["by"].tolist() == ["source", "source", "source", "project"]
    assert claims["criterion"][0].startswith("Reproduced within 0.2 of the published number")
    assert settings[["setting", "verdict"]].to_numpy().tolist() == [
        ["default", REPRODUCED],
        ["default", FAILED],
        ["a stronger SB", REPRODUCED],
        ["default", REPRODUCED],
        ["default", REPRODUCED],
        ["a stronger SB", FAILED],
    ]
    assert set(evidence["id"]) == {claim.id for claim in SOURCE.claims}


def test_it_is_shown():
    run = made_up_run()
    claims, _, settings = judge_claims(run, SOURCE)
    target = describe_target(TARGET)
    page = write_page(PageMaterial(target, SOURCE, CONFIG, run, claims, settings))
    words = " ".join(page.split())
    for text in (
        *("On Tales", "Somebody, 1999", "https://example.org/tales", "4 verdicts are good."),
        *("Two methods on a tale.", "The paper leaves everything out.", "Letters."),
        *(
            "SB does not beat KN",
            "Told in any case",
            'id="claim-tale-order"',
        ),
        "Weakest margin: Kneser and Ney minus Stupid &lt;backoff&gt;.",
        "a stronger SB:",
        *(
            '<tr id="claim-tale-ours"',
            'id="check-tale-law"',
        ),
        *("results/tales/claims.csv", "results/tales/theory.csv", "snakemake -j8 tales"),
    ):
        assert text in words
    assert "Not while" not in words
    assert "Not of a claim" not in words
    for text in ("Falahatgar", "AD-LR", "genesis:", "Figure 1"):
        assert text not in words
