"""Claims of a source, judged by a run that is read from files: rows, settings, missing results."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_up_results import claim, results, text_scores, trial_scores, verdict
from own_config import own_config

from reproduction.scores.columns import COLUMNS
from reproduction.studies import STUDIES
from reproduction.studies.near_optimal.source import SOURCE
from reproduction.study import source_of
from reproduction.verdicts import cases
from reproduction.verdicts.criteria import (
    CRITERIA,
    FAILED,
    KINDS,
    NOT_RUN,
    REPRODUCED,
    TRIVIAL,
    UNTESTED,
    kind_of,
)
from reproduction.verdicts.evidence import read_results
from reproduction.verdicts.judge import (
    CLAIM_COLUMNS,
    EVIDENCE_COLUMNS,
    SETTING_COLUMNS,
    TESTS,
    change,
    find_others,
    judge,
    judge_claims,
    say_verdicts,
    verdicts_on_source,
)
from reproduction.verdicts.source import Setting


def test_every_criterion_has_a_kind_of_claims():
    claims = [claim for study in STUDIES for claim in source_of(study).claims]
    assert all(claim.kind or "kind" in CRITERIA[claim.test] for claim in claims)
    assert {kind_of(claim) for claim in claims} == KINDS.keys()


def test_every_kind_of_claim_has_its_criterion():
    assert TESTS.keys() == CRITERIA.keys()


def test_no_claim_is_judged_on_what_the_source_does_not_call_so():
    stated = {"good": {"method": "ad", "discount": 0.75}, "bad": {"method": "kn"}}
    order = claim("order", pairs=[("good", "bad")], corpus="tale", rank=50)
    found = results(text_scores({"good": np.full(5, 5.0), "bad": np.full(5, 6.0)}))
    source = replace(SOURCE, claims=(order,), columns=(), other_settings=(), stated=stated)
    whole = {"good": {"method": "ad", "discount": 0.75, "label": "AD"}, "bad": {"method": "kn"}}
    for methods in (
        None,
        {},
        whole,
        {"good": {"method": "ad", "threads": 2}},
        whole | {"good": {"discount": [0.75]}},
    ):
        (row,) = judge_claims(found, source, methods=methods)[0].to_dict("records")
        assert row["verdict"] == REPRODUCED
    for entry, told in (
        ({"method": "kn", "discount": 0.75}, "good has method kn here, and the source ad"),
        ({"method": "ad", "discount": 0.3}, "good has discount 0.3 here, and the source 0.75"),
        ({"method": "ad", "discount": [0.75, 0.3]}, "good has discount [0.75, 0.3] here, and the"),
    ):
        (row,) = judge_claims(found, source, methods=whole | {"good": entry})[0].to_dict("records")
        assert row["verdict"] == UNTESTED
        assert row["reason"].startswith(told)
        assert np.isnan(row["measured"])


def test_an_option_that_an_entry_lacks_is_the_default():
    stated = {"kn": {"discount": 0.5}, "ad-lr": {"rank": 50}}
    told = "kn has discount 0.75 here, and the source 0.5"
    assert find_others(stated, {"kn": {"method": "kn"}, "ad-lr": {"method": "ad-lr"}}) == {
        "kn": told
    }
    assert find_others(stated, {"kn": {"method": "kn", "discount": 0.5, "form": "backoff"}}) == {}
    told = "ad-lr has rank 9 here, and the source 50"
    assert find_others(stated, {"ad-lr": {"method": "ad-lr", "rank": 9}}) == {"ad-lr": told}


@pytest.mark.parametrize("study", STUDIES)
def test_the_configuration_has_what_each_source_states(study):
    methods, source = own_config()["methods"], source_of(study)
    assert source.stated.keys() <= methods.keys()
    assert find_others(source.stated, methods) == {}


def test_what_is_missing_is_said():
    scores = text_scores({"good": np.full(5, 5.0)})
    order = claim("order", pairs=[("good", "bad")], corpus="tale", rank=50)
    cases = [
        (results(), NOT_RUN, "config.yaml has no exhibit made-up"),
        (results(scores), NOT_RUN, "made-up has no method bad (there is: good)"),
        (results(scores.assign(rank=10)), NOT_RUN, "made-up has no rank 50 (there is: 10)"),
        (
            results(scores, receipts={"tale": {"reason": "the network is down"}}),
            UNTESTED,
            "tale is not available: the network is down",
        ),
    ]
    for found, *said in cases:
        row, numbers = judge(order, found)
        assert ([row["verdict"], row["reason"]], numbers) == (said, [])


def test_near_means_near():
    near = claim("order", pairs=[("good", "bad")], near=15000)
    scores = text_scores({"good": np.full(5, 5.0), "bad": np.full(5, 5.1)}, n=14800)
    assert verdict(near, results(scores)) == REPRODUCED
    assert verdict(near, results(scores.assign(n=6000))) == NOT_RUN


def test_every_claim_has_a_row_and_every_number_a_name():
    claims, evidence, settings = judge_claims(results(trial_scores({"add-half": 0.0})), SOURCE)
    names = [setting.name for setting in SOURCE.columns]
    assert list(claims) == [*CLAIM_COLUMNS, *names]
    assert list(evidence) == EVIDENCE_COLUMNS
    assert list(settings) == SETTING_COLUMNS
    # A verdict under each column, and nothing to judge under others.
    assert settings["id"].tolist() == claims["id"].repeat(len(names)).tolist()
    assert set(settings["setting"]) == set(names)
    assert claims["id"].tolist() == [claim.id for claim in SOURCE.claims]
    assert claims["verdict"].isin([UNTESTED, NOT_RUN]).all()
    assert (claims["reason"] != "").all()


def test_what_the_settings_leave_out_was_not_run():
    scores = text_scores({"good": np.full(5, 5.0)})
    order = claim("order", pairs=[("good", "bad")])
    row, numbers = judge(order, results(scores))
    assert (row["verdict"], numbers) == (NOT_RUN, [])
    assert row["reason"] == "made-up has no method bad (there is: good)"


def test_a_size_that_is_not_reached_was_not_run():
    found = results(text_scores({"good": [5.0] * 5, "bad": [5.1] * 5}, n=500))
    near, far = (claim("order", pairs=[("good", "bad")], reaches={"n": n}) for n in (500, 501))
    assert verdict(near, found) == REPRODUCED
    assert verdict(far, found) == NOT_RUN
    assert judge(far, found)[0]["reason"] == "made-up does not reach n 501"


def test_a_claim_from_an_order_on_does_not_look_below_it():
    parts = [
        text_scores({"good": [5.0] * 5, "bad": [5.0 + gap] * 5}, order=order)
        for order, gap in ((2, -0.1), (3, 0.1), (5, 0.1))
    ]
    found = results(pd.concat(parts))
    of_all, of_long, of_longer = (
        claim("order", pairs=[("good", "bad")], **{"from": {"order": order}}) for order in (2, 3, 6)
    )
    assert [verdict(each, found) for each in (of_all, of_long)] == [FAILED, REPRODUCED]
    assert judge(of_longer, found)[0]["reason"] == (
        "made-up has no order 6 or above (there is: 2, 3, 5)"
    )


def test_no_settings_have_what_nobody_can_get():
    """A text that is not available is missing there as well; so is what no computation can say."""
    gone = results(text_scores({"good": [5.0]}), receipts={"tale": {"reason": "it is lost"}})
    order = claim("order", pairs=[("good", "bad")], corpus="tale")
    row, _ = judge(order, gone)
    assert (row["verdict"], row["reason"]) == (UNTESTED, "tale is not available: it is lost")
    assert verdict(claim("external"), gone) == UNTESTED
    # Of a claim that names no text: where there is no score, it is the text that is missing.
    order, lost = claim("order", pairs=[("good", "bad")]), {"tale": {"reason": "it is lost"}}
    row, _ = judge(order, results(receipts=lost))
    assert (row["verdict"], row["reason"]) == (UNTESTED, "the text is not available: it is lost")
    some = results(text_scores({"good": [5.0]}), receipts=lost)
    assert verdict(order, some) == NOT_RUN


def test_another_setting_of_an_exhibit_is_of_its_claims_alone():
    setting = Setting("in print", {"made-up": "printed"})
    order = claim("order", pairs=[("good", "bad")])
    # By their words: from Python 3.13 on a claim whose number is NaN is not equal to itself.
    assert repr(change(order, setting)) == repr(replace(order, exhibit="printed"))
    assert change(replace(order, exhibit="other"), setting) is None


def test_another_setting_replaces_names_wherever_they_stand_or_in_its_keys_alone():
    both = claim("axis", pairs=[("kn", "ad")], methods=["kn"], method="kn", corpus="kn-like", k=9)
    changed = change(both, Setting("other", {"kn": "new"})).settings
    assert changed == {
        "pairs": [("new", "ad")],
        "methods": ["new"],
        "method": "new",
        "corpus": "kn-like",
        "k": 9,
    }
    only = change(both, Setting("other", {"kn": "new"}, keys=("pairs",))).settings
    assert (only["pairs"], only["methods"]) == ([("new", "ad")], ["kn"])


COLUMNS_OF_LEDGER = (Setting("weak", {"bad": "worst"}), Setting("strong", {}))


def test_a_claim_has_a_verdict_under_each_column_and_the_last_is_its_own():
    """Good is .1 above bad and .1 below the worst; of what names neither both columns agree."""
    losses = {"good": 5.0, "bad": 4.9, "worst": 5.1, "ad": 5.2}
    found = results(text_scores({name: np.full(9, loss) for name, loss in losses.items()}))
    order = claim("order", pairs=[("good", "bad")], corpus="tale")
    plain = replace(order, id="plain", settings={"corpus": "tale", "pairs": [("good", "ad")]})
    gone = replace(order, id="gone", exhibit="not made")
    source = replace(
        SOURCE, claims=(order, plain, gone), columns=COLUMNS_OF_LEDGER, other_settings=()
    )
    claims, evidence, settings = judge_claims(found, source)
    assert claims["verdict"].tolist() == [FAILED, REPRODUCED, NOT_RUN]
    assert claims["weak"].tolist() == [REPRODUCED, REPRODUCED, NOT_RUN]
    assert claims["strong"].tolist() == claims["verdict"].tolist()
    assert settings[["setting", "verdict"]].to_numpy().tolist() == [
        ["strong", FAILED],
        ["weak", REPRODUCED],
        ["strong", REPRODUCED],
        ["weak", REPRODUCED],
        ["strong", NOT_RUN],
        ["weak", NOT_RUN],
    ]
    # A setting that leaves a claim as it is has the numbers of the default.
    assert evidence["setting"].tolist() == ["strong", "weak", "strong"]
    theirs = replace(source, claims=tuple(replace(each, by="source") for each in source.claims))
    said = "Reproduced under every setting: 1 of 2 comparisons. Not tested here: 1 comparisons."
    assert say_verdicts(theirs, settings) == said


def claims_of(*ids):
    """Return a source of claims with these ids, and of one that is ours."""
    order = claim("order", pairs=[("good", "bad")])
    theirs = [replace(order, id=id, by="source") for id in ids]
    return replace(SOURCE, claims=(*theirs, replace(order, id="own", by="project")), columns=())


def test_the_verdicts_on_a_source_are_of_its_own_claims_under_the_default_setting():
    rows = [("a", "default", FAILED), ("a", "other", NOT_RUN), ("own", "default", REPRODUCED)]
    settings = pd.DataFrame(rows, columns=["id", "setting", "verdict"])
    found = verdicts_on_source(settings, claims_of("a"))
    assert found.to_dict() == {"default": {"a": FAILED}}


def test_the_headline_counts_the_claims_of_the_source_alone():
    found = {"a": REPRODUCED, "b": REPRODUCED, "c": FAILED, "own": REPRODUCED}
    rows = [(id, "default", verdict) for id, verdict in found.items()]
    columns = ["id", "setting", "verdict"]
    table = pd.DataFrame([*rows, ("c", "another", REPRODUCED)], columns=columns)
    assert say_verdicts(claims_of(*"abc"), table) == "Reproduced: 2 of 3 comparisons."


def test_the_headline_of_a_study_of_our_own_counts_our_claims():
    table = pd.DataFrame([("own", "default", FAILED)], columns=["id", "setting", "verdict"])
    assert say_verdicts(replace(claims_of(), is_paper=False), table) == (
        "Reproduced: 0 of 1 comparisons."
    )


def test_the_headline_counts_each_kind_by_itself():
    source = claims_of(*"abcd")
    tests = {"a": {"test": "cell"}, "b": {"kind": "theory"}}
    claims = [replace(each, **tests.get(each.id, {})) for each in source.claims]
    rows = [(id, "default", REPRODUCED) for id in "abc"] + [("d", "default", TRIVIAL)]
    table = pd.DataFrame(rows, columns=["id", "setting", "verdict"])
    assert say_verdicts(replace(source, claims=tuple(claims)), table) == (
        "Reproduced: 1 of 1 published numbers, 1 of 1 comparisons (1 more hold trivially), "
        "1 of 1 statements of theory."
    )


def test_reads_a_run_in_which_one_corpus_was_missing(tmp_path):
    files = [tmp_path / "tale.csv", tmp_path / "myth.csv"]
    losses = {"good": [5.0] * 9, "bad": [5.1] * 9}
    text_scores(losses).reindex(columns=COLUMNS).to_csv(files[0], index=False)
    pd.DataFrame(columns=COLUMNS).to_csv(files[1], index=False)
    (tmp_path / "tale.json").write_text(json.dumps({"at_hand": True, "types": 9}))
    (tmp_path / "myth.json").write_text(
        json.dumps({"at_hand": False, "reason": "it is lost", "remedy": ""})
    )
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
    why = UNTESTED, "myth is not available: it is lost"
    lost, _ = judge(claim("order", corpus="myth", pairs=[("good", "bad")]), found)
    assert (lost["verdict"], lost["reason"]) == why
    # What is said of every text is not judged on those that were had.
    everywhere = claim("order", pairs=[("good", "bad")])
    assert judge(everywhere, found)[0]["verdict"] == REPRODUCED
    found = read_results(
        {"made-up": files}, {}, sorted(tmp_path.glob("*.json")), texts={"made-up": ["myth"]}
    )
    lost, _ = judge(everywhere, found)
    assert (lost["verdict"], lost["reason"]) == why


def test_every_text_missing_is_no_error(tmp_path):
    pd.DataFrame(columns=COLUMNS).to_csv(tmp_path / "myth.csv", index=False)
    (tmp_path / "myth.json").write_text(
        json.dumps({"at_hand": False, "reason": "it is lost", "remedy": ""})
    )
    found = read_results({"made-up": [tmp_path / "myth.csv"]}, {}, [tmp_path / "myth.json"])
    assert found.checks.empty  # a target without a theory
    for test in ("order", "degrades"):
        made_up = claim(test, corpus="myth", pairs=[("a", "b")], methods=("a",))
        row, _ = judge(made_up, found)
        assert (row["verdict"], row["reason"]) == (UNTESTED, "myth is not available: it is lost")
