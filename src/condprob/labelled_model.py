"""A model in numbers with its labels and with how it was made, as `condprob.fit` returns it.

`Estimate` and `LanguageModel` are of this kind. Functions that take models and data in numbers,
such as `compare` and `mix`, accept these as well.
"""

import json
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from condprob.catalogue import id_of
from condprob.checks import Seed, in_brief
from condprob.checks.frozen import FrozenDict
from condprob.checks.values import as_label
from condprob.model import ENDED, ConditionalModel, end_in_brief
from condprob.vocabulary import Vocabulary

ABOUT = "about"  # the name of the record `About` in a file
PARTS_OF_MIXTURE = "parts"  # how many a mixture has, among the options in its record
SIMPLE = (str, int, float, bool, type(None))


@dataclass(frozen=True)
class About:
    """How a labelled model was made.

    Attributes
    ----------
    method : str
        Its id.
    options : dict
        Options of the method that differ from its defaults. It cannot be changed.
    seed : int or None
        None if the seed was no number.
    n : float
        Number of pairs in the data, or the sum of their weights.
    distinct : int
        Number of distinct pairs.
    names : tuple
        Names of the columns of contexts, outcomes and weights; None for a column without a name.
        A file can hold texts, numbers, and tuples of them.
    titles : tuple
        What the data call contexts and outcomes, such as the names of the index and of the columns
        of a cross table; None where they have no name. A file leaves out what it cannot hold.
    """

    method: str
    options: dict[str, Any] = field(default_factory=dict)
    seed: int | None = 0
    n: float = 0
    distinct: int = 0
    names: tuple[Any, Any, Any] = (None, None, None)
    titles: tuple[Any, Any] = (None, None)

    def __post_init__(self) -> None:
        if isinstance(self.options, dict):
            object.__setattr__(self, "options", FrozenDict(self.options))

    @classmethod
    def of(
        cls,
        method: Any,
        estimator: Any,
        seed: Seed,
        counts: Any,
        names: Any,
        titles: tuple[Any, Any] = (None, None),
    ) -> "About":
        """Describe the fit of an estimator to counts; ``method`` is its id or the estimator."""
        options = _options_of(estimator)
        seed = seed if isinstance(seed, int) else None
        names, titles = tuple(map(as_label, names)), tuple(map(as_label, titles))
        return cls(id_of(method), options, seed, counts.n, getattr(counts, "nnz", 0), names, titles)

    def to_json(self, **others: object) -> str:
        """Return the record, and other entries, as one line of JSON.

        Raises
        ------
        ValueError
            If the name of a column is neither a text nor a number, nor a tuple of these.
        """
        for name in self.names:
            if not _is_name(name):
                problem = f"the column {in_brief(name)} has a name of type {type(name).__name__}"
                raise ValueError(f"{problem}, which a file cannot hold: rename it to a text")
        record = {each.name: getattr(self, each.name) for each in fields(self)}
        record["titles"] = [title if _is_name(title) else None for title in self.titles]
        return json.dumps(record | others)

    @classmethod
    def from_json(cls, line: str) -> tuple["About", dict[str, Any] | None]:
        """Read a line of `to_json`; return the record, and its entry ``text`` or None.

        That entry holds the arguments of `condprob.Text`.

        Raises
        ------
        ValueError
            If the line is no JSON, or holds anything that `to_json` does not write.
        """
        try:
            found = json.loads(line)
            text = found.pop("text", None)
            names, titles = found.pop("names", [None] * 3), found.pop("titles", [None] * 2)
            names, titles = (
                tuple(tuple(name) if isinstance(name, list) else name for name in several)
                for several in (names, titles)
            )
            about = cls(**found, names=names, titles=titles)
        except (AttributeError, RecursionError, TypeError, ValueError):
            raise ValueError("not known: the record of the fit is not one of ours") from None
        is_right = {
            "method": isinstance(about.method, str) and about.method.isprintable(),
            "options": _are_options(about.options),
            "seed": about.seed is None or _is_number(about.seed, int),
            "n": _is_number(about.n, int | float) and about.n >= 0,
            "distinct": _is_number(about.distinct, int) and about.distinct >= 0,
            "names": len(about.names) == 3 and all(map(_is_name, about.names)),
            "titles": len(about.titles) == 2 and all(map(_is_name, about.titles)),
        }
        wrong = next((name for name, right in is_right.items() if not right), None)
        if wrong is not None:
            value = f"{wrong} = {in_brief(getattr(about, wrong))}"
            raise ValueError(f"not known: the record of the fit has {value}")
        if text is not None and not _are_options(text):
            raise ValueError(f"not known: the record of the fit has text = {in_brief(text)}")
        return about, text


