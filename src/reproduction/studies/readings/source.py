"""Whose claims are put to the test of other readings and of new texts: the paper's."""

from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.verdicts.source import Source

SOURCE = Source(PAPER.title, PAPER.byline, PAPER.link, (), kneser_ney=PAPER.kneser_ney)
