"""The tables of the study, each made from its scores."""

from reproduction.scores.columns import ALL
from reproduction.scores.pairs import (
    average_texts,
    draw_losses,
    ends_of,
    losses_of_methods,
    tabulate_texts,
)
from reproduction.studies.readings.choices import tabulate_choices
from reproduction.studies.readings.replication import NAME
from reproduction.studies.readings.specification import tabulate_specification

STRONGEST = "strongest"  # the KN that is lowest on the test text itself
COLUMNS = [
    *("collection", "text", "n", "k", "ad_lr", "kn", "kn_method"),
    *("ad_lr_cross_entropy", "kn_cross_entropy", "difference", "low", "high"),
    *("seeds", "texts", "ahead", "clear"),
]


def tabulate_new_texts(given):
    """Return the exhibit's table: `tabulate_replication`."""
    return tabulate_replication(given.root, given.scores, given.methods)


def tabulate_replication(root, scores, methods):
    """Compare AD-LR with Kneser-Ney on each text, on each collection and over all.

    Scores are rows of `score_collection`; those of the methods that are KN and AD-LR are compared.
    In the table, `COLUMNS`, there is for each reading of AD-LR (``ad_lr``) and of KN (``kn``;
    ``strongest`` is the one that is lowest on the test text itself, ``kn_method``) the
    ``difference`` AD-LR - KN in nats per pair, negative where AD-LR is better, with its 95 %
    interval ``low, high``: over stretches of test text and over starts, resampled together. Rows
    with ``text`` all have the mean over the ``texts`` of a collection, or of all, with texts
    also resampled, and how many of them have AD-LR ``ahead`` and by an interval ``clear`` of zero.
    """
    kns = [name for name, entry in methods.items() if entry["method"] == "kn"]
    low_ranks = [name for name, entry in methods.items() if entry["method"] == "ad-lr"]

    def compare(part, seed):
        return _compare(part, kns, low_ranks, seed)

    return tabulate_texts(root, NAME, scores, COLUMNS, compare, _over_texts)


def _compare(part, kns, low_ranks, seed):
    """Yield the row and the bootstrap draws of each comparison on one text."""
    losses, means, pairs = losses_of_methods(part, kns[0])
    strongest = min(kns, key=means.get)
    for low_rank in low_ranks:
        for kn in [*kns, STRONGEST]:
            chosen = strongest if kn == STRONGEST else kn
            # They share the stretches of text; KN has no starts to draw.
            first = draw_losses(losses[chosen][:1], pairs, seed)
            drawn = draw_losses(losses[low_rank], pairs, seed) - first
            row = {"n": part["n"].iloc[0], "k": part["k"].iloc[0], "ad_lr": low_rank, "kn": kn}
            row |= {"kn_method": chosen, "kn_cross_entropy": means[chosen]}
            row |= {"ad_lr_cross_entropy": means[low_rank]}
            row |= {"difference": means[low_rank] - means[chosen], "seeds": len(losses[low_rank])}
            yield row | ends_of(drawn) | {"texts": 1}, drawn


def _over_texts(table, draws, seed):
    """Yield the mean over the texts of each collection and of all, for each comparison."""
    collections = list(dict.fromkeys(table["collection"]))
    for collection in [*collections, *([ALL] if len(collections) > 1 else [])]:
        inside = table if collection == ALL else table[table["collection"] == collection]
        for (low_rank, kn), part in inside.groupby(["ad_lr", "kn"], sort=False):
            row = {"collection": collection, "text": ALL, "ad_lr": low_rank, "kn": kn}
            yield row | average_texts(part, draws[part.index], seed)


TABULATE = {
    "specification": tabulate_specification,
    "choices": tabulate_choices,
    "replication": tabulate_new_texts,
}
