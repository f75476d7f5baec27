"""Words beside the results: what the paper describes of each exhibit, and where it errs."""

from dataclasses import dataclass

# What the paper describes, exhibit by exhibit, in our words.
DESCRIPTIONS = {
    "figure-1a": "KL risk against n up to 3,000, at k = 100 and m = 5, for Add-1/2, Naive Add-1/2 "
    "LR and Add-1/2-LR, on an axis from 0 to 1.4. The naive method falls short and may even be "
    "worse than Add-1/2; Add-1/2-LR has the benefit of both smoothing and structure.",
    "figure-1a-power-law": "The same figure. With power-law rows of B instead of the uniform ones "
    "of the caption, the curves have the scale of the printed axis.",
    "figure-1b": "KL risk for n from 5,000 to 25,000, at k = 50 and m = 3, on a logarithmic axis "
    "labelled 0.01 and 0.1. Both proposed methods have an edge on all others; Kneser-Ney is not "
    "expected to do well on uniform rows.",
    "figure-1c": "KL risk for n from 10 to 50, at k = 1,000 and m = 10, power-law rows, on an axis "
    "from 1.5 to 4. Kneser-Ney does well even for k >> n, and only AD-LR supersedes it.",
    "table-1": "Test cross-entropy of five methods on three corpora, m = 50, 200 iterations. AD-LR "
    "has less cross-entropy per word across the board.",
    "figure-2a": "Cross-entropy minus that of SB on tartuffe, for up to about 15,000 training "
    "words, on an axis from -0.4 to 0. At n = 15k the improvement is around 0.1 nats per word.",
    "figure-2b": "The same on genesis, up to about 20,000 words, on an axis from -0.3 to 0.05.",
    "figure-2c": "On tartuffe, cross-entropy on a held-out half against m from 0 to 120, on an "
    "axis from 5.68 to 5.82: there is a good choice at some m << k. A similar behaviour is said "
    "to be observed for all data sets.",
    "factor-k-over-m": "Not a figure of the paper. Section 3 says that Add-1/2, which is optimal "
    "for vectors, can be a factor of k/m away from optimal for matrices. Here k grows at fixed m "
    "and n: the distance between the curves is the factor.",
    "figure-2-pydoc": "Not in the paper. A text that every Python installation has, so that the "
    "comparison can be made without any corpus at hand.",
}


@dataclass(frozen=True)
class Erratum:
    """Something in the paper that is wrong or cannot be; shown while its claims fail."""

    title: str
    text: str
    claims: tuple = ()


ERRATA = [
    Erratum(
        "Lemma 7 does not hold as printed",
        "The nearest multiples of 1/L can be as far as k/2L away in l1 distance, not 2/L: on half "
        "of the entries a little over 1/2L is rounded up, on the other half a little under it is "
        "rounded down. So an entry of Q can move by m/4L, which exceeds 3/L for m > 12, and the "
        "risk by more than 6/(L eps) for m > 24: matrices that do both are built here. With "
        "(m + 4)/4 in the place of 3, and twice that for 6, the proof goes through. Theorem 3 "
        "needs only a larger L, of which only the logarithm enters: its rate stands.",
        ("lemma-7-norm", "lemma-7-matrix", "lemma-7-risk"),
    ),
    Erratum(
        "Figure 1(a) cannot come from uniform rows",
        "With rows of B uniform on the simplex, as the text says, every curve stays far below the "
        "printed scale of 1.4 nats, and the naive method is not the worst. Power-law rows "
        "give the printed scale.",
        ("figure-1a-axis",),
    ),
    Erratum(
        "Section 7 prints an Add-1/2 that is not a distribution",
        "The denominator C_i + 1/2 makes a row sum to (C_i + k/2) / (C_i + 1/2). Section 3 has "
        "C_i + k/2, which sums to one and gives the published numbers.",
        ("add-half-section-7",),
    ),
    Erratum(
        "Section 3 calls the wrong risk infinite",
        "E[R_n] of the empirical matrix is not infinite: pairs without counts do not enter R_n, "
        "which is at most zero there. It is the true risk R, Eq. (1), that is infinite.",
        ("empirical-risk-infinite",),
    ),
    Erratum(
        "Soft absolute discounting loses mass at an edge",
        "Where every count is at least one nobody receives what was taken, and the vector sums to "
        "less than one. Here such a vector is only normalised.",
        ("soft-discounting",),
    ),
    Erratum(
        "Rows of A cannot come from the k-simplex",
        "They have m entries. Section 7 must mean the simplex of m entries.",
    ),
    Erratum(
        "Theorem 3 says nothing about the experiments",
        "Rows of k entries above (km/n) log(2n+k) need n > k^2 m log(2n+k): some 708,000 pairs in "
        "figure 1(a), 91,000 in 1(b) and 198 million in 1(c), where at most 3,000, 25,000 and 50 "
        "are drawn, and 24 billion for genesis at m = 50. Not an error: its premise is far away.",
    ),
]
