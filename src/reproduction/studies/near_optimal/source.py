"""The paper itself, as verdicts and page take it."""

from reproduction.studies.near_optimal.claims import CLAIMS, CRITERIA, OTHER_READINGS
from reproduction.studies.near_optimal.descriptions import DESCRIPTIONS, ORDER, PARTS
from reproduction.studies.near_optimal.errata import ERRATA
from reproduction.studies.near_optimal.findings import KNESER_NEY, say_headline
from reproduction.studies.near_optimal.printed import find_printed
from reproduction.studies.near_optimal.readings import LEFT_OUT, READINGS
from reproduction.verdicts.source import Source

SOURCE = Source(
    title="Near-Optimal Smoothing of Structured Conditional Probability Matrices",
    byline="Falahatgar, Ohannessian and Orlitsky, NIPS 2016, pp. 4860\N{EN DASH}4868",
    link="https://proceedings.neurips.cc/paper_files/paper/2016/hash/"
    "8bdb5058376143fa358981954e7626b8-Abstract.html",
    claims=CLAIMS,
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
    find_printed=find_printed,
)
