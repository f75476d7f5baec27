"""What the paper describes of each exhibit, in our words, and the order that they have in it."""

# Exhibits that the paper does not have come after these.
ORDER = (
    *("figure-1a", "figure-1a-power-law", "figure-1b", "figure-1c", "table-1"),
    *("figure-2a", "figure-2b", "figure-2c", "factor-k-over-m"),
)
PARTS = ("Figure 1", "Figure 2", "Table 1")
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
