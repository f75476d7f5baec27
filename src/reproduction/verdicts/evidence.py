"""The results of a run, and the rows of them that decide a claim."""

from dataclasses import dataclass, field, replace
from math import isnan
from types import MappingProxyType

import pandas as pd

from reproduction.corpora.receipts import read_receipts
from reproduction.scores.reading import read_scores
from reproduction.verdicts.criteria import SIZE_TOLERANCE


class Untestable(Exception):
    """The reason why these results cannot judge a claim."""


class Missing(Untestable):
    """A gap in these results that other settings may fill."""


@dataclass
class Results:
    """The results of a run."""

    # `scores`, `tables`: by exhibit, its scores before averaging, and its tidy table
    scores: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)
    receipts: dict = field(default_factory=dict)  # by corpus
    # a row for each case of a statement of the theory: ``check, case, k, rank, n, value, bound,
    # share, holds``
    checks: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=["check"]))
    texts: dict = field(default_factory=dict)  # by exhibit, the corpora that its claims are about

    def rows(self, kind, exhibit, settings):
        """Return the rows of ``scores`` or ``tables`` for a claim; Untestable if there are none."""
        frame = getattr(self, kind).get(exhibit)
        self._ask_for(settings.get("corpus"))
        if frame is None:  # such as an exhibit of texts all of which are missing
            for corpus in self.texts.get(exhibit, ()):
                self._ask_for(corpus)
            raise Missing(f"config.yaml has no exhibit {exhibit}")
        for column, least in settings.get("reaches", {}).items():
            if not len(frame) or frame[column].max() < least:
                raise Missing(f"{exhibit} does not reach {column} {least}")
        for column in ("corpus", "setting", "k", "rank", "order"):
            if column in settings:
                frame = choose(frame, exhibit, column, frame[column] == settings[column], settings)
        for column, least in settings.get("from", {}).items():
            named = {column: f"{least} or above"}
            frame = choose(frame, exhibit, column, frame[column] >= least, named)
        if "near" in settings:
            distance = (frame["n"] - settings["near"]).abs()
            near = (distance == distance.min()) & (distance <= SIZE_TOLERANCE * settings["near"])
            frame = choose(frame, exhibit, "n", near, settings | {"n": settings["near"]})
        return frame

    def pairs(self, claim):
        """Yield ``(where, rows, better, worse)`` for each paired comparison of a claim.

        A place that has neither of a pair is none. Missing if one has only one of them, such as a
        text to which a slow method is not fitted; Untestable if a text of the exhibit could not be
        had and the claim is not of another: it is of all of them.
        """
        if "corpus" not in claim.settings:
            for corpus in self.texts.get(claim.exhibit, ()):
                self._ask_for(corpus)
        frame = self.rows("scores", claim.exhibit, claim.settings)
        keys = [key for key in ("corpus", "k", "rank", "n") if key in frame]
        keys += ["order"] if frame["order"].nunique() > 1 else []
        for pair in claim.settings["pairs"]:
            for method in pair:
                choose(
                    frame, claim.exhibit, "method", frame["method"] == method, {"method": method}
                )
        for place, part in frame.groupby(keys, sort=True):
            where, there = dict(zip(keys, place, strict=True)), {*part["method"].unique()}
            for pair in claim.settings["pairs"]:
                lacking = set(pair) - there
                if len(lacking) == 1:
                    at = ", ".join(f"{key} {value}" for key, value in where.items())
                    raise Missing(f"{claim.exhibit} has no {lacking.pop()} at {at}")
                if not lacking:
                    yield where, part, *pair

    def _ask_for(self, corpus):
        """Raise Untestable if a corpus could not be had."""
        if "reason" in self.receipts.get(corpus, {}):
            raise Untestable(f"{corpus} is not available: {self.receipts[corpus]['reason']}")


def choose(frame, exhibit, column, wanted, settings):
    """Return the wanted rows, or raise `Missing` with the values of the column that decides."""
    if not wanted.any():
        there = ", ".join(map(str, pd.unique(frame[column]))) or "nothing"
        raise Missing(f"{exhibit} has no {column} {settings[column]} (there is: {there})")
    return frame[wanted]


def read_results(scores, tables, receipts, checks=None, texts=MappingProxyType({})):
    """Read a run's files: scores and tables by exhibit, receipts, and the cases of a theory.

    ``texts`` are the names of the texts that claims on each exhibit are about.
    """
    found = Results(
        {exhibit: read_scores(files) for exhibit, files in scores.items() if files},
        {exhibit: pd.read_csv(file) for exhibit, file in tables.items()},
        read_receipts(receipts),
        texts=dict(texts),
    )
    return replace(found, checks=pd.read_csv(checks)) if checks else found


def say_number(number):
    """Write a number with its 95 % interval, where it has one."""
    value, low, high = (number[key] for key in ("value", "low", "high"))
    return f"{value:.4f}" + ("" if isnan(low) or isnan(high) else f" [{low:.4f}, {high:.4f}]")
