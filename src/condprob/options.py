"""The options of a method, read from the annotations of its dataclass.

An annotation has the allowed values: ``Literal["unigram", "uniform"]``, ``bool``, or a number with
its range, ``Annotated[float, Range(0, 1)]``; ``|`` joins several. From it follow the check in the
constructor of an estimator, the schema of the configuration, and the values that the command line
reads and lists.
"""

import math
import re
import types
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from difflib import get_close_matches
from functools import cache
from inspect import cleandoc
from numbers import Integral, Real
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin, get_type_hints

from condprob.checks import (
    LARGEST_NUMBER,
    SMALLEST_NUMBER,
    in_brief,
    read_integer,
    read_number,
    warn_caller,
)
from condprob.checks.values import as_argument


@dataclass(frozen=True)
class Range:
    """The ends between which a number lies; ``closed`` if both ends are allowed."""

    low: float = -math.inf
    high: float = math.inf
    closed: bool = False

    def __contains__(self, value: float) -> bool:
        if self.closed:
            return self.low <= value <= self.high
        return self.low < value < self.high

    @property
    def wanted(self) -> str:
        """The range in words, which follow "a number" or "an integer"."""
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"between {self.low:g} and {self.high:g}, both {self._ends}"
        sign = ">=" if self.closed else ">"
        return f"{sign} {self.low:g}" if math.isfinite(self.low) else ""

    @property
    def _ends(self) -> str:
        return "included" if self.closed else "excluded"


SIZE = f"zero, or a number between {SMALLEST_NUMBER:g} and {LARGEST_NUMBER:g} in size"

Discount = Annotated[float, Range(0, 1)]
Proportion = Annotated[float, Range(0, 1, closed=True)]
AtLeastZero = Annotated[float, Range(0, closed=True)]
Positive = Annotated[float, Range(0)]
AtLeastOne = Annotated[int, Range(1, closed=True)]
Whole = Annotated[int, Range(0, closed=True)]
Threads = Annotated[int, Range(1, 1024, closed=True)]


# The options that the paper's symbols and scikit-learn's names may stand for.
ALIASES = {
    "alpha": ("discount", "strength"),
    "delta": ("discount",),
    "m": ("rank", "largest_rank"),
    "k": ("rank", "largest_rank"),
    "n_components": ("rank", "largest_rank"),
    "n_clusters": ("rank", "largest_rank"),
    "T": ("iterations",),
    "n_iter": ("iterations", "sweeps"),
    "max_iter": ("iterations", "sweeps"),
    "n_jobs": ("threads",),
    "random_state": ("seed", "fit(..., seed=...)"),
    "seed": ("fit(..., seed=...)",),
    "verbose": ("progress", "fit(..., progress=True)"),
    "progress": ("fit(..., progress=True)",),
}
_OPEN_ENDS = ("exclusiveMinimum", "exclusiveMaximum")  # the names of JSON schema


