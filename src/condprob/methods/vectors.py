"""Rows of numbers in lines of eight, for compiled functions.

A `Line` is a value in compiled functions: eight numbers of float64 or float32, which a processor
adds and multiplies at once if it can. Lines are added, subtracted, multiplied and divided entry by
entry; no product and sum are one rounding, and `total` and `running` add up in a fixed order. So
every processor gives the same bits, whatever the length of its vectors. An array is read and
written by address, ``array.ctypes.data`` and so many `BYTES` on, or `SHORT_BYTES` of float32.

Without a compiler (``NUMBA_DISABLE_JIT``) a line is an array of NumPy, shape (8,).
"""

import ctypes
import operator
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    register_model,
    type_callable,
)

LANES = 8  # floats of a line: as many as a line of the cache has, and the longest vectors
BYTES = 8 * LANES  # of a line
SHORT_BYTES = 4 * LANES  # of a line of float32

# Numba documents that an intrinsic returns a function that writes its code by llvmlite's builder.
_INDEX, _BYTE = ir.IntType(32), ir.IntType(8)
_NOTHING = ir.Constant(ir.IntType(64), 0)  # what a function returns that returns nothing


def in_lines(rows: np.ndarray) -> np.ndarray:
    """Return a copy, shape (rows, entries), with zeros after each row up to whole lines."""
    found = empty_lines(*rows.shape)
    found[:, : rows.shape[1]], found[:, rows.shape[1] :] = rows, 0.0
    return found


def empty_lines(rows: int, m: int) -> np.ndarray:
    """Return room for rows of ``m`` floats, shape (rows, entries), with any numbers in it.

    It begins with a line of the cache, so that no line lies in two.
    """
    shape = rows, -(-m // LANES) * LANES
    size = shape[0] * shape[1]
    stored = np.empty(size + LANES)
    first = -stored.ctypes.data // stored.itemsize % LANES
    return stored[first : first + size].reshape(shape)


def intrinsic_or(plain: Callable) -> Callable[[Callable], Any]:
    """Return a decorator: an intrinsic of Numba, or with ``NUMBA_DISABLE_JIT`` a plain function."""
    return lambda function: plain if numba.config.DISABLE_JIT else intrinsic(function)


class _LineType(types.Type):
    def __init__(self, number: types.Float, of_llvm: ir.Type) -> None:
        self.number, self.vector = number, ir.VectorType(of_llvm, LANES)
        super().__init__(name=f"Line({number})")


LINE = _LineType(types.float64, ir.DoubleType())
SHORT_LINE = _LineType(types.float32, ir.FloatType())
LINES = LINE, SHORT_LINE


@register_model(_LineType)
class _Model(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, kind.vector)


def _shuffled(builder, vector, lanes):
    places = ir.Constant(ir.VectorType(_INDEX, len(lanes)), lanes)
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), places)


def _repeated(builder, number):
    vector = ir.VectorType(number.type, LANES)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, _INDEX(0))
    return _shuffled(builder, first, [0] * LANES)


def _entry_by_entry(function: Callable, build: Callable) -> None:
    """Let compiled code call a function of two lines, or of a line and a number of its kind."""

    @type_callable(function)
    def of_lines(context):
        def returned(a, b):
            lines = [line for line in LINES if line in (a, b) and {a, b} <= {line, line.number}]
            return lines[0] if lines else None

        return returned

    def lower(context, builder, signature, values):
        x, y = (
            value if kind in LINES else _repeated(builder, value)
            for kind, value in zip(signature.args, values, strict=True)
        )
        return build(builder, x, y)

    for line in LINES:
        for kinds in ((line, line), (line, line.number), (line.number, line)):
            lower_builtin(function, *kinds)(lower)


def _chosen(comparison: str) -> Callable:
    return lambda builder, x, y: builder.select(builder.fcmp_ordered(comparison, x, y), x, y)


def smaller(line, number):
    """Return the line with the number for each entry above it."""
    return np.minimum(line, number)


def larger(line, number):
    """Return the line with the number for each entry below it."""
    return np.maximum(line, number)


_entry_by_entry(operator.add, lambda builder, x, y: builder.fadd(x, y))
_entry_by_entry(operator.sub, lambda builder, x, y: builder.fsub(x, y))
_entry_by_entry(operator.mul, lambda builder, x, y: builder.fmul(x, y))
_entry_by_entry(operator.truediv, lambda builder, x, y: builder.fdiv(x, y))
_entry_by_entry(smaller, _chosen("<"))
_entry_by_entry(larger, _chosen(">"))


def zero_below(line, least):
    """Return the line with zero for each entry below a number."""
    return np.where(line < least, 0.0, line)


@lambda build: _entry_by_entry(zero_below, build)
def _(builder, x, y):
    return builder.select(builder.fcmp_ordered("<", x, y), ir.Constant(x.type, None), x)


