"""The C of this folder, compiled when it is needed."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import as_strided

LINE = 8  # floats
HERE = Path(__file__).parent
# All that -ffast-math allows but inf and nan; not the option itself, which makes the whole process
# flush denormal numbers to zero and so would change the others' times.
FLAGS = ["-O3", "-fPIC", "-fassociative-math", "-freciprocal-math", "-fno-math-errno"]
FLAGS += ["-fno-signed-zeros", "-fno-trapping-math"]
NATIVE = ("-march=native", "-mcpu=native")  # the one or the other, as the compiler has it


class Unavailable(Exception):
    """Something to compare with cannot be had; the message says why."""


@cache
def library(name, **macros):
    """Compile ``name.c`` with the given macros and load it."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    if not compiler:
        raise Unavailable("no C compiler: neither CC nor cc")
    folder = Path(tempfile.mkdtemp(prefix="condprob-"))
    defined = [f"-D{key}={value}" for key, value in macros.items()]
    for native in NATIVE:
        object_file, shared = folder / f"{name}.o", folder / f"{name}.so"
        source = [str(HERE / f"{name}.c"), "-c", "-o", str(object_file)]
        commands = (
            [compiler, *FLAGS, native, *defined, *source],
            [compiler, "-shared", str(object_file), "-o", str(shared), "-lm"],
        )
        if all(
            subprocess.run(command, capture_output=True).returncode == 0 for command in commands
        ):
            return ctypes.CDLL(str(shared))
    raise Unavailable(f"{Path(compiler).name} does not compile {name}.c")


def in_lines(array):
    """Return a copy whose rows start at cache lines and are filled up with zeros.

    Returns
    -------
    whole : numpy.ndarray, shape (rows, whole lines)
    stored : numpy.ndarray, shape (rows, m)
        The view of it that has the numbers.
    """
    rows, m = array.shape
    width = -(-m // LINE) * LINE
    buffer = np.zeros(rows * width + LINE)
    start = -buffer.ctypes.data // 8 % LINE
    whole = as_strided(buffer[start:], (rows, width), (8 * width, 8))
    stored = whole[:, :m]
    stored[:] = array
    return whole, stored


def pointer(array):
    """Return the address of an array, for C."""
    return array.ctypes.data_as(ctypes.c_void_p)
