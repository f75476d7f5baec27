"""Options read from annotations: allowed values, their words, texts and schema."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from condprob import METHODS, method
from condprob.options import (
    GivenFactors,
    Range,
    WithOptions,
    has_size,
    lines_of_options,
    options_of,
)


@dataclass(frozen=True)
class Some(WithOptions):
    """An estimator that is none."""

    share: Annotated[float, Range(0, 1)] | Literal["learned"] = 0.5
    size: Annotated[int, Range(2, closed=True)] = 2
    form: Literal["one", "other"] = "one"
    sure: bool = True
    start: GivenFactors | None = None


OPTIONS = options_of(Some)


@pytest.mark.parametrize(
    ("name", "allowed", "refused"),
    [
        ("share", [1e-100, 0.5, "learned"], [0, 1, -1, "guess", None, True, 1e-101, float("nan")]),
        ("size", [2, 10**12], [1, 2.0, True, "2", 10**13]),
        ("form", ["one", "other"], ["two", None, ["one"], 1]),
        ("sure", [True, False], [1, None, "true"]),
        ("start", [None, GivenFactors(("W", "H"))], [(), "x"]),
    ],
)
def test_what_is_allowed(name, allowed, refused):
    assert all(OPTIONS[name].accepts(value) for value in allowed)
    assert not any(OPTIONS[name].accepts(value) for value in refused)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("share", "0.25", 0.25),
        ("share", "+2.5e-1", 0.25),
        ("share", "learned", "learned"),
        ("size", "7", 7),
        ("form", "other", "other"),
        ("sure", "False", False),
    ],
)
def test_a_text_is_read_as_the_value_that_it_stands_for(name, text, value):
    found = OPTIONS[name].read(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *[("share", "1"), ("size", "2.5"), ("form", "x"), ("sure", "1"), ("start", "[")],
        *[("size", "1_000"), ("size", "٤"), ("size", "9" * 5000), ("size", "")],
        *[("share", "0.1_1"), ("share", "0.٤"), ("share", "nan"), ("share", "inf"), ("share", "")],
    ],
)
def test_a_text_that_stands_for_nothing_is_told(name, text):
    with pytest.raises(ValueError, match=rf"\A{name} = .*: must be [^\n]+\Z"):
        OPTIONS[name].read(text)


def test_the_schema_says_the_same():
    number = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
    assert OPTIONS["share"].schema() == {"anyOf": [number, {"enum": ["learned"]}]}
    assert OPTIONS["size"].schema() == {"type": "integer", "minimum": 2}
    assert OPTIONS["form"].schema() == {"enum": ["one", "other"]}
    assert OPTIONS["sure"].schema() == {"type": "boolean"}
    assert OPTIONS["start"].schema() is None


def test_numbers_have_a_size_within_which_sums_neither_end_nor_vanish():
    assert all(has_size(number) for number in (0, 1e-100, -1e-100, 1e12, -1e12))
    assert not any(has_size(number) for number in (9e-101, 1.01e12, float("inf"), float("nan")))


def test_every_field_is_checked():
    with pytest.raises(ValueError, match=r"\Asize = 1: must be an integer >= 2\Z"):
        Some(size=1)
    with pytest.raises(ValueError, match=r"share = 1e-300: must be zero, or a number between"):
        Some(share=1e-300)


def test_an_annotation_without_allowed_values_is_refused():
    @dataclass(frozen=True)
    class Unclear:
        items: list = None

    with pytest.raises(TypeError, match=r"Unclear.items: the annotation .* has no allowed values"):
        options_of(Unclear)


def test_every_option_has_a_line():
    for id, record in METHODS.items():
        lines = lines_of_options(record.estimator)
        assert all(lines.get(name) for name in record.options), id


@pytest.mark.parametrize(
    ("id", "alias", "meant"),
    [
        ("ad", "alpha", "discount"),
        ("kn", "delta", "discount"),
        ("ad-lr", "m", "rank"),
        ("lsa", "n_components", "rank"),
        ("py-lr", "max_iter", "sweeps"),
        ("py-lr", "random_state", "fit(..., seed=...)"),
    ],
)
def test_symbols_of_the_paper_and_names_of_scikit_learn_are_known(id, alias, meant):
    with pytest.raises(ValueError, match=f"{id} has no option '{alias}'; did you mean ") as caught:
        method(id, **{alias: 1})
    assert str(caught.value).endswith(f"did you mean {meant!r}?")
