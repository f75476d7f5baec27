"""Labels as the arrays of a file, which they are saved in beside a model."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from condprob.checks import LARGEST_INTEGER, in_brief
from condprob.entries import check_rising

Arrays = dict[str, np.ndarray]
LABELS, TEXT, ENDS, SAME = "labels_", "_text", "_ends", "_same"  # how names begin and end
LONGEST_NAME = 1000  # characters of a name of labels; zip has room for 16,000 of any script


def pack_labels(labels: dict[str, Iterable]) -> Arrays:
    """Return the arrays of labels; lists of texts that are equal are stored once.

    Texts are in one text of UTF-8, beside the places where each ends: NumPy's arrays of texts give
    each the room of the longest, and drop a NUL at an end. Other labels are stored as they are.
    """
    found: Arrays = {}
    stored: dict[str, list[str]] = {}
    for name, given in labels.items():
        if name.endswith((TEXT, ENDS, SAME)) or len(name) > LONGEST_NAME:
            wanted = f"at most {LONGEST_NAME} characters and with no end {TEXT}, {ENDS} or {SAME}"
            raise ValueError(f"labels {in_brief(name)}: a name of {wanted} is needed")
        listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
        same = next((other for other, texts in stored.items() if texts == listed), None)
        if not all(isinstance(label, str) for label in listed):
            found[LABELS + name] = _in_numbers(given, listed, name)
        elif same is not None:
            found[LABELS + name + SAME] = np.frombuffer(same.encode(), np.uint8)
        else:
            stored[name] = listed
            # Encodings such as UTF-7 may give halves of a pair of surrogates, which UTF-8 has not.
            raw = [label.encode("utf-8", "surrogatepass") for label in listed]
            found[LABELS + name + TEXT] = np.frombuffer(b"".join(raw), np.uint8)
            found[LABELS + name + ENDS] = np.cumsum([0, *map(len, raw)], dtype=np.int64)
    return found


def _in_numbers(given: Iterable, listed: list, name: str) -> np.ndarray:
    """Return labels that are no texts as an array, each as it was, or raise ValueError.

    What is read again is taken: numbers and truths, and neither bytes nor dates.
    """
    is_whole = all(isinstance(label, int) for label in listed)
    above = is_whole and max(listed, default=0) > LARGEST_INTEGER
    try:
        found = (
            given
            if isinstance(given, np.ndarray)
            else np.array(listed, dtype=np.uint64 if above else None)
        )
    except (OverflowError, ValueError):  # of integers, and of tuples beside other labels
        found = np.array(None)
    is_same = found is given or found.tolist() == listed
    if found.dtype.kind not in "biuf" or not is_same:
        wanted = "texts alone, or numbers that fit one array, are needed"
        raise ValueError(f"labels {name!r}: {wanted}; make texts of them first, by str")
    return found


def unpack_labels(arrays: Arrays) -> dict[str, np.ndarray]:
    """Return labels by name, texts in arrays of Python's own, or raise ValueError."""
    forms: dict[str, set[str]] = {}
    for key in arrays:
        name = key.removeprefix(LABELS)
        end = next((end for end in (TEXT, ENDS, SAME) if name.endswith(end)), "")
        forms.setdefault(name.removesuffix(end), set()).add(end)
    found: dict[str, np.ndarray] = {}
    for name, ends in sorted(forms.items(), key=lambda form: SAME in form[1]):  # the same last
        key = LABELS + name
        other = arrays[key + SAME].tobytes().decode("utf-8", "replace") if SAME in ends else None
        if ends == {""}:
            found[name] = arrays[key]
        elif ends == {TEXT, ENDS}:
            found[name] = _cut(arrays[key + TEXT], arrays[key + ENDS], name)
        elif ends == {SAME} and other in found:
            found[name] = found[other]
        else:
            raise ValueError(f"the labels {in_brief(name)} are there in part, or twice")
    return found


def _cut(text: np.ndarray, ends: np.ndarray, name: str) -> np.ndarray:
    """Return the labels of a text that end at these places."""
    if text.dtype != np.uint8 or text.ndim != 1:
        raise ValueError(f"the text of the labels {name!r} is none")
    check_rising(ends, text.size, f"the ends of the labels {name!r}")
    raw, places = text.tobytes(), ends.tolist()
    found = np.empty(len(places) - 1, dtype=object)
    found[:] = [
        raw[start:stop].decode("utf-8", "surrogatepass") for start, stop in pairwise(places)
    ]
    return found
