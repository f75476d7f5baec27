"""Table 1 and figure 2: fit on the pairs of the training words, score those of the test words."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby, pairwise
from operator import itemgetter

import numpy as np
from tqdm import tqdm

from condprob.counts import CountMatrix
from condprob.em.clusters import cluster_contexts, factors_of_clusters
from condprob.low_rank import LowRank
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.methods import METHODS
from reproduction.scores.columns import BLOCKS
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed


def score_file(root, inputs, methods, given):
    """Score texts at points of an exhibit (`study.Job`).

    The input ``words`` are files of `corpora.corpus.save_corpus`, in the order in which the points
    name their corpora. Given are ``exhibit`` and ``seeds``; ``points``, each the corpus, the words
    to train on and the rank, where words are a prefix of the text, or "train" for the corpus's own
    split; and ``split``, how a prefix is tested (`corpora.corpus.Corpus.split`).
    """
    files = iter(inputs["words"])
    for corpus, points in groupby(given["points"], key=itemgetter(0)):
        text = read_corpus(next(files), corpus)
        if text is None:  # it could not be had
            continue
        for _, words, rank in points:
            yield from _score_point(root, (corpus, text), words, rank, methods, given)


def _score_point(root, named, words, rank, methods, given):
    """Yield the rows of one point of a text and its name: see `score_file`."""
    corpus, text = named
    train, test = (
        (text.train, text.test) if words == "train" else text.split(words, **given["split"])
    )
    place = {"corpus": corpus, "n": len(train), "rank": rank}
    pairs = word_pairs(train), word_pairs(test)
    seed_of = partial(spawn_seed, root, given["exhibit"], corpus, len(train))
    how = Fits(methods, rank, given["seeds"], seed_of)
    for row in score_pairs(partial(seed_of, rank), *pairs, text.k, how):
        yield place | row


@dataclass(frozen=True)
class Fits:
    """What is fitted to a text."""

    methods: Mapping  # entries of the config's ``methods``
    rank: int  # for methods that have a rank and whose entry gives none
    seeds: int  # starts of each method with randomness
    # of the clusters that fits start from, by rank and number of the start: they are found once for
    # all methods of that rank. Without it each fit finds its own.
    seed_of: Callable | None = None
    in_order: bool = True  # whether the pairs are those of a text; those of a table have no order


def score_pairs(start_of, train, test, k, how):
    """Fit every method to training pairs and score test pairs: contexts and outcomes, ``k`` words.

    ``start_of`` takes the number of a start and returns its seed. Yields `columns.COLUMNS` but for
    the place, and the values of the options that the method sweeps: ``loss`` in nats, summed over
    the ``pairs`` of the ``block``, a stretch of consecutive test words.
    """
    counts = CountMatrix.from_pairs(*train, k)
    contexts, outcomes = test
    edges = np.linspace(0, contexts.size, min(BLOCKS, contexts.size) + 1).astype(int)
    fits = [
        (name, values, estimator, seed)
        for name, entry in how.methods.items()
        for values, estimator in build_variants(entry, how.rank)
        for seed in range(how.seeds if METHODS[entry["method"]].estimator.is_random else 1)
    ]

    @cache
    def cluster(rank, seed):
        return cluster_contexts(counts, rank, how.seed_of(rank, seed))

    for name, values, estimator, seed in tqdm(fits, unit="fit", mininterval=1):
        if how.seed_of is not None:
            estimator = _with_clusters(estimator, counts, cluster, seed)
        if how.in_order:
            matrix = estimator.fit_in_order(*train, k, start_of(seed))
        else:
            matrix = estimator.fit(counts, start_of(seed))
        losses = np.add.reduceat(-matrix.log_prob(contexts, outcomes), edges[:-1])
        row = values | {"method": name, "seed": seed, "converged": has_converged(matrix)}
        for block, (pairs, loss) in enumerate(zip(np.diff(edges), losses, strict=True)):
            yield row | {"block": block, "pairs": pairs, "loss": loss}


def in_blocks(losses):
    """Yield block, pairs and loss of each stretch of test pairs; losses are in nats, (pairs,)."""
    edges = np.linspace(0, losses.size, min(BLOCKS, losses.size) + 1).astype(int)
    for block, (start, stop) in enumerate(pairwise(edges)):
        yield {"block": block, "pairs": stop - start, "loss": losses[start:stop].sum()}


def _with_clusters(estimator, counts, cluster, seed):
    """Return the estimator with its start by clusters, found by ``cluster`` of rank and seed.

    One that fits parts of the counts, too, finds its own: clusters of all would tell of the rest.
    """
    is_of_all = isinstance(estimator, LowRank) and estimator.initial == "clusters"
    if not is_of_all:
        return estimator
    label = cluster(estimator.rank, seed)
    start = factors_of_clusters(counts, label, estimator.rank, estimator.start_discount)
    return replace(estimator, initial=start)
