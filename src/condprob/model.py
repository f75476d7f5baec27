"""The contract of every estimate: a distribution of outcomes, given a condition.

A condition is a context of a `matrix.ConditionalMatrix`, or a whole history of a
`text.SequenceModel`. This module has the methods that both share: an estimate that gives
`rows`, and probabilities `at` pairs, gets logarithms, samples and the most probable
outcomes from here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from html import escape
from os import PathLike
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import ROW_SUM_TOLERANCE, Conditions, Seed, check_integer, check_seed
from condprob.checks.entries import check_labels
from condprob.files.arrays import save
from condprob.files.stored import LARGEST_FLOAT, Stored

CELLS_AT_ONCE = 1 << 20  # floats of rows that are held at a time: of 8 MB, memory is used again
MOST_CELLS_SHOWN = 8  # rows and columns in a notebook; not measured
FIELDS_OF_SIZE = ("words", "longest", "pairs", "rank")  # that say how large a model is
MOST_IN_A_LINE = 16  # numbers of an array that a summary shows; not measured
# Nats per pair: a fit whose objective moves less in its last iteration has settled. Not measured.
SETTLED_BELOW = 1e-5
WITH_FACTORS = "fit a method with factors, such as ad-lr or lsa"
Ended = Literal["direct", "settled", "limit"]
ENDED: dict[Ended, str] = {
    "direct": "closed form: the method does not iterate",
    "settled": "converged: the last iteration changed almost nothing",
    "limit": "iteration limit: the fit ran all iterations or sweeps of its settings",
}
ENDS = get_args(Ended)


class ConditionalModel(Stored, ABC):
    """Distribution of outcomes for each condition: what every fit is.

    The condition is a context, or a history of words.

    Attributes
    ----------
    outcomes : int
        Number of outcomes.

    Notes
    -----
    It is a `ConditionalMatrix` or a `SequenceModel`. A subclass of these that names its kind,
    ``class Softmax(ConditionalMatrix, kind="softmax")``, can be saved.

    Examples
    --------
    >>> from condprob import method
    >>> matrix = method("add-half").fit([[1, 0], [0, 3]])
    >>> matrix.at([0, 1], [0, 1]).tolist()
    [0.75, 0.875]
    """

    @property
    def ended(self) -> Ended:
        """How the fit ended.

        ``"direct"``: it has no iterations that could stop too early. ``"settled"``: its iterations
        converged; the last moved the objective by less than `SETTLED_BELOW`, or than ``tol``.
        ``"limit"``: they stopped before, or nothing measured whether they had converged.
        """
        return "direct"

    @property
    @abstractmethod
    def outcomes(self) -> int:
        """Number of outcomes."""

    @abstractmethod
    def rows(self, conditions: Conditions) -> np.ndarray:
        """Return the distribution after each condition, shape (len(conditions), outcomes)."""

    @abstractmethod
    def at(self, conditions: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the probability of each outcome after its condition, broadcast together."""

    def sizes(self) -> dict[str, int]:
        """See `Stored`: the number of outcomes."""
        return {"outcomes": self.outcomes}

    def factors(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the factors that embed contexts and outcomes, (contexts, m) and (m, outcomes).

        Raises
        ------
        ValueError
            If the fit has no such factors.
        """
        raise ValueError(f"a {type(self).__name__} has no factors to embed; {WITH_FACTORS}")

    @property
    def rank(self) -> int | None:
        """Number of columns of the first of its `factors`; None for a fit without factors."""
        has_factors = type(self).factors is not ConditionalModel.factors
        return self.factors()[0].shape[1] if has_factors else None

    def log_prob(self, conditions: Conditions, outcomes: ArrayLike) -> np.ndarray:
        """Return the logarithm of `at`, nats; ``-inf`` where the probability is zero."""
        with np.errstate(divide="ignore"):
            return np.log(self.at(conditions, outcomes))

    def sample(self, conditions: Conditions, seed: Seed = 0) -> np.ndarray:
        """Sample an outcome for each condition.

        Parameters
        ----------
        conditions : sequence of length n
            Contexts or histories.
        seed : int, numpy.random.SeedSequence or numpy.random.Generator
            Seed or generator for all random choices. The same seed gives the same result.

        Returns
        -------
        numpy.ndarray of int64, shape (n,)
            One outcome per condition.

        Raises
        ------
        ValueError
            If a row does not sum to one (stupid backoff as published gives scores), or if the seed
            is invalid.
        """
        seed = check_seed(seed)
        distinct, row_of = self._distinct(conditions)
        uniforms = np.random.default_rng(seed).random(row_of.size)
        order = np.argsort(row_of, kind="stable")
        drawn = np.empty(row_of.size, dtype=np.int64)
        for start, rows in self._blocks(distinct):
            if (abs(rows.sum(axis=1) - 1) > ROW_SUM_TOLERANCE).any():
                raise ValueError("cannot sample: the distribution of a context does not sum to one")
            edges = np.searchsorted(row_of[order], [start, start + len(rows)])
            which = order[slice(*edges)]
            drawn[which] = draw_by_inversion(rows, row_of[which] - start, uniforms[which])
        return drawn

    def top(
        self,
        condition: ArrayLike | Conditions,
        n: int = 10,
        *,
        exclude: Any = None,
        among: ArrayLike | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Most probable outcomes after one condition or several.

        Parameters
        ----------
        condition : one, or a sequence of them
            Context or history, or several.
        n : int
            Number of outcomes.
        exclude : CountMatrix, scipy sparse matrix or 2-D array; or 1-D array of int, optional
            Pairs to leave out, in the shape of the matrix; or outcomes to leave out after every
            condition.
        among : 1-D array of int, optional
            Outcomes that may be returned; by default all.

        Returns
        -------
        outcomes : numpy.ndarray of int64, shape (min(n, outcomes),), or a row for each condition
            The most probable first; among equals, the smaller number first. If fewer are left, -1.
        probabilities : numpy.ndarray, the same shape
            Their probabilities; zero where there is no outcome.
        """
        size = min(check_integer("n", n, 0), self.outcomes)
        is_one, conditions = self._as_list(condition)
        best = np.full((len(conditions), size), -1)
        chances = np.zeros(best.shape)
        left_out = self._left_out(conditions, exclude)
        others = np.ones(self.outcomes, dtype=bool)
        if among is not None:
            others[check_labels(among, self.outcomes, "among").ravel()] = False
        for start, rows in self._blocks(conditions) if size else ():
            part = slice(start, start + len(rows))
            if among is not None:
                rows[:, others] = -1.0
            if left_out is not None:
                rows[left_out(part)] = -1.0
            best[part], chances[part] = largest(rows, size, least=0.0)
        return (best[0], chances[0]) if is_one else (best, chances)

    @abstractmethod
    def _as_list(self, condition) -> tuple[bool, Any]:
        """Return whether a condition is one, and a list of all."""

    def _left_out(self, conditions, exclude) -> Callable[[slice], tuple] | None:
        """Return a function of a part of the conditions: which cells of its rows are left out."""
        if exclude is None:
            return None
        if np.ndim(exclude) > 1:
            raise ValueError("exclude: must be a list of outcomes")
        outcomes = check_labels(exclude, self.outcomes, "exclude").ravel()
        return lambda part: (slice(None), outcomes)

    def _settings(self) -> dict[str, np.ndarray]:
        """Return the settings that are few numbers or names, given or learned, by their names."""
        plain = (part.name for part in fields(self) if _is_plain(self, part.name))
        found = {name: np.asarray(getattr(self, name)) for name in plain}
        return {
            name: values
            for name, values in found.items()
            if values.ndim < 2 and 0 < values.size <= MOST_IN_A_LINE
        }

    def settings_in_lines(self) -> list[str]:
        """Return a line for each setting that is few numbers or names, given or learned."""
        return [_in_line(name, values) for name, values in self._settings().items()]

    def in_plain_words(self) -> list[str]:
        """Return lines that say what was learned to a reader who does not know the method.

        These are the rank, and single numbers or names that are no sizes; the weights of a mixture.
        """
        lines = [] if self.rank is None else [f"rank        {self.rank}"]
        for name, values in self._settings().items():
            is_one = values.size == 1 and values.dtype.kind != "b"
            if name == "weights" or (is_one and name not in FIELDS_OF_SIZE):
                lines.append(_in_line(name, values))
        return lines

    def summary(self) -> str:
        """Return some lines: the model's size, the settings of its fit, and how the fit ended."""
        return "\n".join([repr(self)[1:-1], *self.settings_in_lines()])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._size()}, {end_in_brief(self)}>"

    @abstractmethod
    def _size(self) -> str:
        """Say how large the model is, for a `repr`."""

    def save(self, path: str | PathLike[str], **labels: ArrayLike) -> None:
        """Write the model to a file in the layout of safetensors, without pickle.

        The file contains the arrays of the estimate, not the counts to which it was fitted.

        Parameters
        ----------
        path : str or path
            File to write; it is written whole or not at all.
        **labels : list or one-dimensional array
            Texts or numbers to keep with the model, such as the words of the outcomes. Equal lists
            of texts are stored once.

        Raises
        ------
        ValueError
            If ``path`` is not a regular file.
        OSError
            If the file cannot be written.
        """
        save(path, self, **labels)

    @abstractmethod
    def _distinct(self, conditions) -> tuple[np.ndarray, np.ndarray]:
        """Return the distinct conditions, and the place of each condition among them."""

    def _blocks(self, conditions) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the rows of all conditions, some at a time, each with the place of its first."""
        step = max(CELLS_AT_ONCE // self.outcomes, 1)
        for start in range(0, len(conditions), step):
            yield start, self.rows(conditions[start : start + step])


def corner_in_html(heading: str, model: ConditionalModel, rows: Sequence, columns: Sequence) -> str:
    """Return the first probabilities of a model as a table in HTML, as notebooks show them."""
    chances = model.rows(range(min(len(rows), MOST_CELLS_SHOWN)))[:, :MOST_CELLS_SHOWN]
    more = "<th>…</th>" if len(columns) > MOST_CELLS_SHOWN else ""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in columns[:MOST_CELLS_SHOWN])
    lines = [f"<tr><th></th>{head}{more}</tr>"]
    for name, row in zip(rows, chances.tolist(), strict=False):
        cells = "".join(f"<td>{chance:.4g}</td>" for chance in row)
        lines.append(f"<tr><th>{escape(str(name))}</th>{cells}</tr>")
    lines += ["<tr><th>…</th></tr>"] if len(rows) > MOST_CELLS_SHOWN else []
    return f"<table><caption>{escape(heading)}</caption>{''.join(lines)}</table>"


def _is_plain(model: ConditionalModel, name: str) -> bool:
    """Whether a field is a number, a name, or an array of these, and describes the fit."""
    value = getattr(model, name)
    return isinstance(value, str | int | float | np.ndarray) and name not in ("W", "H", "ended")


def _in_line(name: str, values: np.ndarray) -> str:
    """Return the name of a setting and its values as a line of a summary."""
    shown = (f"{v:.4g}" if isinstance(v, float) else str(v) for v in values.ravel().tolist())
    return f"{name:<11} {' '.join(shown)}"


def end_in_brief(model: ConditionalModel) -> str:
    """Return in two words how a fit ended: see `ENDED`."""
    return ENDED[model.ended].partition(":")[0]


def worst_end(ends: Iterable[Ended]) -> Ended:
    """Return how a whole ended whose parts ended so: "limit" if any did, else "settled"."""
    return max(ends, key=("direct", "settled", "limit").index, default="direct")


def largest(
    scores: np.ndarray, n: int, least: float = -LARGEST_FLOAT
) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the largest scores of each row, and these scores.

    Both have the shape (rows, min(n, columns)). The largest is first; among equals, the smaller
    place. Where a row has fewer scores from ``least`` on, the place is -1 and the score zero.
    """
    columns = scores.shape[1]
    size = min(n, columns)
    best, found = np.full((len(scores), size), -1), np.zeros((len(scores), size))
    if not size:
        return best, found
    # The largest of so many groups are ``size`` numbers or more, and are fewer to order.
    groups = np.arange(0, columns, max(columns // (8 * size), 1))
    most = np.maximum.reduceat(scores, groups, axis=1)
    ends = np.maximum(np.partition(most, -size, axis=1)[:, -size], least)
    for place, (row, end) in enumerate(zip(scores, ends, strict=True)):
        here = np.flatnonzero(row >= end)
        here = here[np.argsort(-row[here], kind="stable")[:size]]
        best[place, : here.size], found[place, : here.size] = here, row[here]
    return best, found


def draw_by_inversion(rows: np.ndarray, which: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Draw a label from the distribution ``rows[which[s]]`` for each ``s``, int64, shape (n,).

    By inversion of all rows at once; ``uniforms``, shape (n,), are uniform on [0, 1).
    """
    return draw_from_steps(steps_of(rows), which, uniforms)


def steps_of(rows: np.ndarray) -> np.ndarray:
    """Return the distribution functions of rows, each above that of the row before it."""
    steps = np.cumsum(rows, axis=1)
    steps /= steps[:, -1:]  # The last step is exactly one: no draw falls off the end.
    steps += np.arange(len(rows))[:, None]
    return steps


def draw_from_steps(steps: np.ndarray, which: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Return what `draw_by_inversion` does, by the `steps_of` its rows."""
    found = np.searchsorted(steps.ravel(), which + uniforms, side="right")
    return np.minimum(found - which * steps.shape[1], steps.shape[1] - 1)
