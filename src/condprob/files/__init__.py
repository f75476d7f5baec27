"""Files that are written whole or not at all, whatever is in them."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from condprob.interrupts import unfinished

Name = str | PathLike[str]
PART = ".part"  # how the name of a file ends while it is written
STREAMS = (1, 2)  # standard output and standard error
# Characters of a name that the name of its part has: in UTF-8 both stay below 255 bytes.
LONGEST_STEM = 40


def settle(path: Name, inputs: Sequence[Name | int] = ()) -> Path:
    """Return the file that a name stands for, if it can be written.

    A symbolic link stands for the file that it points to: that file is replaced, the link stays.

    Parameters
    ----------
    path : str or path
    inputs : sequence of str, path or int
        Files that are read, and must not be replaced. A number is that of an open file.

    Raises
    ------
    ValueError
        If the name stands for a device or another file that is not regular, for an input, or for
        the file that standard output or standard error goes to.
    OSError
        If it stands for a folder, the folder is missing, or the file must not be written.
    """
    typed = os.fspath(path)
    target, found = Path(os.path.realpath(typed)), None
    if typed:
        with suppress(FileNotFoundError):
            found = os.stat(typed)
    if target.is_dir() or os.path.basename(typed) in ("", ".", ".."):
        raise _error(errno.EISDIR if typed else errno.ENOENT, typed)
    if found and not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{typed}: not a regular file: it is not replaced")
    if not target.parent.is_dir():
        raise _error(errno.ENOENT, typed)
    is_writable = os.access(target.parent, os.W_OK | os.X_OK)
    if not is_writable or (found and not os.access(target, os.W_OK)):
        raise _error(errno.EACCES, typed)
    for name in (*inputs, *STREAMS) if found else ():
        if _is(found, name):
            read_as = "standard input" if isinstance(name, int) else os.fspath(name)
            used = "where messages go" if name in STREAMS else f"read as {read_as}"
            raise ValueError(f"{typed}: is {used}, and would be replaced")
    return target


def _is(found: os.stat_result, name: Name | int) -> bool:
    try:
        return os.path.samestat(found, os.stat(name))
    except (OSError, ValueError):
        return False


def _error(number: int, typed: str) -> OSError:
    return OSError(number, os.strerror(number), typed)


@contextmanager
def replacing(path: Name) -> Iterator[BinaryIO]:
    """Open a file that takes the place of another when all of it is written, and not before.

    A file that was there keeps its mode. After any error the old file stays, and no part of the new
    one is left. Only a process that is killed leaves a part.

    Raises
    ------
    ValueError, OSError
        As in `settle`, or if the file cannot be written. They name the file as it was given.
    """
    target = settle(path)
    part = target.with_name(f".{target.name[:LONGEST_STEM]}.{secrets.token_hex(4)}{PART}")
    unfinished.add(str(part))
    try:
        with open(part, "xb") as file:
            if target.exists():
                part.chmod(target.stat().st_mode)
            yield file
            file.flush()
            # Or the name might outlive a failure of power, and not the data.
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        if error.errno is None or error.filename not in (None, str(part), part):
            raise
        raise _error(error.errno, os.fspath(path)) from error
    finally:
        part.unlink(missing_ok=True)
        unfinished.discard(str(part))


def write_text(path: Name, text: str) -> None:
    """Write a text in UTF-8, whole or not at all; see `replacing`."""
    raw = text.encode()
    with replacing(path) as file:
        file.write(raw)


def check_regular(path: Name) -> None:
    """Raise ValueError if a path is a pipe or a device, which may never end, or never answer."""
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a folder cannot be opened
        raise ValueError(f"{path}: a pipe or a device: expected a regular file")
