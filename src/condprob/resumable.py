"""Estimators whose fits keep a checkpoint."""

from abc import abstractmethod
from os import PathLike

from condprob.annotations import Seed
from condprob.counts import CountMatrix, Counts
from condprob.estimator import Estimator
from condprob.matrix import ConditionalMatrix
from condprob.runtime.checkpoints import Checkpoint
from condprob.runtime.jit import interrupts_kept
from condprob.sequences.model import SequenceModel
from condprob.sequences.sentences import Sentences


class Resumable(Estimator):
    """An estimator whose fit can be interrupted, and go on later."""

    def fit(
        self,
        counts: Counts,
        seed: Seed = 0,
        *,
        progress: bool = False,
        checkpoint: str | PathLike[str] | Checkpoint | None = None,
    ) -> ConditionalMatrix:
        """Do what `Estimator.fit` says; the fit can be interrupted, and go on later.

        Parameters
        ----------
        counts, seed, progress
            See `Estimator.fit`. Low-rank fits leave counts that are mapped (`CountMatrix.load`) on
            disk.
        checkpoint : path or Checkpoint, optional
            A file that the fit writes about once a minute. Where there is one the fit goes on from
            it, and ends with the very numbers of a fit that was not interrupted. The counts, the
            seed and the options have to be the same, but for more ``iterations``. A search for a
            penalty or a temperature is not kept, the fit to all counts is; where more iterations
            find another one, it is refused.

        Raises
        ------
        ValueError
            As in `fit_counts`, or if the checkpoint is no such file, is damaged, or is that of
            another fit.
        OSError
            If the checkpoint cannot be read or written.
        """
        checkpoint = Checkpoint.at(checkpoint)
        with interrupts_kept():
            return self.fit_counts(self.checked(counts, seed), seed, progress, checkpoint)

    def fit_text(
        self,
        sentences: Sentences,
        order: int = 2,
        seed: Seed = 0,
        *,
        progress: bool = False,
        checkpoint: str | PathLike[str] | Checkpoint | None = None,
    ) -> SequenceModel:
        """Do what `Estimator.fit_text` says; see `fit` for the checkpoint."""
        how = {"progress": progress, "checkpoint": checkpoint}
        return self._fit_order(sentences, order, seed, **how)

    @abstractmethod
    def fit_counts(
        self,
        counts: CountMatrix,
        seed: Seed,
        progress: bool,
        checkpoint: Checkpoint | None = None,
    ) -> ConditionalMatrix:
        """Do what `fit` says for a `CountMatrix`."""
