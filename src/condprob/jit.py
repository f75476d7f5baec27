"""Compiled functions: their flags, and where they are kept."""

import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numba
import numpy as np

# Without Python's global lock; a division by zero is no exception. Nothing is reordered and no two
# roundings are one, so every processor gives the same bits. And where a compiled function calls
# another, its own version has the same bits, too.
EXACT: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
PACKAGE = Path(__file__).parent
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
        None if no folder can be written to, or the modules are in a zip archive: then each process
        compiles.
    """
    if not (PACKAGE.is_dir() and package.exists()):
        return None
    contents = hashlib.sha256(checksum_of_modules(PACKAGE) + checksum_of_modules(package))
    place = hashlib.sha256(os.fsencode(package.resolve())).hexdigest()[:12]
    beside = package if package.is_dir() else package.parent
    bases = [Path(numba.config.CACHE_DIR).absolute()] if numba.config.CACHE_DIR else []
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
            given, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
            try:
                return numba.njit(cache=True, **flags)(function)
            finally:
                numba.config.CACHE_DIR = given

    return decorate


if cache_folder() is None:
    warnings.warn(
        "compiled functions of condprob cannot be kept here: each process compiles them again, "
        "for seconds. Set NUMBA_CACHE_DIR to a folder that you can write to, and install condprob "
        "as files, not in an archive",
        RuntimeWarning,
        stacklevel=2,
    )


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


@njit(**EXACT)
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
