"""The paper's theory, as verdicts and page take it; its claims and words are in words.toml.

The paper's theorems are claims of `near_optimal`, stated there and judged here at larger sizes.
"""

from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.study import read_words
from reproduction.verdicts.source import make_claim, read_source

THEOREMS = (
    "theorem-3",
    "theorem-4",
    "lemma-5",
    "theorem-2-decrease",
    "theorem-2-stationary",
    "lemma-7-matrix",
    "lemma-7-risk",
    "theorem-8",
)
_BY_ID = {claim.id: claim for claim in PAPER.claims}

SOURCE = read_source(
    __file__,
    claims=(
        *(_BY_ID[id] for id in THEOREMS),
        *map(make_claim, read_words(__file__)["claims"]),
    ),
    other_readings=tuple(r for r in PAPER.other_readings if r.instead.keys() & {*THEOREMS}),
)
