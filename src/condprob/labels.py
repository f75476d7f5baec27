"""Labels in files: all in one text of UTF-8, and where each ends.

NumPy's own arrays of text give each label the room of the longest, and drop a NUL at an end.
"""

from collections.abc import Collection, Iterable
from itertools import pairwise

import numpy as np

from condprob.checks import check_rising, in_brief

# Arrays of a file whose names start so are labels, no part of a model.
LABELS = "labels_"
LONGEST_NAME = 1000  # characters: the format; zip has room for 16,000 of any script
TEXT, ENDS, SAME = "_text", "_ends", "_same"  # what is stored of labels, after their name


def is_texts(labels: object) -> bool:
    """Whether labels are texts, all of them; other arrays are stored as they are."""
    return all(isinstance(label, str) for label in labels)


def pack_labels(labels: dict[str, Iterable]) -> dict[str, np.ndarray]:
    """Return the arrays that a file has to hold; those that are equal are stored once."""
    found, stored = {}, {}
    for name, given in labels.items():
        if any(name.endswith(end) for end in (TEXT, ENDS, SAME)):
            raise ValueError(f"labels {name!r}: a name must not end in {TEXT}, {ENDS} or {SAME}")
        if len(name) > LONGEST_NAME:
            raise ValueError(
                f"labels {in_brief(name)}: a name of at most {LONGEST_NAME} characters"
            )
        listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
        prefix = f"{LABELS}{name}"
        if not is_texts(listed):
            found[prefix] = _in_numbers(given, listed, name)
            continue
        same = next((other for other, texts in stored.items() if texts == listed), None)
        if same is not None:
            found[prefix + SAME] = np.frombuffer(same.encode(), dtype=np.uint8)
            continue
        stored[name] = listed
        # Encodings such as UTF-7 may give halves of a pair of surrogates, which UTF-8 has not.
        raw = [label.encode("utf-8", "surrogatepass") for label in listed]
        found[prefix + TEXT] = np.frombuffer(b"".join(raw), dtype=np.uint8)
        found[prefix + ENDS] = np.cumsum([0, *map(len, raw)], dtype=np.int64)
    return found


def _in_numbers(given: Iterable, listed: list, name: str) -> np.ndarray:
    """Return labels that are no texts as an array, each as it was, or raise ValueError."""
    if isinstance(given, np.ndarray):
        return given
    is_whole = all(isinstance(label, int) for label in listed)
    above = is_whole and max(listed, default=0) > np.iinfo(np.int64).max
    try:
        found = np.array(listed, dtype=np.uint64 if above else None)
    except OverflowError:
        found = np.array(listed, dtype=object)
    if found.dtype == object or found.tolist() != listed:
        told = "their numbers are too large, or too far apart, for one array"
        raise ValueError(f"labels {name!r}: {told}; make texts of them first, by str")
    return found


def check_label_arrays(names: Collection[str]) -> None:
    """Raise ValueError unless each name of labels has one form: text and ends, numbers, or same.

    Parameters
    ----------
    names : collection of str
        Of the arrays of a file that are labels.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        end = next((end for end in (TEXT, ENDS, SAME) if name.endswith(end)), "")
        found.setdefault(name.removeprefix(LABELS).removesuffix(end), []).append(end)
    for name, ends in found.items():
        if sorted(ends) not in ([""], [SAME], sorted([TEXT, ENDS])):
            raise ValueError(f"the labels {in_brief(name)} are there in part, or twice")


def unpack_labels(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the labels among the arrays of a file, by name, in arrays of Python's texts.

    Arrays of text, as older files have them, are taken as well.

    Raises
    ------
    ValueError
        If they are damaged.
    """
    check_label_arrays(arrays)
    found, same = {}, {}
    for key, array in arrays.items():
        name = key.removeprefix(LABELS)
        if name.endswith(TEXT):
            name = name.removesuffix(TEXT)
            found[name] = _cut(array, arrays[f"{LABELS}{name}{ENDS}"], name)
        elif name.endswith(SAME):
            same[name.removesuffix(SAME)] = array
        elif not name.endswith(ENDS):
            found[name] = array.astype(object) if array.dtype.kind == "U" else array
    for name, array in same.items():
        other = bytes(array).decode("utf-8", "replace") if array.dtype == np.uint8 else None
        if other not in found:
            raise ValueError(f"the labels {name!r} are said to be those of another name")
        found[name] = found[other]
    return found


def _cut(text: np.ndarray, ends: np.ndarray, name: str) -> np.ndarray:
    """Return the labels of a text that end at these places."""
    if text.dtype != np.uint8 or text.ndim != 1:
        raise ValueError(f"the text of the labels {name!r} is none")
    if ends.dtype != np.int64 or ends.ndim != 1:
        raise ValueError(f"the labels {name!r} have no ends")
    check_rising(ends, text.size, f"the ends of the labels {name!r}")
    raw, places = text.tobytes(), ends.tolist()
    found = np.empty(len(places) - 1, dtype=object)
    found[:] = [
        raw[start:stop].decode("utf-8", "surrogatepass") for start, stop in pairwise(places)
    ]
    return found
