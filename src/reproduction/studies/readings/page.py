"""The page of the multiverse: a paper's claims under every reading at once, and on new text."""

from pathlib import Path

import pandas as pd

from reproduction.page.ledger import label_methods
from reproduction.page.pictures import PAGE_LIMIT, embed_png
from reproduction.page.render import render_page
from reproduction.scores.columns import ALL
from reproduction.studies.readings.axes import AXES, CLAIMS, STRONGEST
from reproduction.studies.readings.plan import TABLES
from reproduction.study import read_words

TEXT_ROOM = 100_000  # of these, for everything but the figures
# In this order as long as there is room.
FIGURES = (
    *("kn-over-ad-lr", "replication", "lowest-kn-over-ad-lr", "effects", "ordering"),
    *("sb-over-kn", "ad-over-sb", "add-half-over-ad"),
)
WORDS = read_words(__file__)


def write_page(material):
    """Return the page of this study in HTML."""
    source, config = material.source, material.config
    tables = material.results.tables | _read(material.files, TABLES[1:])
    figures = {name: Path(path).with_suffix(".png") for name, path in material.figures.items()}
    figures |= {
        Path(name).stem: path for name, path in material.files.items() if name.endswith(".png")
    }
    called = {STRONGEST: "The strongest KN on each text"} | label_methods(config)
    notes = source.kneser_ney.items()
    called |= {name: f"{called[name]}, {note}" for name, note in notes if name in called}
    new = tables.get("replication")
    page = {
        "in_short": [] if new is None else _in_short(new, called),
        "shares": _shares(tables["shares"]) if "shares" in tables else None,
        "meanings": WORDS["meanings"],
        "effects": _effects(tables["effects"]) if "effects" in tables else None,
        "nearest": _nearest(tables["nearest"]) if len(tables.get("nearest", ())) else None,
        "replication": None if new is None else _replication(new),
        "pictures": _embed(figures),
        "receipts": {},  # of dozens of texts
        "called": called,
    }
    how = config.get("repository", ""), material.provenance, [Path(__file__).parent]
    return render_page("page.html.j2", material.frame | page, *how)


def _read(files, names):
    """Return tables of the study's own rules, by name."""
    found = {name: files.get(f"{name}.csv") for name in names}
    return {name: pd.read_csv(path) for name, path in found.items() if path}


def _embed(figures):
    """Return figures as data addresses, as many as there is room for, with a description."""
    room, shown = PAGE_LIMIT - TEXT_ROOM, {}
    for name in (name for name in FIGURES if name in figures):
        address = embed_png(figures[name])
        if len(address) <= room:
            room -= len(address)
            shown[name] = {"address": address, "text": _describe(name)}
    return shown


def _describe(name):
    """Describe a figure."""
    return WORDS["figures"].get(name) or (
        f"{CLAIMS[name][0]}: the margin under every reading, sorted, with the choices that make "
        "each reading below"
    )


def _in_short(table, called):
    """Say how AD-LR fares on new text against each Kneser-Ney, a sentence each."""
    whole = table[(table["collection"] == ALL) & (table["text"] == ALL)]
    whole = whole[(whole["ad_lr"] == "ad-lr") & (whole["texts"] > 0)]
    found = []
    for row in whole.sort_values("difference", ascending=False).itertuples():
        ahead = row.difference > 0
        low, high = (row.low, row.high) if ahead else (-row.high, -row.low)
        found.append(
            f"{called.get(row.kn, row.kn)}: AD-LR is ahead on {row.ahead:.0f} of "
            f"{row.texts:.0f} texts, clearly on {row.clear:.0f}; on average it is "
            f"{'ahead' if ahead else 'behind'} by {abs(row.difference):.3f} nats per word "
            f"[{low:.3f}, {high:.3f}]."
        )
    return found


def _shares(table):
    """Return, for each claim, its row over all corpora, and the share on each corpus."""
    corpora = [corpus for corpus in dict.fromkeys(table["corpus"]) if corpus != ALL]
    rows = []
    for claim, part in table.groupby("claim", sort=False):
        part = part.set_index("corpus")
        whole = part.loc[ALL] if ALL in part.index else part.iloc[0]
        cells = [part["share"].get(corpus) for corpus in corpora]
        rows.append(dict(whole) | {"claim": claim, "cells": cells})
    return {"corpora": corpora, "rows": rows}


def _effects(table):
    """Return the choices that move each claim's margin most, over all corpora."""
    everywhere = table[(table["corpus"] == ALL) & (table["axis"] != "interactions")]
    groups = everywhere.groupby("claim", sort=False)
    return {CLAIMS[claim][0]: part.head(3).to_dict("records") for claim, part in groups}


def _nearest(table):
    """Return the cells of the readings nearest to the printed ones, and what they choose."""
    chosen = {axis: table[axis].dropna().map(str) for axis in AXES if axis in table}
    return {
        "cells": table.to_dict("records"),
        "chosen": {axis: ", ".join(dict.fromkeys(values)) for axis, values in chosen.items()},
    }


def _replication(table):
    """Return AD-LR against each Kneser-Ney over all texts of each collection, and the gaps."""
    whole = table[(table["text"] == ALL) & table["difference"].notna()]
    notes = table[table["note"].notna() & table["difference"].isna()]
    return {"rows": whole.to_dict("records"), "notes": notes.to_dict("records")}
