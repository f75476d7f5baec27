"""PY-LR without one of its ingredients, of which `beyond-ablation` shows the price."""

from dataclasses import dataclass
from typing import Literal

from condprob.pitman_yor.estimator import PitmanYorLowRank


@dataclass(frozen=True)
class AblatedPitmanYor(PitmanYorLowRank):
    """PY-LR with a prior that is given, or other outcomes that were never seen.

    Attributes
    ----------
    smallest_rank, largest_rank, chains, sweeps, mixed, threads
        See `PitmanYorLowRank`.
    prior : "learned" or "dirichlet"
        Of the classes.
    novelty : "by order", "tokens" or "none"
        What is counted for outcomes that were never seen; with none they have the base alone.
    """

    prior: Literal["learned", "dirichlet"] = "learned"
    novelty: Literal["by order", "tokens", "none"] = "by order"

    def discounts_of_classes(self, observed):
        """See `PitmanYorLowRank`."""
        return [0.0] if self.prior == "dirichlet" else super().discounts_of_classes(observed)

    def assemble(self, learned, observed, mixture):
        """See `PitmanYorLowRank`."""
        counted = observed if self.novelty == "by order" else self.novelty
        return super().assemble(learned, counted, mixture)
