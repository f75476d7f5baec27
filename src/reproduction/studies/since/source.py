"""The publications since 2016, as verdicts and page take them; their words are in words.toml."""

from reproduction.studies.entries import ENTRIES
from reproduction.verdicts.source import read_source

SOURCE = read_source(__file__, stated=ENTRIES)
