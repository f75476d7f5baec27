"""Every method on every text, and on models with a known truth: scores, time and size.

A fit is timed by the processor's clock, all threads added up, after one to few pairs that has its
functions compiled. Its size is that of the arrays that a file of it holds.

Settings are chosen on a part of the training data that is held out: one way for all. An option of
the config's entry that is a list is chosen among its values, and a rank that the entry does not
give among the study's. The setting with the least loss on the held-out part is fitted again to all
the training data. No test word is looked at.
"""

import json
from functools import partial
from time import process_time

from tqdm import tqdm

from condprob.counts import CountMatrix, PairsInOrder
from condprob.evaluation import cross_entropy
from condprob.risk import kl_risk
from condprob.splits import TUNING_SHARE, hold_out
from condprob.synthetic import Model, sample_counts
from reproduction.corpora.corpus import word_pairs
from reproduction.methods import METHODS
from reproduction.scores.columns import HELD_OUT
from reproduction.scores.estimators import build_variants, has_converged
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import in_blocks
from reproduction.scores.trials import draw_models
from reproduction.studies.readings.texts import choose_words

NAME, RISK = "methods", "risk"
PAIRS_TO_COMPILE = 100  # pairs of the fit that has functions compiled


def score_text(root, corpus, vocabulary, methods, ranks, seeds):
    """Score every method on one text with one vocabulary: a scorer.

    Parameters
    ----------
    root : int
        Of the random numbers.
    corpus : corpora.corpus.Corpus
    vocabulary : str
        See `readings.texts.choose_words`.
    methods : mapping
        Entries of the config's ``methods``.
    ranks : sequence of int
        To choose from.
    seeds : int
        The starts of each method with randomness.

    Yields
    ------
    dict
        `columns.COLUMNS`: ``setting`` is the vocabulary; and ``chosen``, ``fit_seconds``,
        ``score_seconds`` and ``bytes`` of each fit.
    """
    train, test = map(word_pairs, (corpus.train, corpus.test))
    *both, kept = choose_words(train, test, corpus.k, vocabulary)
    start_of = partial(spawn_seed, root, NAME, corpus.name, vocabulary)
    place = {"setting": vocabulary, "k": kept.size, "n": corpus.train.size}
    for row in _score_pairs(both, kept.size, methods, ranks, seeds, start_of):
        yield {"corpus": corpus.name} | place | row


def _score_pairs(both, k, methods, ranks, seeds, start_of):
    """Yield rows of every method on training and test pairs of ``k`` words."""
    train, test = both
    parts = hold_out_last(*train, k)
    few, pairs = (
        CountMatrix.from_pairs(*(part[:PAIRS_TO_COMPILE] for part in train), k),
        int(parts[1].n),
    )
    for name, entry in tqdm(methods.items(), unit="method", mininterval=1):
        chosen = choose_settings(entry, ranks, *parts, start_of("held out"))
        estimator, settings, losses = chosen
        for setting, loss in losses:
            yield {
                "part": HELD_OUT,
                "method": name,
                "pairs": pairs,
                "loss": loss * pairs,
                "chosen": setting,
            }
        estimator.fit(few, 0)
        for seed in range(seeds if METHODS[entry["method"]].estimator.is_random else 1):
            fit = partial(estimator.fit, PairsInOrder(*train, k))
            for row in score_fit(fit, test, start_of(seed)):
                yield {"method": name, "seed": seed, "chosen": settings} | row


def score_fit(fit, test, seed):
    """Fit, and yield for each stretch of test pairs its loss, and the cost of the fit.

    ``fit`` takes the seed and returns a matrix.
    """
    contexts, outcomes = test
    begin = process_time()
    matrix = fit(seed)
    fitted = process_time()
    losses = -matrix.log_prob(contexts, outcomes)
    row = {
        "fit_seconds": fitted - begin,
        "score_seconds": process_time() - fitted,
        "bytes": sum(array.nbytes for array in matrix.arrays().values()),
        "converged": has_converged(matrix),
    }
    for part in in_blocks(losses):
        yield row | part


def score_models(root, n, methods, given):
    """Take the KL risk of every method on ``n`` pairs of models of low rank: a scorer.

    Given are ``k``, ``rank`` and perhaps ``rows`` and ``exponent`` of the models, ``trials`` of
    them, and the ``ranks`` to choose from: no method knows the true one. A tenth of the pairs,
    drawn at random, is held out to choose.
    """
    k, rank, law = given["k"], given["rank"], (given.get("rows"), given.get("exponent"))
    drawn = draw_models(root, RISK, k, rank, given["trials"], *law)
    for trial in tqdm(range(given["trials"]), unit="trial", mininterval=1):
        model = Model(*(drawn[part][trial] for part in ("pi", "A", "B")))
        seed_of = partial(spawn_seed, root, RISK, k, rank, n, trial)
        counts = sample_counts(model, n, seed_of("sample"))
        parts = hold_out(counts, TUNING_SHARE, seed_of("held out"))
        for name, entry in methods.items():
            chosen = choose_settings(entry, given["ranks"], *parts, seed_of("choice"))
            matrix = chosen[0].fit(counts, seed_of("start"))
            risk = kl_risk(model.pi, (model.A, model.B), matrix, drawn["entropy"][trial])
            yield {
                "k": k,
                "rank": rank,
                "n": n,
                "trial": trial,
                "method": name,
                "kl_risk": risk,
                "chosen": chosen[1],
                "converged": has_converged(matrix),
            }


def hold_out_last(contexts, outcomes, k):
    """Return the counts of the first pairs of a text, and of the tenth of them that is last.

    READING: of a text a stretch is held out, and not random pairs: the final test is on
    a stretch as well.
    """
    cut = round((1 - TUNING_SHARE) * contexts.size)
    halves = (contexts[:cut], outcomes[:cut]), (contexts[cut:], outcomes[cut:])
    return tuple(CountMatrix.from_pairs(*pairs, k) for pairs in halves)


def choose_settings(entry, ranks, rest, held_out, seed):
    """Return the best estimator on the held-out part, its settings, and the loss of each setting.

    Parameters
    ----------
    entry : mapping
        Of the config's ``methods``.
    ranks : sequence of int
        Ranks to choose from, for a method that has one and whose entry gives none.
    rest, held_out : CountMatrix
        To fit, and to judge by.
    seed
        Of the fits: see `Estimator.fit`.

    Returns
    -------
    estimator : Estimator
    settings : str
        The options that were chosen, as JSON.
    losses : list of (str, float)
        Each setting with its loss, nats per pair; empty where there is nothing to choose.
    """
    variants = list(list_variants(entry, ranks))
    if len(variants) == 1:
        ((settings, estimator),) = variants
        return estimator, settings, []
    losses = [
        (settings, cross_entropy(held_out, estimator.fit(rest, seed)))
        for settings, estimator in variants
    ]
    best = min(range(len(losses)), key=lambda i: losses[i][1])
    return variants[best][1], losses[best][0], losses


def list_variants(entry, ranks):
    """Yield ``(settings, estimator)``: each combination of the values to choose from."""
    has_rank = "rank" in METHODS[entry["method"]].options and "rank" not in entry
    for rank in ranks if has_rank else (None,):
        for values, estimator in build_variants(entry, rank):
            yield json.dumps(({"rank": rank} if has_rank else {}) | values), estimator
