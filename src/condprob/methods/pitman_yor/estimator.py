"""PY-LR: one model of rows, tables and classes, without settings: docs/py-lr-model.md."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from time import monotonic
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from condprob.checks import SMALLEST_NUMBER
from condprob.counts import CountMatrix, Counts, PairsInOrder, as_counts
from condprob.estimator import Estimator, wrong_fit
from condprob.matrix import ConditionalMatrix
from condprob.methods.pitman_yor import constants
from condprob.methods.pitman_yor.chain import Sampled, run_chain
from condprob.methods.pitman_yor.matrix import PitmanYorMatrix, fold_in
from condprob.methods.pitman_yor.mixture import (
    Evidence,
    Shares,
    base_of,
    chances_at,
    first_alone,
    is_unseen,
    learn_shares,
    loss_of,
    masses_of,
    mix_rows,
    parts_of,
)
from condprob.methods.pitman_yor.novelty import bin_of, lacking_shares
from condprob.methods.pitman_yor.rows import Rows, count_tokens, learn_discounts
from condprob.options import AtLeastOne, Threads
from condprob.progress import SECONDS_OF_PATIENCE, Parts, note, shown
from condprob.run import Run
from condprob.splits import Split, hold_out
from condprob.weights import mixture_weights

# To foretell how long a fit takes: what a visit of a pair costs beside its classes, in classes, and
# how many times as long as Kneser-Ney a fit takes at least.
CLASSES_OF_A_VISIT = 40
TIMES_KNESER_NEY = 1000


class HeldOut(NamedTuple):
    """A part of the counts that a first fit does not have.

    Attributes
    ----------
    rest, pairs : CountMatrix
        The training part, and what is held out.
    chains : int
        Of the first fit.
    times : float
        What a token that is held out counts among all evidence.
    """

    rest: CountMatrix
    pairs: CountMatrix
    chains: int
    times: float


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
    strength : float
        ``theta``.
    """

    rows: Rows
    unit: float
    discount: float
    chains: list[Sampled]
    weights: np.ndarray
    base: np.ndarray
    strength: float


