"""What every study plans and claims, in the configuration as it is delivered."""

from inspect import signature
from itertools import chain
from pathlib import Path

import pytest
from own_config import own_config

from condprob.catalogue import METHODS
from reproduction.scores.plan import ORACLE
from reproduction.studies import STUDIES
from reproduction.studies.near_optimal.plan import mark_changes
from reproduction.study import load_function, plan_scopes, source_of, without_labels
from reproduction.verdicts.criteria import CRITERIA, describe_criterion
from reproduction.verdicts.judge import TESTS

TOP = Path(__file__).parents[3]
CONFIG = own_config()
SCOPES = plan_scopes(CONFIG)
studies = pytest.mark.parametrize("study", STUDIES)


def names_of(value):
    """Every name in a setting: a method, a list of them, or pairs of them."""
    return [value] if isinstance(value, str) else chain.from_iterable(map(names_of, value))


def judged_exhibits(study):
    """The exhibits of a study's scopes that are judged; those of the larger scope win."""
    scopes = [scope for scope in SCOPES.values() if scope.study == study and scope.judged]
    return {name: exhibit for scope in scopes for name, exhibit in scope.exhibits.items()}


def test_every_study_has_a_scope_of_its_own_name_and_the_first_is_that_of_the_first():
    assert set(STUDIES) <= SCOPES.keys()
    assert list(dict.fromkeys(scope.study for scope in SCOPES.values())) == list(STUDIES)


@pytest.mark.parametrize("scope", SCOPES.values(), ids=SCOPES)
def test_all_that_a_plan_names_is_there(scope):
    places = {job.scorer for job in scope.jobs.values()}
    for exhibit in scope.exhibits.values():
        places |= {exhibit.tabulate, exhibit.draw}
        assert set(exhibit.jobs) <= scope.jobs.keys()
        assert set(exhibit.entry["methods"]) <= CONFIG["methods"].keys()
    places |= {place for texts in scope.texts for place in (texts.find, texts.save)}
    places |= {scope.theory.check} if scope.theory else set()
    assert all(callable(load_function(place)) for place in places)
    for texts in scope.texts:  # as workflow/scripts/read_texts.py calls it
        signature(load_function(texts.save)).bind(*texts.files, found=None)
    assert set(scope.corpora) <= CONFIG["corpora"].keys()
    assert set(scope.theory.exhibits if scope.theory else ()) <= scope.exhibits.keys()
    if scope.larger:
        larger = SCOPES[scope.larger]
        assert larger.study == scope.study
        assert scope.exhibits.keys() <= larger.exhibits.keys()
    for name, job in scope.jobs.items():
        assert name == job.name
        assert {entry["method"] for entry in job.methods.values()} <= METHODS.keys()
        assert without_labels(job.methods) == job.methods


def test_a_job_of_a_name_is_one_job_wherever_it_is_asked_for():
    """Scores lie in the folder of the study: scopes that share a file agree on what it is."""
    jobs = {}
    for each in SCOPES.values():
        for name, job in each.jobs.items():
            assert jobs.setdefault((each.study, name), job) == job


def test_each_target_makes_one_exhibit():
    targets = [target for scope in SCOPES.values() for target in scope.targets().values()]
    assert len(set(targets)) == len(targets)


def test_texts_of_one_name_are_the_same_in_every_scope():
    found, files = {}, []
    for scope in SCOPES.values():
        for texts in scope.texts:
            assert found.setdefault((scope.study, texts.name), texts) == texts
            assert {texts.awaited} - {""} <= texts.entries.keys()
    for (study, _), texts in found.items():
        files += [*texts.files, texts.receipt]
        assert all(file.startswith(f"{study}/") for file in texts.files)
    assert len(set(files)) == len(files) > 0


@studies
def test_ids_of_claims_and_their_criteria(study):
    source = source_of(study)
    ids = [claim.id for claim in source.claims]
    assert len(set(ids)) == len(ids)
    assert {claim.test for claim in source.claims} <= TESTS.keys()
    assert {claim.by for claim in source.claims} <= {"source", "us"}
    assert source.criteria.keys() <= CRITERIA.keys()
    for claim in source.claims:
        words = describe_criterion(claim, source)
        assert not set("{}") & set(words)
        assert "nan" not in words


def test_every_kind_of_claim_is_made():
    made = {claim.test for study in STUDIES for claim in source_of(study).claims}
    assert made == CRITERIA.keys()


@studies
def test_claims_name_what_the_config_has(study):
    exhibits = judged_exhibits(study)
    for claim in source_of(study).claims:
        assert claim.settings.get("corpus", "genesis") in CONFIG["corpora"]
        if claim.exhibit in ("corpora", "theorems"):
            continue
        entry = exhibits[claim.exhibit].entry
        for key in ("pairs", "methods", "method"):
            known = {*entry["methods"], *({ORACLE} & entry.keys()), *entry.get("choices", ())}
            assert set(names_of(claim.settings.get(key, []))) <= known, claim.id
        if "k_values" in entry or "rank" in entry or "rank_values" in entry:
            for key in ("k", "rank"):
                given = entry.get(f"{key}_values", [entry.get(key)])
                assert claim.settings.get(key, given[0]) in given, claim.id


@studies
def test_other_readings_are_of_methods_and_exhibits_that_there_are(study):
    exhibits, source = judged_exhibits(study), source_of(study)
    checks = {claim.settings.get("check") for claim in source.claims}
    kinds = [CONFIG["methods"].keys(), exhibits.keys()]
    for reading in (*source.columns, *source.other_readings):
        for old, new in reading.instead.items():
            assert old in checks or any({old, new} <= kind for kind in kinds)
    assert not source.columns or not source.columns[-1].instead
    names = [reading.name for reading in (*source.columns, *source.other_readings)]
    assert len(set(names)) == len(names)  # a claim has one verdict under each
    for reading in source.readings:
        assert set(reading.exhibits) <= exhibits.keys() | {"theorems"}
        assert reading.trust in ("high", "medium", "low")


@studies
def test_what_is_described_is_shown(study):
    source = source_of(study)
    assert source.descriptions.keys() <= judged_exhibits(study).keys()
    assert set(source.order) <= judged_exhibits(study).keys()


def test_a_figure_with_other_settings_than_the_papers_says_so():
    entry = CONFIG["exhibits"]["figure-1a"]
    assert mark_changes("figure-1a", entry) is entry
    other = mark_changes("figure-1a", entry | {"k_values": [30, 60], "n_values": [10]})
    assert other["differs"] == "Not the paper's settings: k_values is 30, 60, there 100."
    assert "(not the paper's settings)" in other["title"]
    assert "y_range" not in other  # the axis that the paper prints
    assert mark_changes("of-mine", {"k_values": [30]}) == {"k_values": [30]}
