"""PY-LR: one model of rows, tables and classes, of which nothing is set by hand: docs/py-lr.md."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import SMALLEST_NUMBER
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.entries import weighted_logs
from condprob.estimator import Estimator
from condprob.matrix import ConditionalMatrix
from condprob.options import AtLeastOne, Threads
from condprob.pitman_yor import constants
from condprob.pitman_yor.chain import Sampled, run_chain
from condprob.pitman_yor.matrix import PitmanYorMatrix, fold_in, mix_rows, parts_of
from condprob.pitman_yor.novelty import bin_of, lacking_shares
from condprob.pitman_yor.rows import ONE_DISCOUNT, Rows, count_tokens, learn_discounts
from condprob.progress import Parts, shown
from condprob.run import Run
from condprob.smoothing import AbsoluteDiscount
from condprob.splits import Split, hold_out
from condprob.weights import mixture_weights

Observed = Literal["pairs", "tokens", "none"]  # what is counted for outcomes never seen
ALONE = np.eye(3)  # weights of three discounts, of one discount, and of Kneser-Ney


class Learned(NamedTuple):
    """What the tables of counts tell.

    Attributes
    ----------
    rows : Rows
        With three discounts.
    unit : float
        Of the counts: see `rows.Tokens`.
    discount : float
        Of the classes.
    chains : list of Sampled
    weights : numpy.ndarray, shape (chains,)
    base : numpy.ndarray, shape (nnz,)
        That of each pair without one of its tables, mixed by the weights.
    strengths : numpy.ndarray, shape (3,)
        See `PitmanYorMatrix`: the same chains with one discount have a strength of their own.
    """

    rows: Rows
    unit: float
    discount: float
    chains: list[Sampled]
    weights: np.ndarray
    base: np.ndarray
    strengths: np.ndarray


@dataclass(frozen=True)
class PitmanYorLowRank(Estimator[PitmanYorMatrix]):
    """PY-LR: ``Q_ij = (C_ij - d_ij + (theta + d_i) B_ij) / (theta + C_i)``, mixed with Kneser-Ney.

    ``d_ij`` is taken of each count and ``d_i`` is its sum over the row. The base ``B`` is a mean of
    low-rank matrices, whose classes are sampled with how many tokens of a pair they explain. The
    last step mixes these rows with rows of one discount, and with Kneser-Ney, by weights from a
    fifth of the pairs that a first fit does not have.

    Pairs of a text have an order (`fit_text`, `fit_in_order`), pairs of counts have none (`fit`).
    Outcomes never seen get the share of new outcomes among the distinct pairs of a text, and among
    the tokens of counts. Held out are the end of a text, and counts at random.

    Attributes
    ----------
    smallest_rank, largest_rank : int
        Numbers of classes of the chains: the smallest, and each about 1.6 times the one before, up
        to the largest. The first by which left-out tokens become less likely is the last.
    chains : int
        With each number of classes; ``"by size"`` is one for 50,000 distinct pairs or more, else
        two.
    sweeps : int
        Of a chain, half of which are kept; ``"by size"`` is 250 times the root of the tokens of a
        distinct pair, and at most 100,000 over the root of all tokens.
    mixed : bool
        Whether the rows are mixed with others.
    threads : int
        Chains that run at once; the result does not depend on it.
    """

    is_random: ClassVar[bool] = True
    smallest_rank: AtLeastOne = 5
    largest_rank: AtLeastOne = 34
    chains: AtLeastOne | Literal["by size"] = "by size"
    sweeps: AtLeastOne | Literal["by size"] = "by size"
    mixed: bool = True
    threads: Threads = 1

    @property
    def ranks(self) -> tuple[int, ...]:
        """Numbers of classes of the chains."""
        found, rank = [min(self.smallest_rank, self.largest_rank)], self.smallest_rank
        while (rank := max(round(rank * constants.RATIO_OF_RANKS), rank + 1)) <= self.largest_rank:
            found.append(rank)
        return tuple(found)

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of one chain of each rank."""
        return 8 * sum(shape) * sum(self.ranks)

    def lighter(self) -> "PitmanYorLowRank":
        """See `Estimator.lighter`: one chain with the middle number of classes, and not mixed."""
        rank = self.ranks[len(self.ranks) // 2]
        return replace(self, smallest_rank=rank, largest_rank=rank, chains=1, mixed=False)

    def fit_counts(self, counts: CountMatrix, run: Run) -> PitmanYorMatrix:
        return self._fit(counts, "tokens", run)

    def fit_pairs(
        self, contexts: ArrayLike, outcomes: ArrayLike, shape: int | tuple[int, int], run: Run
    ) -> PitmanYorMatrix:
        contexts, outcomes = np.asarray(contexts), np.asarray(outcomes)
        counts = CountMatrix.from_pairs(contexts, outcomes, shape)
        self.check_size(counts)
        cut = round((1 - 1 / constants.FOLDS) * len(contexts))
        rest, end = (
            CountMatrix.from_pairs(contexts[part], outcomes[part], counts.shape)
            for part in (slice(cut), slice(cut, None))
        )
        return self._fit(counts, "pairs", run, [Split(rest, end)])

    def _fit(self, counts, observed, run, splits=()) -> PitmanYorMatrix:
        """Fit parts for prior and weights, and then all; observed are "pairs" or "tokens"."""
        seed = run.seed
        if isinstance(seed, np.random.SeedSequence):  # the caller's does not count what is spawned
            seed = copy(seed)
        rng = np.random.default_rng(seed)
        if not splits:
            parts = constants.FOLDS if counts.nnz < constants.MANY else 1
            splits = [hold_out(counts, 1 / constants.FOLDS, each) for each in rng.spawn(parts)]
        discounts = self.discounts_of_classes(observed)
        discount, mixture, best = discounts[0], ALONE[0], np.inf
        own, *others = rng.spawn(1 + len(discounts))
        tries = discounts if (self.mixed or len(discounts) > 1) and counts.nnz else []
        parts = Parts("fit", 1 + len(tries) * len(splits), run.progress)
        for tried, each in zip(tries, others, strict=False):
            weights, loss = self._try(splits, tried, observed, each, parts)
            if loss < best:
                discount, best = tried, loss
                mixture = weights if self.mixed else mixture
        with parts.next():
            learned = self._learn(counts, discount, own, run.progress)
        return self.assemble(learned, observed, mixture)

    def discounts_of_classes(self, observed: Observed) -> list[float]:
        """Return the discounts of classes that are tried: two of counts, and one of a text."""
        return [0.0, constants.DISCOUNT] if observed == "tokens" else [constants.DISCOUNT]

    def _try(self, splits, discount, observed, rng, parts) -> tuple[np.ndarray, float]:
        """Return the weights of the parts under which pairs held out are likeliest, and a loss.

        The loss is that of the pairs held out, by their mixture, and that of the others, each token
        by the rest; both are in nats per token and count alike.
        """
        lighter = replace(self, smallest_rank=self.largest_rank, chains=1)  # of many pairs
        if splits[0].rest.nnz < constants.MANY:
            lighter = replace(self.lighter(), chains=max(constants.FOLDS // len(splits), 1))
        chances, times, left_out = [], [], []
        for (counts, held_out), seed in zip(splits, rng.spawn(len(splits)), strict=True):
            with parts.next():
                learned = lighter._learn(counts, discount, seed, parts.progress)
            rows, pairs = learned.rows, (held_out.contexts, held_out.outcomes)
            chances.append([self.assemble(learned, observed, one).at(*pairs) for one in ALONE])
            times.append(held_out.values / learned.unit)
            likelihood = rows.likelihood(learned.base, learned.strengths[0])
            left_out.append(-likelihood / max(rows.sums.sum(), 1.0))
        chances, times = np.hstack(chances), np.concatenate(times)
        like = constants.LIKE_PAIRS if observed == "pairs" else constants.LIKE_TOKENS
        weights = mixture_weights(chances, times, like * ALONE[0])
        mixed = weights @ chances if self.mixed else chances[0]
        loss = -weighted_logs(times, mixed) / max(times.sum(), 1.0)
        return weights, loss + float(np.mean(left_out))

    def _learn(self, counts, discount, rng, progress) -> Learned:
        """Sample chains with classes of this discount, and weigh them."""
        tokens = count_tokens(counts)
        rows = Rows(counts, tokens.values, learn_discounts(tokens))
        chains = list(self._sample(rows, tokens.whole, discount, rng, progress))
        bases = np.array([each.base for each in chains])
        strength = max(chains, key=lambda c: rows.likelihood(c.base, c.strength)).strength
        for _ in range(2):
            given = np.array([rows.given(base, strength) for base in bases])
            weights = mixture_weights(given, rows.values, constants.LIKE_TOKENS)
            base = weights @ bases
            if counts.nnz:
                strength = rows.learn_strength(base)
        strengths = np.array([strength, strength, 0.0])
        if counts.nnz:
            strengths[1] = rows.with_one_discount().learn_strength(base)
        return Learned(rows, tokens.unit, discount, chains, weights, base, strengths)

    def _sample(self, rows, customers, discount, rng, progress) -> Iterator[Sampled]:
        """Yield the chains in the order of their classes, as many as are of use."""
        ranks, sweeps, often, distinct = self.ranks, self.sweeps, self.chains, rows.counts.nnz
        if often == "by size":
            often = 1 + (distinct < constants.MANY)
        if sweeps == "by size":
            tokens = max(rows.values.sum(), 1.0)
            wanted = constants.SWEEPS * (tokens / max(distinct, 1)) ** 0.5
            sweeps = int(min(wanted, constants.MOST_SWEEPS / tokens**0.5)) + 1
        seeds, before = rng.spawn(len(ranks) * often), -np.inf
        bar = shown(len(seeds) * sweeps, "sweep", progress=progress)
        with bar as show, ThreadPoolExecutor(self.threads) as team:

            def sample(number):
                def note(done):
                    if self.threads == 1:
                        show(number * sweeps + done)

                m = ranks[number // often]
                return run_chain(rows, customers, m, sweeps, discount, seeds[number], note)

            in_turn = map if self.threads == 1 else team.map
            found = in_turn(sample, range(len(seeds)))
            for number, _ in enumerate(ranks, 1):
                chains = list(islice(found, often))
                yield from chains
                show(sweeps * often * number)
                now = np.mean([rows.likelihood(each.base, each.strength) for each in chains])
                if now < before:
                    team.shutdown(cancel_futures=True)
                    return
                before = now

    def assemble(
        self, learned: Learned, observed: Observed, mixture: np.ndarray
    ) -> PitmanYorMatrix:
        """Return the matrix of chains and of the weights of the three parts."""
        rows, unit, discount, chains, weights, _, strengths = learned
        counts = in_tokens = rows.counts
        if not counts.is_whole:  # in tokens, so that a factor changes nothing
            values = np.maximum(counts.values / unit, SMALLEST_NUMBER)
            in_tokens = CountMatrix(counts.shape, counts.indptr, counts.outcomes, values)
        left = np.hstack([w * each.W for w, each in zip(weights, chains, strict=True)])
        right = np.vstack([each.H for each in chains])
        parts = parts_of(rows, strengths)
        is_new, bins = counts.column_sums == 0, bin_of(rows.sums)
        novel = np.zeros((2, len(constants.BINS) + 1))
        if observed != "none" and is_new.any():
            given = left @ right[:, is_new].sum(axis=1)
            for row, (_, share) in zip(novel, parts, strict=False):
                row[:] = lacking_shares(in_tokens, share * given, bins, row.size, observed)
        where = is_new if is_new.any() else np.ones(counts.shape[1])
        lower = AbsoluteDiscount(ONE_DISCOUNT)(counts.distinct_contexts)
        right = np.vstack([right, where / where.sum(), lower])
        left, entries = mix_rows(counts, left, parts, novel[:, bins], mixture)
        # Of one outcome its probability may be one and a rounding, and so may the mean of tables.
        losses = [max(-rows.likelihood(each.base, strengths[0]), 0.0) for each in chains]
        return PitmanYorMatrix.on_pattern(
            counts,
            left,
            np.asfortranarray(right),
            entries,
            strengths=strengths,
            discounts=rows.discounts,
            unit=unit,
            ranks=np.array([each.a.size for each in chains]),
            weights=weights,
            constants=np.concatenate([each.a for each in chains]),
            losses=np.array(losses) / max(rows.sums.sum(), 1.0),
            tables=min(float(weights @ [each.tables for each in chains]), 1.0),
            of_classes=discount,
            mixture=np.asarray(mixture, float),
            by_tokens=observed == "tokens",
            bins=np.array(constants.BINS, float),
            novel=novel,
        )

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> PitmanYorMatrix:
        """See `Estimator.fold_in`: classes and settings of the fit are kept."""
        counts = as_counts(counts)
        if not isinstance(matrix, PitmanYorMatrix) or matrix.outcomes != counts.shape[1]:
            raise ValueError(f"a fit of py-lr over {counts.shape[1]} outcomes is needed")
        return fold_in(matrix, counts)
