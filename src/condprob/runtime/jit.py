"""The flags of compiled functions, what is kept of them, and interrupts that fall among them."""

import hashlib
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def can_keep() -> bool:
    """Whether there is a folder for what is compiled: numba refuses to compile if it finds none.

    It needs one that can be written to: that of the package, that of the user's caches or
    ``NUMBA_CACHE_DIR``. In a container there may be none; then every process compiles anew.
    """
    from numba import njit

    try:
        njit(cache=True)(can_keep)
    except RuntimeError:
        what = "no folder can be written to where compiled functions are kept: each process"
        told = f"{what} compiles them anew, for seconds; set NUMBA_CACHE_DIR to one of yours"
        warnings.warn(told, RuntimeWarning, stacklevel=2)
        return False
    return True


# Compiled once and kept; without Python's global lock; and dividing by zero is no exception.
EXACT = {"cache": can_keep(), "nogil": True, "error_model": "numpy"}
# Sums may be reordered, which lets them run by vectors; inf and nan stay. docs/performance.md says
# what that earns.
JIT = EXACT | {"fastmath": {"reassoc", "contract", "arcp", "nsz"}}


def forget_stale(package: Path) -> None:
    """Remove what numba has kept of a package's compiled functions if one of them has changed.

    Numba compares the module of a function with that of what it has kept, and not those of the
    functions that it calls, whose old code is in it. After an upgrade it would go on being run. A
    file beside what is kept says which modules it is of; where none can be written, numba keeps
    functions elsewhere, and what is there stays.
    """
    digest, told = hashlib.sha256(), package / "__pycache__" / "compiled-of"
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        if b"njit" in content:
            digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    with suppress(OSError):
        told.parent.mkdir(exist_ok=True)
        if not told.exists() or told.read_bytes() != digest.digest():
            for kept in package.rglob("__pycache__/*.nb[ci]"):
                kept.unlink(missing_ok=True)
            told.write_bytes(digest.digest())


forget_stale(Path(__file__).parents[1])  # before any of them is run


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let an interrupt of Python's own be itself, wherever it falls in what is within.

    Numba runs Python code to return an array. An interrupt there comes out as a SystemError, whose
    causes lead back to it.
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