class GivenFactors(tuple):
    """A pair (W, H) of arrays to start from, which a configuration cannot write.

    It equals only itself, as arrays have no equality.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


# The option ``initial``, the first factors of a low-rank fit: see `em.starts`.
Start = Literal["random", "clusters"] | GivenFactors


@dataclass(frozen=True)
class Option:
    """One option of a method."""

    name: str
    default: Any
    kinds: tuple  # pairs of a type and its `Range`, names or words: a value has one of them

    def kept(self, value: object) -> object:
        """Return a value as one of Python, and a pair of factors as one that can be compared."""
        value = as_argument(value)
        if not isinstance(value, tuple | list) or len(value) != 2:
            return value
        takes_pairs = any(type_ is GivenFactors for type_, _ in self.kinds)
        return GivenFactors(value) if takes_pairs else value

    def accepts(self, value: object) -> bool:
        """Whether a value is allowed."""
        return any(_accepts(kind, value) for kind in self.kinds)

    @property
    def wanted(self) -> str:
        """The allowed values, in words."""
        return ", or ".join(_wanted(kind) for kind in self.kinds)

    def schema(self) -> dict | None:
        """Return the JSON schema of the value in a configuration; None if it cannot be written."""
        found = [
            _schema((type_, restriction))
            for type_, restriction in self.kinds
            if type_ not in (type(None), GivenFactors)
        ]
        if not found:
            return None
        return found[0] if len(found) == 1 else {"anyOf": found}

    def read(self, text: str) -> object:
        """Return the value of a text, or raise ValueError if no allowed value is written so."""
        if text.lower() == "none" and any(type_ is type(None) for type_, _ in self.kinds):
            return None
        values = [_read_option(kind, text) for kind in self.kinds]
        for kind, value in zip(self.kinds, values, strict=True):
            if value is not None and _accepts(kind, value):
                return value
        wanted = self.in_text().wanted_of(*values)
        raise ValueError(f"{self.name} = {in_brief(text)}: must be {wanted}")

    def in_text(self) -> "Option":
        """Return the option without the values that no text can give, such as arrays."""
        kinds = (kind for kind in self.kinds if kind[0] is not GivenFactors)
        return replace(self, kinds=tuple(kinds))

    def wanted_of(self, *values: object) -> str:
        """Describe the allowed values; if the values are too large or small, their sizes."""
        has_no_size = (
            isinstance(value, Real) and 0 < abs(value) < math.inf and not has_size(value)
            for value in values
        )
        return SIZE if any(has_no_size) else self.wanted


@cache
def options_of(estimator: type) -> dict[str, Option]:
    """Return the options of a method's class, by name, in the order of its fields."""
    hints = get_type_hints(estimator, include_extras=True)
    found = {}
    for field in fields(estimator):
        default = None if field.default is MISSING else field.default
        kinds = tuple(_kinds(hints[field.name]))
        if not kinds:
            raise TypeError(
                f"{estimator.__name__}.{field.name}: the annotation {hints[field.name]!r} has no "
                "allowed values; see condprob.options"
            )
        found[field.name] = Option(field.name, default, kinds)
    return found


# In a docstring: names, perhaps a type, and the indented lines below.
OF_ATTRIBUTE = re.compile(r"^(\w[\w, ]*?)(?: : .*)?\n((?:    .*\n?|\n)+)", re.MULTILINE)


@cache
def lines_of_options(estimator: type) -> dict[str, str]:
    """Return the line on each option in the docstrings of a method's class and its bases."""
    found: dict[str, str] = {}
    for part in reversed(estimator.__mro__):
        _, _, listed = cleandoc(part.__doc__ or "").partition("Attributes\n----------\n")
        for names, lines in OF_ATTRIBUTE.findall(listed):
            found |= dict.fromkeys(names.split(", "), " ".join(lines.split()))
    return found


class WithOptions:
    """Something with options, such as a method. A subclass is a frozen dataclass of its options."""

    def __post_init__(self) -> None:
        """Raise ValueError unless every field holds an allowed value."""
        for name, option in options_of(type(self)).items():
            value = option.kept(getattr(self, name))
            if not option.accepts(value):
                raise ValueError(f"{name} = {in_brief(value)}: must be {option.wanted_of(value)}")
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, options: Mapping[str, Any], called: str, arguments: Iterable[str] = ()) -> Self:
        """Return one with these options, or raise ValueError for an unknown option.

        The message has the name ``called``. The option may be meant for one of the ``arguments`` of
        a function.
        """
        known = options_of(cls)
        for option in options:
            if option not in known:
                near = nearest(option, known, {name: name for name in arguments})
                raise ValueError(f"{called} has no option {in_brief(option)}{near}")
        return cls(**options)


def warn_of_rank(estimator: object, contexts: int, outcomes: int) -> None:
    """Warn of a rank that is larger than that of any matrix of such a size."""
    rank, largest = getattr(estimator, "rank", 0), min(contexts, outcomes)
    if isinstance(rank, int) and rank > largest:  # a learned rank is no integer
        message = f"no matrix of {contexts:,} by {outcomes:,} has a rank above {largest:,}"
        warn_caller(f"rank={rank}: {message}; choose a smaller one, by its score on held-out pairs")


