"""The paper's last claim on text that it never saw: AD-LR against Kneser-Ney.

NLTK's Genesis in other languages and Brown's categories, by the readings of Table 1.
"""

from functools import partial

import numpy as np
import pandas as pd

from condprob.tokenizers import TOKENIZERS
from condprob.vocabulary import number_words
from reproduction.corpora.corpus import word_pairs
from reproduction.corpora.receipts import left_out
from reproduction.corpora.sources import read_source
from reproduction.scores.intervals import percentile_interval, resample, resample_loss
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.readings.axes import ALL, STRONGEST

DRAWS = 2000  # of a bootstrap; not measured
NAME = "replication"
COLUMNS = [
    *("collection", "text", "n", "k", "ad_lr", "kn", "kn_method"),
    *("ad_lr_cross_entropy", "kn_cross_entropy", "difference", "low", "high"),
    *("seeds", "texts", "ahead", "clear", "note"),
]


def read_text(name, entry, limit, allow_other_hashes=False, **where):
    """Return the words of a text: at most ``limit``, after those to ``skip``.

    The entry has ``package``, ``tokenizer`` and ``files``, perhaps ``sha256``, ``encoding`` and
    ``skip``, as in the config's ``replication``. All else, and what is raised, is as of
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


def save_texts(path, found):
    """Write texts, lists of words by name or None, as word numbers (.npz).

    Returns the number of ``words`` and of ``types`` of each.
    """
    arrays, told = {}, {}
    for name, words in (found or {}).items():
        ids, k = number_words(words)
        arrays |= {f"{name}/ids": ids.astype(np.int32), f"{name}/k": np.array(k)}
        told[name] = {"words": len(words), "types": k}
    with open(path, "wb") as file:
        np.savez(file, **arrays)
    return told


def score_collection(root, inputs, methods, given):
    """Fit every method to the first half of each text and score the second: a scorer (`study.Job`).

    The input ``texts`` is a file of `save_texts`. Given are ``collection``, ``rank`` and ``seeds``.
    Of `columns.COLUMNS`, ``corpus`` is the collection and ``reading`` the text.
    """
    rank = given["rank"]
    with np.load(inputs["texts"]) as arrays:
        texts = {
            name.removesuffix("/ids"): arrays[name] for name in arrays if name.endswith("/ids")
        }
        sizes = {name: int(arrays[f"{name}/k"]) for name in texts}
    for name, ids in texts.items():
        train, test = ids[: len(ids) // 2].astype(np.int64), ids[len(ids) // 2 :].astype(np.int64)
        place = {"corpus": given["collection"], "reading": name, "k": sizes[name], "n": len(train)}
        start_of = partial(spawn_seed, root, NAME, name, len(train), rank)
        how = Fits(methods, rank, given["seeds"])
        for row in score_pairs(start_of, word_pairs(train), word_pairs(test), sizes[name], how):
            yield place | {"rank": rank} | row


def tabulate(given):
    """Return the exhibit's table: `tabulate_replication`."""
    return tabulate_replication(given.root, given.scores, given.methods, left_out(given.receipts))


def draw(table, exhibit, methods):
    """Return the exhibit's figure: `plots.draw_forest`."""
    from reproduction.studies.near_optimal.findings import KNESER_NEY
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


def tabulate_texts(root, name, scores, notes, columns, compare, over_texts):
    """Make a table of comparisons on each text, and of their means over texts; seeds have a name.

    ``compare`` takes the scores of a text and a seed, and yields the row and the bootstrap draws of
    each comparison; ``over_texts`` takes the table of these rows, all draws, (rows, draws), and a
    seed, and yields further rows. The notes say why a collection could not be had.
    """
    rows, draws = [], []
    for (collection, text), part in scores.groupby(["corpus", "reading"], sort=False):
        for row, drawn in compare(part, spawn_seed(root, name, "bootstrap", text)):
            rows.append({"collection": collection, "text": text} | row)
            draws.append(drawn)
    table = pd.DataFrame(rows, columns=columns)
    rows += over_texts(table, np.array(draws), spawn_seed(root, name, "bootstrap"))
    rows += [{"collection": missing, "note": note} for missing, note in notes.items()]
    return pd.DataFrame([{"note": ""} | row for row in rows], columns=columns)


def losses_by_method(part):
    """Return the losses of each method on one text, arrays of shape (seeds, blocks)."""
    return {
        method: rows.pivot(index="seed", columns="block", values="loss").to_numpy()
        for method, rows in part.groupby("method", sort=False)
    }


def _compare(part, kns, low_ranks, seed):
    """Yield the row and the bootstrap draws of each comparison on one text."""
    losses = losses_by_method(part)
    pairs = part[part["method"] == kns[0]].sort_values("block")["pairs"].to_numpy()
    means = {method: table.mean(axis=0).sum() / pairs.sum() for method, table in losses.items()}
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
            yield row | tell_interval(drawn) | {"texts": 1}, drawn


def draw_losses(losses, pairs, seed):
    """Return bootstrap draws of a mean loss, nats: stretches of text and starts, with replacement.

    With the same seed other losses on the same text have the same stretches.
    """
    rng = np.random.default_rng(seed)
    blocks = resample(pairs.size, DRAWS, rng)
    return resample_loss(losses, pairs, blocks, resample(len(losses), DRAWS, rng))


def tell_mean(part, draws, seed):
    """Return what a row says of the mean over texts, which are drawn with replacement, too.

    ``part`` are the rows of a comparison on these texts, ``draws`` their draws, (rows, draws).
    """
    weights = resample(len(part), DRAWS, np.random.default_rng(seed))
    told = {"difference": part["difference"].mean(), "seeds": part["seeds"].max()}
    told |= {"texts": len(part), "ahead": (part["difference"] > 0).sum()}
    told |= {"clear": (part["low"] > 0).sum(), "behind": (part["high"] < 0).sum()}
    return told | tell_interval((weights * draws.T).sum(axis=1))


def _over_texts(table, draws, seed):
    """Yield the mean over the texts of each collection and of all, for each comparison."""
    collections = list(dict.fromkeys(table["collection"]))
    for collection in [*collections, *([ALL] if len(collections) > 1 else [])]:
        inside = table if collection == ALL else table[table["collection"] == collection]
        for (low_rank, kn), part in inside.groupby(["ad_lr", "kn"], sort=False):
            row = {"collection": collection, "text": ALL, "ad_lr": low_rank, "kn": kn}
            yield row | tell_mean(part, draws[part.index], seed)


def tell_interval(draws):
    """Return the ends of the interval of bootstrap draws."""
    low, high = percentile_interval(draws)
    return {"low": low, "high": high}
