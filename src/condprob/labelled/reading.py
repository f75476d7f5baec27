"""Files of models, with or without labels: what is in one is known when it is read."""

from os import PathLike
from typing import Any

import numpy as np

from condprob.labelled.estimate import ABOUT, About, Estimate
from condprob.matrices.contract import ConditionalMatrix
from condprob.model import load_with_labels
from condprob.vocabulary import Vocabulary


def load(path: str | PathLike[str], *, mmap: bool = False) -> Any:
    """Read what the `save` of a model or of an estimate wrote.

    Parameters
    ----------
    path : str or path
    mmap : bool
        Leave the arrays on disk and read of them what is used.

    Returns
    -------
    ConditionalMatrix, SequenceModel or Estimate

    Raises
    ------
    ValueError
        If the file does not hold a model.
    OSError
        If it cannot be read.
    """
    model, labels = load_with_labels(path, mmap)
    if ABOUT not in labels:
        return model
    try:
        return _labelled(model, labels)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged: its labels: {error}") from None


def _labelled(model: Any, labels: dict[str, np.ndarray]) -> Estimate:
    (told,) = labels[ABOUT].tolist()
    about = About.unpacked(told)
    contexts, outcomes = (Vocabulary(labels[name].tolist()) for name in ("contexts", "outcomes"))
    if not isinstance(model, ConditionalMatrix):
        raise ValueError("they are those of a matrix")
    if (len(contexts) + 1, len(outcomes)) != model.shape:
        raise ValueError(f"not {model.shape[0] - 1:,} contexts and {model.shape[1]:,} outcomes")
    return Estimate(model, contexts, outcomes, about)
