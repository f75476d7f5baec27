"""Rewrite a file of an older version: ``python -m condprob.convert_file OLD NEW``.

Format 1 had labels in NumPy's arrays of text, and lacked some arrays; in format 3 the whole numbers
of compressed files were sorted by bytes. This module reads them for one release, and then goes.
"""

import sys
import zipfile

import numpy as np

from condprob.counts import CountMatrix
from condprob.io import FORMAT, LABELS, OLD, VERSION, Name, load, pack_labels, write_arrays
from condprob.sparse_plus_low_rank import SCORES

_PLANES = ".npy.planes"  # how the name of a member ends whose bytes are sorted
_PARTS = ("one", "other", "matrix", "base", "first", "rest")  # models that are parts of others
_MISSING = {
    "sparse plus low rank": {SCORES: True},
    "mixture": {"ended": "limit"},
    "log-linear": {"tol": 0.0},
    "log-linear histories": {"tol": 0.0},
}


def convert(old: Name, new: Name) -> None:
    """Read a file of format 1 or 3, and write the same counts, or model with labels, to another.

    Raises
    ------
    ValueError
        If the file is of another format, or holds neither a model nor counts.
    OSError
        If one of the files cannot be read or written.
    """
    arrays = {}
    with zipfile.ZipFile(old) as archive:
        for name in archive.namelist():
            with archive.open(name) as member:
                array = np.lib.format.read_array(member, allow_pickle=False)
            if name.endswith(_PLANES):  # the lowest bytes of all numbers come first
                array = np.ascontiguousarray(array.T).view(f"<i{len(array)}").ravel()
            arrays[name.removesuffix(_PLANES).removesuffix(".npy")] = array
    kind, version = arrays.pop(FORMAT).tolist()
    if version not in OLD:
        raise ValueError(f"{old}: of format {version}, and {' or '.join(OLD)} is needed")
    if version == "1":
        _complete(kind, arrays, "")
    texts = [name for name in arrays if name.startswith(LABELS) and arrays[name].dtype.kind == "U"]
    labels = {name.removeprefix(LABELS): arrays.pop(name) for name in texts}
    head = {FORMAT: np.array([kind, VERSION])}
    write_arrays(new, head | arrays | pack_labels(labels), packed=version == "3")
    (CountMatrix.load if kind == CountMatrix.kind else load)(new)


def _complete(kind: str, arrays: dict[str, np.ndarray], prefix: str) -> None:
    """Add arrays that format 1 did not have, to a model and to those that are its parts."""
    for name, value in _MISSING.get(kind, {}).items():
        arrays.setdefault(prefix + name, np.array(value))
    for name in _PARTS:
        if prefix + name in arrays:
            _complete(str(arrays[prefix + name]), arrays, f"{prefix}{name}_")


if __name__ == "__main__":
    convert(*sys.argv[1:])
