"""What a file of arrays must hold: their names, kinds and shapes, and how they go together."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from condprob.checks import in_brief, shorten
from condprob.entries import blocks, read_part


class Head(NamedTuple):
    """What is known of an array in a file before it is read."""

    dtype: np.dtype
    shape: tuple[int, ...]


Arrays = dict[str, np.ndarray]
Heads = Mapping[str, np.ndarray | Head]
Sizes = dict[str, int]
ANY_SHAPE = None
UNIT = 1e-6  # how far from one the sum of a distribution may be; not measured
MATRIX, HISTORIES = "matrix", "histories"  # what a model that is a part of another may be
# Models that stand inside each other: a mixture of 330 could be written, and none of 400, when
# Python's limit of calls inside calls was the only one.
DEEPEST = 330
_TOLD = {MATRIX: "matrix", HISTORIES: "model of histories"}


class Array(NamedTuple):
    """What one array must be.

    Attributes
    ----------
    kind : str
        Kinds of NumPy's type: ``f`` for floats, ``i`` for integers, ``b`` for truths, ``U`` for
        texts. Numbers have 32 or 64 bits.
    shape : tuple of str or int, or ANY_SHAPE
        The same name stands for the same size throughout a file; ``"contexts+1"`` is one more.
    least, most : float
        Between which all numbers lie, both included. None is a NaN.
    nan : bool
        Whether numbers may be NaN, and are then not looked at.
    """

    kind: str
    shape: tuple | None
    least: float = -np.finfo(float).max
    most: float = np.finfo(float).max
    nan: bool = False


@dataclass(frozen=True)
class Contents:
    """What a kind of file must hold, and nothing else.

    Attributes
    ----------
    arrays : dict of str to Array
    groups : tuple of dict of str to Array
        Arrays of which a file has all or none.
    parts : dict of str to (str, str), or to ()
        Matrices that are part of the model, with the names of their sizes; or models of histories,
        whose words their class compares.
    relations : tuple of function
        Each takes the arrays and the sizes by name, and raises ValueError where they do not go
        together.
    others : Array or None
        What arrays must be that are not listed; None where there must be none.
    form : str
        `MATRIX` or `HISTORIES`; empty if it is no model, and so no part of one.
    """

    arrays: dict[str, Array]
    groups: tuple[dict[str, Array], ...] = ()
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    relations: tuple[Callable[[Arrays, Sizes], None], ...] = ()
    others: Array | None = None
    form: str = MATRIX


def check_contents(
    kinds: dict[str, Contents],
    kind: str,
    arrays: Heads,
    known: Collection[str] = (),
    depth: int = 0,
) -> Sizes:
    """Return the sizes of a file's arrays by name, once they are what its kind must hold.

    Its cost is a pass over the arrays; what is mapped is read from its file. Of arrays that are not
    read yet, names, types and shapes are looked at, and nothing else; the kinds of parts are there.
    A kind without a list is that of a class outside the library, which looks at its arrays itself.

    Parameters
    ----------
    kinds : dict of str to Contents
    kind : str
        What the file calls itself.
    arrays : dict of numpy.ndarray, or of Head
    known : collection of str
        Kinds that a part may have besides.
    depth : int
        How many models this one stands in.

    Raises
    ------
    ValueError
        If an array is missing, is not on the list, or is not what the list says; or if a part is of
        an unknown kind or of one that does not stand there, or stands too deep.
    """
    if kind not in kinds:
        return {}
    contents, sizes, rest = kinds[kind], {}, dict(arrays)
    if depth > DEEPEST:
        raise ValueError(f"its models stand more than {DEEPEST} deep inside each other")
    for name, wanted in _wanted(contents, arrays):
        if name not in arrays:
            raise ValueError(f"the array {name!r} is missing")
        check_array(name, rest.pop(name), wanted, sizes)
    for name, names_of_sizes in contents.parts.items():
        its_kind = _kind_of_part(kinds, name, arrays[name], names_of_sizes, known)
        part = part_of(name, arrays)
        rest = {key: array for key, array in rest.items() if not key.startswith(f"{name}_")}
        found = check_contents(kinds, its_kind, part, known, depth + 1)
        for of_part, of_whole in zip(("contexts", "outcomes"), names_of_sizes, strict=False):
            if found and not _bind(sizes, of_whole, found[of_part]):
                raise ValueError(f"the {of_part} of {name!r} do not go with the other arrays")
    for name, array in rest.items():
        if contents.others is None:
            raise ValueError(f"{kind} has no array {in_brief(name)}")
        check_array(name, array, contents.others, dict(sizes))
    if not any(isinstance(array, Head) for array in arrays.values()):
        for relation in contents.relations:
            relation(arrays, sizes)
    return sizes


def _kind_of_part(kinds, name, told, names_of_sizes, known) -> str:
    """Return of what kind a part is, or raise ValueError if none such stands there."""
    if isinstance(told, Head):  # read before all others, unless it is long
        raise ValueError(f"{name!r} is of no kind that is known, but a long text")
    kind = str(told)
    if kind not in kinds and kind not in known:
        raise ValueError(f"{name!r} is of no kind that is known: {in_brief(kind)}")
    form = MATRIX if names_of_sizes else HISTORIES
    if kind in kinds and kinds[kind].form != form:
        raise ValueError(f"{name!r} is {in_brief(kind)}, which is no {_TOLD[form]}")
    return kind


def part_of(name: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arrays of a model that is a part of another; see `model.pack`."""
    prefix = f"{name}_"
    return {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}


