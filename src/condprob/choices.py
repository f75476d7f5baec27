"""What an estimator tells of each setting among which it chooses."""

from typing import NamedTuple


class Trial(NamedTuple):
    """A setting that was tried on a text, and how it did."""

    settings: dict[str, float]  # options of the estimator, by name
    mean: float  # log-loss of the held-out words that were scored, nats per word
    parameters: int  # see `sequences.model.SequenceModel`
    gap: float = 0.0
    iterations: int = 0
