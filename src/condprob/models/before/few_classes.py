"""The choice between kinds of bases, and of smaller priors, on one fold of held-out pairs.

Bases by tokens add a constant to the soft counts of ``W``: 1, the uniform prior of the paper's
models. Where each context has few classes, smaller constants are right. The constant is halved as
long as the held-out pairs become clearly likelier, and the last one is taken if types then clearly
lose. A text therefore keeps its bases. Where types clearly win and contexts have about one class,
the constant of types becomes smaller. The fold also decides whether tokens stay beside types.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from condprob.models.before.bases import (
    TOKENS_OF_FEW,
    TYPES_OF_ONE,
    Component,
    FittedBase,
    Fitting,
    LowRankBase,
    fit_components,
    is_kind,
)
from condprob.models.before.held_out import ALL, Evidence, FoldPairs, predict_fold
from condprob.models.before.settings import (
    Candidates,
    HeldOutPairs,
    KindComparison,
    compare,
    explain_best,
    prior_of,
)
from condprob.splits import Split

# The smaller priors are not fitted unless half the constant of the middle base recovers this share
# of the lead of types. On texts of 3,000 to 760,000 words it recovers .005 to .17, on models of few
# classes where types lead .37 and more: 570a500:docs/settings.md, "Users of few classes".
PART = 0.2


class FittedFold(NamedTuple):
    """Components fitted to the training part of a fold, and the probabilities of its pairs."""

    components: Sequence[Component]
    fits: Sequence[FittedBase]
    pairs: FoldPairs

    @classmethod
    def of(
        cls, fold: Split, components: Sequence[Component], fits: Sequence[FittedBase]
    ) -> "FittedFold":
        """Compute the probabilities that the fits give to the held-out pairs."""
        return cls(components, fits, predict_fold(fold, fits))

    def only(self, places: np.ndarray) -> "FittedFold":
        """Return the components at some places."""
        pairs = self.pairs._replace(bases=self.pairs.bases[:, places])
        fits = [self.fits[b] for b in places]
        return FittedFold([self.components[b] for b in places], fits, pairs)

    def without(self, kind: str | None) -> "FittedFold":
        """Return all components but the bases of a kind."""
        return self.only(np.flatnonzero(~is_kind(self.components, kind)))


class Explained(NamedTuple):
    """A fitted fold under its likeliest settings.

    Attributes
    ----------
    fitted : FittedFold
    held_out : HeldOutPairs
    log_q : numpy.ndarray, shape (pairs,)
        Log probability of each held-out pair, nats.
    """

    fitted: FittedFold
    held_out: HeldOutPairs
    log_q: np.ndarray


class KindSelection(NamedTuple):
    """The fold on which kinds and constants are compared.

    Attributes
    ----------
    fold : Split
    candidates : Candidates
        Strengths and discounts of the rows.
    how : Fitting
        How a fit continues from a fit with another constant.
    middle : int
        The middle rank.
    added : float
        Nats per new pair: tokens stay beside types if they may add more than this. Minus infinity
        always keeps them; infinity drops them wherever types clearly win.
    """

    fold: Split
    candidates: Candidates
    how: Fitting
    middle: int
    added: float

    def fit(self, components, how: Fitting, rng, progress) -> tuple[FittedFold, Evidence]:
        """Fit components of both kinds, and `choose` among them.

        Tokens above the middle rank cost a third of all fits. They are skipped if the smaller ranks
        clearly add less than half of ``added``. Their seeds are drawn all the same, so that later
        fits do not change.
        """
        may_end, is_tokens = np.isfinite(self.added), is_kind(components, "tokens")
        above = may_end & is_tokens & ~self._are_up_to_middle(components)
        order = np.argsort(above, kind="stable")
        few, more = np.split(order, [np.count_nonzero(~above)])
        smaller = [components[b] for b in few]
        fits = fit_components(smaller, self.fold.rest, how, rng, progress)
        fitted = FittedFold.of(self.fold, smaller, fits)
        if may_end and (evidence := self._is_enough(fitted)):
            rng.integers(2**63, size=more.size)
            return self._lessen_types(fitted.without("tokens")), evidence
        if more.size:
            fits += fit_components([components[b] for b in more], self.fold.rest, how, rng, None)
        in_order = [fits[b] for b in np.argsort(order)]
        return self.choose(FittedFold.of(self.fold, components, in_order))

    def _are_up_to_middle(self, components: Sequence[Component]) -> np.ndarray:
        """Return which components have at most the middle rank, or none, shape (components,)."""
        return np.array(
            [not isinstance(each, LowRankBase) or each.rank <= self.middle for each in components]
        )

    def _is_enough(self, fitted: FittedFold) -> Evidence | None:
        """Return the evidence if it already shows that tokens can be left out."""
        kinds = KindComparison.of([fitted.pairs], self.candidates, fitted.components)
        evidence = kinds.weigh()
        if evidence.loser != "tokens":
            return None
        if kinds.gain_of_tokens(fitted.components).may_be_above(self.added / 2):
            return None
        return None if self._try_smaller_priors(fitted, evidence) else evidence

    def choose(self, fitted: FittedFold) -> tuple[FittedFold, Evidence]:
        """Return the components that stay, and the evidence for types against tokens.

        Types alone may beat tokens alone although tokens still add something to them. Where types
        win and contexts have about one class, types with a smaller constant stand alone.
        """
        kinds = KindComparison.of([fitted.pairs], self.candidates, fitted.components)
        evidence = kinds.weigh()
        if found := self._try_smaller_priors(fitted, evidence):
            return found
        left = fitted.without(evidence.loser)
        if evidence.loser != "tokens" or self.added == np.inf:
            return left, evidence
        found = self._lessen_types(left)
        if found is left and kinds.gain_of_tokens(fitted.components).may_be_above(self.added):
            return fitted, evidence
        return found, evidence

    def _try_smaller_priors(
        self, fitted: FittedFold, evidence: Evidence
    ) -> tuple[FittedFold, Evidence] | None:
        """Return tokens with a smaller constant and the evidence, if types clearly lose to them.

        Where types clearly win, the middle base alone is fitted first. If half the constant helps
        it little, no smaller prior of all bases can make up for the lead of types.

        Parameters
        ----------
        fitted : FittedFold
            Bases by types and by tokens.
        evidence : Evidence
            Of types against tokens.
        """
        tokens = fitted.without("types")
        if evidence.loser == "tokens":
            is_middle = [
                not isinstance(each, LowRankBase) or each.rank == self.middle
                for each in tokens.components
            ]
            middle = self._explain(tokens.only(np.flatnonzero(is_middle)))
            by = max(ALL, PART * evidence.gain)
            if not _is_ahead(self._change(middle.fitted, next(iter(TOKENS_OF_FEW))), middle, by):
                return None
        found = self._explain(tokens)
        for kind in TOKENS_OF_FEW:
            halved = self._change(found.fitted, kind)
            if not _is_ahead(halved, found):
                break
            found = halved
        if found.fitted is tokens:
            return None
        types = self._explain(fitted.without("tokens"))
        evidence = _compare(types, found)
        return (found.fitted, evidence) if evidence.loser == "types" else None

    def _lessen_types(self, types: FittedFold) -> FittedFold:
        """Return types with a smaller constant, where contexts have about one class.

        The first smaller constant has to win clearly; each further one has to be likelier. Counts
        with as many contexts as outcomes, or one more, are taken for words after words. They keep
        the constant that was chosen for text.
        """
        rows, columns = self.fold.rest.shape
        if rows - columns in (0, 1):
            return types
        first, *more = TYPES_OF_ONE
        found = self._change(types, first)
        if not _is_ahead(found, self._explain(types), ALL):
            return types
        for kind in more:
            less = self._change(found.fitted, kind)
            if _compare(less, found).gain <= 0:
                break
            found = less
        return found.fitted

    def _change(self, fitted: FittedFold, kind: str) -> Explained:
        """Return fits of another kind, continued from the fits of a fold."""
        components = [
            replace(each, kind=kind) if isinstance(each, LowRankBase) else each
            for each in fitted.components
        ]
        unused = np.random.default_rng(0)  # nothing is drawn where starts are given
        fits = fit_components(components, self.fold.rest, self.how, unused, None, fitted.fits)
        return self._explain(FittedFold.of(self.fold, components, fits))

    def _explain(self, fitted: FittedFold) -> Explained:
        """Return the log probabilities of the held-out pairs under the likeliest settings."""
        held_out = HeldOutPairs.of([fitted.pairs], self.candidates.discounts)
        log_q = explain_best(held_out, self.candidates, prior_of(fitted.components))
        return Explained(fitted, held_out, log_q)


def _is_ahead(one: Explained, other: Explained, by: float = 0.0) -> bool:
    """Return whether one beats another clearly, by so many nats per new pair."""
    return _compare(one, other).is_above(by)


def _compare(one: Explained, other: Explained) -> Evidence:
    """Return how much likelier the held-out pairs are by one than by another."""
    return compare(one.held_out, one.log_q, other.log_q)
