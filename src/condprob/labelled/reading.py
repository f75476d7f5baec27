"""Files of models, with or without labels: what is in one is known when it is read."""

from dataclasses import asdict
from os import PathLike
from typing import Any

import numpy as np

from condprob.labelled.about import ABOUT, About
from condprob.labelled.estimate import Estimate
from condprob.labelled.language import LanguageModel
from condprob.labelled.text import Text
from condprob.matrix import ConditionalMatrix
from condprob.model import load_with_labels
from condprob.sequences.arpa import is_arpa
from condprob.sequences.model import SequenceModel
from condprob.vocabulary import Vocabulary

OF_OLD = "unknown"  # the method of a file that does not say it
OLD = Text(lines=False)  # how texts were cut of which a file does not say it


def load(path: str | PathLike[str], *, mmap: bool = False) -> Any:
    """Read what the `save` of a model or of an estimate wrote, or an ARPA file of any program.

    Parameters
    ----------
    path : str or path
        One that ends in .arpa is read by `LanguageModel.from_arpa`.
    mmap : bool
        Leave the arrays on disk and read of them what is used.

    Returns
    -------
    ConditionalMatrix, SequenceModel, Estimate or LanguageModel

    Raises
    ------
    ValueError
        If the file does not hold a model.
    OSError
        If it cannot be read.
    """
    if is_arpa(path):
        return LanguageModel.from_arpa(path)
    model, labels = load_with_labels(path, mmap)
    if ABOUT not in labels:
        return model
    return _read_labels(path, model, labels)


def load_labelled(path: str | PathLike[str]) -> Estimate | LanguageModel:
    """Read a file with labels, of this version or of one that did not say how texts were cut.

    A file whose name ends in .arpa is read as one.

    Raises
    ------
    ValueError
        If the file does not hold a model with labels.
    OSError
        If it cannot be read.
    """
    if is_arpa(path):
        return LanguageModel.from_arpa(path)
    model, labels = load_with_labels(path)
    if not {"contexts", "outcomes"} <= labels.keys():
        raise ValueError(f"{path}: has no vocabulary; a file of `condprob fit` is needed")
    return _read_labels(path, model, labels)


def _read_labels(path, model, labels):
    try:
        if any(array.ndim != 1 for array in labels.values()):
            raise ValueError("not in one line")
        return _labelled(model, labels)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged: its labels are {error}") from None


def _labelled(model: Any, labels: dict[str, np.ndarray]) -> Estimate | LanguageModel:
    if any((labels[name] != labels[name]).any() for name in ("contexts", "outcomes")):
        raise ValueError("not numbers: NaN is among them")
    contexts, outcomes = (Vocabulary(labels[name].tolist()) for name in ("contexts", "outcomes"))
    if ABOUT in labels:
        told = labels[ABOUT].tolist()
        if len(told) != 1 or not isinstance(told[0], str):
            raise ValueError("not known: what it says of itself is not one text")
        about, text = About.unpacked(told[0])
    else:
        is_text = isinstance(model, SequenceModel) or contexts == outcomes
        about, text = About(OF_OLD), asdict(OLD) if is_text else None
    if text is not None:
        if not len(outcomes) == len(labels["outcomes"]) == model.outcomes:
            raise ValueError(f"not {model.outcomes:,} different outcomes")
        if contexts != outcomes:
            raise ValueError(f"not {model.outcomes:,} different contexts")
        return LanguageModel(model, outcomes, Text(**text), about)
    if not isinstance(model, ConditionalMatrix):
        raise ValueError("they are those of a matrix")
    rows = model.shape[0] - (ABOUT in labels)
    for name, found, size in zip(
        ("contexts", "outcomes"), (contexts, outcomes), (rows, model.shape[1]), strict=True
    ):
        if not len(found) == len(labels[name]) == size:
            raise ValueError(f"not {size:,} different {name}")
    return Estimate(model, contexts, outcomes, about)
