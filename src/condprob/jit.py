"""Compiled functions: their flags, where they are kept, and small ones that others call.

`log`, `prefetch` and `call` go below the level of Python: logarithms by vectors, fetching ahead,
and calls by address.
"""

import hashlib
import math
import os
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from threading import Lock, current_thread, main_thread
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config, event
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

try:
    import fcntl
except ImportError:  # Windows has none: there two processes may both compile a function
    fcntl = None  # type: ignore[assignment]

# Without Python's global lock; a division by zero is no exception.
EXACT: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
# Sums may be reordered, which lets them run by vectors; inf and nan stay.
JIT = EXACT | {"fastmath": {"reassoc", "contract", "arcp", "nsz"}}
# Such a function is compiled anew in each that calls it, and again optimised there. Which version a
# call reaches depends on what a process has loaded, and with it last digits: so what others call is
# exact, or has no version of its own there.
INLINED = JIT | {"forceinline": True}
# Compiled functions alone call it: it is compiled in less time.
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
PACKAGE = Path(__file__).parent
LONGEST_WAIT = 300  # seconds for another process that compiles; then this one compiles too
BETWEEN_LOOKS = 0.02  # seconds
_CHOOSING = Lock()  # where Numba keeps functions is one setting of the process


def outermost_package(module: Path) -> Path:
    """Return the folder of the outermost package of a module, or the module itself."""
    while (module.parent / "__init__.py").is_file():
        module = module.parent
    return module


@cache
def checksum_of_modules(package: Path) -> bytes:
    """Return the SHA-256 of the names and the contents of all modules of a package."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")) if package.is_dir() else [package]:
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.digest()


@cache
def cache_folder(package: Path = PACKAGE) -> Path | None:
    """Return the folder in which compiled functions of a package are kept.

    A kept function contains the code of the functions that it calls, and Numba compares its own
    module alone with the kept one. So the folder is named by a checksum of all modules of the
    package, and of condprob, whose functions it may call: a changed function has another folder.
    The folder is below ``NUMBA_CACHE_DIR``, the package's ``__pycache__`` or the user's cache: the
    first that can be written to. Folders of other contents of the same package are removed there.

    Returns
    -------
    pathlib.Path or None
        None if no folder can be written to: then each process compiles.
    """
    contents = hashlib.sha256(checksum_of_modules(PACKAGE) + checksum_of_modules(package))
    place = hashlib.sha256(os.fsencode(package.resolve())).hexdigest()[:12]
    beside = package if package.is_dir() else package.parent
    bases = [Path(config.CACHE_DIR).absolute()] if config.CACHE_DIR else []
    bases.append(beside / "__pycache__")
    user = Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "condprob")
    if user.is_absolute():  # not a folder "~" where a user without a name and a home works
        bases.append(user)
    for base in bases:
        stem = f"compiled-{package.stem}-{place}-"
        folder = base / f"{stem}{contents.hexdigest()[:24]}"
        is_new = not folder.exists()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        for other in base.iterdir() if is_new else ():
            if other.name.startswith(stem) and other != folder:
                shutil.rmtree(other, ignore_errors=True)
        return folder
    return None


def njit(**flags: Any) -> Callable[[Callable], Any]:
    """Compile a function by Numba's ``njit`` with these flags, and keep it; see `cache_folder`.

    Functions of other packages that call compiled functions of condprob use it too: Numba's own
    decorator would keep the code of this version of condprob beyond it.
    """

    def decorate(function: Callable) -> Any:
        module = Path(function.__code__.co_filename)
        folder = cache_folder(outermost_package(module)) if module.is_file() else None
        if folder is None:
            return numba.njit(**flags)(function)
        with _CHOOSING:
            given, config.CACHE_DIR = config.CACHE_DIR, str(folder)
            try:
                compiled = numba.njit(cache=True, **flags)(function)
            finally:
                config.CACHE_DIR = given
        if hasattr(compiled, "compile"):  # not with NUMBA_DISABLE_JIT
            compiled.compile = _in_turn(compiled.compile, folder)
        return compiled

    return decorate


def _in_turn(compile_signature: Callable, folder: Path) -> Callable:
    """Let one process at a time look for a kept function, or compile and keep it.

    The others wait and find it. A function that cannot be kept, on a full disk, is used all the
    same.
    """

    @wraps(compile_signature)
    def compile_alone(signature: Any) -> Any:
        # Numba's own lock first, or two threads that hold one lock each wait for ever.
        with global_compiler_lock, _lock_of_processes(folder), interrupt_heard():
            try:
                return compile_signature(signature)
            except OSError:
                return compile_signature(signature)  # it is compiled, and only its file is missing

    return compile_alone


_HELD: set[Path] = set()  # folders whose lock this process holds, under Numba's lock of threads


@contextmanager
def _lock_of_processes(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; a function that is compiled for another finds it held."""
    if fcntl is None or folder in _HELD:
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / "lock", os.O_CREAT | os.O_RDWR, 0o666)
    except OSError:
        yield
        return
    _HELD.add(folder)
    try:
        _wait_for(file)
        yield
    finally:
        _HELD.discard(folder)
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)  # a fork may have the same file open
        os.close(file)


