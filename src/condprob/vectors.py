"""Rows of a factor as vectors of the processor, in compiled functions.

A `Row` is a value, as a number is: its entries stay in registers as long as there are enough. How
many it has is part of its type, so each number of vectors is compiled anew. A *width* says it to
the compiler: ``(None,) * vectors``, of which the length alone matters.

In compiled functions rows are added, subtracted and multiplied entry by entry, by each other or by
a number. All processors with an instruction for a product and a sum
give the same numbers, whatever the length of their vectors; others differ in the last digits.

Without a compiler (``NUMBA_DISABLE_JIT``) a row is an array of NumPy, shape (entries,).
"""

import operator
from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from condprob.jit import intrinsic_or

LANES = 8  # floats in a cache line, and in the widest vector: of the machine, not measured
Width = tuple[None, ...]

_INDEX, _VECTOR = ir.IntType(32), ir.VectorType(ir.DoubleType(), LANES)
# A product and a sum may be one instruction, without the rounding between them.
_FLAGS = ("contract", "nsz")


def width_of(size: int) -> Width:
    """Return the width of rows of ``size`` entries or a few more: whole vectors."""
    return (None,) * -(-size // LANES)


def in_lines(rows: np.ndarray) -> np.ndarray:
    """Return a copy, shape (rows, entries), with zeros after each row up to whole vectors."""
    found = empty_lines(*rows.shape)
    found[:, : rows.shape[1]], found[:, rows.shape[1] :] = rows, 0.0
    return found


def empty_lines(rows: int, m: int, empty: Callable[[int], np.ndarray] = np.empty) -> np.ndarray:
    """Return room for rows of ``m`` floats, shape (rows, entries), with any numbers in it.

    It begins with a cache line, so that no vector lies in two. Its memory is that of
    ``empty(size)``.
    """
    shape = rows, _size(width_of(m))
    size = shape[0] * shape[1]
    stored = empty(size + LANES)
    first = -stored.ctypes.data // stored.itemsize % LANES
    return stored[first : first + size].reshape(shape)


class Row(types.Type):
    """The type of so many vectors."""

    def __init__(self, vectors: int) -> None:
        super().__init__(name=f"Row({vectors})")
        self.vectors = vectors

    @classmethod
    def of(cls, width: types.BaseTuple) -> "Row":
        """Return the type by the type of a width."""
        return cls(len(width.types))


@register_model(Row)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, row):
        super().__init__(manager, row, ir.ArrayType(_VECTOR, row.vectors))


def _splat(builder, number):
    """Return a vector with the number in each lane."""
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, number, _INDEX(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_INDEX, LANES), None))


def _gather(builder, row, vectors):
    """Return the value of a row by its vectors."""
    found = ir.Constant(ir.ArrayType(_VECTOR, row.vectors), ir.Undefined)
    for place, vector in enumerate(vectors):
        found = builder.insert_value(found, vector, place)
    return found


def _scatter(builder, kind, value, row):
    """Return the vectors of a row, or of a number in each entry."""
    if isinstance(kind, Row):
        return [builder.extract_value(value, place) for place in range(row.vectors)]
    return [_splat(builder, value)] * row.vectors


def _elementwise(function: Callable, build: Callable) -> None:
    """Let compiled code call a function of two rows, or of a row and a float."""

    @type_callable(function)
    def of_rows(context):
        def result(a, b):
            row = a if isinstance(a, Row) else b
            if isinstance(row, Row) and {a, b} <= {row, types.float64}:
                return row
            return None

        return result

    def lower(context, builder, signature, values):
        row = signature.return_type
        pairs = zip(
            *(_scatter(builder, *each, row) for each in zip(signature.args, values, strict=True)),
            strict=True,
        )
        return _gather(builder, row, [build(builder, *pair) for pair in pairs])

    for kinds in ((Row, Row), (Row, types.Float), (types.Float, Row)):
        lower_builtin(function, *kinds)(lower)


def smaller(row, number):
    """Return the row with the number for each entry above it."""
    return np.minimum(row, number)


def _smaller(builder, x, y):
    return builder.select(builder.fcmp_ordered("<", x, y), x, y)


def larger(row, number):
    """Return the row with the number for each entry below it."""
    return np.maximum(row, number)


def _larger(builder, x, y):
    return builder.select(builder.fcmp_ordered(">", x, y), x, y)


