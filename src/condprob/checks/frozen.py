"""Objects whose arrays cannot be changed: numbers that were derived from them stay right."""

from dataclasses import fields
from functools import cache, cached_property
from typing import Any, NoReturn

import numpy as np


def read_only(array: np.ndarray) -> np.ndarray:
    """Return an array, or a view of it, through which it cannot be changed."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


class FrozenDict(dict):
    """A dictionary that stays as it was made; its copies by ``dict`` can be changed."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the options of a result are read-only; change a copy of them, dict(...)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type, tuple[dict]]:
        """Return how a copy or a pickle is made."""
        return type(self), (dict(self),)


class Frozen:
    """A frozen dataclass whose arrays are read-only, and stay so in its copies.

    Numbers that follow from the fields are kept by `functools.cached_property`. Copies and pickles
    have the fields, and derive these numbers again.
    """

    def __post_init__(self) -> None:
        """Make the arrays among the fields read-only: numbers derived from them are kept."""
        protect_fields(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle carries."""
        return {
            name: value
            for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what a copy or a pickle has carried."""
        for name, value in state.items():
            object.__setattr__(self, name, value)
        protect_fields(self)


def protect_fields(thing: Any) -> None:
    """Make the arrays among the fields of a frozen dataclass read-only, also those in tuples."""
    views: dict[int, np.ndarray] = {}  # one view of an array that stands in two fields
    for name in _names_of_fields(type(thing)):
        value = getattr(thing, name)
        kept = protected(value, views)
        if kept is not value:
            object.__setattr__(thing, name, kept)


@cache
def _names_of_fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def protected(value: Any, views: dict[int, np.ndarray] | None = None) -> Any:
    """Return an array, or a tuple of arrays, as one that cannot be changed.

    ``views`` keeps one view of each array, for an array that stands in several places.
    """
    views = {} if views is None else views
    if isinstance(value, np.ndarray):
        return views.setdefault(id(value), read_only(value))
    if isinstance(value, tuple):
        parts = [protected(part, views) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
