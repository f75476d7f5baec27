"""One look and one name for each entry of the configurations, whatever else a figure shows."""

from pathlib import Path

import pandas as pd
import pytest
from own_config import own_config

from reproduction.exhibits.curves import find_curves
from reproduction.exhibits.palette import LOOKS, look_of

TOP = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def methods():
    """The entries of every configuration that is in the repository."""

    return own_config()["methods"]


def options(entry):
    return {key: value for key, value in entry.items() if key != "label"}


def test_every_entry_of_a_configuration_has_a_look(methods):
    assert list(methods.keys() - LOOKS.keys()) == []


def test_entries_of_other_options_differ_in_grey_and_in_name(methods):
    """Two entries with the same options are one method, and look and are called the same."""
    names = list(methods)
    for place, one in enumerate(names):
        for other in names[:place]:
            first, second = look_of(one), look_of(other)
            looks_same = (first.marker, first.dashes, first.is_filled) == (
                second.marker,
                second.dashes,
                second.is_filled,
            )
            named_same = methods[one].get("label", one) == methods[other].get("label", other)
            if options(methods[one]) == options(methods[other]):
                assert first == second, (one, other)
                assert named_same, (one, other)
            else:
                assert not named_same, (one, other)
                assert first != second, (one, other)
                related = methods[one]["method"] == methods[other]["method"]
                assert not (related and looks_same), (one, other)


def test_a_look_does_not_depend_on_the_figure(methods):
    def styles(*names):
        chosen = {name: methods[name] for name in names}
        table = pd.DataFrame({"method": names, "n": 1, "mean": 1.0})
        found = find_curves(table, chosen, "n")
        return {name: curve.style for name, curve in zip(names, found, strict=True)}

    alone = {name: styles(name)[name] for name in methods}
    assert styles(*methods) == styles(*reversed(methods)) == alone


def test_an_entry_of_ones_own_has_a_look_by_its_name():
    mine = look_of("mine", "kn")
    assert mine == look_of("mine", "kn")
    assert mine != look_of("other", "kn")
    assert mine.colour == look_of("kn").colour  # of its method
    assert mine.marker not in {look.marker for look in LOOKS.values()}
