"""The paper's comparison under other readings and on new texts, as verdicts and page take it."""

from dataclasses import replace

from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.verdicts.source import read_source

METHODS = {"kn", "ad-lr"}  # those that the columns of the paper's ledger exchange here


def of_methods(column):
    """Return a column of the paper's ledger without what it exchanges besides `METHODS`."""
    kept = {name: other for name, other in column.instead.items() if name in METHODS}
    return replace(column, instead=kept)


SOURCE = read_source(
    __file__,
    link=PAPER.link,
    columns=tuple(map(of_methods, PAPER.columns)),
    kneser_ney=PAPER.kneser_ney,
    stated=PAPER.stated,
)
