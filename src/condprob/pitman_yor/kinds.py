"""How far the base is by types, and how far by tokens, by held-out pairs.

Neither kind is chosen outright. Where distinct pairs alone explain the held-out pairs clearly
better than tokens alone, the two stand side by side and learn their shares, as they do for a text;
of much text, where a fit takes long, tokens are left out if they clearly add nothing that matters.
Where types are worse, tokens stand alone, as for independent draws of a model of low rank. Between
the two the weight of the first changes slowly, so that no accident of the folds decides.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from condprob.pitman_yor.bases import Component, LowRankBase

KINDS_TRIED = ("types", "tokens")
# Nats per new pair by which types have to be ahead of tokens to have any weight, and all. They lie
# between texts of 400 words and more, where types are ahead by .05 to .33, and models of low rank,
# where they are behind but for accidents of few pairs (570a500:docs/settings.md, "The kinds of
# base"; 570a500:benchmarks/design.csv).
SOME, ALL = 0.007, 0.02
# Nats per new pair: of much text tokens that could add more to types stay beside them, however far
# they are behind them alone. 570a500:docs/settings.md, "Tokens beside types".
ADDED = 0.014
# Standard errors beyond these at which a kind is no longer fitted:
# 570a500:benchmarks/constants.csv.
CLEAR = 3.0


class Evidence(NamedTuple):
    """What held-out pairs say of the two kinds.

    Attributes
    ----------
    pairs : float
        How many there were that the others lack; zero if none was asked.
    gain, error : float
        By how many nats for each of these types alone are ahead of tokens alone, and the standard
        error of that over all held-out pairs. (Where most pairs are repeated ones, which the rows
        explain, the base is as needed for those that are not.)
    weight : float
        Of types and tokens side by side; the rest is that of tokens alone.
    """

    pairs: float
    gain: float
    error: float
    weight: float

    @property
    def loser(self) -> str | None:
        """The kind that is clearly behind, if one is."""
        if self.is_above(ALL):
            return "tokens"
        return None if self.may_be_above(SOME) else "types"

    def is_above(self, least: float) -> bool:
        """Return whether the gain is clearly above so many nats."""
        return self.gain - CLEAR * self.error > least

    def may_be_above(self, least: float) -> bool:
        """Return whether the gain is not clearly below so many nats."""
        return self.gain + CLEAR * self.error >= least

    @classmethod
    def of_no_pairs(cls, are_types: bool) -> "Evidence":
        """Return what is known where there is one kind only, or none."""
        return cls(0.0, 0.0, 0.0, float(are_types))


def weigh_types(counts: np.ndarray, gains: np.ndarray, is_new: np.ndarray) -> Evidence:
    """Weigh types by what they gain on held-out pairs.

    Parameters
    ----------
    counts : numpy.ndarray, shape (pairs,)
        How often each pair was held out.
    gains : numpy.ndarray, shape (pairs,)
        By how many nats types alone make it likelier than tokens alone.
    is_new : numpy.ndarray of bool, shape (pairs,)
        Whether the others lack it.
    """
    new = float(counts @ is_new)
    if not new:
        return Evidence.of_no_pairs(are_types=False)
    deviations = gains - counts @ gains / counts.sum()
    gain, error = float(counts @ gains) / new, float(np.sqrt(counts @ deviations**2)) / new
    return Evidence(new, gain, error, float(np.clip((gain - SOME) / (ALL - SOME), 0.0, 1.0)))


def is_kind(components: Sequence[Component], kind: str | None) -> np.ndarray:
    """Return which components are low-rank bases of a kind, shape (components,)."""
    return np.array([isinstance(one, LowRankBase) and one.kind == kind for one in components])


def are_both(components: Sequence[Component]) -> bool:
    """Return whether there are bases of both kinds."""
    return all(is_kind(components, kind).any() for kind in KINDS_TRIED)