@dataclass(frozen=True)
class PitmanYorLowRank(Estimator[PitmanYorMatrix]):
    """Pitman-Yor low rank: chains of several ranks, mixed with Kneser-Ney.

    ``Q_ij = (C_ij - d_ij + (theta + d_i) B_ij) / (theta + C_i)``, mixed with Kneser-Ney.

    ``d_ij`` is taken of each count and ``d_i`` is its sum over the row. The base ``B`` is a mean of
    low-rank matrices, whose classes are sampled together with how many tokens of a pair they
    explain. The last step mixes these rows with rows of one discount and with Kneser-Ney, by
    weights that depend on how often a context was seen. Pairs held out from a first fit tell them.

    Counts are a table without an order (`fit`): pairs are held out at random. Pairs in their order
    are a sequence (`PairsInOrder`, `fit_text`, ``condprob.fit(..., in_order=True)``): the end is
    held out as well, because what comes next may differ from what was seen.

    Attributes
    ----------
    effort : "full" or "light"
        "light" runs one chain of 13 classes and tries only one prior. It takes an eighth to a third
        of the time and costs about a hundredth of a nat on texts, several on tables; the
        documentation has a table by size.
    smallest_rank, largest_rank : int
        Range of the numbers of classes: each chain has about 1.6 times as many as the one before.
        Larger ones are not tried once left-out tokens become less probable. From 20,000 distinct
        pairs on, the smaller half is left out; with light effort, only the middle one is used.
    chains : int
        Number of chains for each number of classes; ``"by size"`` is one with light effort or from
        20,000 distinct pairs on, otherwise two.
    sweeps : int
        Number of sweeps of a chain, half of which are kept; ``"by size"`` is 175 times the root of
        the mean number of tokens of a distinct pair, but at most 75,000 divided by the root of the
        number of tokens.
    mixed : bool
        Whether the rows are mixed with rows of one discount and with Kneser-Ney.
    threads : int
        Number of chains that run at once; it does not change the result.
    """

    is_random: ClassVar[bool] = True
    effort: Literal["full", "light"] = "full"
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
        return (found[len(found) // 2],) if self.effort == "light" else tuple(found)

    def memory(self, shape: tuple[int, int]) -> int:
        """See `Estimator.memory`: the factors of one chain of each rank."""
        return 8 * sum(shape) * sum(self.ranks)

    def lighter(self) -> "PitmanYorLowRank":
        """See `Estimator.lighter`: light effort, and not mixed."""
        return replace(self, effort="light", mixed=False)

    def fit_counts(self, counts: CountMatrix, run: Run) -> PitmanYorMatrix:
        """Fit parts of the counts for prior and weights, and then all; a sequence has an end."""
        seed = run.seed
        if isinstance(seed, np.random.SeedSequence):  # the caller's does not count what is spawned
            seed = copy(seed)
        rng, in_order = np.random.default_rng(seed), run.in_order is not None
        end = _end_of(run.in_order, counts.shape) if in_order else None
        held_out = self._hold_out(counts, rng, end)
        discounts = self.discounts_of_classes(in_order)
        discount, shares, best = discounts[-1], first_alone(), np.inf
        own, *others = rng.spawn(1 + len(discounts))
        tries = discounts if (self.mixed or len(discounts) > 1) and counts.nnz else []
        begun, parts = monotonic(), Parts("fit", 1 + len(tries) * len(held_out), run.progress)
        for tried, each in zip(tries, others, strict=False):
            found, loss, pace = self._try(held_out, tried, in_order, each, parts)
            if loss < best:
                discount, shares, best = tried, found, loss
        if tries and self.effort == "full" and run.progress:
            self._tell(counts, pace, monotonic() - begun)
        with parts.next():
            learned = self._learn(counts, discount, own, run.progress)
        return self.assemble(learned, shares, in_order)

    def _hold_out(self, counts, rng, end) -> list[HeldOut]:
        """Return the parts that are held out in turn: some at random, and the end of a sequence.

        Together they tell as much as all tokens; the end tells most of it, and all of light effort.
        """
        is_light = self.effort == "light"
        few = 1 if is_light or counts.nnz >= constants.MANY else constants.FOLDS
        of_end, drawn = 0.0, []
        if end is not None:
            of_end = 1.0 if is_light else constants.OF_END
        if of_end < 1:
            drawn = [hold_out(counts, constants.HELD_OUT, each) for each in rng.spawn(few)]
        found = []
        for splits, chains, share in ((drawn, 1, 1 - of_end), ([end] * (of_end > 0), few, of_end)):
            tokens = max(sum(split.held_out.n for split in splits), SMALLEST_NUMBER)
            found += [HeldOut(*split, chains, share * counts.n / tokens) for split in splits]
        return found

    def discounts_of_classes(self, in_order: bool) -> list[float]:
        """Return the discounts of classes that are tried: two for a table, else one."""
        one = in_order or self.effort == "light"
        return [constants.DISCOUNT] if one else [0.0, constants.DISCOUNT]

    def lacking(
        self, counts: CountMatrix, given: np.ndarray, bins: np.ndarray, in_order: bool
    ) -> np.ndarray:
        """Return the share of rows that outcomes never seen lack, shape (bins,): none of a table.

        See `novelty.lacking_shares`; ``counts`` are in tokens.
        """
        size = len(constants.BINS) + 1
        return lacking_shares(counts, given, bins, size) if in_order else np.zeros(size)

    def _tell(self, counts, pace, spent) -> None:
        """Note how long a long fit takes, and how long others would, where somebody sees it."""
        size = counts.nnz, float(count_tokens(counts).values.sum())
        total, lighter = spent + pace * self._work(*size), replace(self, effort="light")
        less = pace * (lighter._work(*size) + lighter._work(*size, constants.BRIEF / 2))
        if total >= SECONDS_OF_PATIENCE:
            seconds = (f"{max(each, 0.1):.1g} s" for each in (less, total / TIMES_KNESER_NEY))
            light, kneser_ney = seconds
            note(
                f"py-lr: this fit takes about {total:.0f} s; effort='light' would take {light}, "
                f"and method='kn' {kneser_ney}"
            )

    def _try(self, held_out, discount, in_order, rng, parts) -> tuple[Shares, float, float]:
        """Return the weights under which held-out pairs are most probable, a loss and the pace.

        The loss is that of the pairs held out, by their mixture, and that of the others, each token
        by the rest; both are in nats per token and count alike. The pace is of the last fit, which
        compiles nothing, in seconds per step of `_work`.
        """
        found, left_out, pace = [], [], 0.0
        brief = constants.BRIEF / (1 + (self.effort == "light"))
        for each, seed in zip(held_out, rng.spawn(len(held_out)), strict=True):
            is_large = each.rest.nnz >= constants.MANY and self.effort == "full"
            rank = self.largest_rank if is_large else self.lighter().ranks[0]
            light = replace(
                self, effort="light", smallest_rank=rank, largest_rank=rank, chains=each.chains
            )
            begun = monotonic()
            with parts.next():
                learned = light._learn(each.rest, discount, seed, parts.progress, brief)
            size = each.rest.nnz, learned.rows.sums.sum()
            pace = (monotonic() - begun) / max(light._work(*size, brief), 1.0)
            found.append(self._judge(learned, each, in_order))
            likelihood = learned.rows.likelihood(learned.base, learned.strength)
            left_out.append(-likelihood / max(learned.rows.sums.sum(), 1.0))
        evidence = Evidence(*(np.concatenate(each, axis=-1) for each in zip(*found, strict=True)))
        shares = learn_shares(evidence, in_order) if self.mixed else first_alone()
        return shares, loss_of(evidence, shares) + float(np.mean(left_out)), pace

    def _judge(self, learned, held_out, in_order) -> Evidence:
        """Return how probable the pairs held out are by what was learned from the others."""
        counts, base, parts, bins, lacking = self._around(learned, in_order)
        contexts, outcomes = held_out.pairs.contexts, held_out.pairs.outcomes
        return Evidence(
            chances_at(counts, parts, base, contexts, outcomes),
            masses_of(parts, lacking[bins])[:, contexts],
            is_unseen(counts)[outcomes],
            bins[contexts],
            held_out.pairs.values / learned.unit * held_out.times,
        )

    def _around(self, learned, in_order):
        """Return counts in tokens, the base, the three rows, and bins with what they lack."""
        rows = learned.rows
        counts = rows.counts
        if not counts.is_whole:  # in tokens, so that a factor changes nothing
            values = np.maximum(counts.values / learned.unit, SMALLEST_NUMBER)
            counts = CountMatrix(counts.shape, counts.indptr, counts.outcomes, values)
        left = [w * each.W for w, each in zip(learned.weights, learned.chains, strict=True)]
        right = [each.H for each in learned.chains]
        base = base_of(counts, np.hstack(left), np.vstack(right))
        bins = bin_of(rows.sums)
        parts = parts_of(rows, learned.strength, base)
        return counts, base, parts, bins, self.lacking(counts, parts.unseen[0], bins, in_order)

    def _learn(self, counts, discount, rng, progress, brief=1.0) -> Learned:
        """Sample chains with classes of this discount, and weigh them; ``brief`` of all sweeps."""
        tokens = count_tokens(counts)
        rows = Rows(counts, tokens.values, learn_discounts(tokens))
        chains = list(self._sample(rows, tokens.whole, discount, rng, progress, brief))
        bases = np.array([each.base for each in chains])
        strength = max(chains, key=lambda c: rows.likelihood(c.base, c.strength)).strength
        for _ in range(2):
            given = np.array([rows.given(base, strength) for base in bases])
            weights = mixture_weights(given, rows.values, constants.LIKE_TOKENS)
            base = weights @ bases
            if counts.nnz:
                strength = rows.learn_strength(base)
        return Learned(rows, tokens.unit, discount, chains, weights, base, strength)

    def _plan(
        self, distinct: int, tokens: float, brief: float = 1.0
    ) -> tuple[tuple[int, ...], int, int]:
        """Return the numbers of classes, how many chains there are with each, and their sweeps."""
        ranks, often, sweeps = self.ranks, self.chains, self.sweeps
        is_large = distinct >= constants.MANY
        if is_large:
            ranks = ranks[len(ranks) // 2 :]
        if often == "by size":
            often = 1 if is_large or self.effort == "light" else 2
        if sweeps == "by size":
            wanted = constants.SWEEPS * (tokens / max(distinct, 1)) ** 0.5
            sweeps = int(min(wanted, constants.MOST_SWEEPS / tokens**0.5) * brief) + 1
        return ranks, often, sweeps

    def _work(self, distinct: int, tokens: float, brief: float = 1.0) -> float:
        """Return about how long chains take, in steps of a class of a pair."""
        ranks, often, sweeps = self._plan(distinct, max(tokens, 1.0), brief)
        return often * sweeps * distinct * sum(rank + CLASSES_OF_A_VISIT for rank in ranks)

    def _sample(self, rows, customers, discount, rng, progress, brief) -> Iterator[Sampled]:
        """Yield the chains in the order of their classes, as many as are of use."""
        ranks, often, sweeps = self._plan(rows.counts.nnz, max(rows.values.sum(), 1.0), brief)
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

    def assemble(self, learned: Learned, shares: Shares, in_order: bool) -> PitmanYorMatrix:
        """Return the matrix of chains and of the weights of the three rows."""
        rows, unit, discount, chains, weights, _, strength = learned
        counts, (_, base, parts, bins, lacking) = rows.counts, self._around(learned, in_order)
        new = is_unseen(counts)
        masses = masses_of(parts, lacking[bins])
        unseen = (shares.unseen[:, bins] * masses).sum(axis=0) * new.any()
        where = new if new.any() else np.ones(counts.shape[1])
        right = np.vstack([base.right, where / where.sum(), base.lower])
        left, entries = mix_rows(counts.contexts, parts, base, unseen, shares.rows[:, bins])
        # Of one outcome its probability may be one and a rounding, and so may the mean of tables.
        losses = [max(-rows.likelihood(each.base, strength), 0.0) for each in chains]
        return PitmanYorMatrix.on_pattern(
            counts,
            left,
            np.asfortranarray(right),
            entries,
            strength=strength,
            discounts=rows.discounts,
            unit=unit,
            ranks=np.array([each.a.size for each in chains]),
            weights=weights,
            constants=np.concatenate([each.a for each in chains]),
            losses=np.array(losses) / max(rows.sums.sum(), 1.0),
            tables=min(float(weights @ [each.tables for each in chains]), 1.0),
            of_classes=discount,
            in_order=in_order,
            bins=np.array(constants.BINS, float),
            mixture=shares.rows,
            unseen=shares.unseen,
            lacking=lacking,
            of_unseen=base.unseen,
        )

    def fold_in(self, matrix: ConditionalMatrix, counts: Counts) -> PitmanYorMatrix:
        """See `Estimator.fold_in`: classes and settings of the fit are kept."""
        counts = as_counts(counts)
        if not isinstance(matrix, PitmanYorMatrix) or matrix.outcomes != counts.shape[1]:
            raise wrong_fit("py-lr", matrix, counts)
        return fold_in(matrix, counts)


def _end_of(pairs: PairsInOrder, shape: tuple[int, int]) -> Split:
    """Return the counts of a sequence in two parts, of which its end is held out."""
    contexts, outcomes = np.asarray(pairs.contexts), np.asarray(pairs.outcomes)
    cut = round((1 - constants.HELD_OUT) * len(contexts))
    return Split(
        *(
            CountMatrix.from_pairs(contexts[part], outcomes[part], shape)
            for part in (slice(cut), slice(cut, None))
        )
    )
