"""What a fit is given besides its data and its options, as one value from `fit` down."""

from dataclasses import dataclass
from os import PathLike

import numpy as np

from condprob.checks import Seed, check_seed
from condprob.files.checkpoints import Checkpoint
from condprob.progress import Progress, progress_of


@dataclass(frozen=True)
class Run:
    """One run of a fit: its source of randomness, its bar, and the file that it goes on from.

    Attributes
    ----------
    seed : int, numpy.random.SeedSequence or numpy.random.Generator
        The source of all randomness.
    progress : bool or Later
        Whether a bar is shown, or from when on.
    checkpoint : Checkpoint or None
        Where the state is saved.
    in_order : counts.PairsInOrder or None
        The pairs behind the counts, if they are a sequence.
    """

    seed: Seed = 0
    progress: Progress = False
    checkpoint: Checkpoint | None = None
    in_order: tuple | None = None

    @classmethod
    def of(
        cls,
        seed: "Seed | Run",
        progress: bool | None,
        checkpoint: str | PathLike[str] | Checkpoint | None = None,
    ) -> "Run":
        """Return the run that the arguments of a `fit` ask for; ValueError if the seed is none."""
        if isinstance(seed, Run):
            return seed
        seed = check_seed(seed)
        if checkpoint is not None and not isinstance(checkpoint, Checkpoint):
            checkpoint = Checkpoint(checkpoint)
        return cls(seed, progress_of(progress), checkpoint)

    def generator(self) -> np.random.Generator:
        """Return the generator of random numbers of the seed."""
        return np.random.default_rng(self.seed)


DEFAULT_RUN = Run()  # seed zero, no bar, no checkpoint
