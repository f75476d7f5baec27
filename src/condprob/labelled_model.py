"""What speaks in labels: the functions that take models and data in numbers take it, too."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from condprob.model import ConditionalModel
from condprob.vocabulary import Vocabulary


def log_of(found: Any) -> Any:
    """Return the logarithm of a probability, or of an array of them; minus infinity of zero."""
    with np.errstate(divide="ignore"):
        logs = np.log(found)
    return float(logs) if np.ndim(logs) == 0 else logs


class LabelledModel(ABC):
    """A model in numbers, with what its numbers are called.

    Attributes
    ----------
    model : ConditionalModel
    contexts, outcomes : Vocabulary
    about : labelled.about.About
        How it was made.
    """

    model: ConditionalModel
    contexts: Vocabulary
    outcomes: Vocabulary
    about: Any

    @property
    @abstractmethod
    def labels(self) -> tuple:
        """What two have in common whose numbers mean the same."""

    @property
    def weights(self) -> np.ndarray:
        """The weight of each part of a mixture, as `condprob.mix` makes it, shape (parts,).

        Raises
        ------
        AttributeError
            If the model is no mixture.
        """
        found = getattr(self.model, "weights", None)
        if found is None:
            raise AttributeError(f"{self.about.method}: has no weights, as a mixture by `mix` has")
        return found

    @abstractmethod
    def _heading(self) -> list[str]:
        """Return the first lines of `summary`: what was fitted, by what, and to what."""

    def summary(self) -> str:
        """Return in some lines what was fitted, by what, with which settings, and how it ended."""
        return "\n".join([*self._heading(), *self.about.tell_settings(self.model)])

    @abstractmethod
    def in_numbers(self, data: Any) -> Any:
        """Return what `score` knows of data as `model` takes it: a `CountMatrix` or `Sentences`."""

    @abstractmethod
    def block_losses(self, data: Any) -> Any:
        """Return the losses of what `score` knows of data, `evaluation.Losses`."""
