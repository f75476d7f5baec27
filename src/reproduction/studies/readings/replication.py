"""The paper's last claim on text that it never saw: AD-LR against Kneser-Ney.

NLTK's Genesis in other languages and Brown's categories, by the readings of Table 1.
"""

from functools import partial

import numpy as np

from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.receipts import left_out
from reproduction.corpora.sources import read_source
from reproduction.corpora.words import TOKENIZERS
from reproduction.exhibits.looks import make_panels, put_legend, reach
from reproduction.exhibits.palette import look_of
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
from reproduction.studies.near_optimal.source import KNESER_NEY

STRONGEST = "strongest"  # the KN that is lowest on the test text itself
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
    """Draw KN - AD-LR with its 95 % interval on each text, each collection and all of them.

    A panel is of the strongest Kneser-Ney; beside it stand the first two of `KNESER_NEY`.
    """
    labels = {name: entry.get("label", name) for name, entry in methods.items()}
    known = table[table["difference"].notna()]
    kns = [STRONGEST, *(kn for kn in list(KNESER_NEY)[:2] if kn in set(known["kn"]))]
    names = list(dict.fromkeys(zip(known["collection"], known["text"], strict=True)))
    groups = dict.fromkeys(collection for collection, _ in names)
    rows = [(c, t) for group in groups for c, t in names if c == group]
    place = {row: -i for i, row in enumerate(rows)}
    figure, ((*panels,),) = make_panels(1, len(kns), height=0.2 * len(rows) + 1)
    entries = {}
    for ax, kn in zip(panels, kns, strict=True):
        for variant, name in enumerate(dict.fromkeys(known["ad_lr"])):
            part = known[(known["kn"] == kn) & (known["ad_lr"] == name)]
            entries[labels[name]] = _draw_differences(ax, part, place, variant, look_of(name))
        ax.axvline(0, color="black", lw=0.8)
        ax.set_title("the strongest KN of each" if kn == STRONGEST else labels[kn])
        ax.grid(False, axis="y")
        ax.set_yticks(list(place.values()), [""] * len(rows))
        ax.set_ylim(0.2 - max(len(rows), 1), 0.8)
    ticks = [t if t != ALL else f"{c}: mean" if c != ALL else "mean of all" for c, t in rows]
    panels[0].set_yticks(list(place.values()), ticks)
    for tick, (_, text) in zip(panels[0].get_yticklabels(), rows, strict=True):
        tick.set_fontweight("bold" if text == ALL else "normal")
    panels[len(kns) // 2].set_xlabel("KN minus AD-LR, nats per word")
    note = "Right of zero AD-LR is better. Intervals of 95 % are over stretches of text and starts."
    put_legend(figure, entries, [f"{note} Means (bold) are over texts, too."])
    return figure


def _draw_differences(ax, part, place, variant, look):
    """Draw the differences of one start of AD-LR, the second below the first."""
    rows = zip(part["collection"], part["text"], strict=True)
    y = np.array([place[row] for row in rows]) - 0.32 * variant + 0.16
    whole = (part["text"] == ALL).to_numpy()
    style = {"ls": "none", "capsize": 2, "elinewidth": 1} | look.dot()
    for chosen, shape in ((whole, "D"), (~whole, look.marker)):
        few = part[chosen]
        span = reach(few["difference"], few["low"], few["high"])
        drawn = ax.errorbar(few["difference"], y[chosen], xerr=span, **style | {"marker": shape})
    return drawn


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
