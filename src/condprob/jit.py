"""Flags of compiled functions, their cache, and small functions that several of them call.

`log` and `prefetch` go below the level of Python: logarithms by vectors, and fetching ahead.
"""

import hashlib
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils, event
from numba.extending import intrinsic


def can_keep() -> bool:
    """Whether compiled functions can be kept; numba refuses to compile with a cache if not.

    A folder must be writable: that of the package, that of the user's caches or
    ``NUMBA_CACHE_DIR``. A container may have none; then every process compiles anew.
    """
    try:
        njit(cache=True)(can_keep)
    except RuntimeError:
        message = (
            "no folder can be written to where compiled functions are kept: each process compiles "
            "them anew, for seconds; set NUMBA_CACHE_DIR to one of yours"
        )
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return False
    return True


# Compiled once and kept; without Python's global lock; a division by zero is no exception.
EXACT = {"cache": can_keep(), "nogil": True, "error_model": "numpy"}
# Sums may be reordered, which lets them run by vectors; inf and nan stay.
JIT = EXACT | {"fastmath": {"reassoc", "contract", "arcp", "nsz"}}


def forget_stale(package: Path) -> None:
    """Remove the kept compiled functions of a package if one of its compiled modules has changed.

    A kept function contains the code of the functions that it calls. Numba compares its own module
    with the kept one, not the modules of those functions: after an upgrade it would run their old
    code. A file beside the kept functions has a checksum of all these modules. If the folder cannot
    be written to, numba keeps functions elsewhere, and nothing is removed.
    """
    digest, record = hashlib.sha256(), package / "__pycache__" / "compiled-of"
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        if b"njit" in content:
            digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    with suppress(OSError):
        record.parent.mkdir(exist_ok=True)
        if not record.exists() or record.read_bytes() != digest.digest():
            for kept in package.rglob("__pycache__/*.nb[ci]"):
                kept.unlink(missing_ok=True)
            record.write_bytes(digest.digest())


forget_stale(Path(__file__).parent)  # before any of them is run


class _Notice(event.Listener):
    """Writes a line at a terminal, once, when functions of this package are compiled."""

    def on_start(self, compiling: event.Event) -> None:
        """Write the line, and listen no more."""
        from condprob.progress import note

        if compiling.data["dispatcher"].py_func.__module__.startswith("condprob."):
            kept = "; they are kept for later runs" if EXACT["cache"] else ""
            if note(f"condprob: functions are compiled, for some seconds{kept}"):
                event.unregister("numba:compile", self)

    def on_end(self, compiling: event.Event) -> None:
        """Do nothing: see `event.Listener`."""


event.register("numba:compile", _Notice())  # what is loaded from the disk is no such event


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Raise an interrupt within as the KeyboardInterrupt that it was.

    Numba runs Python code to return an array. An interrupt at that moment comes out as a
    SystemError, whose chain of causes has the KeyboardInterrupt.
    """
    try:
        yield
    except SystemError as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__
        if cause is None:
            raise
        raise KeyboardInterrupt from error


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


@njit(**JIT)
def products_at(rows, columns, A, B):
    """Return ``A_i B_j`` for pairs of a row of each factor, shape (pairs,).

    Parameters
    ----------
    rows, columns : numpy.ndarray of int, shape (pairs,)
    A : numpy.ndarray, shape (rows, rank)
    B : numpy.ndarray, shape (columns, rank)
    """
    found = np.zeros(rows.size)
    for p in range(rows.size):
        total = 0.0
        for l in range(A.shape[1]):
            total += A[rows[p], l] * B[columns[p], l]
        found[p] = total
    return found