def _numbers_at(address, kind):
    return np.frombuffer((kind * LANES).from_address(int(address)), kind)


def _load_line(line):
    def generate(context, builder, signature, given):
        place = builder.inttoptr(given[0], line.vector.as_pointer())
        return builder.load(place, align=line.number.bitwidth // 8)

    return line(types.int64), generate


@intrinsic_or(lambda address: _numbers_at(address, ctypes.c_double).copy())
def line_at(typing_context, address):
    """Return the line of float64 at an address."""
    return _load_line(LINE)


@intrinsic_or(lambda address: _numbers_at(address, ctypes.c_float).copy())
def short_line_at(typing_context, address):
    """Return the line of float32 at an address."""
    return _load_line(SHORT_LINE)


def _store(address, line):
    kind = ctypes.c_float if line.dtype == np.float32 else ctypes.c_double
    _numbers_at(address, kind)[:] = line


@intrinsic_or(_store)
def store(typing_context, address, line):
    """Write a line to an address."""

    def generate(context, builder, signature, given):
        place = builder.inttoptr(given[0], line.vector.as_pointer())
        builder.store(given[1], place, align=line.number.bitwidth // 8)
        return _NOTHING

    return types.int64(types.int64, line), generate


@intrinsic_or(lambda number: np.full(LANES, number))
def line_of(typing_context, number):
    """Return the line of a number again and again."""

    def generate(context, builder, signature, given):
        return _repeated(builder, given[0])

    return LINE(types.float64), generate


@intrinsic_or(np.sum)
def total(typing_context, line):
    """Return the sum of a line: of its halves, of the halves of that, and so on."""

    def generate(context, builder, signature, given):
        (vector,), lanes = given, LANES
        while lanes > 1:
            lanes //= 2
            low = _shuffled(builder, vector, list(range(lanes)))
            high = _shuffled(builder, vector, list(range(lanes, 2 * lanes)))
            vector = builder.fadd(low, high)
        return builder.extract_element(vector, _INDEX(0))

    return types.float64(LINE), generate


def _running(line):
    for step in (1, 2, 4):  # as compiled code adds up
        moved = np.zeros_like(line)
        moved[step:] = line[:-step]
        line = line + moved
    return line


@intrinsic_or(_running)
def running(typing_context, line):
    """Return the sums of a line of float32 up to each of its entries.

    Each is added up in steps: of two neighbours, of two of these sums, and of two of those.
    """

    def generate(context, builder, signature, given):
        (vector,), step = given, 1
        nothing = ir.Constant(vector.type, None)
        while step < LANES:
            lanes = [LANES + lane - step if lane >= step else 0 for lane in range(LANES)]
            places = ir.Constant(ir.VectorType(_INDEX, LANES), lanes)
            vector = builder.fadd(vector, builder.shuffle_vector(nothing, vector, places))
            step *= 2
        return vector

    return SHORT_LINE(SHORT_LINE), generate


@intrinsic_or(lambda line: line[-1])
def last(typing_context, line):
    """Return the last entry of a line of float32."""

    def generate(context, builder, signature, given):
        return builder.extract_element(given[0], _INDEX(LANES - 1))

    return types.float32(SHORT_LINE), generate


@intrinsic_or(lambda line, number: np.count_nonzero(line <= number))
def count_at_most(typing_context, line, number):
    """Return how many entries of a line of float32 are at most a number."""

    def generate(context, builder, signature, given):
        told = builder.fcmp_ordered("<=", given[0], _repeated(builder, given[1]))
        return builder.zext(builder.ctpop(builder.bitcast(told, ir.IntType(LANES))), ir.IntType(64))

    return types.int64(SHORT_LINE, types.float32), generate


@intrinsic_or(lambda x, y, z: np.where(x <= y, z, np.float32(0)))
def where_at_most(typing_context, x, y, z):
    """Return the entries of ``z`` where those of ``x`` are at most those of ``y``, else zero."""

    def generate(context, builder, signature, given):
        told = builder.fcmp_ordered("<=", given[0], given[1])
        return builder.select(told, given[2], ir.Constant(SHORT_LINE.vector, None))

    return SHORT_LINE(SHORT_LINE, SHORT_LINE, SHORT_LINE), generate


@intrinsic_or(lambda address: None)
def prefetch(typing_context, address):
    """Ask for what is at an address to be brought near: a hint to the processor, no effect."""

    def generate(context, builder, signature, given):
        place, flag = builder.inttoptr(given[0], _BYTE.as_pointer()), ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [place.type, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [place.type], hint)
        builder.call(function, [place, flag(0), flag(3), flag(1)])  # to read, keep, data
        return _NOTHING

    return types.int64(types.int64), generate
