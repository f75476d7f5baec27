"""What the page says of the multiverse and the replication, where they were run."""

from pathlib import Path

import pandas as pd

from reproduction.page.ledger import MINUS
from reproduction.page.pictures import embed_png

TABLES = ("multiverse-claims", "multiverse-effects", "multiverse-nearest", "replication")
# In this order as long as there is room.
FIGURES = (
    *("multiverse-kn-over-ad-lr", "replication", "multiverse-lowest-kn-over-ad-lr"),
    *("multiverse-effects", "multiverse-ordering", "multiverse-sb-over-kn"),
    *("multiverse-ad-over-sb", "multiverse-add-half-over-ad"),
)
AXES = (
    *("tokenizer", "split", "vocabulary", "discount", "continuation", "unseen", "backoff"),
    *("initial", "update", "rank", "constant", "lr_discount"),
)


def read_multiverse(files):
    """Read what there is of the multiverse's tables and figures.

    Returns
    -------
    dict
        Tables by name, ``figures`` by name; None if there are none.
    """
    files = {Path(file).name: Path(file) for file in files}
    found = {name: pd.read_csv(files[f"{name}.csv"]) for name in TABLES if f"{name}.csv" in files}
    found["figures"] = {name: files[f"{name}.png"] for name in FIGURES if f"{name}.png" in files}
    return found if len(found) > 1 else None


def describe_multiverse(multiverse, room):
    """Return what is shown: shares, the choices that matter, the nearest readings, new text.

    Parameters
    ----------
    multiverse : dict
        From `read_multiverse`.
    room : int
        Characters that its figures may take.
    """
    pictures = {}
    for name, path in multiverse["figures"].items():
        address = embed_png(path)
        if len(address) <= room:
            pictures[name] = address
            room -= len(address)
    return {
        "in_short": _in_short(multiverse.get("replication")),
        "shares": _shares(multiverse.get("multiverse-claims")),
        "effects": _effects(multiverse.get("multiverse-effects")),
        "nearest": _nearest(multiverse.get("multiverse-nearest")),
        "replication": _replication(multiverse.get("replication")),
        "pictures": pictures,
        "figures": list(multiverse["figures"]),
    }


def _in_short(table):
    """Say in a sentence how AD-LR fares on new text, against the strongest Kneser-Ney."""
    if table is None:
        return ""
    whole = table[(table["collection"] == "all") & (table["text"] == "all")]
    whole = whole[(whole["ad_lr"] == "ad-lr") & (whole["kn"] == "strongest")]
    if whole.empty or not whole["texts"].iloc[0] > 0:
        return ""
    row = whole.iloc[0]
    side = "ahead" if row["difference"] > 0 else "behind"
    return (
        f"On {row['texts']:.0f} texts that the paper never saw it is clearly ahead of the "
        f"strongest on {row['clear']:.0f}, and on average {abs(row['difference']):.3f} nats "
        f"per word {side}."
    )


def _shares(table):
    """Return, for each claim, the shares over all corpora and on each, as text."""
    if table is None:
        return None
    corpora = [corpus for corpus in dict.fromkeys(table["corpus"]) if corpus != "all"]
    rows = []
    for claim, part in table.groupby("claim", sort=False):
        part = part.set_index("corpus")
        whole = part.loc["all"] if "all" in part.index else part.iloc[0]
        cells = [_percent(part["share"].get(corpus)) for corpus in corpora]
        flips = ""
        if isinstance(whole["flipped_by"], str):
            flips = f"{whole['flipped_by']} ({_percent(whole['flips'])} of pairs)"
        rows.append(
            {
                "claim": claim,
                "statement": whole["statement"],
                "readings": f"{whole['readings']:,.0f}",
                "all": _percent(whole["share"]),
                "stated": _percent(whole["share_stated"]),
                "cells": cells,
                "flips": flips,
            }
        )
    return {"corpora": corpora, "rows": rows}


def _effects(table):
    """Return the choices that move each claim's margin most, over all corpora."""
    if table is None:
        return None
    everywhere = table[(table["corpus"] == "all") & (table["axis"] != "interactions")]
    return [
        {
            "claim": claim,
            "axes": [
                f"{row.axis}: {_percent(row.variance)} of the variance, up to {row.range:.3f} nats"
                for row in part.head(3).itertuples()
            ],
        }
        for claim, part in everywhere.groupby("claim", sort=False)
    ]


def _nearest(table):
    """Return the readings nearest to all cells, corpus by corpus, with the warning."""
    if table is None or table.empty:
        return None
    head = table.iloc[0]
    chosen = [
        (axis, str(value))
        for axis in AXES
        if axis in table
        for value in [", ".join(dict.fromkeys(table[axis].dropna().map(str)))]
    ]
    return {
        "rms": f"{head['rms']:.4f}",
        "largest": f"{abs(head['largest']):.4f}",
        "candidates": f"{head['candidates']:,.0f}",
        "warning": head["warning"],
        "chosen": chosen,
        "cells": [
            {
                "corpus": row.corpus,
                "method": row.method,
                "paper": f"{row.paper:g}",
                "ours": f"{row.ours:.4f}",
                "error": f"{row.error:+.4f}".replace("-", MINUS),
            }
            for row in table.itertuples()
        ],
    }


def _replication(table):
    """Return AD-LR against each Kneser-Ney over all texts of each collection."""
    if table is None:
        return None
    whole = table[(table["text"] == "all") & table["difference"].notna()]
    notes = table[table["note"].notna()]
    return {
        "rows": [
            {
                "collection": row.collection,
                "ad_lr": row.ad_lr,
                "kn": row.kn,
                "difference": f"{row.difference:+.4f}".replace("-", MINUS),
                "interval": f"{row.low:+.4f} to {row.high:+.4f}".replace("-", MINUS),
                "ahead": f"{row.ahead:.0f} of {row.texts:.0f}",
                "clear": f"{row.clear:.0f}",
            }
            for row in whole.itertuples()
        ],
        "notes": [f"{row.collection}: {row.note}" for row in notes.itertuples()],
    }


def _percent(share):
    """Write a share; nothing where there is none."""
    return "" if share is None or share != share else f"{100 * share:.0f} %"
