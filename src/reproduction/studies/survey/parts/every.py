"""All parts of the survey, in the order of its page.

A part is a record in a module of this folder, a section of ``studies: survey`` in the config, a
line below, and one in `survey.cases` where it checks something. What its jobs, tables, figures and
checks do stands beside this folder.
"""

from reproduction.studies.survey.parts.comparison import COMPARISON
from reproduction.studies.survey.parts.factors import FACTORS
from reproduction.studies.survey.parts.perplexities import PERPLEXITIES
from reproduction.studies.survey.parts.tagging import STRUCTURE
from reproduction.studies.survey.parts.words import MAP

PARTS = (
    COMPARISON,
    FACTORS,
    PERPLEXITIES,
    MAP,
    STRUCTURE,
)
