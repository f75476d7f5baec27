"""What a labelled fit says of itself, in its summary and in its file."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from condprob.annotations import Seed
from condprob.catalogue import id_of
from condprob.checks import in_brief
from condprob.estimator import Estimator
from condprob.labelled.text import Text
from condprob.model import ConditionalModel
from condprob.vocabulary import as_plain

ABOUT = "about"  # the name under which a file of an estimate has what it says of itself
ENDED = {
    "direct": "direct: there are no iterations that could stop too early",
    "settled": "settled: the last iteration changed next to nothing",
    "limit": "limit: it stopped at its number of iterations, and the last one still moved it, as "
    "the defaults of py-lr and ad-lr are meant to",
}
ENDED_IN_SHORT = {"limit": "all its iterations made"}
SIMPLE = (str, int, float, bool, type(None))


def in_short(model: ConditionalModel) -> str:
    """Return how a fit ended, for a `repr`; its summary says more."""
    return ENDED_IN_SHORT.get(model.ended, model.ended)


@dataclass(frozen=True)
class About:
    """How an estimate was made.

    Attributes
    ----------
    method : str
    options : dict
        Of the method: those that are not its defaults.
    seed : int or None
        None where it was no number.
    n : float
        Pairs that were seen, or the sum of their weights.
    distinct : int
        Distinct pairs.
    names : tuple
        Of the columns of contexts, outcomes and weights; None where there were none. A file holds
        texts, numbers and tuples of them.
    """

    method: str
    options: dict[str, Any] = field(default_factory=dict)
    seed: int | None = 0
    n: float = 0
    distinct: int = 0
    names: tuple[Any, Any, Any] = (None, None, None)

    @classmethod
    def of(
        cls,
        method: str | Estimator,
        estimator: Estimator,
        seed: Seed,
        counts: Any,
        names: tuple[Any, ...] = (None, None, None),
    ) -> "About":
        """Tell of a fit."""
        told = method if isinstance(method, str) else id_of(estimator)
        options = {f.name: (getattr(estimator, f.name), f.default) for f in fields(estimator)}  # type: ignore
        simple = {name: v for name, (v, default) in options.items()
                  if isinstance(v, SIMPLE) and v != default}  # fmt: skip
        names = tuple(map(as_plain, names))
        seed = seed if isinstance(seed, int) else None
        return cls(told, simple, seed, counts.n, getattr(counts, "nnz", 0), names)

    def tell_settings(self, model: ConditionalModel) -> list[str]:
        """Return lines that say what was asked for, what the fit has learned, and how it ended."""
        asked = ", ".join(f"{name}={value}" for name, value in self.options.items())
        settings = f"settings    {asked or 'its defaults'}"
        return [settings, *model.settings_in_lines(), f"ended       {ENDED[model.ended]}"]

    def packed(self, **others: object) -> list[str]:
        """Return the labels that a file has of it, and of other things: one text of JSON.

        Raises
        ------
        ValueError
            If the name of a column is neither a text nor a number, nor a tuple of these.
        """
        for name in self.names:
            if not all(isinstance(part, SIMPLE) for part in _parts(name)):
                told = f"the column {in_brief(name)} has a name of type {type(name).__name__}"
                raise ValueError(f"{told}, which a file cannot hold: call it by a text")
        return [json.dumps({f.name: getattr(self, f.name) for f in fields(self)} | others)]

    @classmethod
    def unpacked(cls, packed: str) -> tuple["About", dict[str, Any] | None]:
        """Build it from a text of `packed`, and return what it says of the cutting of texts.

        That are arguments of `Text`, or None.

        Raises
        ------
        ValueError
            If the text is no JSON, or has something else than `packed` writes.
        """
        try:
            found = json.loads(packed)
        except (RecursionError, ValueError):  # too deep, too many digits, no JSON
            raise ValueError("not known: what it says of itself is no JSON of ours") from None
        text = found.pop("text", None) if isinstance(found, dict) else None
        if not isinstance(found, dict) or not found.keys() <= _IS.keys() or "method" not in found:
            raise ValueError("not known: what it says of itself is something else")
        names = found.get("names", [None] * 3)
        if not isinstance(names, list) or len(names) != 3:
            raise ValueError("not known: the names of its columns are not three")
        found["names"] = tuple(tuple(name) if isinstance(name, list) else name for name in names)
        wrong = next((name for name, value in found.items() if not _IS[name](value)), None)
        if wrong is not None:
            told = f"{wrong} = {in_brief(found[wrong])}"
            raise ValueError(f"not known: what it says of itself has {told}")
        if text is not None and not (_is_simple(text) and text.keys() <= _OF_TEXTS):
            raise ValueError("not known: what it says of the cutting of texts is something else")
        return cls(**found), text


def _is_simple(options: object) -> bool:
    """Whether it is options by name: texts, numbers, truths, or None."""
    return isinstance(options, dict) and all(isinstance(v, SIMPLE) for v in options.values())


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


# What each field of `About` is in a file.
_IS: dict[str, Callable[[Any], bool]] = {
    "method": lambda value: isinstance(value, str) and value.isprintable(),
    "options": _is_simple,
    "seed": lambda value: value is None or _is_whole(value),
    "n": lambda value: _is_count(value) and value >= 0,
    "distinct": lambda value: _is_whole(value) and value >= 0,
    "names": lambda names: all(isinstance(p, SIMPLE) for name in names for p in _parts(name)),
}
_OF_TEXTS = {f.name for f in fields(Text)}


def _parts(name: object) -> tuple[object, ...]:
    """Return what a name is made of: several where columns have several levels."""
    return name if isinstance(name, tuple) else (name,)
