"""The paper itself, as verdicts and page take it; most of its words are in words.toml."""

from reproduction.studies.entries import ENTRIES
from reproduction.studies.near_optimal.claims import CLAIMS
from reproduction.studies.near_optimal.findings import KNESER_NEY, say_headline
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.verdicts.source import read_source

SOURCE = read_source(
    __file__,
    claims=CLAIMS,
    headline=say_headline,
    kneser_ney=KNESER_NEY,
    find_printed=find_printed,
    stated=ENTRIES,
)
