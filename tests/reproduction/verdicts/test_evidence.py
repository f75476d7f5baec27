import json

import pandas as pd
from made_up_results import claim, text_scores

from reproduction.scores.columns import COLUMNS
from reproduction.verdicts import cases
from reproduction.verdicts.criteria import REPRODUCED, UNTESTED
from reproduction.verdicts.evidence import read_results
from reproduction.verdicts.judge import judge


def test_reads_a_run_in_which_one_corpus_was_missing(tmp_path):
    files = [tmp_path / "tale.csv", tmp_path / "myth.csv"]
    losses = {"good": [5.0] * 9, "bad": [5.1] * 9}
    text_scores(losses).reindex(columns=COLUMNS).to_csv(files[0], index=False)
    pd.DataFrame(columns=COLUMNS).to_csv(files[1], index=False)
    (tmp_path / "tale.json").write_text(json.dumps({"types": 9}))
    (tmp_path / "myth.json").write_text(json.dumps({"reason": "it is lost"}))
    pd.DataFrame(columns=cases.COLUMNS).to_csv(tmp_path / "theory.csv", index=False)
    found = read_results(
        {"made-up": files, "no scores": []},
        {},
        sorted(tmp_path.glob("*.json")),
        tmp_path / "theory.csv",
    )
    assert list(found.scores) == ["made-up"]
    assert found.scores["made-up"]["loss"].dtype == float
    assert found.checks.empty
    order = claim("order", corpus="tale", pairs=[("good", "bad")])
    assert judge(order, found)[0]["verdict"] == REPRODUCED
    why = UNTESTED, "myth could not be had: it is lost"
    lost, _ = judge(claim("order", corpus="myth", pairs=[("good", "bad")]), found)
    assert (lost["verdict"], lost["reason"]) == why
    # What is said of every text is not judged on those that were had.
    everywhere = claim("order", pairs=[("good", "bad")])
    assert judge(everywhere, found)[0]["verdict"] == REPRODUCED
    found = read_results(
        {"made-up": files}, {}, sorted(tmp_path.glob("*.json")), texts={"made-up": ["a/myth.json"]}
    )
    lost, _ = judge(everywhere, found, larger="everything")
    assert (lost["verdict"], lost["reason"]) == why


def test_every_text_missing_is_no_error(tmp_path):
    pd.DataFrame(columns=COLUMNS).to_csv(tmp_path / "myth.csv", index=False)
    (tmp_path / "myth.json").write_text(json.dumps({"reason": "it is lost"}))
    found = read_results({"made-up": [tmp_path / "myth.csv"]}, {}, [tmp_path / "myth.json"])
    assert found.checks.empty  # a scope without a theory
    for test in ("order", "degrades"):
        made_up = claim(test, corpus="myth", pairs=[("a", "b")], methods=("a",))
        row, _ = judge(made_up, found)
        assert (row["verdict"], row["reason"]) == (UNTESTED, "myth could not be had: it is lost")
