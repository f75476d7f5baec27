"""PY-LR: Pitman-Yor rows around a mean of low-rank bases, with settings from held-out pairs.

`git show bc32e2a:docs/py-lr.md` derives it. Its special cases are methods of the comparison.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from condprob.checks import Seed
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator
from condprob.matrix import ConditionalMatrix
from condprob.models.before.bases import (
    BACKGROUNDS,
    KINDS_COMPARED,
    Background,
    Component,
    FittedBase,
    Fitting,
    LowRankBase,
    are_both,
    fit_components,
    is_kind,
)
from condprob.models.before.few_classes import FittedFold, KindSelection
from condprob.models.before.held_out import (
    ADDED,
    DEALS_OF_SHORT,
    FOLDS,
    Evidence,
    count_once,
    deal_often,
    deal_on,
)
from condprob.models.before.matrix import RowsAroundBase, assemble, fold_in
from condprob.models.before.settings import (
    TELLING,
    KindComparison,
    Learned,
    learn,
    list_candidates,
    prior_of,
    without_pairs,
)
from condprob.options import (
    AtLeastOne,
    AtLeastZero,
    GivenFactors,
    Positive,
    Proportion,
    Start,
    Threads,
    Whole,
)
from condprob.progress import name_part
from condprob.sequences import Trial
from condprob.sequences.longer_histories import fit_bigram, prepare, trace_penalties

# A comment beside a constant says where it was measured: a heading of 570a500:docs/settings.md, or
# 570a500:benchmarks/constants.csv, where each is halved and doubled on training halves and models.
# Iterations of a fit to many distinct pairs, at most. "Momentum"; constants.csv.
ITERATIONS = 20
# Distinct pairs. A fit to fewer has more iterations and more starts. constants.csv.
MANY = 20000
LONGER, MORE = 2, 4  # so many times, at most. constants.csv; "Few pairs, more starts".
# A fit by tokens has so many times the iterations of one by types. "The kinds of base".
LONGER_OF_TOKENS = 2
STARTS = 4  # of many distinct pairs. constants.csv.
SHORT = 2000  # fewer pairs than these, of a text, are dealt out more often. "Short texts".
# Of the frozen rules: so many times the starts, at most, and twice as many for a short text.
MORE_AS_FROZEN, MORE_OF_SHORT = 2, 2
# Distinct pairs: folds are held out in turn until so many have been fitted in all. constants.csv.
FITTED = 40000
FEW, KIND_OF_FEW = 100, "ad-lr"  # fewer pairs than these choose no kind; constants.csv
# Pairs for each context: of fewer, a mean of the larger ranks alone is better. "Few pairs";
# constants.csv.
SPARSE = 0.1
# From one rank to the next: constants.csv.
RATIO_OF_RANKS = 1.6
# A fit with ranks up to this, one start and types alone chose the same penalty of longer histories
# in all ten tests: 570a500:docs/settings.md, "Longer histories".
RANK_OF_SCOUT = 13
# Share of the iterations for a fit that continues the fit to a fold: warm starts need fewer.
# constants.csv.
GOING_ON = 0.5


class _Chosen(NamedTuple):
    """The settings that held-out pairs chose.

    Attributes
    ----------
    learned : Learned
    evidence : Evidence
    components : list of Component
        The components that the shares belong to.
    of_folds : list of list of FittedBase
        Fits of the components to folds, from which other fits may start; at most ``starts``.
    starts : int
        Number of fits to all the counts.
    """

    learned: Learned
    evidence: Evidence
    components: list[Component]
    of_folds: list[list[FittedBase]]
    starts: int


@dataclass(frozen=True)
class PitmanYorLowRank(Estimator):
    """PY-LR: ``Q_ij = (C_ij - d_ij + (strength + d_i) B_ij) / (strength + C_i)``.

    ``d_ij`` is taken of each count and ``d_i`` is its sum over the row. The base ``B`` is a mean of
    low-rank matrices of several ranks and kinds (`bases.KINDS`), the continuation distribution,
    the unigram distribution and the uniform distribution. Options that are ``"learned"``, and the
    shares in ``B``, maximise the likelihood of held-out pairs of the training counts
    (`settings.learn`); then everything is fitted to all of them.

    Attributes
    ----------
    smallest_rank, largest_rank : int
        Ranks of the bases: the smallest, and each 1.6 times the one before, up to the
        largest; the largest alone where it is below the smallest; none where it is zero.
    starts : int
        Number of fits of each base to all the counts; their mean is the base. They continue the
        fits to parts of the counts, as far as there are as many. ``"by size"`` is 4 for 20,000
        distinct pairs or more, and up to 16 for fewer, where they cost no more.
    initial : "random", "clusters" or a pair (W, H)
        See `em.starts.starting_factors`; a pair is for a single rank.
    iterations : int
        At most, of each fit; ``"by size"`` is 20 for 20,000 distinct pairs or more, and up to 40
        for fewer, where they cost no more; of bases by tokens twice as many.
    tol : float
        A fit ends when an iteration changes its likelihood by less, nats per pair.
    soft_counts : "leave-one-out" or "expectation"
        See `em.leave_one_out`; of the bases by types and by tokens.
    bases : str
        The kind of the low-rank bases: one of `bases.KINDS`; or types and tokens side by side, with
        a weight of types from held-out pairs (`held_out.Evidence`). Fewer than 100 pairs are too
        few for this choice, and have bases like AD-LR. With fewer than one pair for ten contexts as
        well, the ranks below the middle rank are left out.
    rules : "today" or "frozen"
        "frozen": the rules of the estimator that `make fresh` judges. Tokens are left out after the
        first fold wherever types alone clearly win. "today": with many pairs, tokens are left out
        where adding them to types clearly gains nothing that matters. Today's rules also look for
        contexts of one class (`few_classes`), deal out short texts more often if one fold does not
        show that they are texts, and have up to 16 starts in place of 8.
    background : str
        The other components of the base: all, one, or none.
    discount : float, "learned", "estimated" or "modified"
        "estimated" and "modified" are the discounts of `kneser_ney.KneserNey`, which need whole
        counts. "learned" is "modified" for whole counts. For real counts it is the likeliest of a
        few for the held-out pairs. (For whole counts that is worse: text repeats itself more among
        pairs drawn at random than from one part to the next.)
    strength : float, "learned" or "infinite"
        With an infinite strength the rows are the base.
    novelty : "good-turing" or "none"
        The probability of outcomes that were never seen, as far as the bases are by types: by the
        distinct pairs (`rows.add_novelty`), or no more than the bases give them.
    threads : int
        Of one fit of a base.
    penalty : float or "learned"
        Of the weights of longer histories (`fit_text`); a fit to pairs ignores it.
    """

    smallest_rank: AtLeastOne = 2
    largest_rank: Whole = 48
    starts: AtLeastOne | Literal["by size"] = "by size"
    initial: Start = "random"
    iterations: AtLeastOne | Literal["by size"] = "by size"
    tol: Positive = 1e-6
    soft_counts: Literal["leave-one-out", "expectation"] = "leave-one-out"
    bases: Literal["learned", "types", "tokens", "ad-lr", "add-half-lr"] = "learned"
    rules: Literal["today", "frozen"] = "today"
    background: Literal["learned", "continuation", "unigram", "uniform", "none"] = "learned"
    discount: Proportion | Literal["learned", "estimated", "modified"] = "learned"
    strength: AtLeastZero | Literal["learned", "infinite"] = "learned"
    novelty: Literal["good-turing", "none"] = "good-turing"
    threads: Threads = 1
    penalty: Positive | Literal["learned"] = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ranks and self.background == "none":
            raise ValueError("background = 'none': must be another where largest_rank = 0")
        if self.discount == 1:
            raise ValueError("discount = 1: must be less")

    if TYPE_CHECKING:  # the class of a fit, which has the learned settings

        def fit(self, counts: Counts, seed: Seed = 0, *, progress: bool = False) -> RowsAroundBase:
            """See `Estimator.fit`."""
            raise NotImplementedError

    def _penalty_of_growth(self) -> float | Literal["learned"]:
        """See `Estimator`."""
        return self.penalty

    def _scout(self) -> "PitmanYorLowRank":
        """Return a lighter one, by which the penalty of longer histories is learned."""
        if not self.ranks or isinstance(self.initial, GivenFactors):
            return self
        bases = "types" if self.bases == "learned" else self.bases
        ranks = min(self.smallest_rank, RANK_OF_SCOUT), min(self.largest_rank, RANK_OF_SCOUT)
        return replace(self, smallest_rank=ranks[0], largest_rank=ranks[1], starts=1, bases=bases)

    def _trace_text(self, sentences, order, seed, judge, stops) -> Iterator[Trial]:
        """Yield the penalties of longer histories: see `sequences.trace_text`."""
        if order > 2 and self.penalty == "learned":
            base = fit_bigram(self, sentences, seed)
            yield from trace_penalties(prepare(base, sentences, order), judge)

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> RowsAroundBase:
        """See `Estimator.fold_in`: classes, shares, strength and discounts of the fit are kept."""
        counts = as_counts(counts)
        if not isinstance(matrix, RowsAroundBase) or matrix.outcomes != counts.shape[1]:
            raise ValueError(f"a fit of py-lr over {counts.shape[1]} outcomes is needed")
        return fold_in(matrix, counts)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks of the low-rank bases."""
        found, rank = [], float(self.smallest_rank)
        while round(rank) <= self.largest_rank:
            found.append(round(rank))
            rank *= RATIO_OF_RANKS
        if not found and self.largest_rank:
            found = [self.largest_rank]
        return tuple(dict.fromkeys(found))  # 1 would be there twice

    @property
    def _middle(self) -> int:
        return self.ranks[len(self.ranks) // 2]

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every base and start, and their sum."""
        starts = STARTS if self.starts == "by size" else self.starts
        kinds = len(KINDS_COMPARED) if self.bases == "learned" else 1
        return 16 * sum(shape) * sum(self.ranks) * kinds * starts

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> RowsAroundBase:
        """See `Estimator.fit`; between two fits of a base it can be interrupted.

        Raises
        ------
        ValueError
            If a discount by counts of counts is given and the counts are not whole, or factors
            given as ``initial`` do not fit.
        ImportError
            If a package for the start or the progress bar is not installed.
        """
        rng = np.random.default_rng(seed)
        folds = deal_often(counts, FITTED, TELLING, rng)
        components = self._list_components(counts, folds)
        if len(components) == self._candidates(counts).number == 1:
            folds = []
        passes = len(folds) + self._starts(counts)
        if is_short := counts.n < SHORT:
            passes = DEALS_OF_SHORT * FOLDS + self._starts(counts, is_short=True)
        shown = (name_part("pass", n, passes, is_short) if progress else None for n in count(1))
        chosen = self._learn_settings(components, counts, folds, rng, shown)
        learned, evidence = chosen.learned, chosen.evidence
        used = np.flatnonzero(learned.shares.max(axis=0))
        components, shares = [chosen.components[b] for b in used], learned.shares[:, used]
        of_folds = [[fits[b] for b in used] for fits in chosen.of_folds]
        fits = self._fit_to_all(components, counts, of_folds, chosen.starts, rng, shown)
        novelty = evidence.weight if self.novelty == "good-turing" else 0.0
        names = [component.name for component in components]
        learned = learned._replace(shares=shares)
        return assemble(counts, names, fits, learned, novelty)

    def _list_components(self, counts, folds) -> list[Component]:
        """Return the components that the base may mix."""
        ranks, kinds = self.ranks, (self.bases,)
        if self.bases == "learned" and (counts.n < FEW or not folds):
            kinds = (KIND_OF_FEW,)
            if counts.n < SPARSE * counts.shape[0]:
                ranks = [rank for rank in ranks if rank >= self._middle]
        elif self.bases == "learned":
            kinds = KINDS_COMPARED
        return [
            *(LowRankBase(kind, rank) for kind in kinds for rank in ranks),
            *self._backgrounds(),
        ]

    def _learn_settings(self, components, counts, folds, rng, shown) -> _Chosen:
        """Return the settings of the rows, the components of the base, and fits to start from."""
        candidates = self._candidates(counts)
        evidence = Evidence.of_no_pairs(is_kind(components, "types").any())
        starts = self._starts(counts)
        if not folds:
            learned = without_pairs(candidates, len(components))
            return _Chosen(learned, evidence, components, [], starts)
        how, parts, kept, waiting = self._fitting(counts), [], [], deque(folds)
        while waiting:
            fold = waiting.popleft()
            if not parts and are_both(components):
                added = ADDED if len(folds) == 1 else -np.inf
                added = np.inf if self.rules == "frozen" else added
                after = self._continued(counts)
                selection = KindSelection(fold, candidates, after, self._middle, added)
                fitted, evidence = selection.fit(components, how, rng, next(shown))
                components = fitted.components
                if self._may_be_text(evidence) and counts.n < SHORT:
                    starts = self._starts(counts, is_short=True)
                    waiting.extend(deal_on(counts, folds, rng))
            else:
                fits = fit_components(components, fold.rest, how, rng, next(shown))
                fitted = FittedFold.of(fold, components, fits)
            parts.append(fitted.pairs)
            kept.append(fitted.fits)
        parts, kept = count_once(parts, counts.n), kept[:starts]
        priors, weights = [prior_of(components)], [1.0]
        if are_both(components):
            evidence = KindComparison.of(parts, candidates, components).weigh()
            priors += [prior_of(components, without="types")]
            weights = [evidence.weight, 1 - evidence.weight]
        learned = learn(parts, candidates, priors, weights)
        return _Chosen(learned, evidence, components, kept, starts)

    def _may_be_text(self, evidence: Evidence) -> bool:
        """Return whether bases by types may have a weight, as the first fold says."""
        return evidence.weight > 0 if self.rules == "frozen" else evidence.loser != "types"

    def _fit_to_all(self, components, counts, of_folds, starts, rng, shown):
        """Return for each component a list of its fits to all the counts: one of each start.

        The first fits continue the fits to the folds, with fewer iterations. A background has one
        fit.
        """
        how, fewer = self._fitting(counts), self._continued(counts)
        fits = [
            fit_components(components, counts, fewer, rng, next(shown), begun) for begun in of_folds
        ]
        while len(fits) < starts:
            fits.append(fit_components(components, counts, how, rng, next(shown)))
        return [
            list(of_component[:1] if isinstance(component, Background) else of_component)
            for component, of_component in zip(components, zip(*fits, strict=True), strict=True)
        ]

    def _backgrounds(self):
        """Return the distributions of the outcomes that are mixed."""
        names = BACKGROUNDS if self.background == "learned" else (self.background,)
        discount = None if self.discount in ("learned", 0) else self.discount
        return [Background(name, discount) for name in names if name != "none"]

    def _fitting(self, counts):
        """Return how a base is fitted, which depends on how many counts there are."""
        iterations = of_tokens = self.iterations
        if iterations == "by size":
            iterations = int(ITERATIONS * np.clip(MANY / max(counts.nnz, 1), 1, LONGER))
            of_tokens = iterations * LONGER_OF_TOKENS
        how = iterations, of_tokens, self.tol, self.soft_counts, self.threads
        return Fitting(self.initial, *how)

    def _continued(self, counts):
        """Return how a fit goes on from that of a fold, or of another kind."""
        how = self._fitting(counts)
        iterations, of_tokens = (ceil(GOING_ON * x) for x in (how.iterations, how.of_tokens))
        return replace(how, iterations=iterations, of_tokens=of_tokens)

    def _starts(self, counts, is_short=False):
        """Return how many fits to all the counts a base is the mean of."""
        if self.starts != "by size":
            return self.starts
        is_frozen = self.rules == "frozen"
        most = MORE_AS_FROZEN if is_frozen else MORE
        times = MORE_OF_SHORT if is_frozen and is_short else 1
        return times * int(STARTS * np.clip(MANY / max(counts.nnz, 1), 1, most))

    def _candidates(self, counts):
        """Return the strengths and the discounts to compare."""
        return list_candidates(self.strength, self.discount, counts.is_whole)
