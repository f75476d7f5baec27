"""The paper's last claim on text that it never saw: AD-LR against Kneser-Ney.

NLTK's Genesis in other languages and Brown's categories, by the readings of Table 1.
"""

from functools import partial

import numpy as np

from condprob.tokenizers import TOKENIZERS
from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.receipts import left_out
from reproduction.corpora.sources import read_source
from reproduction.scores.columns import ALL
from reproduction.scores.pairs import (
    average_texts,
    draw_losses,
    ends_of,
    losses_of_methods,
    tabulate_texts,
)
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.readings.axes import STRONGEST

NAME = "replication"  # of the seeds
COLUMNS = [
    *("collection", "text", "n", "k", "ad_lr", "kn", "kn_method"),
    *("ad_lr_cross_entropy", "kn_cross_entropy", "difference", "low", "high"),
    *("seeds", "texts", "ahead", "clear", "note"),
]


def read_text(name, entry, limit, allow_other_hashes=False, **where):
    """Return the words of a text: at most ``limit``, after those to ``skip``.

    The entry has ``package``, ``tokenizer`` and ``files``, perhaps ``sha256``, ``encoding`` and
    ``skip``, as in the config's ``replication``. All other arguments, and the errors, are those of
    `reproduction.corpora.sources.read_source`.
    """
    source = read_source(
        name,
        {"source": "nltk", **entry, "files": list_files(entry["files"])},
        allow_other_hashes=allow_other_hashes,
        **where,
    )
    words, skip = [], entry.get("skip", 0)
    for part in source.texts():
        words += TOKENIZERS[entry["tokenizer"]](part)
        if len(words) >= skip + limit:
            break
    return words[skip : skip + limit]


def find_texts(collections, given, allow_other_hashes):
    """Return the ``words``, at most, of each text of a collection, by name: see `read_text`."""
    (collection,) = collections.values()
    common = {key: value for key, value in collection.items() if key != "texts"}
    return {
        name: read_text(name, common | entry, given["words"], allow_other_hashes)
        for name, entry in collection["texts"].items()
    }


def list_files(files):
    """Return the files of a row such as ``ca01-ca44``, or a list as it is."""
    if not isinstance(files, str):
        return files
    first, last = files.split("-")
    return [f"{first[:-2]}{number:02d}" for number in range(int(first[-2:]), int(last[-2:]) + 1)]


def score_collection(root, inputs, methods, given):
    """Fit every method to the first half of each text and score the second: a scorer (`study.Job`).

    The input ``texts`` is a file of `corpus.save_samples`. Given are ``collection``, ``rank`` and
    ``seeds``. Of `columns.COLUMNS`, ``corpus`` is the collection and ``reading`` the text.
    """
    rank = given["rank"]
    fits = Fits(methods, rank, given["seeds"])
    with np.load(inputs["texts"]) as file:
        texts = dict(file)
    for name, ids in texts.items():
        k = int(ids.max()) + 1
        train, test = ids[: len(ids) // 2], ids[len(ids) // 2 :]
        place = {"corpus": given["collection"], "reading": name, "k": k, "n": len(train)}
        start_of = partial(spawn_seed, root, NAME, name, len(train), rank)
        for row in score_pairs(start_of, word_pairs(train), word_pairs(test), k, fits):
            yield place | {"rank": rank} | row


def tabulate(given):
    """Return the exhibit's table: `tabulate_replication`."""
    return tabulate_replication(given.root, given.scores, given.methods, left_out(given.receipts))


def draw(table, exhibit, methods):
    """Return the exhibit's figure: `plots.draw_forest`."""
    from reproduction.studies.near_optimal.source import KNESER_NEY
    from reproduction.studies.readings.plots import draw_forest

    labels = {name: entry.get("label", name) for name, entry in methods.items()}
    return draw_forest(table, labels, list(KNESER_NEY)[:2])


def tabulate_replication(root, scores, methods, notes):
    """Compare AD-LR with Kneser-Ney on each text, on each collection and over all.

    Scores are rows of `score_collection`; those of the methods that are KN and AD-LR are compared.
    In the table, `COLUMNS`, there is for each reading of AD-LR (``ad_lr``) and of KN (``kn``;
    ``strongest`` is the one that is lowest on the test text itself, ``kn_method``) the
    ``difference`` KN - AD-LR in nats per pair, positive where AD-LR is better, with its 95 %
    interval ``low, high``: over stretches of test text and over starts, resampled together. Rows
    with ``text`` all have the mean over the ``texts`` of a collection, or of all, with texts
    resampled too, and how many of them have AD-LR ``ahead`` and by an interval ``clear`` of zero.
    """
    kns = [name for name, entry in methods.items() if entry["method"] == "kn"]
    low_ranks = [name for name, entry in methods.items() if entry["method"] == "ad-lr"]

    def compare(part, seed):
        return _compare(part, kns, low_ranks, seed)

    return tabulate_texts(root, NAME, scores, notes, COLUMNS, compare, _over_texts)


def _compare(part, kns, low_ranks, seed):
    """Yield the row and the bootstrap draws of each comparison on one text."""
    losses, means, pairs = losses_of_methods(part, kns[0])
    strongest = min(kns, key=means.get)
    for low_rank in low_ranks:
        for kn in [*kns, STRONGEST]:
            chosen = strongest if kn == STRONGEST else kn
            # They share the stretches of text; KN has no starts to draw.
            first = draw_losses(losses[chosen][:1], pairs, seed)
            drawn = first - draw_losses(losses[low_rank], pairs, seed)
            row = {"n": part["n"].iloc[0], "k": part["k"].iloc[0], "ad_lr": low_rank, "kn": kn}
            row |= {"kn_method": chosen, "kn_cross_entropy": means[chosen]}
            row |= {"ad_lr_cross_entropy": means[low_rank]}
            row |= {"difference": means[chosen] - means[low_rank], "seeds": len(losses[low_rank])}
            yield row | ends_of(drawn) | {"texts": 1}, drawn


def _over_texts(table, draws, seed):
    """Yield the mean over the texts of each collection and of all, for each comparison."""
    collections = list(dict.fromkeys(table["collection"]))
    for collection in [*collections, *([ALL] if len(collections) > 1 else [])]:
        inside = table if collection == ALL else table[table["collection"] == collection]
        for (low_rank, kn), part in inside.groupby(["ad_lr", "kn"], sort=False):
            row = {"collection": collection, "text": ALL, "ad_lr": low_rank, "kn": kn}
            yield row | average_texts(part, draws[part.index], seed)