def options_in_words(of: Any) -> str:
    """Return the options, other than the defaults, of an estimator or in the record of a fit."""
    if of is None:
        return ""
    options = of.options if isinstance(of, About) else _options_of(of)
    return ", ".join(f"{name}={value}" for name, value in options.items())


def _options_of(estimator: Any) -> dict[str, Any]:
    """Return the options of an estimator that differ from its defaults, but for arrays."""
    return {
        f.name: value
        for f in fields(estimator)
        if isinstance(value := getattr(estimator, f.name), SIMPLE) and value != f.default
    }


def _are_options(options: object) -> bool:
    return isinstance(options, dict) and all(isinstance(v, SIMPLE) for v in options.values())


def _is_number(value: object, kind: Any) -> bool:
    if not isinstance(value, kind) or isinstance(value, bool):
        return False
    return isinstance(value, int) or math.isfinite(value)


def _is_name(name: object) -> bool:
    """Whether a file can hold the name of a column: a tuple where columns have several levels."""
    return all(isinstance(p, SIMPLE) for p in (name if isinstance(name, tuple) else (name,)))


class LabelledModel(ABC):
    """A model in numbers, the labels of these numbers, and how it was made.

    Attributes
    ----------
    model : ConditionalModel
    contexts, outcomes : Vocabulary
    about : About
    """

    model: ConditionalModel
    contexts: Vocabulary
    outcomes: Vocabulary
    about: About

    @property
    @abstractmethod
    def labels(self) -> tuple:
        """Two models in which these are equal give the same numbers to the same labels."""

    @property
    def weights(self) -> np.ndarray:
        """The weight of each part of a mixture made by `condprob.mix`, shape (parts,).

        Raises
        ------
        AttributeError
            If the model is no mixture.
        """
        if PARTS_OF_MIXTURE not in self.about.options:  # other models have weights of another kind
            raise AttributeError(
                f"a fit of {self.about.method} has no weights: it is not a mixture"
            )
        mixture: Any = self.model
        return mixture.weights

    def log_prob(self, context: Any, outcome: Any) -> Any:
        """Return the logarithm of `prob`, nats; minus infinity for a probability of zero."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.prob(context, outcome))
        return float(logs) if np.ndim(logs) == 0 else logs

    def summary(self, detail: bool = False) -> str:
        """Return a few lines: the method, its data, its settings, and how the fit ended.

        With ``detail`` all other numbers follow that the method has learned.
        """
        options = options_in_words(self.about)
        plain, all_lines = self.model.in_plain_words(), self.model.settings_in_lines()
        return "\n".join(
            [
                *self._heading(),
                f"settings    {options or 'defaults'}",
                *plain,
                f"ended       {ENDED[self.model.ended]}",
                *(line for line in all_lines if detail and line not in plain),
            ]
        )

    def _end_in_brief(self) -> str:
        ended = end_in_brief(self.model)
        return ended if self.model.rank is None else f"rank {self.model.rank}, {ended}"

    @abstractmethod
    def _heading(self) -> list[str]:
        """Return the first lines of `summary`: the method, the sizes, and the data."""

    @abstractmethod
    def prob(self, context: Any, outcome: Any) -> Any:
        """Return the probability of an outcome in a context."""

    @abstractmethod
    def in_numbers(self, data: Any) -> Any:
        """Return the part of the data that `score` knows, as a `CountMatrix` or `Sentences`."""

    @abstractmethod
    def block_losses(self, data: Any, contexts: str = "drawn") -> Any:
        """Return the losses of the part of the data that `score` knows, `evaluation.Losses`."""
