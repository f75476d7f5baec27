"""What compiled loops need below the level of Python: logarithms by vectors, and fetching ahead.

Each of these earns more than a tenth of an iteration somewhere; docs/performance.md says how much.
"""

import math

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

from condprob.runtime.jit import JIT

SMALLEST = np.finfo(float).smallest_normal
VECTOR = 8  # floats in a cache line, and in the widest vector: of the machine, not measured
AT_ONCE = 1024  # pairs whose logarithms are taken together; the number itself was not measured


@intrinsic
def prefetch(typing_context, array, row, column):
    """Ask for ``array[row, column]`` to be brought near: a hint to the processor, no effect."""

    def generate(context, builder, signature, arguments):
        array_type = signature.args[0]
        view = context.make_array(array_type)(context, builder, arguments[0])
        address = cgutils.get_item_pointer(context, builder, array_type, view, arguments[1:])
        address = builder.bitcast(address, cgutils.voidptr_t)
        flag = ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], hint)
        builder.call(function, [address, flag(0), flag(3), flag(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(array, types.uintp, types.uintp), generate


@njit(**JIT)
def log(x):
    """Return ``log(x)`` for a normal ``x > 0``, within 1e-15; a wrong number for any other.

    ``math.log`` is a call for each number, five times slower.
    With ``x = 2^e f`` and ``f`` within a factor sqrt(2) of one, ``log f = 2 artanh s``.
    """
    bits = np.float64(x).view(np.int64)
    e = (bits - 0x3FE6A09E667F3BCD) >> 52  # the bits of sqrt(1/2)
    f = np.int64(bits - (e << 52)).view(np.float64)
    s = (f - 1.0) / (f + 1.0)
    z = s * s
    tail = 1 / 11 + z * (1 / 13 + z * (1 / 15 + z * (1 / 17 + z / 19)))
    series = z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * tail))))
    return e * math.log(2.0) + 2.0 * (s + s * series)


@njit(**JIT)
def weighted_logs(weights, x):
    """Return ``sum weights log(x)``, ``-inf`` where a positive weight meets a zero or a nan."""
    total, valid = 0.0, 0
    for p in range(x.size):
        total += weights[p] * log(x[p])
        valid += (x[p] >= SMALLEST) | (weights[p] == 0.0)
    return total if valid == x.size else -np.inf


@njit(**JIT)
def sum_of_logs(factor):
    """Return the sum of the logarithms of a factor that is nowhere zero."""
    total = 0.0
    for i in range(len(factor)):
        for l in range(factor.shape[1]):
            total += log(factor[i, l])
    return total
