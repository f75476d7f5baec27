"""The paper's theory, as verdicts and page take it."""

from functools import partial

from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.studies.theory.claims import CLAIMS
from reproduction.studies.theory.plan import TITLES
from reproduction.verdicts.judge import say_verdicts
from reproduction.verdicts.source import Erratum, Reading, Source

DESCRIPTIONS = {
    "rates": "The paper has no such figure: Theorem 3 bounds the risk from above, Theorem 4 from "
    "below, up to a logarithm squared and a factor of 50,000. Filled markers stand where the "
    "premise of Theorem 3 holds for all models. Slopes are fitted to the logarithms, all points of "
    "a panel alike.",
    "lemma-5": "The minimiser is nearly realisable. With the true P in Eq. (2), as printed, the "
    "empirical risk may be negative; with C_ij / C_i it grows with the number of cells.",
    "descent": "Theorem 2 says that Add-1/2-LR descends to a stationary point of Eq. (3). Of AD-LR "
    "the paper says nothing: its objective here is the empirical risk, which it does not minimise.",
    "restarts": "Theorem 3 is about the global minimum of Eq. (3); the algorithm finds local ones.",
    "quantisation": "The largest change of an entry, times L, beside the 3 of the lemma; hard "
    "matrices are built so that all roundings add up.",
    "deviation": "The union bound is loose by the size of the class: what is seen lies far to the "
    "left of it.",
}
READINGS = (
    Reading("minimum", "The global minimiser of Eq. (3)", "It is assumed to be found.",
            "The best of some random starts by its objective.", "No algorithm is known to find it; "
            "the spread over starts is an exhibit.", "medium", "studies: theory: starts",
            ("rates", "lemma-5", "restarts")),
    Reading("empirical-risk", "What R_n compares with", "Eq. (2) has the true P_ij.",
            "The print; C_ij / C_i is judged beside it.", "With C_ij / C_i the sum grows as "
            "k^2 / 2n, and Lemma 5 fails where k is above about 2 m log(2n+k).", "medium", "",
            ("lemma-5", "deviation")),
    Reading("exponent", "The exponent of Theorem 8", "Its fraction is torn in the text at hand.",
            "n tau^2 over 20 log(1/eps) + 2 tau sqrt(10 log(1/eps) / delta).", "The fragments, and "
            "that a variance and a scale relative to R and its root have this form.", "low", "",
            ("deviation",)),
    Reading("models", "Models of the rates", "None.", "Those of Section 7 with uniform rows of B; "
            "beside them rows mixed with the uniform distribution, for which the premise of "
            "Theorem 3 holds from some n on.", "Section 7.", "medium", "studies: theory: rates",
            ("rates", "lemma-5")),
)  # fmt: skip
ERRATA = (
    Erratum(
        "Lemma 7 holds with another constant only",
        "Rounding can move a distribution by k/2L in l1 distance, not by 2/L; an entry of the "
        "product then moves by up to (m+4)/4L, which exceeds 3/L from m = 9 on. The rate of "
        "Theorem 3 keeps its form, since L enters by its logarithm.",
        ("theory-quantised-entry", "theory-quantised-risk"),
    ),
)

SOURCE = Source(
    title=f"The theory of {PAPER.title}",
    byline=PAPER.byline,
    link=PAPER.link,
    claims=CLAIMS,
    order=tuple(TITLES),
    parts=(
        "Theorem 2",
        "Theorem 3",
        "Theorem 4",
        "Lemma 5",
        "Lemma 7",
        "Theorem 8",
        "Section 3",
        "Section 5",
    ),
    descriptions=DESCRIPTIONS,
    readings=READINGS,
    left_out="The theory is proved, not tried, in the paper: sizes and models are ours.",
    errata=ERRATA,
    headline=partial(say_verdicts, CLAIMS),
)
