"""The printed numbers stand beside the fits that they are of, and beside no other."""

import math

import pytest

from reproduction.studies.near_optimal.printed import STATED, TABLE_1, find_printed

KN, LOW_RANK = {"method": "kn"}, {"method": "ad-lr", "iterations": 200}


@pytest.mark.parametrize(
    ("corpus", "entry", "rank", "n", "expected"),
    [
        ("genesis", {"method": "sb"}, 50, 19000, 5.9058),
        ("genesis", KN, 50, 19000, 5.7341),
        ("genesis", KN | {"discount": 0.75, "continuation": "uniform"}, 50, 19000, 5.7341),
        ("genesis", KN, 10, 19000, 5.7341),  # KN has no rank
        ("tartuffe", LOW_RANK, 50, 9041, 5.6923),
        ("tartuffe", LOW_RANK | {"rank": 50}, None, 9041, 5.6923),
        ("brown", LOW_RANK | {"initial": "random"}, 50, 20000, 7.609),
        ("genesis", KN | {"discount": 0.5}, 50, 19000, None),
        ("genesis", KN | {"discount": "estimated"}, 50, 19000, None),
        ("genesis", {"method": "sb", "weight": 0.7}, 50, 19000, None),
        ("genesis", {"method": "sb", "normalised": False}, 50, 19000, None),
        ("genesis", LOW_RANK, 10, 19000, None),
        ("genesis", LOW_RANK | {"rank": 20}, 50, 19000, None),
        ("genesis", LOW_RANK | {"iterations": 20}, 50, 19000, None),
        ("genesis", KN, 50, 10000, None),  # another split
        ("pydoc", KN, 50, 19000, None),
        ("genesis", {"method": "lr"}, 50, 19000, None),
        ("genesis", {}, math.nan, math.nan, None),  # a corpus that could not be had
    ],
)
def test_a_number_is_that_of_the_papers_own_setting(corpus, entry, rank, n, expected):
    found = find_printed(corpus, entry, rank, n)
    assert math.isnan(found) if expected is None else found == expected


def test_every_method_of_the_table_has_its_setting():
    assert all(row.keys() == STATED.keys() for row in TABLE_1.values())
