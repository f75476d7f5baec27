"""Whether contexts mix few classes, by held-out pairs: a smaller constant of the weights.

The paper draws the rows of ``A`` uniformly, and to bases by tokens the constant 1 is their prior.
Where each context has a few of the classes, as users often do, smaller ones are right. The constant
is halved as long as the pairs of the first fold are clearly likelier, and bases with the last one
are taken if they leave nothing to bases by types: so a text has its bases as if there were no
others. Where types are clearly ahead, and contexts have next to one class, theirs is smaller. The
first fold also says whether bases by tokens are needed beside them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from condprob.pitman_yor.bases import (
    TOKENS_OF_FEW,
    TYPES_OF_ONE,
    Component,
    FittedBase,
    Fitting,
    LowRankBase,
    fit_components,
)
from condprob.pitman_yor.held_out import HeldOut, ask
from condprob.pitman_yor.kinds import ALL, Evidence, is_kind
from condprob.pitman_yor.settings import (
    Asked,
    Candidates,
    KindsAsked,
    compare,
    explain_best,
    prior_of,
)
from condprob.splits import Split

# Of what types are ahead, which the middle base has to gain by half the constant. On texts of 3,000
# to 760,000 words it gains .005 to .17 of that, on models of few classes that have lost .37 and
# more: 570a500:docs/settings.md, "Users of few classes".
PART = 0.2


class Tried(NamedTuple):
    """Components that were fitted to the rest of a fold, and what they give to its pairs."""

    components: Sequence[Component]
    fits: Sequence[FittedBase]
    part: HeldOut

    @classmethod
    def of(
        cls, fold: Split, components: Sequence[Component], fits: Sequence[FittedBase]
    ) -> "Tried":
        """Ask the fits what they give to the pairs of a fold."""
        return cls(components, fits, ask(fold, fits))

    def only(self, places: np.ndarray) -> "Tried":
        """Return some of the components, by their numbers."""
        part = self.part._replace(bases=self.part.bases[:, places])
        return Tried([self.components[b] for b in places], [self.fits[b] for b in places], part)

    def without(self, kind: str | None) -> "Tried":
        """Return all components but those of a kind."""
        return self.only(np.flatnonzero(~is_kind(self.components, kind)))


class Explained(NamedTuple):
    """What was tried, and what it gives to the pairs with its best settings.

    Attributes
    ----------
    tried : Tried
    asked : Asked
        The pairs.
    log_q : numpy.ndarray, shape (pairs,)
        The logarithm of what each is given, nats.
    """

    tried: Tried
    asked: Asked
    log_q: np.ndarray


class FirstFold(NamedTuple):
    """The fold on which constants are compared.

    Attributes
    ----------
    fold : Split
    candidates : Candidates
        Strengths and discounts of the rows.
    how : Fitting
        How a fit goes on from one with another constant.
    middle : int
        The middle one of the ranks.
    added : float
        Nats per new pair: tokens that could add more to types stay beside them.
        Minus infinity: they always do, infinity: they never do where types are clearly ahead.
    """

    fold: Split
    candidates: Candidates
    how: Fitting
    middle: int
    added: float

    def fit(self, components, how: Fitting, rng, told) -> tuple[Tried, Evidence]:
        """Fit components of both kinds, and do what `choose` does.

        Tokens above the middle rank cost a third of all fits. They are not fitted where the others
        add clearly less than half of what would matter; their seeds are drawn, so that fits which
        follow are the same.
        """
        may_end, is_tokens = np.isfinite(self.added), is_kind(components, "tokens")
        above = may_end & is_tokens & ~self._are_up_to_middle(components)
        order = np.argsort(above, kind="stable")
        few, more = np.split(order, [np.count_nonzero(~above)])
        smaller = [components[b] for b in few]
        fits = fit_components(smaller, self.fold.rest, how, rng, told)
        tried = Tried.of(self.fold, smaller, fits)
        if may_end and (evidence := self._is_enough(tried)):
            rng.integers(2**63, size=more.size)
            return self._lessen_types(tried.without("tokens")), evidence
        if more.size:
            fits += fit_components([components[b] for b in more], self.fold.rest, how, rng, None)
        return self.choose(Tried.of(self.fold, components, [fits[b] for b in np.argsort(order)]))

    def _are_up_to_middle(self, components: Sequence[Component]) -> np.ndarray:
        """Return which have no larger rank than the middle one, or none, shape (components,)."""
        return np.array(
            [not isinstance(one, LowRankBase) or one.rank <= self.middle for one in components]
        )

    def _is_enough(self, tried: Tried) -> Evidence | None:
        """Return what the pairs say of both kinds if tokens can be left out by it."""
        kinds = KindsAsked.of([tried.part], self.candidates, tried.components)
        evidence = kinds.weigh()
        if evidence.loser != "tokens":
            return None
        if kinds.gain_of_tokens(tried.components).may_be_above(self.added / 2):
            return None
        return None if self._look(tried, evidence) else evidence

    def choose(self, tried: Tried) -> tuple[Tried, Evidence]:
        """Return what is left of bases by types and by tokens, and what the pairs say of them.

        That types alone are ahead of tokens alone does not say that tokens add nothing to them.
        Where they are, and contexts have next to one class, types have a smaller constant and stand
        alone.
        """
        kinds = KindsAsked.of([tried.part], self.candidates, tried.components)
        evidence = kinds.weigh()
        if found := self._look(tried, evidence):
            return found
        left = tried.without(evidence.loser)
        if evidence.loser != "tokens" or self.added == np.inf:
            return left, evidence
        found = self._lessen_types(left)
        if found is left and kinds.gain_of_tokens(tried.components).may_be_above(self.added):
            return tried, evidence
        return found, evidence

    def _look(self, tried: Tried, evidence: Evidence) -> tuple[Tried, Evidence] | None:
        """Return bases of a smaller constant and that types lose to them, if both are clear.

        Parameters
        ----------
        tried : Tried
            Bases by types and by tokens.
        evidence : Evidence
            What the pairs say of these. Where types are clearly ahead, a single base is asked
            before all are fitted: if half the constant gains it little, all halves of all bases
            cannot make up for what types are ahead.
        """
        tokens = tried.without("types")
        if evidence.loser == "tokens":
            is_asked = [
                not isinstance(one, LowRankBase) or one.rank == self.middle
                for one in tokens.components
            ]
            middle = self._explain(tokens.only(np.flatnonzero(is_asked)))
            by = max(ALL, PART * evidence.gain)
            if not _is_ahead(self._change(middle.tried, next(iter(TOKENS_OF_FEW))), middle, by):
                return None
        found = self._explain(tokens)
        for kind in TOKENS_OF_FEW:
            halved = self._change(found.tried, kind)
            if not _is_ahead(halved, found):
                break
            found = halved
        if found.tried is tokens:
            return None
        types = self._explain(tried.without("tokens"))
        evidence = _compare(types, found)
        return (found.tried, evidence) if evidence.loser == "types" else None

    def _lessen_types(self, types: Tried) -> Tried:
        """Return bases by types of a smaller constant, where contexts have next to one class.

        The first has to be clearly ahead, by what matters; the others only likelier. Where there
        are as many contexts as outcomes, or one more for beginnings, they are taken for words
        after words, and keep the constant that was chosen for these.
        """
        rows, columns = self.fold.rest.shape
        if rows - columns in (0, 1):
            return types
        first, *more = TYPES_OF_ONE
        found = self._change(types, first)
        if not _is_ahead(found, self._explain(types), ALL):
            return types
        for kind in more:
            less = self._change(found.tried, kind)
            if _compare(less, found).gain <= 0:
                break
            found = less
        return found.tried

    def _change(self, tried: Tried, kind: str) -> Explained:
        """Return fits of another kind, which go on from those that were tried."""
        components = [
            replace(one, kind=kind) if isinstance(one, LowRankBase) else one
            for one in tried.components
        ]
        unused = np.random.default_rng(0)  # nothing is drawn where starts are given
        fits = fit_components(components, self.fold.rest, self.how, unused, None, tried.fits)
        return self._explain(Tried.of(self.fold, components, fits))

    def _explain(self, tried: Tried) -> Explained:
        """Return what the components give to the pairs with their best settings."""
        asked = Asked.of([tried.part], self.candidates.discounts)
        log_q = explain_best(asked, self.candidates, prior_of(tried.components))
        return Explained(tried, asked, log_q)


def _is_ahead(one: Explained, other: Explained, by: float = 0.0) -> bool:
    """Return whether one is clearly ahead, by so many nats per new pair."""
    return _compare(one, other).is_above(by)


def _compare(one: Explained, other: Explained) -> Evidence:
    """Return by how much one explains the pairs better."""
    return compare(one.asked, one.log_q, other.log_q)
