"""The survey itself, as verdicts and page take it; its claims and words are in words.toml."""

from reproduction.verdicts.source import read_source

SOURCE = read_source(__file__)
