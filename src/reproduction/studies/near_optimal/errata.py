"""What is wrong in the paper, or cannot be. Each entry is shown while its claims fail."""

from reproduction.verdicts.source import Erratum

ERRATA = (
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
        "“Kneser-Ney” is not one method, and AD-LR's lead depends on which",
        "The paper names no variant. In favour of its authors: against the one whose numbers are "
        "nearest to the printed (within 0.003 on genesis and brown), AD-LR is ahead by 0.060 on "
        "tartuffe, 0.073 on genesis and 0.088 on brown, where the paper prints 0.063, 0.067 and "
        "0.091; and of 22 texts that the paper never saw it is ahead on all 22, by 0.083 nats per "
        "word on average [0.065, 0.100]. With the continuation distribution for contexts never "
        "seen (kn-floor) that variant does better, and AD-LR is ahead of it on 18 of the 22, by "
        "0.032 [0.014, 0.049]. AD-LR is ahead of the textbook's on all 22, by 0.119 [0.099, "
        "0.136], and clearly ahead of the strongest on none: there it is behind by 0.058 [0.036, "
        "0.085].",
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
)
