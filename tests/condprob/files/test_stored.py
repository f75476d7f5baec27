"""What a class declares of its arrays is what a file of it holds, and all that is read."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest

from condprob import load, method
from condprob.files import arrays as files
from condprob.files.stored import (
    CLASSES_OF_KINDS,
    Array,
    Stored,
    stored,
    stored_part,
    stored_together,
)


class Pair(NamedTuple):
    """Two arrays that are one field."""

    places: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True, eq=False)
class Factors(Stored, kind="factors of the tests"):
    """One field of each form."""

    W: np.ndarray = stored("f", "contexts", "m", low=0)
    size: int = stored("i", low=1)
    name: str = stored("U", choices=("one", "two"))
    pair: Pair = stored_together(
        Pair._make,
        places=Array("i", ("pairs+1",), low=0, below="contexts+1"),
        weights=Array("f", ("pairs",), nan=True),
    )
    words: np.ndarray = stored("i", "size")
    is_new: bool = stored("b", default=False, optional=True)
    penalty: float | None = stored("f", default=None, optional=True, low=0)
    note: str = "not stored"


@dataclass(frozen=True, eq=False)
class Whole(Stored, kind="whole of the tests"):
    """An object with another as its part."""

    one: Factors = stored_part(Factors)
    more: np.ndarray = stored("i", 2)


W = np.arange(6.0).reshape(3, 2)
PAIR = Pair(np.array([0, 1, 3]), np.array([0.5, np.nan]))
PLAIN = Factors(W, 4, "one", PAIR, np.arange(4))
FULL = Factors(W, 4, "two", PAIR, np.arange(4), True, 0.25, "lost")
HELD = {"W", "size", "name", "places", "weights", "words"}


def test_a_file_has_what_is_declared_and_nothing_else(tmp_path):
    assert PLAIN.arrays().keys() == HELD
    assert FULL.arrays().keys() == HELD | {"is_new", "penalty"}
    for value in (PLAIN, FULL):
        files.save(tmp_path / "x", value)
        found = files.read_stored(tmp_path / "x")
        np.testing.assert_array_equal(found.W, value.W)
        assert isinstance(found.pair, Pair)
        given = value.size, value.name, value.is_new, value.penalty, "not stored"
        assert (found.size, found.name, found.is_new, found.penalty, found.note) == given
        with pytest.raises(ValueError, match="read-only"):
            found.W[0] = 1
    files.save(tmp_path / "x", Whole(FULL, np.array([1, 2])))
    assert files.read_stored(tmp_path / "x").one.penalty == 0.25


@pytest.mark.parametrize("names", [{"left", "right"}, {"left"}, {"right"}, set()])
def test_a_factor_that_is_another_is_stored_once(tmp_path, names):
    whole = method("ad-lr", rank=2, iterations=3).fit(np.eye(3))
    matrix = replace(whole, **{name: getattr(whole, name) * 1.0 for name in names})
    assert matrix.arrays().keys() & {"left", "right", "W", "H"} == {"W", "H"} | names
    matrix.save(tmp_path / "x")
    found = load(tmp_path / "x")
    np.testing.assert_array_equal(found.dense(), whole.dense())
    for name, of in (("left", "W"), ("right", "H")):
        assert (getattr(found, name) is getattr(found, of)) == (name not in names)


MISTAKES = [
    ({"W": W - 1}, "'W' has the value -1.0"),
    ({"W": W[0]}, "'W' of shape"),
    ({"W": W.astype(int)}, "'W' is of type int64"),
    ({"W": W.astype("f2")}, "'W' is of type float16"),
    ({"W": W * np.nan}, "'W' has the value nan"),
    ({"words": np.arange(3)}, "'words' of shape .* does not go with the others"),
    ({"size": np.array(0)}, "'size' has the value 0"),
    ({"size": np.array(5)}, "'words' of shape"),
    ({"name": np.array("three")}, "name = 'three': must be one of one, two"),
    ({"places": np.array([0, 1, 4])}, "'places' has the value 4"),
    ({"places": np.array([0, 1])}, "'weights' of shape"),
    ({"places": np.zeros(0, int)}, "'places' of shape"),
    ({"is_new": np.array(1)}, "'is_new' is of type int64"),
    ({"penalty": np.array(np.inf)}, "'penalty' has the value inf"),
]


@pytest.mark.parametrize(("change", "told"), MISTAKES)
def test_what_is_not_as_declared_is_neither_read_nor_saved(tmp_path, change, told):
    with pytest.raises(ValueError, match=told):
        Factors.from_arrays(PLAIN.arrays() | change)
    broken = Factors(W, 4, "one", PAIR, np.arange(4))
    object.__setattr__(broken, "arrays", lambda: PLAIN.arrays() | change)
    with pytest.raises(ValueError, match=told):
        files.save(tmp_path / "x", broken)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", sorted(HELD))
def test_what_is_missing_is_told(name):
    arrays = {key: array for key, array in PLAIN.arrays().items() if key != name}
    with pytest.raises(ValueError, match=f"'{name}' is missing"):
        Factors.from_arrays(arrays)


def test_two_classes_have_not_one_kind():
    with pytest.raises(ValueError, match="'factors of the tests' are those of Factors"):
        type("Other", (Stored,), {}, kind="factors of the tests")
    assert CLASSES_OF_KINDS["factors of the tests"] is Factors


def test_a_file_of_an_unknown_kind_or_of_another_is_one_line(tmp_path):
    files.save(tmp_path / "x", PLAIN)
    with pytest.raises(ValueError, match=r"holds factors of the tests, which condprob\.load reads"):
        files.read_stored(tmp_path / "x", Whole)
    files.write_arrays(tmp_path / "x", {files.FORMAT: np.array(["os", files.VERSION])})
    with pytest.raises(ValueError, match="holds os, a kind that no class known here has"):
        load(tmp_path / "x")


def test_nothing_is_imported_because_a_file_says_so(tmp_path, monkeypatch):
    method("kn").fit(np.eye(3)).save(tmp_path / "x")
    arrays = files.read_arrays(tmp_path / "x")
    (tmp_path / "evil.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    for kind in ("evil", "evil:Model", "condprob.evil"):
        files.write_arrays(tmp_path / "x", arrays | {files.FORMAT: np.array([kind, "2"])})
        with pytest.raises(ValueError, match="a kind that no class known here has"):
            load(tmp_path / "x")
