"""The paper itself, as verdicts and page take it."""

from reproduction.papers.near_optimal_smoothing.beyond import BEYOND
from reproduction.papers.near_optimal_smoothing.claims import CLAIMS, CRITERIA, OTHER_READINGS
from reproduction.papers.near_optimal_smoothing.descriptions import DESCRIPTIONS, ORDER, PARTS
from reproduction.papers.near_optimal_smoothing.errata import ERRATA
from reproduction.papers.near_optimal_smoothing.findings import KNESER_NEY, say_headline
from reproduction.papers.near_optimal_smoothing.readings import LEFT_OUT, READINGS
from reproduction.verdicts.paper import Paper

PAPER = Paper(
    title="Near-Optimal Smoothing of Structured Conditional Probability Matrices",
    byline="Falahatgar, Ohannessian and Orlitsky, NIPS 2016, pp. 4860\N{EN DASH}4868",
    link="https://proceedings.neurips.cc/paper_files/paper/2016/hash/"
    "8bdb5058376143fa358981954e7626b8-Abstract.html",
    claims=(*CLAIMS, *BEYOND),
    other_readings=OTHER_READINGS,
    criteria=CRITERIA,
    order=ORDER,
    parts=PARTS,
    descriptions=DESCRIPTIONS,
    readings=READINGS,
    left_out=LEFT_OUT,
    errata=ERRATA,
    headline=say_headline,
    kneser_ney=KNESER_NEY,
)
