"""The table of methods: each record leads to a class, and nothing else."""

from dataclasses import fields

import pytest

from condprob import METHODS, Estimator, Method


def test_a_record_is_an_id_a_class_a_label_and_aliases():
    assert [field.name for field in fields(Method)] == ["id", "where", "label", "aliases"]


@pytest.mark.parametrize("id", METHODS)
def test_a_record_leads_to_its_class(id):
    record = METHODS[id]
    assert record.id == id
    assert issubclass(record.estimator, Estimator)
    assert record.estimator.__name__ == record.where.partition(":")[2]


def test_an_alias_leads_to_one_method():
    ids = [name for record in METHODS.values() for name in (record.id, *record.aliases)]
    assert len(ids) == len({*ids})
