"""Completion of a table of ratings: labelled users and items, and the numbers between them."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from os import PathLike
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse

from condprob.checks import (
    Seed,
    check_choice,
    check_integer,
    check_number,
    counted,
    in_brief,
)
from condprob.checks.values import as_label, as_list, unpacked
from condprob.counts import CountMatrix
from condprob.embeddings import nearest_labels
from condprob.files.arrays import save
from condprob.files.stored import Stored, stored
from condprob.labels.columns import number_of
from condprob.labels.estimate import warn_of_unseen
from condprob.labels.exclusion import numbers_among, outcomes_in
from condprob.labels.pairs import (
    PAIRS,
    Names,
    PairData,
    further_pairs,
    in_memory,
    is_many,
    listed,
    pairs_of,
)
from condprob.methods.textbook.completion import Biases, Completed, Descent, Entries, Sampling
from condprob.methods.textbook.completion import complete_matrix as descend
from condprob.model import largest
from condprob.run import Run
from condprob.vocabulary import Vocabulary

# How far the first steps go. A step's gradient is a mean over its sample, and a sample of a column
# or a row has as many entries as that has: its steps are fewer, and may be longer.
RATES = {"entries": 0.01, "columns": 0.5, "rows": 0.5}
BIASES: dict[str, Biases] = {"both": "both", "users": "contexts", "none": "none"}
# What messages on pairs call user, item and rating.
NAMES_OF_PAIRS = {
    "context=": "user=",
    "outcome=": "item=",
    "weight=": "rating=",
    PAIRS: "(user, item, rating)",
}
UNRATED = -1  # the number of a user or an item that no rating has


@dataclass(frozen=True, eq=False, repr=False)
class Ratings(Stored, kind="ratings"):
    """A completed table of ratings; the result of `condprob.complete`.

    The rating of user ``i`` for item ``j`` is ``mean + A_i B_j + a_i + b_j``. A user without
    ratings gets ``mean + b_j``, and an item without ratings ``mean + a_i``; without biases such a
    pair gets the mean of the known ratings.

    Attributes
    ----------
    mean : float
        Mean of the known ratings.
    A : numpy.ndarray, shape (users, rank)
        Taste vectors of the users.
    B : numpy.ndarray, shape (items, rank)
        Attribute vectors of the items.
    a, b : numpy.ndarray, shapes (users,) and (items,)
        Biases of users and of items; zeros if there are none.
    history : numpy.ndarray, shape (passes + 1,)
        Mean squared error of the known ratings, before and after each pass.
    centred : bool
        Whether the mean was subtracted before the fit, as it is if there are biases.
    users, items : Vocabulary
        Labels of users and items.
    names : tuple
        Names of the columns of users, items and ratings in the data of the fit, or None.
    scale : numpy.ndarray, shape (2,), or None
        Lowest and highest rating, to which predictions are clipped.

    Examples
    --------
    >>> from condprob import complete
    >>> ratings = complete([("ann", "up", 5), ("bob", "up", 3), ("ann", "it", 1)], rank=0)
    >>> 1 < ratings.predict("bob", "it") < 5
    True
    """

    mean: float = stored("f")
    A: np.ndarray = stored("f", "users", "rank")
    B: np.ndarray = stored("f", "items", "rank")
    a: np.ndarray = stored("f", "users")
    b: np.ndarray = stored("f", "items")
    history: np.ndarray = stored("f", "passes+1", low=0)
    centred: bool = stored("b")
    users: Vocabulary
    items: Vocabulary
    names: tuple[Any, Any, Any] = (None, None, None)
    scale: np.ndarray | None = stored("f", 2, default=None, optional=True)

    def __repr__(self) -> str:
        sizes = counted(len(self.users), "user"), counted(len(self.items), "item")
        error = sqrt(self.history[-1])
        return f"<Ratings: {', '.join(sizes)}, rank {self.rank}, RMSE {error:.3g} of known ones>"

    @property
    def rank(self) -> int:
        """Number of columns of the factors."""
        return self.A.shape[1]

    def predict(self, user: Any, item: Any) -> Any:
        """Predicted rating of an item by a user; for lists, an array.

        Parameters
        ----------
        user, item : label, or list of labels
            Lists of the same length are pairs. A single label goes with each entry of a list.

        Raises
        ------
        ValueError
            If two lists differ in length.

        Warns
        -----
        UnseenContextWarning
            If a user or an item has no known rating.
        """
        users, items = listed(user), listed(item)
        if is_many(user) and is_many(item) and len(users) != len(items):
            raise ValueError(
                f"{len(users)} users and {len(items)} items: pass lists of pairs of the same length"
            )
        rows = _known(users, self.users, "item")
        columns = _known(items, self.items, "user")
        found = self._clipped(self._at(*np.broadcast_arrays(rows, columns)))
        return found if is_many(user) or is_many(item) else float(found[0])

    def predict_pairs(self, data: Any) -> np.ndarray:
        """Predicted rating of each pair in a table or an iterable of pairs, shape (pairs,).

        A table must have the columns of users and items of the fit; a column of ratings is not
        read. Users and items without a known rating are as in `predict`, without a warning.
        """
        pairs = _read(data, (*self.names[:2], None), (self.users, self.items))
        rows = self.users.numbers(pairs.contexts, UNRATED)
        return self._clipped(self._at(rows, self.items.numbers(pairs.outcomes, UNRATED)))

    def rmse(self, data: Any) -> float:
        """Root of the mean squared error on ratings, such as those held out.

        Parameters
        ----------
        data : whatever `condprob.complete` takes
            Test ratings, with the names of columns of the fit.
        """
        pairs = _read(data, self.names, (self.users, self.items))
        if pairs.weights is None:
            raise ValueError("the data have no ratings to compare with")
        found = self.predict_pairs(pairs)
        return float(np.sqrt(np.mean((np.array(pairs.weights) - found) ** 2)))

    def top(
        self, user: Hashable, n: int = 10, *, exclude: Any = None, among: Any = None
    ) -> list[tuple[Any, float]]:
        """Items that a user would rate best, with their predicted ratings, best first.

        Parameters
        ----------
        user : label
            The user.
        n : int
            Number of items.
        exclude : item, list of items, or ratings as for `condprob.complete`, optional
            Items to leave out. If you pass ratings, those of this user are left out: pass the data
            of the fit to leave out what the user knows already.
        among : list of items, optional
            Items that may be returned; by default all that the fit knows.
        """
        (row,) = _known([as_label(user)], self.users, "item")
        scores = self._at(np.full(len(self.items), row), np.arange(len(self.items)))
        if among is not None:
            kept = numbers_among(among, self.items)
            scores[np.setdiff1d(np.arange(len(self.items)), kept)] = -np.inf
        left_out = self.items.numbers(self._items_in(exclude, as_label(user)), UNRATED)
        scores[left_out[left_out != UNRATED]] = -np.inf
        (best,), (found,) = largest(scores[None], check_integer("n", n, 0))
        pairs = zip(best.tolist(), self._clipped(found).tolist(), strict=True)
        return [(self.items[j], rating) for j, rating in pairs if j >= 0]

    def similar_users(self, user: Hashable, n: int = 10) -> list[tuple[Any, float]]:
        """Users with the most similar tastes, the most similar first, with the cosines.

        The similarity is the scalar product of two rows of ``A B'``, the ratings without biases,
        divided by their lengths. Rows of ``A`` by themselves have other products for each of the
        many factors with the same ``A B'``.

        Raises
        ------
        ValueError
            If the user has no known rating, or the rank is zero.
        """
        return _nearest(self.A, self.B, self.users, user, n)

    def similar_items(self, item: Hashable, n: int = 10) -> list[tuple[Any, float]]:
        """Items with the most similar ratings; see `similar_users`."""
        return _nearest(self.B, self.A, self.items, item, n)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the ratings to a file, whole or not at all; `condprob.load` reads it.

        Raises
        ------
        ValueError, OSError
            If labels are neither texts nor numbers, or the file cannot be written.
        """
        names = ["" if name is None else str(name) for name in self.names]
        if any(name not in (None, str(name)) for name in self.names):
            raise ValueError(f"columns {in_brief(self.names)}: names of columns must be texts")
        save(path, self, users=self.users, items=self.items, names=names)

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """See `Stored`: users and items are still without labels."""
        nobody = Vocabulary([])
        return cls(**values, users=nobody, items=nobody)

    def with_labels(self, labels: Mapping[str, Any]) -> "Ratings":
        """Return the ratings of a file with its labels, or raise ValueError."""
        users, items = (Vocabulary(labels[name]) for name in ("users", "items"))
        names = tuple(name or None for name in labels["names"])
        if (len(users), len(items), len(names)) != (len(self.A), len(self.B), 3):
            raise ValueError(f"not {len(self.A):,} different users and {len(self.B):,} items")
        return replace(self, users=users, items=items, names=names)

    def _items_in(self, exclude: Any, user: Hashable) -> list:
        """Return the items to leave out for a user, of items or of ratings."""
        data = [] if exclude is None else in_memory(unpacked(exclude))
        several = outcomes_in(data, self.items)
        if several is not None:
            return several
        pairs = _read(data, (*self.names[:2], None), (self.users, self.items))
        return [item for who, item in zip(*pairs[:2], strict=True) if who == user]

    def _clipped(self, ratings: np.ndarray) -> np.ndarray:
        """Return ratings within the scale."""
        return ratings if self.scale is None else np.clip(ratings, *self.scale)

    def _at(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the rating of each pair; `UNRATED` is a user or item without ratings."""
        is_user, is_item = rows != UNRATED, columns != UNRATED
        both = np.einsum("pr,pr->p", self.A[rows], self.B[columns])
        found = np.where(is_user & is_item, both, 0.0)
        found += np.where(is_user, self.a[rows], 0.0) + np.where(is_item, self.b[columns], 0.0)
        return found + np.where(self.centred | ~(is_user & is_item), self.mean, 0.0)


def complete(
    data: Any,
    user: Hashable | None = None,
    item: Hashable | None = None,
    rating: Hashable | None = None,
    *,
    rank: int = 10,
    passes: int = 50,
    biases: str = "both",
    sampling: Sampling = "entries",
    rate: float | None = None,
    ridge: float = 0.05,
    scale: tuple[float, float] | None = None,
    seed: Seed = 0,
    progress: bool | None = None,
) -> Ratings:
    """Complete a table of ratings by matrix factorisation with biases.

    Unknown ratings are missing, not zero, and a rating may be any number. For counts, use
    `condprob.fit`.

    Parameters
    ----------
    data : table, cross table, dictionary or iterable
        The known ratings. Most often a table with one row per rating (name its columns with
        ``user``, ``item`` and ``rating``) or a list of ``(user, item, rating)`` tuples. The other
        forms that `condprob.fit` accepts work as well. An empty cell of a cross table is no rating,
        whereas a zero is one.
    user, item, rating : label of a column, optional
        Names of the columns of a table.
    rank : int
        Number of columns of the factors. With zero, only the biases are fitted.
    passes : int
        Number of passes of gradient descent over the known ratings.
    biases : {"both", "users", "none"}
        Which biases to fit in addition to the factors.
    sampling : {"entries", "columns", "rows"}
        What one step uses: a single known rating, all ratings of an item, or all of a user.
    rate : float, optional
        Length of the first steps along the gradient. By default 0.01 for entries and 0.5 for
        columns and rows. A pass that raises the error is undone, and later steps are half as long.
    ridge : float
        Weight of the squares of factors and biases in the objective.
    scale : (lowest, highest), optional
        Range of the ratings, such as ``(1, 5)``, to which the answers of `Ratings.predict`,
        `Ratings.top` and `Ratings.rmse` are clipped. `Ratings.top` ranks before it clips. By
        default nothing is clipped.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        Seed or generator for all random choices. The same seed gives the same result.
    progress : bool, optional
        Whether to show progress on standard error. By default it is shown at a terminal or in a
        notebook once a fit has taken three seconds.

    Returns
    -------
    Ratings
        Query it with ``predict``, ``top`` and ``similar_users``.

    Raises
    ------
    ValueError
        If the data are not ratings, a user has rated an item twice, a rating is not finite, or an
        option has no such value.

    Notes
    -----
    The objective is the mean over the known ratings of ``(M_ij - A_i B_j - a_i - b_j)^2`` plus
    ``ridge`` times the squares of ``A``, ``B``, ``a`` and ``b``. With biases, the mean of
    the known ratings is subtracted first, so that the ridge pulls towards it; without biases it is
    not, because the model is then ``M = A B``. The numbers are divided by their root mean square,
    so that ``rate`` and ``ridge`` mean the same on every scale.

    References
    ----------
    Lecture notes of COS 324, chapter 9: equations (9.4), (9.5), (9.8) to (9.10).

    Examples
    --------
    >>> from condprob import complete
    >>> known = [("ann", "up", 1), ("ann", "duck", 2), ("bob", "up", 2), ("bob", "duck", 4)]
    >>> known += [("cem", "up", 3)]
    >>> ratings = complete(known, rank=1, biases="none", ridge=0, passes=2000)
    >>> round(ratings.predict("cem", "duck"), 2)
    6.0
    """
    check_choice("biases", biases, tuple(BIASES))
    check_choice("sampling", sampling, tuple(RATES))
    rank, passes = check_integer("rank", rank, 0), check_integer("passes", passes, 0)
    rate = RATES[sampling] if rate is None else check_number("rate", rate)
    ridge = check_number("ridge", ridge)
    if not rate > 0 or ridge < 0:
        raise ValueError(f"rate = {rate:g} and ridge = {ridge:g}: must be > 0 and >= 0")
    scale = None if scale is None else _checked_scale(scale)
    run = Run.of(seed, progress)
    names = as_label(user), as_label(item), as_label(rating)
    given = _read(data, names)
    if given.weights is None:
        raise ValueError("the data have no ratings: name their column with rating=NAME")
    users, items = map(Vocabulary.in_order, (given.contexts, given.outcomes))
    pairs = Counter(zip(given.contexts, given.outcomes, strict=True))
    if len(pairs) < len(given.contexts):
        (twice, _), *_ = pairs.most_common(1)
        raise ValueError(
            f"{in_brief(twice[0])} has rated {in_brief(twice[1])} twice: keep one rating, "
            "such as the mean by df.groupby([user, item], as_index=False).mean()"
        )
    values = np.array(given.weights, dtype=float)
    mean, centred = float(values.mean()), biases != "none"
    values -= mean * centred
    unit = sqrt(np.mean(values**2)) or 1.0
    numbers = given.numbered(users, items)
    order = np.lexsort(numbers)  # steps draw entries by their places: the order of rows is nothing
    entries = Entries(numbers[0][order], numbers[1][order], values[order] / unit)
    descent = Descent(rate, ridge, BIASES[biases], sampling)
    found: Completed = descend(entries, (len(users), len(items)), rank, passes, descent, run)
    return Ratings(
        mean=mean,
        A=found.A * sqrt(unit),
        B=found.B * sqrt(unit),
        a=found.a * unit,
        b=found.b * unit,
        history=found.history * unit**2,
        centred=centred,
        scale=scale if scale is None else np.array(scale, dtype=float),
        users=users,
        items=items,
        names=names,
    )


def _read(data: Any, names: Names, labels: tuple[Vocabulary, Vocabulary] | None = None) -> PairData:
    """Return ratings, or only pairs, by the reader of all labelled data.

    ``labels`` are those of a fit: then the data come later.
    """
    data = in_memory(data)
    if issparse(data) or isinstance(data, CountMatrix):
        hint = "give (user, item, rating) for each entry, zip(*scipy.sparse.find(matrix))"
        raise ValueError(f"a matrix has no labels: {hint}")
    if isinstance(data, np.ndarray) and data.dtype.names is None:
        data = data.tolist()  # rows of ratings: a matrix would have no labels
    how: dict[str, Any] = {"nouns": ("user", "item"), "numbers_of": _numbers}
    try:
        if labels is None:
            found = pairs_of(data, names, **how)
        else:
            found = further_pairs(data, names, labels, **how)
    except ValueError as error:
        message = str(error)
        for name, own in NAMES_OF_PAIRS.items():
            message = message.replace(name, own)
        if any(word in message for word in ("context", "outcome", "weight")):
            message += "; a context is a user, an outcome an item, and a weight a rating"
        raise ValueError(message) from None
    if not found.contexts:
        raise ValueError("the data have no rating")
    return found


def _checked_scale(scale: Any) -> tuple[float, float]:
    """Return the ends of a scale, or raise ValueError."""
    if not isinstance(scale, tuple | list | np.ndarray) or len(scale) != 2:
        raise ValueError(f"scale = {in_brief(scale)}: must be (lowest, highest), such as (1, 5)")
    low, high = (check_number("scale", end) for end in scale)
    if not low < high:
        raise ValueError(f"scale = {in_brief(scale)}: the lowest rating comes first")
    return low, high


def _numbers(values: Any) -> list[float]:
    """Return ratings as floats, or raise ValueError for the first that is no finite number."""
    found = []
    for place, value in enumerate(as_list(values)):
        number = None if isinstance(value, bool) else number_of(value)
        if number is None or not isfinite(number):
            what = ", and no text" if isinstance(value, str) else ""
            hint = f"must be a finite number{what}; leave out what is not known"
            raise ValueError(f"row {place} has the rating {in_brief(value)}: {hint}")
        found.append(float(number))
    return found


def _known(labels: list, vocabulary: Vocabulary, other: str) -> np.ndarray:
    """Return the number of each label; `UNRATED`, with a warning, for one without a known rating.

    The answer is then the bias of the ``other`` of the pair, an item or a user.
    """
    warn_of_unseen(labels, vocabulary, f"the mean, and the {other}'s bias if there are biases")
    return vocabulary.numbers(labels, UNRATED)


def _nearest(
    own: np.ndarray, other: np.ndarray, labels: Vocabulary, label: Hashable, n: int
) -> list[tuple[Any, float]]:
    """Return the labels whose rows of ``own @ other.T`` have the largest cosines with one row."""
    if not own.shape[1]:
        raise ValueError("rank = 0: biases alone say nothing of tastes")
    (number,) = labels.numbers([as_label(label)])
    around = own @ (other.T @ other)  # the scalar products of the rows are `around @ own.T`
    lengths = np.sqrt(np.maximum((around * own).sum(axis=1), 0.0))
    products = around @ own[number]
    norms = lengths * lengths[number]
    cosines = np.divide(products, norms, out=np.zeros(len(own)), where=norms > 0).clip(-1, 1)
    return nearest_labels(cosines, number, labels, n)
