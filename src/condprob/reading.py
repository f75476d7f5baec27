"""`condprob.load`: a model from a file, with its labels if the file has them."""

from contextlib import suppress
from dataclasses import is_dataclass
from os import PathLike
from typing import Any

import condprob.mixtures  # noqa: F401  whose kinds of files are of no single method
from condprob.catalogue import METHODS
from condprob.files.arpa import holds_arpa
from condprob.files.arrays import load_with_labels
from condprob.files.stored import CLASSES_OF_KINDS, Part, Stored, declared
from condprob.labelled_model import ABOUT, About
from condprob.labels.estimate import Estimate
from condprob.labels.language import LanguageModel
from condprob.labels.text import Text
from condprob.matrix import ConditionalMatrix
from condprob.model import ConditionalModel
from condprob.ratings import Ratings
from condprob.vocabulary import Vocabulary


def load(path: str | PathLike[str], *, mmap: bool = False) -> Any:
    r"""Read a model, an estimate or ratings from a file, or an ARPA file of any program.

    Parameters
    ----------
    path : str or path
        File that ``save`` wrote, or an ARPA file: its name ends in .arpa, or it contains the line
        ``\data\`` near its beginning.
    mmap : bool
        Leave the arrays on disk, and read only the parts that are used.

    Returns
    -------
    ConditionalMatrix, SequenceModel, Estimate, LanguageModel or Ratings
        What was saved.

    Raises
    ------
    ValueError
        If the file does not contain a model.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from condprob import fit, load
    >>> estimate = fit([("ann", "tea"), ("bob", "milk")], method="kn")
    >>> with TemporaryDirectory() as folder:
    ...     estimate.save(Path(folder) / "drinks.safetensors")
    ...     load(Path(folder) / "drinks.safetensors").top("ann", 1) == estimate.top("ann", 1)
    True
    """
    if holds_arpa(path):
        return LanguageModel.from_arpa(path)
    forms = ConditionalModel, Ratings
    model, labels = load_with_labels(path, *forms, mmap=mmap, class_of=_class_of)
    try:
        if isinstance(model, Ratings):
            return model.with_labels(labels)
        return _labelled(model, labels) if ABOUT in labels else model
    except KeyError as missing:
        raise ValueError(f"{path}: damaged: the labels {missing} are missing") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: damaged: its labels are {error}") from None


def _class_of(kind: str) -> type[Stored] | None:
    """Return the class of a kind of files: modules of methods are imported until one has it.

    The parts of a model may be of any method: then all modules are imported. So they are where a
    class reads its files itself. A method that somebody registered with a wrong place has no files.
    """
    for record in METHODS.values():
        form = CLASSES_OF_KINDS.get(kind)
        forms = declared(form).values() if form and is_dataclass(form) else ()
        if forms and not any(isinstance(each, Part) for each in forms):
            return form
        with suppress(ImportError, AttributeError):
            _ = record.estimator
    return CLASSES_OF_KINDS.get(kind)


def _labelled(model: Any, labels: dict[str, list]) -> Estimate | LanguageModel:
    """Return a model with labels that fit its size; the messages go on from "its labels are"."""
    contexts, outcomes = (_vocabulary(labels[name]) for name in ("contexts", "outcomes"))
    about_lines = labels[ABOUT]
    if len(about_lines) != 1 or not isinstance(about_lines[0], str):
        raise ValueError("not known: the record of the fit is not one text")
    about, text = About.from_json(about_lines[0])
    if text is not None:
        if contexts != outcomes or len(outcomes) != model.outcomes:
            raise ValueError(f"not {model.outcomes:,} different words")
        return LanguageModel(model, outcomes, Text.from_options(text), about)
    if not isinstance(model, ConditionalMatrix):
        raise ValueError("for a matrix, and the model is none")
    if (len(contexts) + 1, len(outcomes)) != model.shape:
        rows, columns = model.shape
        raise ValueError(f"not {rows - 1:,} different contexts and {columns:,} different outcomes")
    return Estimate(model, contexts, outcomes, about)


def _vocabulary(labels: list) -> Vocabulary:
    if any(label != label for label in labels):
        raise ValueError("not numbers: NaN is among them")
    found = Vocabulary(labels)
    if len(found) < len(labels):
        raise ValueError("not distinct: one label occurs twice")
    return found
