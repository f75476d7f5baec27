"""What `beyond` makes: exhibits of its own, on the paper's models and texts, and our claims."""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.study import Scope, section_of

STUDY = "beyond"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    entries = section_of(config, STUDY).get("exhibits", {})
    jobs, exhibits = plan_exhibits(STUDY, entries, config)
    scope = Scope(
        STUDY,
        STUDY,
        "Beyond the paper",
        "Is there one estimator that is never the loser? This project's own, PY-LR, against what a "
        "sceptic would put beside it; its claims are ours.",
        jobs,
        exhibits,
        corpora=corpora_of(entries),
        agreement="choosing",
        takes="about 10 minutes",
    )
    return [scope] if entries else []
