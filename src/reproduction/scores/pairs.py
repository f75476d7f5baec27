"""Compare pairs of methods that were scored on the same trials or the same test words.

`paired_difference` is for one point of an exhibit; verdicts rest on it. `tabulate_texts` is for
many texts: the difference on each, and its mean over texts, which are also resampled.
"""

import numpy as np
import pandas as pd

from condprob.evaluation import CONFIDENCE
from reproduction.scores.intervals import (
    bootstrap_weights,
    percentile_interval,
    resample,
    resample_loss,
    student_interval,
)
from reproduction.scores.seeds import spawn_seed

DRAWS = 2000  # of the bootstrap of a table of texts; not measured


def paired_difference(rows, better, worse, confidence=CONFIDENCE):
    """Return the mean of worse minus better, with its interval: nats; nats per word for text.

    The rows, at one point of an exhibit, are those of `trials.score_trials`, paired by trial, or of
    `text.score_pairs`, paired by block of test words and averaged over starts.
    """
    if "trial" in rows:
        risks = rows["kl_risk"].set_axis(rows["trial"])
        of_worse, of_better = (
            risks[(rows["method"] == method).to_numpy()].sort_index() for method in (worse, better)
        )
        if not (of_worse.index.is_unique and of_better.index.is_unique):
            raise ValueError(f"scores of {better} and {worse} have a trial twice: make them again")
        return student_interval((of_worse - of_better).to_numpy(), confidence)
    return _block_interval(rows, better, worse, confidence)


def _block_interval(rows, better, worse, confidence):
    """Resample the blocks of test words, the same for both methods, and each one's starts."""
    pairs = rows[rows["method"] == better].groupby("block")["pairs"].first().to_numpy()
    blocks = bootstrap_weights(pairs.size)
    value, drawn = 0.0, np.zeros(len(blocks))
    for stream, (sign, method) in enumerate([(1, worse), (-1, better)], start=1):
        losses = losses_of(rows[rows["method"] == method])
        if losses.shape[1] != pairs.size or np.isnan(losses).any():
            fault = "are not of the same stretches of the text: make them again"
            raise ValueError(f"scores of {better} and {worse} {fault}")
        starts = bootstrap_weights(len(losses), stream)
        value += sign * losses.mean(axis=0).sum() / pairs.sum()
        drawn += sign * resample_loss(losses, pairs, blocks, starts)
    return value, *percentile_interval(drawn, confidence)


def interval_of_mean(rows):
    """Return the loss of one fit, nats per word, with its interval over stretches of text."""
    nothing = rows.assign(method="nothing", loss=0.0)
    return paired_difference(pd.concat([rows.assign(method="it"), nothing]), "nothing", "it")


def losses_by_order(scores, method):
    """Return the cross-entropy of a method by order, nats per word."""
    sums = scores[scores["method"] == method].groupby("order")[["loss", "pairs"]].sum()
    return sums["loss"] / sums["pairs"]


def compare_orders(rows, better, worse):
    """Return `paired_difference` of two orders of one model, whose rows these are."""
    named = [rows[rows["order"] == n].assign(method=str(n)) for n in (better, worse)]
    return paired_difference(pd.concat(named), str(better), str(worse))


def losses_of(rows):
    """Return the losses of one fit on one text, shape (starts, blocks), nats."""
    return rows.pivot(index="seed", columns="block", values="loss").to_numpy()


def losses_of_methods(part, of):
    """Return by method its `losses_of` one text and its mean, nats per pair; and the pairs.

    ``pairs``, shape (blocks,), are those of the method ``of``: all have the same.
    """
    losses = {name: losses_of(rows) for name, rows in part.groupby("method", sort=False)}
    pairs = part[part["method"] == of].groupby("block")["pairs"].first().to_numpy()
    means = {method: table.mean(axis=0).sum() / pairs.sum() for method, table in losses.items()}
    return losses, means, pairs


def draw_losses(losses, pairs, seed):
    """Return bootstrap draws of a mean loss, nats: stretches of text and starts, with replacement.

    With the same seed other losses on the same text have the same stretches.
    """
    rng = np.random.default_rng(seed)
    blocks = resample(pairs.size, DRAWS, rng)
    return resample_loss(losses, pairs, blocks, resample(len(losses), DRAWS, rng))


def tabulate_texts(root, name, scores, columns, compare, over_texts):
    """Make a table of comparisons on each text, and of their means over texts; seeds have a name.

    Parameters
    ----------
    root : int
        Of the random numbers.
    name : str
        Of the seeds.
    scores : pandas.DataFrame
        ``corpus`` is the collection and ``setting`` the text.
    columns : sequence of str
        Of the table.
    compare : callable
        Takes the scores of a text and a seed. It yields for each comparison the row and its
        bootstrap draws, shape (DRAWS,).
    over_texts : callable
        Takes the table of these rows, all draws, shape (rows, DRAWS), and a seed. It yields
        further rows.
    """
    rows, draws = [], []
    for (collection, text), part in scores.groupby(["corpus", "setting"], sort=False):
        for row, drawn in compare(part, spawn_seed(root, name, "bootstrap", text)):
            rows.append({"collection": collection, "text": text} | row)
            draws.append(drawn)
    table = pd.DataFrame(rows, columns=columns)
    rows += over_texts(table, np.array(draws), spawn_seed(root, name, "bootstrap"))
    return pd.DataFrame(rows, columns=columns)


def average_texts(part, draws, seed):
    """Return the columns of the mean over texts of one comparison.

    ``part`` are its rows, one for each text, ``draws`` their draws, shape (rows, DRAWS). The
    differences are ours minus the other's, so that ours is ahead where they are below zero.
    """
    weights = resample(len(part), DRAWS, np.random.default_rng(seed))
    row = {"difference": part["difference"].mean(), "seeds": part["seeds"].max()}
    row |= {"texts": len(part), "ahead": (part["difference"] < 0).sum()}
    row |= {"clear": (part["high"] < 0).sum(), "behind": (part["low"] > 0).sum()}
    return row | ends_of((weights * draws.T).sum(axis=1))


def ends_of(draws):
    """Return the columns with the ends of the interval of bootstrap draws."""
    return dict(zip(("low", "high"), percentile_interval(draws), strict=True))
