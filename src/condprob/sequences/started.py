"""What models share whose histories have the start of a sentence as one more word."""

from functools import cached_property

import numpy as np

from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import NOTHING
from condprob.sequences.walks import Contexts, Edges, edges_of


class StartedModel(SequenceModel):
    """A model on a suffix tree; the start of a sentence has the number ``outcomes`` there."""

    longest: int  # words of a history that count: the order less one
    text: np.ndarray  # int64: where the words of the contexts stand
    contexts: Contexts

    @property
    def order(self) -> int:
        """Number of words that the model sees at once."""
        return self.longest + 1

    @cached_property
    def _edges(self) -> Edges:
        return edges_of(self.contexts, self.text, self.outcomes + 1)

    def _histories(self, histories):
        """Return histories as an array in which sentences have starts."""
        prepared = self.prepare(histories)
        return np.where(prepared == NOTHING, self.outcomes, prepared)
