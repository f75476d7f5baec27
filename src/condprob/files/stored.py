"""Objects that a file can hold: one declaration for each array, from which all else follows.

    @dataclass(frozen=True, eq=False, repr=False)
    class Factors(Stored, kind="factors"):
        W: np.ndarray = stored("f", "contexts", "m", low=0)
        H: np.ndarray = stored("f", "m", "outcomes", low=0)

The class statement enters the kind in `CLASSES_OF_KINDS`. `Stored.arrays` returns what a file
holds, and `Stored.from_arrays` takes it back, if types, sizes and bounds are as they were declared.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np

from condprob.checks import in_brief
from condprob.checks.entries import blocks, read_slice
from condprob.checks.frozen import Frozen

Arrays = dict[str, np.ndarray]
Sizes = dict[str, int]
CLASSES_OF_KINDS: dict[str, type["Stored"]] = {}  # each class by its name in files
LARGEST_FLOAT = np.finfo(float).max
ANY = -np.inf, np.inf  # bounds of all numbers but NaN


class Stored(Frozen):
    """A frozen dataclass of which a file can hold the fields that are declared by `stored`.

    A subclass that names its kind can be saved, and files of this kind are read as it.
    """

    kind: ClassVar[str]
    reader: ClassVar[str] = "condprob.load"  # what reads such a file

    def __init_subclass__(cls, kind: str | None = None, **options) -> None:
        super().__init_subclass__(**options)
        if kind is not None:
            cls.kind, other = kind, CLASSES_OF_KINDS.get(kind, cls)
            if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
                raise ValueError(f"files of the kind {kind!r} are those of {other.__qualname__}")
            CLASSES_OF_KINDS[kind] = cls

    def arrays(self) -> Arrays:
        """Return the arrays of a file; `from_arrays` takes them back."""
        found: Arrays = {}
        for name, form in declared(type(self)).items():
            value = getattr(self, name)
            if not form.optional or value is not getattr(type(self), name):
                found |= form.write(name, value)
        return found

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Self:
        """Build the object from its `arrays`, or raise ValueError if they are not as declared."""
        found, sizes = {}, {}
        for name, form in declared(cls).items():
            names = form.parts if isinstance(form, Together) else (name,)
            if not form.optional or any(each in arrays for each in names):
                found[name] = form.read(name, arrays, sizes)
        return cls.restored(found)

    def check(self, arrays: Arrays) -> None:
        """Raise ValueError if the object's own `arrays` are not as declared."""
        self.from_arrays(arrays)

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        """Build the object from the values of its stored fields.

        A subclass checks here what declarations do not say and compiled code relies on, and raises
        ValueError.
        """
        return cls(**values)

    def sizes(self) -> Sizes:
        """Return the sizes that an object has in common with others in one file, by name."""
        return {}


@dataclass(frozen=True)
class Array:
    """What an array of a file must be.

    Attributes
    ----------
    types : str
        Kinds of NumPy's types: ``f`` for floats, ``i`` for integers, ``b`` for truths, ``U`` for
        texts. Numbers have 32 or 64 bits.
    shape : tuple of str or int
        A size is a number, or a name that stands for the same number in all arrays of an object,
        as in "contexts" and "contexts+1".
    low, high : float
        Between which all numbers lie, both included. Without them all numbers are finite.
    below : str
        A size, as in ``shape``, below which all integers are.
    nan : bool
        Whether numbers may be NaN.
    choices : tuple of str
        The texts that are allowed.
    optional : bool
        Whether files leave the field's default out.
    """

    types: str
    shape: tuple[str | int, ...] = ()
    low: float = -LARGEST_FLOAT
    high: float = LARGEST_FLOAT
    below: str = ""
    nan: bool = False
    choices: tuple[str, ...] = ()
    optional: bool = False

    def write(self, name: str, value: Any) -> Arrays:
        """Return the arrays of a file by their names."""
        return {name: np.asanyarray(value)}

    def read(self, name: str, arrays: Arrays, sizes: Sizes) -> Any:
        """Return the array, or the value if it is one, or raise ValueError.

        Names of sizes that are new are entered in ``sizes``; so is a single integer.
        """
        if name not in arrays:
            raise ValueError(f"the array {name!r} is missing")
        array = arrays[name]
        is_number = array.dtype.kind in "fi"
        if array.dtype.kind not in self.types or (is_number and array.dtype.itemsize not in (4, 8)):
            raise ValueError(f"the array {name!r} is of type {array.dtype}")
        if array.ndim != len(self.shape) or not all(
            _agrees(size, found, sizes) for size, found in zip(self.shape, array.shape, strict=True)
        ):
            raise ValueError(
                f"the array {name!r} of shape {array.shape} does not go with the others"
            )
        if is_number:
            self._check_numbers(name, array, sizes)
        if array.ndim:
            return array
        value = array.item()
        if self.choices and value not in self.choices:
            wanted = f"must be one of {', '.join(self.choices)}"
            raise ValueError(f"{name} = {in_brief(value)}: {wanted}")
        if array.dtype.kind == "i":
            sizes[name] = value
        return value

    def _check_numbers(self, name: str, array: np.ndarray, sizes: Sizes) -> None:
        """Raise ValueError if a number is out of bounds; arrays on disk are read by parts."""
        high = self.high
        if self.below:
            size, more = _parsed(self.below)
            high = sizes[size] + more - 1
        flat = array if array.ndim == 1 else array.ravel(order="K")
        is_any = self.nan and (self.low, high) == ANY
        for part in blocks(flat.size) if not is_any else ():
            numbers = read_slice(flat, part)
            is_inside = (self.low <= numbers) & (numbers <= high) | (self.nan & np.isnan(numbers))
            if not is_inside.all():
                raise ValueError(f"the array {name!r} has the value {numbers[~is_inside][0]}")


