"""PY-LR without one of its ingredients, of which `beyond-ablation` shows the price."""

from dataclasses import dataclass
from typing import Literal

from condprob.methods.pitman_yor.estimator import PitmanYorLowRank
from condprob.methods.pitman_yor.novelty import lacking_shares


@dataclass(frozen=True)
class AblatedPitmanYor(PitmanYorLowRank):
    """PY-LR with a prior that is given, or other outcomes that were never seen.

    Attributes
    ----------
    effort, smallest_rank, largest_rank, chains, sweeps, mixed, threads
        See `PitmanYorLowRank`.
    prior : "learned" or "dirichlet"
        Of the classes.
    novelty : "by order", "tokens" or "none"
        What Good-Turing counts for outcomes that were never seen: distinct pairs of a text and
        nothing of a table, tokens, or nothing. Without it their first mass is that of the base.
    """

    prior: Literal["learned", "dirichlet"] = "learned"
    novelty: Literal["by order", "tokens", "none"] = "by order"

    def discounts_of_classes(self, in_order):
        """See `PitmanYorLowRank`."""
        return [0.0] if self.prior == "dirichlet" else super().discounts_of_classes(in_order)

    def lacking(self, counts, given, bins, in_order):
        """See `PitmanYorLowRank`."""
        found = super().lacking(counts, given, bins, in_order)
        if self.novelty == "tokens":
            return lacking_shares(counts, given, bins, found.size, "tokens")
        return found if self.novelty == "by order" else 0 * found