def _wait_for(file: int) -> None:
    """Wait for the lock of an open file, or until `LONGEST_WAIT`."""
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(BETWEEN_LOOKS)
        except OSError:  # a file system without locks
            return None
    return None


if cache_folder() is None:
    warnings.warn(
        "no folder can be written to where compiled functions are kept: each process compiles "
        "them anew, for seconds; set NUMBA_CACHE_DIR to one of yours",
        RuntimeWarning,
        stacklevel=2,
    )


class _Notice(event.Listener):
    """Writes a line at a terminal, once, when functions of this package are compiled."""

    def on_start(self, compiling: event.Event) -> None:
        """Write the line, and listen no more."""
        from condprob.progress import note

        module = compiling.data["dispatcher"].py_func.__module__  # None of a function by `exec`
        if (module or "").startswith("condprob."):
            kept = "; they are kept for later runs" if cache_folder() else ""
            if note(f"condprob: functions are compiled, for some seconds{kept}"):
                event.unregister("numba:compile", self)

    def on_end(self, compiling: event.Event) -> None:
        """Do nothing: see `event.Listener`."""


event.register("numba:compile", _Notice())  # what is loaded from the disk is no such event


@contextmanager
def interrupt_heard() -> Iterator[None]:
    """Raise an interrupt within also where the compiler loses it.

    The compiler calls Python while it makes or loads a function. Python prints an exception in such
    a call, and goes on; the compiler may then fail with an error of its own.
    """
    heeded = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(heeded):
        yield
        return
    raised: list[BaseException] = []
    shown = sys.unraisablehook

    def note(number: int, frame: Any) -> None:
        try:
            heeded(number, frame)
        except BaseException as interrupt:
            raised.append(interrupt)
            raise

    def show_others(lost: Any) -> None:
        if lost.exc_value not in raised:
            shown(lost)

    signal.signal(signal.SIGINT, note)
    sys.unraisablehook = show_others
    try:
        yield
    except Exception as error:
        if raised:
            raise raised[0] from error
        raise
    finally:
        sys.unraisablehook = shown
        if signal.getsignal(signal.SIGINT) is note:  # else the handler has named another
            signal.signal(signal.SIGINT, heeded)
    if raised:
        raise raised[0]


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


SMALLEST_DIVISOR = np.finfo(float).smallest_normal
AT_ONCE = 1024  # pairs whose logarithms are taken together; the number itself was not measured


def intrinsic_or(plain: Callable) -> Callable:
    """Return a decorator: an intrinsic of Numba, or with ``NUMBA_DISABLE_JIT`` a plain function."""
    return lambda function: plain if config.DISABLE_JIT else intrinsic(function)


@intrinsic_or(lambda array, row, column: None)
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


@intrinsic_or(lambda function, *given: function(*given))
def call(typing_context, address, *given):
    """Return the float that a compiled function at an address (`address_of`) returns.

    So its caller is compiled once for all functions of these types of arguments.
    """
    kinds = tuple(map(types.unliteral, given))

    def generate(context, builder, signature, values):
        convention, (address, packed) = context.call_conv, values
        kind = convention.get_function_type(types.float64, kinds)
        function = builder.inttoptr(address, kind.as_pointer())
        unpacked = cgutils.unpack_tuple(builder, packed)
        status, found = convention.call_function(builder, function, types.float64, kinds, unpacked)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return found

    return types.float64(address, types.Tuple(kinds)), generate


def address_of(function: Any, *arguments: Any) -> Any:
    """Return the address of the version of a function for these arguments, compiled if need be.

    Without a compiler it is the function itself.
    """
    if config.DISABLE_JIT:
        return function
    key = function, *map(_kind, arguments)  # Numba's own takes longer than a small fit
    if key not in _ADDRESSES:
        kinds = tuple(map(numba.typeof, arguments))
        function.compile(kinds)
        version = function.overloads[kinds]
        name = version.fndesc.llvm_func_name
        _ADDRESSES[key] = version.library.get_pointer_to_function(name)
    return _ADDRESSES[key]


_ADDRESSES: dict[tuple, int] = {}


def _kind(value: Any) -> Any:
    """Return what tells values apart that Numba compiles different versions for."""
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    return (type(value), *map(_kind, value)) if isinstance(value, tuple) else type(value)


@njit(**INLINED)
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


@njit(**INLINED)
def weighted_logs(weights, x):
    """Return ``sum weights log(x)``, ``-inf`` where a positive weight meets a zero or a nan."""
    total, valid = 0.0, 0
    for p in range(x.size):
        total += weights[p] * log(x[p])
        valid += (x[p] >= SMALLEST_DIVISOR) | (weights[p] == 0.0)
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