MOST_NAMES, MOST_NEAREST_NAMES = 15, 5  # that a message lists in full; that it names of more


def nearest(name: object, allowed: Iterable[str], others: Mapping[str, str] | None = None) -> str:
    """Return a phrase with the valid name that is nearest, whatever its case, or with some.

    ``others`` maps other names in use to the valid ones. A name in `ALIASES` may mean an option.
    """
    allowed = list(allowed)
    meant = ALIASES.get(name, ()) if isinstance(name, str) else ()
    for valid in meant:
        if valid in allowed or valid in (others or {}) or valid.startswith("fit("):
            return f"; did you mean {valid!r}?"
    named = dict(others or {}) | {valid: valid for valid in allowed}
    known = {each.lower(): valid for each, valid in named.items()}
    typed = in_brief(name).strip("'").lower()
    near = get_close_matches(typed, list(known), n=1)
    if near:
        return f"; did you mean {known[near[0]]!r}?"
    if len(allowed) <= MOST_NAMES:
        return f" (allowed: {', '.join(allowed)})"
    near = get_close_matches(typed, list(known), n=len(known), cutoff=0.0)
    first = [*dict.fromkeys(known[each] for each in near)][:MOST_NEAREST_NAMES]
    return f" (the nearest of {len(allowed)}: {', '.join(first)})"


def _kinds(hint):
    """Yield pairs (type, restriction) for each alternative of an annotation."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _kinds(part)
    elif origin is Literal:
        yield str, get_args(hint)
    elif origin is Annotated:
        kind, restriction, *_ = get_args(hint)
        yield kind, restriction
    elif hint in (int, float):
        yield hint, Range()
    elif hint is bool:
        yield bool, ()
    elif hint is GivenFactors:
        yield hint, "a pair (W, H) of arrays"
    elif hint is type(None):
        yield type(None), ()


def _accepts(kind, value) -> bool:
    type_, restriction = kind
    if type_ is str:
        return isinstance(value, Hashable) and value in restriction
    if type_ in (bool, type(None), GivenFactors):
        return isinstance(value, type_)
    numbers = Integral if type_ is int else Real
    if not isinstance(value, numbers) or isinstance(value, bool):
        return False
    return has_size(value) and value in restriction


def has_size(value: Real) -> bool:
    """Whether a number is zero, or of a size whose sums and products neither overflow nor vanish.

    With larger or smaller numbers the rows of a fit would not sum to one.
    """
    return value == 0 or SMALLEST_NUMBER <= abs(value) <= LARGEST_NUMBER


def _wanted(kind) -> str:
    type_, restriction = kind
    if type_ is GivenFactors:
        return restriction
    if type_ is str:
        return f"one of {', '.join(restriction)}" if len(restriction) > 1 else repr(restriction[0])
    if type_ is bool:
        return "true or false"
    if type_ is type(None):
        return "none"
    return f"{'an integer' if type_ is int else 'a number'} {restriction.wanted}".strip()


def _schema(kind) -> dict:
    type_, restriction = kind
    if type_ is str:
        return {"enum": list(restriction)}
    if type_ is bool:
        return {"type": "boolean"}
    found = {"type": "integer" if type_ is int else "number"}
    names = ("minimum", "maximum") if restriction.closed else _OPEN_ENDS
    ends = zip(names, (restriction.low, restriction.high), strict=True)
    return found | {name: end for name, end in ends if math.isfinite(end)}


def _read_option(kind, text: str):
    type_, _ = kind
    if type_ is str:
        return text
    if type_ is bool:
        return {"true": True, "false": False}.get(text.lower())
    if type_ in (type(None), GivenFactors):
        return None
    try:
        number = read_integer(text) if type_ is int else read_number(text)
    except ValueError:
        return None
    return None if math.isnan(number) else number
