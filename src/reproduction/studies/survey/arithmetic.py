"""Numbers that the survey prints, computed anew."""

import numpy as np

from reproduction.studies.survey.parts import PRINTED
from reproduction.verdicts.cases import at_least, make_case

EXACT = 1e-9


def check_arithmetic():
    """Yield the cases of printed numbers."""
    yield make_case("n-phrases", "log10 of 100,000^5: off 25", abs(5 * np.log10(1e5) - 25), EXACT)
    yield make_case("n-simplex", "log10 of 50,000^10: off 40", abs(10 * np.log10(5e4) - 40), 0.5)
    p, q = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.25, 0.25])
    printed = np.exp((p * np.log(q)).sum())
    yield at_least("n-perplexity", "of a model of three words, as printed", printed, 1)
    wrong = np.exp(-(p * np.log([0.98, 0.01, 0.01])).sum())
    wronger = np.exp(-(p * np.log([1e-6, 0.5, 0.5 - 1e-6])).sum())
    yield make_case("n-worst", "of a model that is wrong, three words", wrong, 3)
    yield make_case("n-worst", "of one that is wronger", wronger, 3)
    gain = 100 * (1 - PRINTED["MLP10"] / PRINTED["Kneser-Ney"])
    yield make_case("n-percent", "per cent: off the printed 21.5", abs(gain - 21.5), 0.05)
