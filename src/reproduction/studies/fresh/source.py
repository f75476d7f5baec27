"""What is said of fresh texts, as verdicts and page take it."""

from reproduction.studies.beyond.source import say_headline
from reproduction.studies.entries import ENTRIES
from reproduction.studies.fresh.claims import CLAIMS, PLACE
from reproduction.verdicts.source import Source

_SEEN = (
    "Not in the paper. Texts of Debian's packages that nobody had looked at when the estimator was "
    "finished; translations of one manual depend on each other, and are one package. "
)
DESCRIPTIONS = {
    "fresh-train": _SEEN + "The words are those that the first half has at least twice; all others "
    "are one more word, the unknown, which is scored as any other.",
    "fresh-text": _SEEN + "The words are those of the whole text, as the paper's sizes have it: "
    "each method knows how many words there are that it has never seen.",
    "fresh-table": "Not in the paper. Tables of Debian's packages that are no texts: half of the "
    "pairs, shuffled, are fitted, and the other half is scored.",
    "fresh-models": "Not in the paper. Models from seeds of their own; Add-1/2-LR and AD-LR are "
    "told the true rank.",
}

SOURCE = Source(
    title="Frozen, then tried",
    byline="PY-LR on texts that nobody had looked at: its claims came before the first run",
    link="",
    claims=CLAIMS,
    stated=ENTRIES,
    order=tuple(DESCRIPTIONS),
    parts=tuple(PLACE.values()),
    descriptions=DESCRIPTIONS,
    headline=say_headline,
    is_paper=False,
)
