"""The plan of `beyond`: exhibits of its own, on the paper's models and texts, and our claims."""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.study import Scope, section_of

STUDY = "beyond"
FULL = f"{STUDY}_full"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    entries, larger = section.get("exhibits", {}), section.get("larger", [])
    if not entries:
        return []
    smaller = {name: entry for name, entry in entries.items() if name not in larger}
    smaller_only = {"takes": "about 8 minutes", "larger": FULL if larger else ""}
    found = [_plan_scope(STUDY, "Beyond the paper", smaller, config, **smaller_only)]
    if larger:
        title = "Beyond the paper, with settings, rivals and more models"
        found.append(_plan_scope(FULL, title, entries, config, takes="about 20 minutes"))
    return found


def _plan_scope(name, title, entries, config, **further):
    jobs, exhibits = plan_exhibits(STUDY, entries, config)
    return Scope(
        name,
        STUDY,
        title,
        "Is there one estimator that is never the loser? This project's own, PY-LR, against what a "
        "sceptic would put beside it; its claims are ours.",
        jobs,
        exhibits,
        corpora=corpora_of(entries),
        agreement="choosing",
        **further,
    )
