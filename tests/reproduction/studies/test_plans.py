"""What every study plans and claims, in the configuration as it is delivered."""

from itertools import chain
from pathlib import Path

import pytest
from own_config import own_config
from py_lr.source import SOURCE as FRESH

from reproduction.scores.columns import ORACLE
from reproduction.studies import STUDIES
from reproduction.studies.near_optimal.plan import mark_changes
from reproduction.study import part_of, source_of, studies_in_words
from reproduction.verdicts.criteria import CRITERIA, describe_criterion
from reproduction.verdicts.judge import TESTS

TOP = Path(__file__).parents[3]
CONFIG = own_config()
studies = pytest.mark.parametrize("study", STUDIES)


def names_of(value):
    """Every name in a setting: a method, a list of them, or pairs of them."""
    return [value] if isinstance(value, str) else chain.from_iterable(map(names_of, value))


def judged_exhibits(targets, study):
    """The exhibits of a study's targets that are judged."""
    judged = [each for each in targets.values() if each.package == study and each.judged]
    return {name: entry for target in judged for name, entry in target.exhibits.items()}


def test_every_study_has_a_target_of_its_own_name_and_the_first_is_that_of_the_first(targets):
    assert set(STUDIES) <= targets.keys()
    assert list(dict.fromkeys(target.package for target in targets.values())) == list(STUDIES)
    assert targets.keys() == studies_in_words().keys()


@pytest.mark.parametrize("name", studies_in_words())
def test_all_that_a_study_names_is_there(targets, name):
    target = targets[name]
    tables = part_of(target.package, "tables").TABULATE
    figures = part_of(target.package, "figures").DRAW
    for entry in target.exhibits.values():
        assert callable(tables[entry["kind"]])
        assert callable(figures[entry["kind"]])
        assert set(entry["methods"]) <= CONFIG["methods"].keys()
    if target.has_checks:
        assert callable(part_of(target.package, "checks").check_cases)
    assert set(target.checked) <= target.exhibits.keys()


def test_every_file_of_scores_has_a_rule_and_every_exhibit_its_files(targets):
    """Exhibits without scores are drawn from nothing, or from a table of another one."""
    for target in targets.values():
        folders = {file.split("/")[1] for file in target.scores_of()}
        assert folders <= {target.package}
        without = {name for name in target.exhibits if not target.scores.get(name)}
        assert without <= {
            *("figure-1", "figure-3", "algorithm-1", "properties", "positivity"),
            *("digits", "rank", "images", "players", "example", "choices"),
        }


@studies
def test_ids_of_claims_and_their_criteria(study):
    source = source_of(study)
    ids = [claim.id for claim in source.claims]
    assert len(set(ids)) == len(ids)
    assert {claim.test for claim in source.claims} <= TESTS.keys()
    assert {claim.by for claim in source.claims} <= {"source", "project"}
    assert source.criteria.keys() <= CRITERIA.keys()
    for claim in source.claims:
        words = describe_criterion(claim, source)
        assert not set("{}") & set(words)
        assert "nan" not in words


def test_every_kind_of_claim_is_made():
    sources = [FRESH, *map(source_of, STUDIES)]
    made = {claim.test for source in sources for claim in source.claims}
    assert made == CRITERIA.keys()


@studies
def test_claims_name_what_the_config_has(targets, study):
    exhibits = judged_exhibits(targets, study)
    for claim in source_of(study).claims:
        assert claim.settings.get("corpus", "genesis") in CONFIG["corpora"]
        if claim.exhibit in ("corpora", "theorems"):
            continue
        entry = exhibits[claim.exhibit]
        for key in ("pairs", "methods", "method"):
            known = {*entry["methods"], *({ORACLE} & entry.keys()), *entry.get("choices", ())}
            assert set(names_of(claim.settings.get(key, []))) <= known, claim.id
        if "k_values" in entry or "rank" in entry or "rank_values" in entry:
            for key in ("k", "rank"):
                given = entry.get(f"{key}_values", [entry.get(key)])
                assert claim.settings.get(key, given[0]) in given, claim.id


@studies
def test_other_settings_are_of_methods_and_exhibits_that_there_are(targets, study):
    exhibits, source = judged_exhibits(targets, study), source_of(study)
    checks = {claim.settings.get("check") for claim in source.claims}
    kinds = [CONFIG["methods"].keys(), exhibits.keys()]
    for setting in (*source.columns, *source.other_settings):
        for old, new in setting.instead.items():
            assert old in checks or any({old, new} <= kind for kind in kinds)
    assert not source.columns or not source.columns[-1].instead
    names = [setting.name for setting in (*source.columns, *source.other_settings)]
    assert len(set(names)) == len(names)  # a claim has one verdict under each
    for setting in source.interpretations:
        assert set(setting.exhibits) <= exhibits.keys() | {"theorems"}
        assert setting.trust in ("high", "medium", "low")


@studies
def test_what_is_described_is_shown(targets, study):
    source, exhibits = source_of(study), judged_exhibits(targets, study)
    assert source.descriptions.keys() <= exhibits.keys()
    assert set(source.order) <= exhibits.keys()


def test_a_figure_with_other_settings_than_the_papers_says_so():
    entry = CONFIG["exhibits"]["figure-1a"]
    assert mark_changes("figure-1a", entry) == entry
    other = mark_changes("figure-1a", entry | {"k_values": [30, 60], "n_values": [10]})
    assert other["differs"] == "Not the paper's settings: k_values is 30, 60, there 100."
    assert "(not the paper's settings)" in other["title"]
    assert "y_range" not in other  # the axis that the paper prints
    assert mark_changes("of-mine", {"k_values": [30]}) == {"k_values": [30]}