def _wanted(contents: Contents, arrays: Heads) -> Iterator[tuple[str, Array]]:
    """Yield what a file must hold: of the groups, those of which it has something."""
    yield from contents.arrays.items()
    for group in contents.groups:
        if group.keys() & arrays.keys():
            yield from group.items()
    for name in contents.parts:
        yield name, Array("U", ())


def check_array(name: str, array: np.ndarray | Head, wanted: Array, sizes: Sizes) -> None:
    """Raise ValueError unless an array is what it must be; take the sizes it has that are new."""
    told = f"the array {in_brief(name)}"
    is_kind = array.dtype.kind in wanted.kind
    if not is_kind or (array.dtype.kind in "fi" and array.dtype.itemsize not in (4, 8)):
        raise ValueError(f"{told} is of type {shorten(str(array.dtype))}")
    if wanted.shape is not ANY_SHAPE and (
        len(wanted.shape) != len(array.shape)
        or not all(map(_bind, [sizes] * len(array.shape), wanted.shape, array.shape))
    ):
        raise ValueError(f"{told} of shape {array.shape} does not go with the others")
    if array.dtype.kind in "fi" and not isinstance(array, Head):
        check_range(told, array, wanted)


def _bind(sizes: Sizes, wanted: str | int, size: int) -> bool:
    """Whether a size is what it must be, which is known where its name has stood before."""
    if isinstance(wanted, int):
        return size == wanted
    name, _, more = wanted.partition("+")
    return sizes.setdefault(name, size - int(more or 0)) == size - int(more or 0) >= 0


def check_range(told: str, array: np.ndarray, wanted: Array) -> None:
    """Raise ValueError unless all numbers of an array lie where they must."""
    for part in parts_of(array):
        if wanted.nan:
            part = part[~np.isnan(part)]
        if part.size and not (wanted.least <= part.min() and part.max() <= wanted.most):
            bad = part[~((part >= wanted.least) & (part <= wanted.most))][0]
            raise ValueError(f"{told} has the value {bad}")


def parts_of(array: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the numbers of an array, some at a time, in the order in which they are stored."""
    is_flat = array.ndim == 1
    flat = array if is_flat else array.ravel(order="K")
    for part in blocks(flat.size):
        yield read_part(flat, part) if is_flat else flat[part]
