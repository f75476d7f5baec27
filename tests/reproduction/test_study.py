"""Studies as rules and pages take them: what a scope names is there, and nothing is made twice."""

from collections import Counter
from pathlib import Path

import pytest

from condprob.catalogue import METHODS
from reproduction.config.files import load_config
from reproduction.studies import STUDIES
from reproduction.study import file_of, plan_scopes, source_of, without_labels
from reproduction.verdicts.judge import TESTS

TOP = Path(__file__).parents[2]
SCOPES = plan_scopes(
    load_config([TOP / "config.yaml", *TOP.glob("workflow/studies/*/config.yaml")])
)


def test_the_first_scope_is_that_of_the_first_study_and_every_study_has_one():
    assert list(dict.fromkeys(scope.study for scope in SCOPES.values())) == list(STUDIES)


@pytest.fixture(params=SCOPES.values(), ids=SCOPES)
def scope(request):
    return request.param


def test_the_functions_that_a_scope_names_stand_in_files_that_there_are(scope):
    places = {job.scorer for job in scope.jobs.values()}
    places |= {place for each in scope.exhibits.values() for place in (each.tabulate, each.draw)}
    places |= {scope.theory.check} if scope.theory else set()
    places |= {scope.page} if scope.page else set()
    for place in places:
        text = file_of(place).read_text(encoding="utf-8")
        assert f"def {place.partition(':')[2]}(" in text, place


def test_what_a_scope_shows_it_computes(scope):
    for exhibit in scope.exhibits.values():
        assert set(exhibit.jobs) <= scope.jobs.keys()
    assert set(scope.theory.exhibits if scope.theory else ()) <= scope.exhibits.keys()
    assert [name for name, job in scope.jobs.items() if job.name != name] == []


def test_jobs_fit_methods_that_there_are_without_their_labels(scope):
    for job in scope.jobs.values():
        assert {entry["method"] for entry in job.methods.values()} <= METHODS.keys()
        assert without_labels(job.methods) == job.methods


def test_a_larger_scope_has_all_that_the_smaller_one_has(scope):
    if scope.larger:
        larger = SCOPES[scope.larger]
        assert larger.study == scope.study
        assert scope.exhibits.keys() <= larger.exhibits.keys()


def test_a_job_of_a_name_is_one_job_wherever_it_is_asked_for():
    """Scores lie in the folder of the study: scopes that share a file agree on what it is."""
    jobs = {}
    for each in SCOPES.values():
        for name, job in each.jobs.items():
            assert jobs.setdefault((each.study, name), job) == job


@pytest.mark.parametrize("study", STUDIES)
def test_every_claim_can_be_judged_and_is_named_once(study):
    claims = source_of(study).claims
    assert not [id for id, count in Counter(claim.id for claim in claims).items() if count > 1]
    assert {claim.test for claim in claims} <= TESTS.keys()
    assert {claim.by for claim in claims} <= {"source", "us"}