@dataclass(frozen=True)
class Together:
    """Arrays that are one field, such as a named tuple.

    Attributes
    ----------
    make : function
        Of a list of the arrays.
    parts : dict of Array
        By their names in a file.
    optional : bool
        Whether files leave the field's default out.
    """

    make: Callable[[list], Any]
    parts: dict[str, Array]
    optional: bool = False

    def write(self, name: str, value: Any) -> Arrays:
        """Return the arrays of a file by their names."""
        return {key: np.asanyarray(part) for key, part in zip(self.parts, value, strict=True)}

    def read(self, name: str, arrays: Arrays, sizes: Sizes) -> Any:
        """Return the field; ValueError if one of its arrays is not what it must be."""
        return self.make([part.read(key, arrays, sizes) for key, part in self.parts.items()])


@dataclass(frozen=True)
class Part:
    """Another object: its kind has the name of the field, and its arrays begin with that name.

    Attributes
    ----------
    form : class
        That it must be of.
    """

    form: type[Stored]
    optional: ClassVar[bool] = False

    def write(self, name: str, value: Stored) -> Arrays:
        """Return the arrays of the object, and its kind, by their names in a file."""
        arrays = {f"{name}_{key}": array for key, array in value.arrays().items()}
        return {name: np.array(value.kind)} | arrays

    def read(self, name: str, arrays: Arrays, sizes: Sizes) -> Any:
        """Return the object; ValueError if it is of no such kind or does not go with the others."""
        kind, prefix = Array("U").read(name, arrays, {}), f"{name}_"
        found, wanted = CLASSES_OF_KINDS.get(kind), self.form.__name__
        if found is None or not issubclass(found, self.form):
            raise ValueError(f"{name!r} is of the kind {in_brief(kind)}: no {wanted} is of it")
        own = {key.removeprefix(prefix): a for key, a in arrays.items() if key.startswith(prefix)}
        value = found.from_arrays(own)
        for size, number in value.sizes().items():
            if sizes.setdefault(size, number) != number:
                raise ValueError(f"the {size} of {name!r} do not go with the other arrays")
        return value


@dataclass(frozen=True)
class Several(Part):
    """Any number of other objects, each a `Part` whose name ends in its place: ``part_0``, ...

    Attributes
    ----------
    prefix : str
        With which their names begin.
    """

    prefix: str

    def write(self, name: str, value: Sequence[Stored]) -> Arrays:
        """Return the arrays of the objects, and their kinds, by their names in a file."""
        found: Arrays = {}
        for place, part in enumerate(value):
            found |= super().write(f"{self.prefix}_{place}", part)
        return found

    def read(self, name: str, arrays: Arrays, sizes: Sizes) -> tuple:
        """Return the objects; ValueError as `Part.read`."""
        found: list[Any] = []
        while (key := f"{self.prefix}_{len(found)}") in arrays:
            found.append(super().read(key, arrays, sizes))
        return tuple(found)


@cache
def declared(cls: type) -> dict[str, Array | Together | Part]:
    """Return the forms of the stored fields of a class, by the names of the fields."""
    return {each.name: each.metadata["stored"] for each in fields(cls) if each.metadata}


def _field(form: Array | Together | Part, default: Any = MISSING) -> Any:
    """Return the field of a dataclass that is stored."""
    return field(default=default, repr=False, metadata={"stored": form})


def stored(types: str, *shape: str | int, default: Any = MISSING, **bounds: Any) -> Any:
    """Return a field that is an array of a file: see `Array`."""
    return _field(Array(types, shape, **bounds), default)


def stored_together(
    make: Callable[[list], Any], *, default: Any = MISSING, optional: bool = False, **parts: Array
) -> Any:
    """Return a field of several arrays of a file, by their names there: see `Together`."""
    return _field(Together(make, parts, optional), default)


def stored_part(form: type[Stored]) -> Any:
    """Return a field that is another object of a file: see `Part`."""
    return _field(Part(form))


def stored_parts(form: type[Stored], prefix: str) -> Any:
    """Return a field that is a tuple of other objects of a file: see `Several`."""
    return _field(Several(form, prefix))


@cache
def _parsed(size: str) -> tuple[str, int]:
    """Return the name of a size, and what is added to it."""
    name, _, more = size.partition("+")
    return name, int(more or 0)


def _agrees(size: str | int, found: int, sizes: Sizes) -> bool:
    """Whether a size is as it must be; a name that is new is entered."""
    if isinstance(size, int):
        return size == found
    name, more = _parsed(size)
    return sizes.setdefault(name, found - more) == found - more >= 0
