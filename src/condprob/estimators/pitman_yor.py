"""PY-LR: Pitman-Yor rows around a mean of low-rank bases, with settings from held-out pairs.

docs/beyond.md derives it. Its special cases are methods of the comparison.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from condprob.annotations import Seed
from condprob.counts import CountMatrix
from condprob.estimators.backoff import KneserNey, estimate_discount, estimate_discounts
from condprob.estimators.base import Estimator
from condprob.estimators.bases import BASES, Factors, Fitting, continuation_of
from condprob.estimators.direct import unigram
from condprob.estimators.held_out import (
    BINS,
    STRENGTHS,
    TELLING,
    HeldOut,
    Learned,
    bin_of,
    learn,
    rows_around,
    split_counts,
    take_out,
)
from condprob.estimators.low_rank import Start, as_start
from condprob.estimators.novelty import add_novelty
from condprob.estimators.options import (
    AtLeastOne,
    AtLeastZero,
    Positive,
    Proportion,
    Threads,
    Whole,
)
from condprob.matrices.around_base import PitmanYorMatrix
from condprob.runtime.progress import chunks

FOLDS, ENOUGH = 6, 20000  # parts, held out in turn until so many pairs were fitted
ITERATIONS = 20  # of a fit to ENOUGH pairs or more
LONGER = 4  # times as many at most, to fewer pairs
FEW, KIND_OF_FEW = 100, "ad-lr"  # fewer pairs than these cannot tell
SPARSE = 0.1  # pairs a context; a mean of the larger ranks serves those few better that have fewer
# What a kind has for nothing, nats per held-out pair that the others lack: pairs drawn at random
# are more like the others than those of the next text are, and flatter the kinds that learn the
# pairs themselves.
KINDS = {"types": 0.01, "tokens": 0.0, "ad-lr": -0.01}
DISCOUNTS = (0.0, 0.5, 0.75, 0.9)  # tried where there are no counts of counts
UNIGRAM_DISCOUNT = 0.75
SPREAD = 0.1  # pseudo-pairs that are shared equally by all components
LOW_RANK = 3.0  # those of the low-rank bases: what a dozen pairs cannot tell is left to them
STEP = 1.6  # from one rank to the next


@dataclass(frozen=True)
class PitmanYorLowRank(Estimator):
    """PY-LR: ``Q_ij = (C_ij - d_ij + (strength + d_i) B_ij) / (strength + C_i)``.

    ``d_ij`` is taken of each count and ``d_i`` is its sum over the row. The base ``B`` is a mean of
    low-rank matrices of several ranks and kinds (`bases.BASES`), the continuation distribution,
    the unigram distribution and the uniform one. What is ``"learned"``, and the share of each in
    ``B``, has the largest likelihood on pairs of the training counts that were held out
    (`held_out.learn`); then everything is fitted to all of them.

    Attributes
    ----------
    smallest_rank, largest_rank : int
        Ranks of the bases: the smallest, and each 1.6 times the one before, up to the
        largest; the largest alone where it is the smaller one; none where it is zero.
    starts : int
        Fits of each base to all the counts; their mean is the base. They go on where the fits to
        parts of the counts ended, as far as there are as many.
    initial : "random", "clusters" or a pair (W, H)
        See `em.starts.starting_factors`; a pair is for a single rank.
    iterations : int
        At most, of each fit; ``"by size"`` is 20 for 20,000 distinct pairs or more, and up to 80
        for fewer, where they cost no more.
    tol : float
        A fit ends before when an iteration changes its likelihood by less, nats per pair.
    soft_counts : "leave-one-out" or "expectation"
        See `em.leave_one_out`; of the bases by types and by tokens.
    bases : str
        The kinds of low-rank base: all, or one of `bases.BASES`. Where those by types are the
        likeliest, one by tokens, of the middle rank, is beside them. Fewer than 100 pairs cannot
        tell: they have AD-LR's; with less than one pair for ten contexts, of the middle rank and
        those above alone.
    background : str
        What else is mixed: all, one, or none.
    discount : float, "learned", "estimated" or "modified"
        The last two are those of Kneser-Ney (`backoff.KneserNey`), which need whole counts. Learned
        are the three of counts of counts; of real counts, the likeliest of a few for the held-out
        pairs. (Of whole counts these choose worse: text repeats itself more among pairs drawn at
        random than from one part to the next.)
    strength : float, "learned" or "infinite"
        An infinite one leaves nothing but the base.
    novelty : "good-turing" or "none"
        What outcomes that were never seen have, where the bases are by types: by the distinct
        pairs (`novelty.add_novelty`), or no more than the bases give them.
    threads : int
        Of one fit of a base.
    """

    smallest_rank: AtLeastOne = 2
    largest_rank: Whole = 48
    starts: AtLeastOne = 4
    initial: Start = "random"
    iterations: AtLeastOne | Literal["by size"] = "by size"
    tol: Positive = 1e-6
    soft_counts: Literal["leave-one-out", "expectation"] = "leave-one-out"
    bases: Literal["learned", "types", "tokens", "ad-lr", "add-half-lr"] = "learned"
    background: Literal["learned", "continuation", "unigram", "uniform", "none"] = "learned"
    discount: Proportion | Literal["learned", "estimated", "modified"] = "learned"
    strength: AtLeastZero | Literal["learned", "infinite"] = "learned"
    novelty: Literal["good-turing", "none"] = "good-turing"
    threads: Threads = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "initial", as_start(self.initial))
        super().__post_init__()
        if not self.ranks and self.background == "none":
            raise ValueError("background = 'none': must be another where largest_rank = 0")
        if self.discount == 1:
            raise ValueError("discount = 1: must be less")

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks of the low-rank bases."""
        found, rank = [], float(self.smallest_rank)
        while round(rank) <= self.largest_rank:
            found.append(round(rank))
            rank *= STEP
        if not found and self.largest_rank:
            found = [self.largest_rank]
        return tuple(dict.fromkeys(found))  # 1 would be there twice

    @property
    def beside(self) -> int:
        """Rank of the base by tokens beside those by types; zero where there is none.

        It knows what is frequent, which types do not.
        """
        is_alone = self.bases != "learned" or len(self.ranks) < 2
        return 0 if is_alone else self.ranks[len(self.ranks) // 2]

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of every base and start, and their sum."""
        return 16 * sum(shape) * (sum(self.ranks) + self.beside) * self.starts

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> PitmanYorMatrix:
        """See `Estimator.fit`; between two fits of a base it can be interrupted.

        Raises
        ------
        ValueError
            If a discount by counts of counts is asked for and the counts are not whole, or factors
            given as ``initial`` do not fit.
        ImportError
            If what the start or the progress bar needs is not installed.
        """
        rng = np.random.default_rng(seed)
        components, learned, starts = self._learn(counts, rng, progress)
        used = np.flatnonzero(learned.shares.max(axis=0))
        components, shares = [components[b] for b in used], learned.shares[:, used]
        starts = [[fits[b] for b in used] for fits in starts]
        bins = bin_of(counts.row_sums)
        of_contexts = shares[bins]
        rows = rows_around(counts, learned.strength, learned.discount)
        left, right = [], []
        for b, parts in enumerate(self._fit_all(components, counts, starts, rng, progress)):
            weights = (rows.left * of_contexts[:, b] / len(parts))[:, None]
            for part in parts:
                left.append(weights * part.W)
                right.append(part.H)
        entries = None if np.isinf(learned.strength) else rows.entries
        left, right = np.hstack(left), np.vstack(right)
        novel = np.zeros(BINS.size + 1)
        is_by_types = any(kind == "types" for kind, _ in components)
        if self.novelty == "good-turing" and is_by_types:
            left, right, entries, novel = add_novelty(
                counts, left, right, entries, bins, novel.size
            )
        return PitmanYorMatrix.on_pattern(
            counts,
            left,
            np.asfortranarray(right),
            entries,
            strength=float(learned.strength),
            discounts=_three(learned, counts),
            components=np.array([f"{kind} {rank}" if rank else kind for kind, rank in components]),
            shares=shares,
            bins=BINS,
            novel=novel,
        )

    def _fit_all(self, components, counts, starts, rng, progress):
        """Return the `bases.Factors` of each component, a list for each: of every start.

        Parameters
        ----------
        starts : list of lists of bases.Factors
            What was fitted to parts of the counts: the same bases, which begin where those ended.
        """
        iterations = self._iterations(counts)
        half = -(-iterations // 2)
        fits = [self._fit(components, counts, half, rng, progress, start) for start in starts]
        while len(fits) < self.starts:
            fits.append(self._fit(components, counts, iterations, rng, progress))
        ranks = [rank for _, rank in components]
        return [
            of if rank else of[:1] for rank, of in zip(ranks, zip(*fits, strict=True), strict=True)
        ]

    def _fit(self, components, counts, iterations, rng, progress, starts=None):
        """Return the `bases.Factors` of each component."""
        found = []
        steps = chunks(len(components), 1, progress, "base")
        for (kind, rank), (b, _) in zip(components, steps, strict=True):
            if rank:
                initial = self.initial if starts is None else tuple(starts[b])
                how = (rank, initial, iterations, self.tol)
                fitting = Fitting(*how, self.soft_counts, self.threads)
                found.append(BASES[kind].fit(counts, int(rng.integers(2**63)), fitting))
            else:
                found.append(_background(kind, counts, self.discount))
        return found

    def _iterations(self, counts):
        """Return how many a fit has at most."""
        if self.iterations != "by size":
            return self.iterations
        return int(ITERATIONS * np.clip(ENOUGH / max(counts.nnz, 1), 1, LONGER))

    def _learn(self, counts, rng, progress):
        """Return the components, pairs of a kind and a rank, and the settings of the rows."""
        backgrounds = list(_BACKGROUNDS) if self.background == "learned" else [self.background]
        backgrounds = [(kind, 0) for kind in backgrounds if kind != "none"]
        strengths, discounts = self._candidates(counts)
        folds = _folds(counts, rng)
        kind, ranks = self.bases, self.ranks
        if kind == "learned" and counts.n < FEW:
            kind = KIND_OF_FEW
            if counts.n < SPARSE * counts.shape[0]:
                ranks = ranks[len(ranks) // 2 :]
        elif kind == "learned" and ranks:
            kind = self._choose_kind(counts, folds, backgrounds, rng, progress)
        of_kind = [(kind, rank) for rank in ranks]
        if kind == "types" and self.beside:
            of_kind.append(("tokens", self.beside))
        components = [*of_kind, *backgrounds]
        is_settled = len(components) * len(strengths) * len(discounts) == 1
        if is_settled or not folds:
            shares = np.full((BINS.size + 1, len(components)), 1 / len(components))
            return components, Learned(strengths[0], discounts[0], shares, np.nan), []
        iterations = self._iterations(counts)
        parts, fits, found = [], [], 0
        for fold in folds:
            part, fitted = self._hold_out(components, fold, iterations, rng, progress)
            parts.append(part)
            if len(fits) < self.starts:
                fits.append(fitted)
            found += fold[0].nnz
            if found >= ENOUGH:
                break
        return components, learn(parts, strengths, discounts, _prior(components)), fits

    def _choose_kind(self, counts, folds, backgrounds, rng, progress):
        """Return the kind of base under which held-out pairs are likeliest, by every second rank.

        Each has a handicap: see `KINDS`.
        """
        likelihoods, few = {}, max(self._iterations(counts) // 4, 1)
        enough = np.cumsum([drawn.n for _, drawn in folds]) >= TELLING
        folds = folds[: np.argmax(enough) + 1] if enough.any() else folds
        for kind, handicap in KINDS.items():
            components = [*((kind, rank) for rank in self.ranks[::2]), *backgrounds]
            parts = [self._hold_out(components, fold, few, rng, progress)[0] for fold in folds]
            found = learn(parts, *self._candidates(counts), _prior(components))
            pairs = sum(part.counts.sum() for part in parts)
            new = sum(part.counts[part.is_new].sum() for part in parts)
            likelihoods[kind] = (found.likelihood + handicap * new) / pairs
        return max(likelihoods, key=likelihoods.get)

    def _hold_out(self, components, fold, iterations, rng, progress):
        """Fit the components to what is left of a fold; return the held-out pairs, and the fits."""
        rest, drawn = fold
        pairs = drawn.contexts, drawn.outcomes
        fits = self._fit(components, rest, iterations, rng, progress)
        bases = np.column_stack([base.at(*pairs) for base in fits])
        return HeldOut(rest, *pairs, drawn.values.astype(float), bases), fits

    def _candidates(self, counts):
        """Return the strengths and the discounts that are tried."""
        strengths = {"learned": STRENGTHS, "infinite": (np.inf,)}.get(
            self.strength, (self.strength,)
        )
        discounts = (self.discount,)
        if self.discount == "learned":
            discounts = ("modified",) if counts.is_whole else DISCOUNTS[::-1]
            if self.strength == "infinite":  # nothing is taken, nor learned
                discounts = (0.0,)
        return strengths, discounts


_BACKGROUNDS = ("continuation", "unigram", "uniform")


def _background(kind, counts, discount):
    """Return a distribution of the outcomes as `bases.Factors` of rank one."""
    if kind == "uniform":
        lower = np.full(counts.shape[1], 1 / counts.shape[1])
    elif kind == "unigram":
        lower = unigram(counts, UNIGRAM_DISCOUNT)
    elif discount in ("learned", 0):
        lower = continuation_of(counts)
    else:
        lower = KneserNey(discount).discounted(counts).lower
    return Factors(np.ones((counts.shape[0], 1)), lower[None])


def _prior(components):
    """Return the pseudo-pairs of each component."""
    is_low_rank = np.array([rank > 0 for _, rank in components], dtype=float)
    spread = np.full(len(components), SPREAD / len(components))
    return spread + LOW_RANK * is_low_rank / max(is_low_rank.sum(), 1.0)


def _folds(counts, rng):
    """Return pairs of what is left and what is held out of the counts, none of them empty."""
    found = []
    for drawn in split_counts(counts, FOLDS, rng):
        rest, held_out = take_out(counts, drawn)
        if rest.nnz and held_out.nnz:
            found.append((rest, held_out))
    return found


def _three(learned, counts):
    """Return what is taken of a count of one, of two, and of a larger one, shape (3,)."""
    if np.isinf(learned.strength):
        return np.zeros(3)
    if learned.discount == "modified":
        return np.array(estimate_discounts(counts.values))
    if learned.discount == "estimated":
        return np.full(3, estimate_discount(counts))
    return np.full(3, float(learned.discount))
