"""Where AD-LR's lead over Kneser-Ney lies: in words never seen in training, or in the others.

The vocabulary of Table 1 is that of the whole text, so that every method gives some probability to
words that occur only in the test half. The difference of two cross-entropies is a sum over test
words. Here it is split by whether the word, or the word before it, occurs in the training words.
"""

from functools import partial
from itertools import pairwise, product

import numpy as np
import pandas as pd

from condprob.counts import CountMatrix
from reproduction.corpora.corpus import word_pairs
from reproduction.scores.intervals import bootstrap_weights, percentile_interval, resample_loss
from reproduction.scores.pairs import losses_of
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, edges_of_blocks, fits_of
from reproduction.studies.near_optimal.parts import (
    ALL,
    CONDITIONAL,
    MASS,
    OTHER,
    PARTS,
    SEEN,
    TEST_WORDS,
    UNSEEN_CONTEXT,
    UNSEEN_WORD,
)

COLUMNS = [
    *("corpus", "n", "rank", "part", "method", "competitor", "fraction"),
    *("value", "low", "high", "seeds"),
]


def score_lead(root, exhibit, corpus, methods, words, ranks, seeds, split):
    """Yield the losses of each part of the test words, by method, start and block.

    The arguments are those of the scores of ``exhibit``, whose fits these are: seeds come from
    names. ``part`` is in `PARTS`; ``loss`` is summed over the ``pairs`` of that part of the block,
    nats; ``conditional_loss`` is the same after renormalising over seen words, 0 for unseen words;
    ``unseen_mass`` is the sum over these pairs of the probability that their contexts give to all
    unseen words together.
    """
    for n, rank in product(words, ranks):
        train, test = (corpus.train, corpus.test) if n == "train" else corpus.split(n, **split)
        place = {"corpus": corpus.name, "n": len(train), "rank": rank}

        seed_of = partial(spawn_seed, root, exhibit, corpus.name, len(train))
        how = Fits(methods, rank, seeds, seed_of)
        for row in score_parts(word_pairs(train), word_pairs(test), corpus.k, how):
            yield place | row


def score_parts(train, test, k, how):
    """Yield the rows of `score_lead` for training pairs and test pairs of a text."""
    counts = CountMatrix.from_pairs(*train, k)
    contexts, outcomes = test
    unseen = np.flatnonzero(counts.column_sums == 0)
    is_unseen = counts.column_sums[outcomes] == 0
    part_of = np.where(is_unseen, 0, np.where(counts.row_sums[contexts] == 0, 1, 2))
    edges = edges_of_blocks(contexts.size)
    for row, matrix in fits_of(counts, train, k, how):
        losses = -matrix.log_prob(contexts, outcomes)
        # Outcomes that training did not have are alike to every method here, so that the
        # probability of one of them, times their number, is that of all.
        mass = np.zeros(contexts.size)
        if unseen.size:
            mass = unseen.size * matrix.at(contexts, unseen[0])
        conditional = np.where(is_unseen, 0.0, losses + np.log1p(-mass))
        for block, (start, stop) in enumerate(pairwise(edges)):
            for place, part in enumerate(PARTS):
                own = np.arange(start, stop)[part_of[start:stop] == place]
                yield row | {
                    "part": part,
                    "block": block,
                    "pairs": own.size,
                    "loss": losses[own].sum(),
                    "conditional_loss": conditional[own].sum(),
                    "unseen_mass": mass[own].sum(),
                }


