"""Cases of the survey's claims: those of each part."""

from reproduction.studies.survey.arithmetic import check_arithmetic
from reproduction.studies.survey.exponential import check_exponential
from reproduction.studies.survey.factors import check_factors
from reproduction.studies.survey.formulas import check_formulas
from reproduction.studies.survey.networks import check_table
from reproduction.studies.survey.structural import check_structure


def check_cases(root, scores, inputs):
    """Yield the cases of all parts (`study.Theory`); ``scores`` are by exhibit."""
    yield from check_factors(root)
    yield from check_exponential(root)
    yield from check_formulas(root)
    yield from check_arithmetic()
    if "table" in scores:
        yield from check_table(scores["table"])
    if "tagging" in scores:
        yield from check_structure(root, scores)
