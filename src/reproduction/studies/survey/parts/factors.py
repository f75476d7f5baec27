"""LSA, PLSA and SDR: their example, what is proved of them, and what is said of them."""

from reproduction.studies.survey.part import Part, check, external, order, show
from reproduction.verdicts.source import Erratum, Reading

EXAMPLE = "example"


def plan(section, config, size):
    """Return the exhibits of this part; it has no jobs."""
    return [], [
        show(EXAMPLE, "Figure 1: six titles in the plane of their two singular vectors",
             "Three titles on user interfaces and three on graph theory, as arrows from the "
             "origin."),
    ]  # fmt: skip


FACTORS = Part(
    "factors",
    plan,
    claims=(
        check("l-figure", "3.1, Figure 1", "Two singular vectors tell user interfaces from graph "
              "theory."),
        check("l-optimum", "3.1.1", "Truncated singular vectors have the least squared error."),
        check("l-error", "3.1.1", "It is the sum of the eigenvalues of X'X that are left out."),
        check("l-gradient-printed", "3.1.1", "The gradients of the squared error, as printed."),
        check("l-gradient", "3.1.1", "Ours: with a minus they are.", by="us"),
        check("l-weighted-printed", "3.1.1", "The columns of Phi are weighted by eigenvalues."),
        check("l-weighted", "3.1.1", "Ours: by singular values, their roots.", by="us"),
        check("p-same-printed", "3.2", "The least divergence is the largest likelihood."),
        check("p-same", "3.2", "Ours: they differ by a constant, and agree where they are.",
              by="us"),
        check("p-rises", "3.2", "Iterations of EM never lower the likelihood."),
        check("p-fold", "3.2.1", "A document that is folded in is as one that was fitted."),
        order("l-plsa", "8", "PLSA is better than LSA (the source: at retrieval).", "plsa", "lsa"),
        check("s-marginals", "4.1", "SDR matches both marginals and the means of phi, given w."),
        check("s-information", "4.1", "The information of the measurement has two expressions."),
        check("s-entropy", "4.1", "It has the most entropy with these means and marginals."),
        check("s-least", "4.1, Definition 1", "It has the least mutual information."),
        check("s-whole", "4.1", "Ours: at full rank it is the counts' own distribution.", by="us"),
        check("s-fisher", "4.2", "The Fisher information of psi is the covariance of phi."),
        check("s-variance", "4.2", "No estimator of psi(w) varies less than 1 / (n_w Var phi)."),
        check("s-tight", "4.2", "The bound is tight: one estimator has just that variance."),
        order("s-lsa", "4.3", "SDR is better than LSA (the source: at retrieval).", "sdr", "lsa"),
        external("s-projection", "4.1", "Gradients are 10 to 15 times faster than alternating "
                 "projection."),
        external("s-retrieval", "4.3", "SDR retrieves documents better than LSA and locally linear "
                 "embedding."),
    ),
    methods=("lr", "sdr"),
    descriptions={
        EXAMPLE: "The survey draws the same six titles: user interfaces and graph theory lie "
        "apart.",
    },
    readings=(
        Reading("projection", "Where a title lies in the plane", "The top two basis vectors.",
                "Its products with the two left singular vectors.", "Section 3.1: Phi'X.", "high",
                "", (EXAMPLE,)),
        Reading("sample", "What n is in the bounds of Cramer and Rao", "The size of the sample.",
                "For psi(w) it is how often w was seen; the variance is that of phi, given w.",
                "The biases A and B are unknown, too.", "medium", "", ("theorems",)),
    ),
    errata=(
        Erratum("The gradients of LSA lack a minus", "Section 3.1.1.", ("l-gradient-printed",)),
        Erratum("Phi is weighted by singular values", "Not by eigenvalues, their squares.",
                ("l-weighted-printed",)),
        Erratum("Divergence and likelihood differ by a constant",
                "Their best arguments are the same, their values are not.", ("p-same-printed",)),
    ),
)  # fmt: skip