def tabulate_lead(scores, ours, competitors):
    """Split the difference of cross-entropies, ours minus each competitor's, by part of the words.

    Returns a table with `COLUMNS`. In rows of a difference, ``value`` is in nats per word of the
    whole test text, so that `PARTS` add up to `ALL`, and negative where ours is better; for
    `CONDITIONAL` it is per seen word. ``fraction`` is that of the test words in the part. Rows of
    `MASS` have the mean probability that a method gives to unseen words, and in the row of
    `TEST_WORDS` the fraction of the test words that are. The 95 % intervals resample blocks of
    test words and starts, as in every comparison on texts.
    """
    rows = []
    for place, part in scores.groupby(["corpus", "n", "rank"], sort=False):
        where = dict(zip(("corpus", "n", "rank"), place, strict=True))
        text = _Text(part)
        rows += [where | row for row in text.masses()]
        for method, competitor in product(ours, competitors):
            rows += [where | row for row in text.differences(method, competitor)]
    return pd.DataFrame(rows, columns=COLUMNS)


class _Text:
    """The scores of one text at one size."""

    def __init__(self, scores):
        self.tables = {name: rows for name, rows in scores.groupby("method", sort=False)}
        first = next(iter(self.tables.values()))
        first = first[first["seed"] == first["seed"].iloc[0]]
        pairs = first.pivot(index="part", columns="block", values="pairs")
        self.pairs = {part: pairs.loc[part].to_numpy() for part in PARTS}
        self.pairs = self.pairs | {ALL: pairs.sum().to_numpy()}
        self.pairs[SEEN] = self.pairs[ALL] - self.pairs[UNSEEN_WORD]
        self.blocks = bootstrap_weights(self.pairs[ALL].size)

    def fraction(self, part):
        """Return the fraction of the test words in a part."""
        return self.pairs[part].sum() / self.pairs[ALL].sum()

    def sums(self, method, column, parts):
        """Return the sums of a column over parts, shape (starts, blocks)."""
        rows = self.tables[method]
        rows = rows[rows["part"].isin(parts)].groupby(["seed", "block"], as_index=False)[column]
        return losses_of(rows.sum().rename(columns={column: "loss"}))

    def mean(self, method, stream, column, parts, per):
        """Return the mean of a column per word of a part, its bootstrap, and the starts."""
        sums = self.sums(method, column, parts)
        starts = bootstrap_weights(len(sums), stream)
        pairs = self.pairs[per]
        drawn = resample_loss(sums, pairs, self.blocks, starts)
        return sums.mean(axis=0).sum() / pairs.sum(), drawn, len(sums)

    def masses(self):
        """Yield the rows of `MASS`."""
        drawn = self.blocks @ self.pairs[UNSEEN_WORD] / (self.blocks @ self.pairs[ALL])
        row = {"part": MASS, "fraction": 1.0}
        low, high = percentile_interval(drawn)
        true = {"method": TEST_WORDS, "value": self.fraction(UNSEEN_WORD), "seeds": 1}
        yield row | true | {"low": low, "high": high}
        for method in self.tables:
            value, drawn, seeds = self.mean(method, 1, "unseen_mass", PARTS, ALL)
            low, high = percentile_interval(drawn)
            yield row | {"method": method, "value": value, "low": low, "high": high, "seeds": seeds}

    def differences(self, method, competitor):
        """Yield the rows of the difference between two methods."""
        every = {ALL: PARTS, SEEN: (UNSEEN_CONTEXT, OTHER)} | {part: (part,) for part in PARTS}
        for part, parts in every.items():
            yield self._difference(method, competitor, part, "loss", parts, ALL)
        seen = (UNSEEN_CONTEXT, OTHER)
        row = self._difference(method, competitor, SEEN, "conditional_loss", seen, SEEN)
        yield row | {"part": CONDITIONAL}

    def _difference(self, method, competitor, part, column, parts, per):
        # The streams of starts are those of `scores.pairs`: the total is that of every comparison.
        other, of_other, _ = self.mean(competitor, 1, column, parts, per)
        ours, of_ours, seeds = self.mean(method, 2, column, parts, per)
        low, high = percentile_interval(of_ours - of_other)
        row = {"part": part, "method": method, "competitor": competitor, "seeds": seeds}
        return row | {
            "fraction": self.fraction(part),
            "value": ours - other,
            "low": low,
            "high": high,
        }
