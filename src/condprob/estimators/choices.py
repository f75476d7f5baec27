"""What an estimator tells of each setting among which it chooses."""

from typing import NamedTuple


class Trial(NamedTuple):
    """A setting that was tried on a text, and how it did.

    Attributes
    ----------
    settings : dict
        Options of the estimator, by name.
    mean : float
        Log-loss of the held-out words that were scored, nats per word.
    parameters : int
        See `sequences.model.SequenceModel`.
    gap : float
    iterations : int
    """

    settings: dict[str, float]
    mean: float
    parameters: int
    gap: float = 0.0
    iterations: int = 0
