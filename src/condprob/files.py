"""Files that are written whole or not at all, under names that were looked at beforehand."""

import contextlib
import errno
import os
import re
import secrets
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from condprob.interrupts import call_at_end

try:
    import fcntl
except ImportError:  # Windows has no such locks: parts that a kill leaves stay there.
    fcntl = None

PART = ".part"  # how the name of a file ends that is being written
STREAMS = (1, 2)  # of standard output and standard error
# Characters of a name in that of its part: in UTF-8, with the rest, below the 255 bytes of a name.
LONGEST_STEM = 40
_lock = threading.Lock()  # held while a part appears, and for ever by one who removes them all
_parts: set[str] = set()  # what this process is writing


def settle(path: str | PathLike[str], inputs: Sequence[str | PathLike[str] | int] = ()) -> Path:
    """Return the file that a name stands for, once it is known that it can be written.

    A symbolic link stands for what it points to: that is replaced, and the link stays.

    Parameters
    ----------
    path : str or path
    inputs : sequence of str, path or int
        What is read, and must not be replaced; names that stand for no file are passed over. A
        number is that by which standard input is open.

    Raises
    ------
    ValueError
        If the name stands for a device or another thing that is no regular file, for an input, or
        for the file that standard output or standard error goes to.
    OSError
        If it stands for a folder, the folder is missing, or either must not be written.
    """
    typed = os.fspath(path)
    real = os.path.realpath(typed)
    found = _status(real, typed)
    if found is None and typed:
        folder = _status(os.path.dirname(real), typed)
        if folder and not stat.S_ISDIR(folder.st_mode):
            raise _error(errno.ENOTDIR, typed)
    if not typed or (found is None and folder is None):
        raise _error(errno.ENOENT, typed)
    if os.path.basename(typed) in ("", ".", "..") or (found and stat.S_ISDIR(found.st_mode)):
        raise _error(errno.EISDIR, typed)
    if found and not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{typed}: not a regular file: it is not replaced")
    is_writable = os.access(os.path.dirname(real), os.W_OK | os.X_OK)
    if not is_writable or (found and not os.access(real, os.W_OK)):
        raise _error(errno.EACCES, typed)
    for name in inputs if found else ():
        if _is(found, name):
            told = "standard input" if isinstance(name, int) else os.fspath(name)
            raise ValueError(f"{typed}: is what is read as {told}, and would be replaced")
    if found and any(_is(found, stream) for stream in STREAMS):
        raise ValueError(f"{typed}: is where what is told goes, and would be replaced")
    return Path(real)


def _is(found: os.stat_result, name: str | PathLike[str] | int) -> bool:
    try:
        return os.path.samestat(found, os.stat(name))
    except (OSError, ValueError):
        return False


def _error(number: int, typed: str) -> OSError:
    return OSError(number, os.strerror(number), typed)


def _status(path: str, typed: str) -> os.stat_result | None:
    """Return what the system says of a file, None where there is none."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _error(error.errno, typed) from None


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file that takes the place of another when all has been written, and not before.

    What was there keeps its mode. Whatever goes wrong, the old file stays and no part is left; of a
    process that was killed the part is removed when the same file is next written.

    Raises
    ------
    ValueError, OSError
        As in `settle`, or if the file cannot be written. They name the file as it was given.
    """
    target = settle(path)
    with _named(path):
        remove_stale_parts(target)
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        with _open_part(target, mode) as file:
            yield file
            file.flush()
            # Or the name might outlive a failure of power, and not the data.
            os.fsync(file.fileno())
            if fcntl is None:
                file.close()  # Windows moves no open file; elsewhere it stays locked until then.
            os.replace(file.name, target)
        _sync_folder(target.parent)


@contextmanager
def _named(path: str | PathLike[str]) -> Iterator[None]:
    """Let errors of a part name the file as it was given, and those of another file that."""
    try:
        yield
    except OSError as error:
        if error.filename is not None and not str(error.filename).endswith(PART):
            raise
        if error.errno is None:
            raise OSError(f"{os.fspath(path)}: {error}") from error
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a text in UTF-8, whole or not at all; see `replacing`."""
    raw = text.encode()
    with replacing(path) as file:
        file.write(raw)


@contextmanager
def beside(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """Open a new file beside another, to be used while that is made; in the end it is removed.

    Of a process that was killed it is removed when the other is next written.
    """
    with _named(path), _open_part(settle(path), None) as file:
        yield file


@contextmanager
def _open_part(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    """Open a new file beside another, locked so that nobody takes it for one that was left."""
    access = 0o666 if mode is None else 0o600

    def opener(name: str, flags: int) -> int:
        return os.open(name, flags, access)

    while True:
        part = Path(f"{target.parent / _stem(target)}.{secrets.token_hex(4)}{PART}")
        try:
            with _lock:
                _parts.add(str(part))
                file = open(part, "xb", opener=opener)  # noqa: SIM115 (it is closed below)
            with file:
                # Between its making and its lock another process may have removed it as stale.
                if not (_lock_file(file) and part.exists()):
                    continue
                if mode is not None:
                    part.chmod(mode)
                yield file
            return
        finally:
            part.unlink(missing_ok=True)
            _parts.discard(str(part))


def remove_stale_parts(target: Path) -> None:
    """Remove what processes that were killed left of a file: parts that nobody has locked."""
    if fcntl is None:
        return
    of_target = re.compile(rf"{re.escape(_stem(target))}\.[0-9a-f]{{8}}\{PART}")
    with contextlib.suppress(OSError):
        for part in Path(target).parent.iterdir():
            if not of_target.fullmatch(part.name):
                continue
            with contextlib.suppress(OSError), open(part, "rb") as file:
                if _lock_file(file):
                    part.unlink()


def _stem(target: Path) -> str:
    return f".{target.name[:LONGEST_STEM]}"


def _lock_file(file: BinaryIO) -> bool:
    """Lock a file until it is closed; return whether nobody else had."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return file.writable()
    return True


def _sync_folder(folder: Path) -> None:
    """Have the new name of a file outlive a failure of power, where the system can."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def abandon_parts() -> None:
    """Remove what this process is writing, and let it begin nothing more: it is about to end."""
    _lock.acquire()
    for part in tuple(_parts):
        with contextlib.suppress(OSError):
            os.unlink(part)


call_at_end(abandon_parts)
