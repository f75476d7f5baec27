"""What a run left behind, and the rows of it that a claim looks at."""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from reproduction.corpora.receipts import read_receipts
from reproduction.verdicts.criteria import NEAR


class Untestable(Exception):
    """Why a claim cannot be judged by these results."""


@dataclass
class Results:
    """What a run left behind.

    Attributes
    ----------
    scores, tables : dict of pandas.DataFrame
        By exhibit: its scores before averaging, and its tidy table.
    receipts : dict
        By corpus.
    checks : pandas.DataFrame
        A row for each case of a statement of the theory: ``check, case, k, rank, n, value, bound,
        share, holds``.
    """

    scores: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)
    receipts: dict = field(default_factory=dict)
    checks: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=["check"]))

    def rows(self, kind, exhibit, settings):
        """Return the rows of ``scores`` or ``tables`` that a claim looks at.

        Raises
        ------
        Untestable
            If there are none, with what is missing.
        """
        frame = getattr(self, kind).get(exhibit)
        if frame is None:
            raise Untestable(f"config.yaml has no exhibit {exhibit}")
        corpus = settings.get("corpus")
        if "reason" in self.receipts.get(corpus, {}):
            raise Untestable(f"{corpus} could not be had: {self.receipts[corpus]['reason']}")
        for column in ("corpus", "k", "rank"):
            if column in settings:
                frame = choose(frame, exhibit, column, frame[column] == settings[column], settings)
        if "near" in settings:
            distance = (frame["n"] - settings["near"]).abs()
            near = (distance == distance.min()) & (distance <= NEAR * settings["near"])
            frame = choose(frame, exhibit, "n", near, settings | {"n": settings["near"]})
        return frame

    def pairs(self, claim):
        """Yield ``(where, rows, better, worse)`` for each paired comparison of a claim."""
        frame = self.rows("scores", claim.exhibit, claim.settings)
        keys = [key for key in ("corpus", "k", "rank", "n") if key in frame]
        for pair in claim.settings["pairs"]:
            for method in pair:
                choose(
                    frame, claim.exhibit, "method", frame["method"] == method, {"method": method}
                )
        for place, part in frame.groupby(keys, sort=True):
            for better, worse in claim.settings["pairs"]:
                yield dict(zip(keys, place, strict=True)), part, better, worse


def choose(frame, exhibit, column, wanted, settings):
    """Return the wanted rows, or raise `Untestable` that says what there is instead.

    Parameters
    ----------
    frame : pandas.DataFrame
    exhibit : str
    column : str
        The column that decides, for the message.
    wanted : pandas.Series of bool
    settings : dict
        What was wanted of each column.
    """
    if not wanted.any():
        there = ", ".join(map(str, pd.unique(frame[column]))) or "nothing"
        raise Untestable(f"{exhibit} has no {column} {settings[column]} (there is: {there})")
    return frame[wanted]


def read_results(scores, tables, receipts, checks):
    """Read a run's files.

    Parameters
    ----------
    scores, tables, receipts : sequence of path
        ``scores/<exhibit>/*.csv``, ``<exhibit>.csv`` and ``corpora/<corpus>.json``.
    checks : path
        ``theorems.csv``.

    Returns
    -------
    Results
    """
    parts = {}
    for file in map(Path, scores):
        parts.setdefault(file.parent.name, []).append(pd.read_csv(file))
    return Results(
        {exhibit: join(frames) for exhibit, frames in parts.items()},
        {Path(file).stem: pd.read_csv(file) for file in tables},
        read_receipts(receipts),
        pd.read_csv(checks),
    )


def join(frames):
    """Join tables but for empty ones, of corpora not to be had: their columns have no type."""
    frames = list(frames)
    return pd.concat([frame for frame in frames if len(frame)] or frames[:1], ignore_index=True)