_elementwise(operator.add, lambda builder, *given: builder.fadd(*given, flags=_FLAGS))
_elementwise(operator.sub, lambda builder, *given: builder.fsub(*given, flags=_FLAGS))
_elementwise(operator.mul, lambda builder, *given: builder.fmul(*given, flags=_FLAGS))
_elementwise(operator.truediv, lambda builder, *given: builder.fdiv(*given, flags=_FLAGS))
_elementwise(smaller, _smaller)
_elementwise(larger, _larger)


def zero_below(row, least):
    """Return the row with zero for each entry below a number."""
    return np.where(row < least, 0.0, row)


def _zero_below(builder, x, y):
    is_below = builder.fcmp_ordered("<", x, y)
    return builder.select(is_below, ir.Constant(x.type, None), x)


_elementwise(zero_below, _zero_below)


def _places(context, builder, array_type, array, index, row):
    """Return the addresses of the vectors of a row, from an entry of an array on."""
    view = context.make_array(array_type)(context, builder, array)
    first = cgutils.get_item_pointer(context, builder, array_type, view, index)
    first = builder.bitcast(first, _VECTOR.as_pointer())
    return [builder.gep(first, [_INDEX(place)]) for place in range(row.vectors)]


def _size(width: Width) -> int:
    """Return the number of entries of a row."""
    return len(width) * LANES


def _load(width, array, i, first):
    return array[i, first : first + _size(width)].copy()


def _store(array, i, first, row):
    array[i, first : first + row.size] = row


@intrinsic_or(_load)
def load(typing_context, width, array, i, first):
    """Return the row of a width in ``array[i]``, from entry ``first`` on."""
    row = Row.of(width)

    def generate(context, builder, signature, given):
        places = _places(context, builder, array, given[1], given[2:], row)
        return _gather(builder, row, [builder.load(each, align=8) for each in places])

    return row(width, array, types.uintp, types.uintp), generate


@intrinsic_or(_store)
def store(typing_context, array, i, first, row):
    """Write a row into ``array[i]``, from entry ``first`` on."""

    def generate(context, builder, signature, given):
        places = _places(context, builder, array, given[0], given[1:3], row)
        for vector, place in zip(_scatter(builder, row, given[3], row), places, strict=True):
            builder.store(vector, place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.uintp, types.uintp, row), generate


@intrinsic_or(lambda width: np.zeros(_size(width)))
def zeros(typing_context, width):
    """Return the row of zeros of a width."""
    row = Row.of(width)

    def generate(context, builder, signature, given):
        return ir.Constant(context.get_value_type(row), None)

    return row(width), generate


def _alone(width, number):
    row = np.zeros(_size(width))
    row[0] = number
    return row


@intrinsic_or(_alone)
def alone(typing_context, width, number):
    """Return the row of a width with a number, and zeros after it."""
    row = Row.of(width)

    def generate(context, builder, signature, given):
        first, *rest = [ir.Constant(_VECTOR, None)] * row.vectors
        return _gather(builder, row, [builder.insert_element(first, given[1], _INDEX(0)), *rest])

    return row(width, types.float64), generate


@intrinsic_or(np.sum)
def total(typing_context, row):
    """Return the sum of a row: of its vectors in pairs, of those in pairs, ..., then of halves."""

    def generate(context, builder, signature, given):
        sums = _scatter(builder, row, given[0], row)
        while len(sums) > 1:
            pairs = zip(sums[::2], sums[1::2], strict=False)
            odd = sums[len(sums) // 2 * 2 :]
            sums = [builder.fadd(x, y, flags=_FLAGS) for x, y in pairs] + odd
        (vector,), lanes = sums, LANES
        while lanes > 1:
            lanes //= 2
            nothing, kind = ir.Constant(vector.type, ir.Undefined), ir.VectorType(_INDEX, lanes)
            low, high = (
                builder.shuffle_vector(
                    vector, nothing, ir.Constant(kind, list(range(k, k + lanes)))
                )
                for k in (0, lanes)
            )
            # Two instructions where it follows a product: else processors with vectors of other
            # lengths, of which some have the halves apart, would give other last digits.
            vector = builder.fadd(low, high)
        return builder.extract_element(vector, _INDEX(0))

    return types.float64(row), generate
