"""One style and one name for each entry of the configurations, whatever else a figure shows."""

import re
from pathlib import Path

import pandas as pd
import pytest
from own_config import own_config

from reproduction.exhibits.curves import find_curves
from reproduction.exhibits.palette import COLOURS, LINES, style_of
from reproduction.mistakes import load_schema

TOP = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def methods():
    """The entries of every configuration that is in the repository."""

    return own_config()["methods"]


def options(entry):
    return {key: value for key, value in entry.items() if key not in ("label", "style")}


def test_every_entry_of_a_configuration_has_a_style(methods):
    assert [name for name, entry in methods.items() if "style" not in entry] == []


def test_entries_of_other_options_differ_in_grey_and_in_name(methods):
    """Two entries with the same options are one method, and are drawn and called the same."""
    names = list(methods)
    for place, one in enumerate(names):
        for other in names[:place]:
            first, second = style_of(one, methods), style_of(other, methods)
            drawn_alike = (first.marker, first.dashes, first.is_filled) == (
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
                assert not (related and drawn_alike), (one, other)


def test_a_style_does_not_depend_on_the_figure(methods):
    def styles(*names):
        chosen = {name: methods[name] for name in names}
        table = pd.DataFrame({"method": names, "n": 1, "mean": 1.0})
        found = find_curves(table, chosen, "n")
        return {name: curve.style for name, curve in zip(names, found, strict=True)}

    alone = {name: styles(name)[name] for name in methods}
    assert styles(*methods) == styles(*reversed(methods)) == alone


def test_a_style_is_read_from_its_words():
    methods = {"mine": {"method": "kn", "style": "#123456 ^ dotted hollow thin"}}
    style = style_of("mine", methods)
    assert (style.colour, style.marker, style.dashes) == ("#123456", "^", LINES["dotted"])
    assert (style.is_filled, style.is_thin) == (False, True)
    methods["mine"]["style"] = "vermilion X"
    style = style_of("mine", methods)
    assert (style.colour, style.marker, style.dashes) == (COLOURS["vermilion"], "X", "-")
    assert (style.is_filled, style.is_thin) == (True, False)


def test_an_entry_without_a_style_has_one_by_its_name(methods):
    own = {name: {"method": "kn"} for name in ("mine", "other")}
    mine = style_of("mine", own)
    assert mine == style_of("mine", own | methods)
    assert mine != style_of("other", own)
    assert mine.marker not in {style_of(name, methods).marker for name in methods}


def test_the_schema_allows_the_words_that_a_style_may_have():
    pattern = re.compile(load_schema()["$defs"]["style"]["pattern"])
    for colour in (*COLOURS, "#0072b2"):
        for line in ("", *LINES):
            words = filter(None, (colour, "o", line, "hollow", "thin"))
            assert pattern.match(" ".join(words))
    for wrong in ("blue", "o blue", "blue o wavy", "blu o", "blue o hollow dashed", "#0072B2 o"):
        assert not pattern.match(wrong)
