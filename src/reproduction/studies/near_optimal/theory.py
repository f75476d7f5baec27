"""The paper's statements that a computation on small cases can bear out, or refute.

They stand by their places in the paper and their ids, under which the module `theorems` computes
the cases. A case that breaks a statement refutes it; one that does not is evidence, never a proof.
"""

THEORY = {
    "Section 3": {
        "empirical-risk-infinite": "E[R_n(C_ij / C_i)] is infinite, because some C_ij may be 0 "
        "where P_ij is not.",
        "add-half-section-3": "Add-1/2, (C_ij + 1/2) / (C_i + k/2), is a distribution over "
        "outcomes.",
    },
    "Section 7": {
        "add-half-section-7": "Add-1/2 as printed again, (C_ij + 1/2) / (C_i + 1/2), is a "
        "distribution over outcomes.",
    },
    "Section 5": {
        "zero-column": "Without smoothing, a column of C that is zero stays zero in the low-rank "
        "estimate.",
        "naive-rank-one": "At m = 1, factorising C + 1/2 amounts to adding k/2, not 1/2, to every "
        "outcome's count.",
        "soft-counts": "Before normalisation row i of W sums to C_i, and column j of H to column j "
        "of C.",
        "soft-discounting": "Soft absolute discounting returns a distribution for any fractional "
        "counts.",
    },
    "Theorem 2": {
        "theorem-2-decrease": "Every iteration of Add-1/2-LR lowers the penalised empirical risk, "
        "Eq. (3).",
        "theorem-2-stationary": "Add-1/2-LR converges to a stationary point of Eq. (3).",
        "theorem-2-converse": "Conversely, a stationary point of Eq. (3) is a fixed point of "
        "Add-1/2-LR.",
    },
    "Theorem 3": {
        "theorem-3": "Where all P_ij > (km/n) log(2n+k) and n > 3, the minimiser of Eq. (3) has an "
        "expected risk of at most 3100 (km/n) log^2(2n+k).",
    },
    "Theorem 4": {
        "theorem-4": "For n > k no estimator has a worst-case risk over rank m below 0.06 km/n. "
        "(Cases can be consistent with it, no more.)",
    },
    "Lemma 5": {
        "lemma-5": "The minimiser of Eq. (3) has E[R_n] of at most k/n + (km/n) log(2n+k).",
    },
    "Section 6": {
        "entries-bounded": "Every entry of an Add-1/2-LR estimate is at least 1/(2n+k).",
    },
    "Lemma 7": {
        "lemma-7-entry": "Quantising a distribution to multiples of 1/L moves each entry by at "
        "most 1/L.",
        "lemma-7-norm": "Quantising a distribution to multiples of 1/L moves it by at most 2/L in "
        "l1 distance.",
        "lemma-7-matrix": "Quantising the rows of both factors moves each entry of Q by at most "
        "3/L.",
        "lemma-7-risk": "Where Q > eps and L > 6/eps, quantising moves the risk by at most 6/(L "
        "eps).",
    },
}
