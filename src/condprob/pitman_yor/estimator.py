"""PY-LR: one model of rows, tables and classes, of which nothing is set by hand.

docs/py-lr.md derives it. A fit runs chains of several numbers of classes and mixes their means.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from condprob.checks import SMALLEST, Seed
from condprob.counts import CountMatrix, Counts, as_counts
from condprob.estimator import Estimator
from condprob.matrix import ConditionalMatrix
from condprob.options import AtLeastOne, AtLeastZero, Threads
from condprob.pitman_yor.chain import Sampled, run_chain
from condprob.pitman_yor.matrix import PitmanYorMatrix, fold_in
from condprob.pitman_yor.novelty import BINS, RowsOfFactors, add_novelty, bin_of
from condprob.pitman_yor.rows import Rows, count_tokens, learn_discounts
from condprob.progress import shown
from condprob.weights import mixture_weights

RATIO_OF_RANKS = 1.6  # from one number of classes to the next
# Distinct pairs. Of fewer there are more chains with each number of classes, up to four.
FEW, MOST_CHAINS = 5_000, 4
# Sweeps of a chain: so many for each token of a distinct pair, because many tokens of a pair mix
# slowly, but no more visits of tokens than so many; and their bounds.
SWEEPS, MOST_VISITS, BOUNDS_OF_SWEEPS = 150, 7e7, (60, 1000)
ALWAYS = 8  # so many classes, and fewer, are always sampled
MANY = 600_000  # distinct pairs from which on the chains begin with the largest number of classes
LEAST_WEIGHT = 1e-3  # of a chain that is kept
# Of the fit by which the weights of longer histories are learned. On Brown (100,000 words, orders 3
# and 4) they were no worse than by a whole fit, and by 2 to 13 classes within .001 nats.
RANK_OF_LIGHTER = 8
LIKE_CHAIN = 2.0  # pseudo-tokens of each chain in the weights of the chains


@dataclass(frozen=True)
class PitmanYorLowRank(Estimator):
    """PY-LR: ``Q_ij = (C_ij - d_ij + (theta + d_i) B_ij) / (theta + C_i)``.

    ``d_ij`` is taken of each count and ``d_i`` is its sum over the row. The base ``B`` is a mean of
    low-rank matrices with several numbers of classes. How many of the tokens of a pair the base
    explains, its tables, is sampled with the classes.

    Attributes
    ----------
    smallest_rank, largest_rank : int
        Numbers of classes of the chains: the smallest, and each about 1.6 times the one before, up
        to the largest. Of those above 8, the first by which left-out tokens become less likely is
        the last. For 600,000 distinct pairs or more they begin with the largest, down to such one.
    chains : int
        With each number of classes; ``"by size"`` is one for 5,000 distinct pairs or more, and up
        to four for fewer.
    sweeps : int
        Of a chain, half of which are kept; ``"by size"`` is 150 for each token of a distinct pair,
        at least 60, and at most 1,000 or 70 million visits of tokens.
    tables : "inferred", "types" or "tokens"
        Tables of a pair: sampled; or one; or one for each of its tokens.
    strength : float or "learned"
        ``theta``.
    novelty : "good-turing" or "none"
        The probability of outcomes that were never seen: by the distinct pairs
        (`novelty.add_novelty`), or no more than the base gives them.
    threads : int
        Chains that run at once; the result does not depend on it.
    """

    is_random: ClassVar[bool] = True
    fewest_pairs: ClassVar[int] = 20
    smallest_rank: AtLeastOne = 1
    largest_rank: AtLeastOne = 34
    chains: AtLeastOne | Literal["by size"] = "by size"
    sweeps: AtLeastOne | Literal["by size"] = "by size"
    tables: Literal["inferred", "types", "tokens"] = "inferred"
    strength: AtLeastZero | Literal["learned"] = "learned"
    novelty: Literal["good-turing", "none"] = "good-turing"
    threads: Threads = 1

    if TYPE_CHECKING:  # the class of a fit, which has the learned settings

        def fit(self, counts: Counts, seed: Seed = 0, *, progress: bool = False) -> PitmanYorMatrix:
            """See `Estimator.fit`."""
            raise NotImplementedError

    @property
    def ranks(self) -> tuple[int, ...]:
        """Numbers of classes of the chains."""
        found, rank = [min(self.smallest_rank, self.largest_rank)], self.smallest_rank
        while (rank := max(round(rank * RATIO_OF_RANKS), rank + 1)) <= self.largest_rank:
            found.append(rank)
        return tuple(found)

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of one chain of each rank."""
        return 8 * sum(shape) * sum(self.ranks)

    def fit_counts(self, counts: CountMatrix, seed: Seed, progress: bool) -> PitmanYorMatrix:
        """See `Estimator.fit`."""
        tokens = count_tokens(counts)
        rows = Rows(counts, tokens.values, learn_discounts(tokens))
        customers = np.ones_like(tokens.whole) if self.tables == "types" else tokens.whole
        # Generators that are spawned would be counted in the sequence of the caller.
        rng = np.random.default_rng(
            copy(seed) if isinstance(seed, np.random.SeedSequence) else seed
        )
        chains = list(self._sample(counts, rows, customers, rng, progress))
        bases, is_learned = np.array([each.base for each in chains]), self.strength == "learned"
        strength = max(chains, key=lambda c: rows.likelihood(c.base, c.strength)).strength
        for _ in range(2):
            given = np.array([rows.given(base, strength) for base in bases])
            weights = mixture_weights(given, rows.values, LIKE_CHAIN)
            if is_learned and counts.nnz:
                strength = rows.learn_strength(weights @ bases, strength, within=2.0)
        return self._assemble(counts, tokens, rows, chains, weights, strength)

    def _sample(self, counts, rows, customers, rng, progress) -> Iterator[Sampled]:
        """Yield the chains in the order of their classes, as many as are of use."""
        is_many, often, sweeps = counts.nnz >= MANY, self.chains, self.sweeps
        ranks = self.ranks[::-1] if is_many else self.ranks
        if often == "by size":
            often = int(np.clip(round(FEW / max(counts.nnz, 1)), 1, MOST_CHAINS))
        if sweeps == "by size":
            tokens, distinct = max(rows.values.sum(), 1.0), max(counts.nnz, 1)
            wanted = min(SWEEPS * tokens / distinct, MOST_VISITS / tokens)
            sweeps = int(np.clip(wanted, *BOUNDS_OF_SWEEPS))
        seeds = rng.spawn(len(ranks) * often)
        strength = None if self.strength == "learned" else float(self.strength)
        given = strength, self.tables == "tokens"
        bar = shown(len(seeds) * sweeps, "sweep") if progress else nullcontext(lambda done: None)
        with bar as show, ThreadPoolExecutor(self.threads) as team:

            def sample(number):
                def note(done):
                    if self.threads == 1:
                        show(number * sweeps + done)

                m = ranks[number // often]
                return run_chain(counts, rows, customers, m, sweeps, *given, seeds[number], note)

            numbers = range(len(seeds))
            found = map(sample, numbers) if self.threads == 1 else team.map(sample, numbers)
            before = -np.inf
            for m in ranks:
                chains = list(islice(found, often))
                yield from chains
                show(sweeps * often * (ranks.index(m) + 1))
                now = np.mean([rows.likelihood(each.base, each.strength) for each in chains])
                if (is_many or m >= ALWAYS) and now < before:
                    team.shutdown(cancel_futures=True)
                    return
                before = now

    def _assemble(self, counts, tokens, rows, chains, weights, strength) -> PitmanYorMatrix:
        """Return the matrix of the chains that have a weight."""
        used = np.flatnonzero(weights >= LEAST_WEIGHT)
        weights = weights[used] / weights[used].sum()
        kept = [chains[c] for c in used]
        entries, of_base = rows.around(strength)
        left = [(w * of_base)[:, None] * each.W for w, each in zip(weights, kept, strict=True)]
        right = np.vstack([each.H for each in kept])
        factors, novel = RowsOfFactors(np.hstack(left), right, entries), np.zeros(BINS.size + 1)
        if self.novelty == "good-turing":
            in_tokens = counts
            if not counts.is_whole:  # in tokens, so that a factor changes nothing
                values = np.maximum(counts.values / tokens.unit, SMALLEST)
                in_tokens = CountMatrix(counts.shape, counts.indptr, counts.outcomes, values)
            factors, novel = add_novelty(in_tokens, factors, bin_of(rows.sums), novel.size)
        # Of one outcome its probability may be one and a rounding, and so may the mean of tables.
        losses = [max(-rows.likelihood(each.base, strength), 0.0) for each in kept]
        return PitmanYorMatrix.on_pattern(
            counts,
            factors.left,
            np.asfortranarray(factors.right),
            factors.entries,
            strength=strength,
            discounts=rows.discounts,
            unit=tokens.unit,
            ranks=np.array([each.a.size for each in kept]),
            weights=weights,
            constants=np.concatenate([each.a for each in kept]),
            losses=np.array(losses) / max(rows.sums.sum(), 1.0),
            tables=min(float(weights @ [each.tables for each in kept]), 1.0),
            bins=BINS,
            novel=novel,
        )

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> PitmanYorMatrix:
        """See `Estimator.fold_in`: classes and settings of the fit are kept."""
        counts = as_counts(counts)
        if not isinstance(matrix, PitmanYorMatrix) or matrix.outcomes != counts.shape[1]:
            raise ValueError(f"a fit of py-lr over {counts.shape[1]} outcomes is needed")
        return fold_in(matrix, counts)

    def lighter(self) -> "PitmanYorLowRank":
        """See `Estimator`: one chain of few classes."""
        rank = min(self.largest_rank, RANK_OF_LIGHTER)
        return replace(self, smallest_rank=rank, largest_rank=rank, chains=1)
