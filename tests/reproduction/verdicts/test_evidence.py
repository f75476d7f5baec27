import json

import pandas as pd
from made_up_results import claim, text_scores

from reproduction.scores.columns import TEXT_COLUMNS
from reproduction.studies.near_optimal.theorems import CHECK_COLUMNS
from reproduction.verdicts.criteria import REPRODUCED, UNTESTED
from reproduction.verdicts.evidence import read_results
from reproduction.verdicts.judge import judge


def test_reads_a_run_in_which_one_corpus_was_missing(tmp_path):
    folder = tmp_path / "scores" / "made-up"
    folder.mkdir(parents=True)
    text_scores({"good": [5.0] * 9, "bad": [5.1] * 9}).to_csv(folder / "tale.csv", index=False)
    pd.DataFrame(columns=TEXT_COLUMNS).to_csv(folder / "myth.csv", index=False)
    (tmp_path / "tale.json").write_text(json.dumps({"types": 9}))
    (tmp_path / "myth.json").write_text(json.dumps({"reason": "it is lost"}))
    pd.DataFrame(columns=CHECK_COLUMNS).to_csv(tmp_path / "theorems.csv", index=False)
    found = read_results(
        sorted(folder.iterdir()), [], sorted(tmp_path.glob("*.json")), tmp_path / "theorems.csv"
    )
    assert found.scores["made-up"]["loss"].dtype == float
    order = claim("order", corpus="tale", pairs=[("good", "bad")])
    assert judge(order, found)[0]["verdict"] == REPRODUCED
    lost, _ = judge(claim("order", corpus="myth", pairs=[("good", "bad")]), found)
    assert (lost["verdict"], lost["reason"]) == (UNTESTED, "myth could not be had: it is lost")
