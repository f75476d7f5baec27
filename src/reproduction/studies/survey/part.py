"""What a part of the survey is, and how its claims are written."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from reproduction.study import Exhibit
from reproduction.verdicts.source import Claim, Erratum, Reading

STUDY = "survey"
HERE = f"reproduction.studies.{STUDY}"
DEFAULT, FULL = SIZES = ("default", "full")  # of the study's two scopes
# What the study's rule makes of Brown at a size, below the folder of results.
RECEIPT, BROWN, LABELS = (
    f"{STUDY}/{{size}}/{name}" for name in ("receipt.json", "brown.npz", "labels.npz")
)
CHECKS = "theorems"
METHODS = "methods"  # the exhibit of all methods
CLOSED = "text"  # the vocabulary by which they are judged: the first paper's


@dataclass(frozen=True)
class Part:
    """A part of the survey; one whose section the config lacks is not made."""

    name: str  # of its section of the config
    # takes the section, the config and the size of the scope, one of `SIZES`; returns its jobs,
    # whose names differ by size where their settings do, and its exhibits
    plan: Callable
    claims: tuple[Claim, ...] = ()
    methods: tuple[str, ...] = ()  # ids of those that its checks fit
    looked_at: tuple[str, ...] = ()  # exhibits whose scores its checks look at
    descriptions: dict[str, str] | None = None  # what the source has, by exhibit
    readings: tuple[Reading, ...] = ()
    errata: tuple[Erratum, ...] = ()
    # exhibits that no reference keeps: they show words of a text, or seconds, which no two runs
    # share
    unkept: tuple[str, ...] = ()
    unsteady: tuple[str, ...] = ()  # checks of fits that do not come to rest: see `study.Scope`


def check(id, place, statement, by="source", methods=()):
    """Return a claim that is judged by the cases of a check of its name.

    ``methods`` are the config's names whose scores the check looks at.
    """
    settings = {"check": id, "methods": methods}
    return Claim(id, in_section(place), statement, "theory", CHECKS, settings=settings, by=by)


def external(id, place, statement):
    """Return a claim that cannot be judged here."""
    return Claim(id, in_section(place), statement, "external", CHECKS)


def order(id, place, statement, better, worse, by="source"):
    """Return a claim that one method is better than another on every text."""
    settings = {"reading": CLOSED, "pairs": [(better, worse)]}
    return Claim(id, in_section(place), statement, "order", METHODS, settings=settings, by=by)


def in_section(place):
    """Return a place, such as ``3.1.1`` or ``5.3, Table 1``, with the section of its number."""
    chapter = re.match("[0-9]", place)[0]
    return f"Section {chapter}" if place == chapter else f"Section {chapter} ({place})"


def share_jobs(jobs, others):
    """Return jobs, those in place of which one of the others does the same replaced by it."""
    return [
        next((other for other in others if replace(other, name=job.name) == job), job)
        for job in jobs
    ]


def show(name, title, alt, jobs=(), tabulate=None, draw=None, receipts=(), **entry):
    """Return an exhibit whose functions have its name, unless they are given."""
    kind = {"kind": name, "title": title, "alt": alt, "methods": ()}
    called = name.replace("-", "_")
    return Exhibit(
        name, kind | entry, tuple(job.name for job in jobs),
        tabulate or f"{HERE}.tables:tabulate_{called}",
        draw or f"{HERE}.figures:draw_{called}", receipts,
    )  # fmt: skip
