"""What the survey claims; criteria were fixed before any claim was judged."""

import re

from reproduction.studies.survey.parts import (
    ALONE,
    CLASSES,
    CLOSED,
    DIRECT,
    LARGE,
    METHODS,
    NETWORKS,
    PLAIN,
    WORDS,
)
from reproduction.verdicts.source import Claim, by_cases, untestable

CRITERIA = {
    "theory": "Reproduced if every case holds: a case is a number and its bound, which say "
    "themselves what is compared. Low ends are those of 95 % intervals over stretches of test "
    "words.",
}


def _in_section(place):
    """Return a place, such as ``3.1.1`` or ``5.3, Table 1``, with the section of its number."""
    chapter = re.match("[0-9]", place)[0]
    return f"Section {chapter}" if place == chapter else f"Section {chapter} ({place})"


def _check(id, place, statement, **further):
    return by_cases(id, _in_section(place), statement, **further)


def _external(id, place, statement):
    return untestable(id, _in_section(place), statement)


def _order(id, place, statement, better, worse):
    """Return a claim that one method is better than another on every text."""
    settings = {"reading": CLOSED, "pairs": [(better, worse)]}
    return Claim(id, _in_section(place), statement, "order", METHODS, settings=settings)


CLAIMS = (
    # LSA, PLSA and SDR
    _check("l-figure", "3.1, Figure 1", "Two singular vectors tell user interfaces from graph "
          "theory."),
    _check("l-optimum", "3.1.1", "Truncated singular vectors have the least squared error."),
    _check("l-error", "3.1.1", "It is the sum of the eigenvalues of X'X that are left out."),
    _check("l-gradient-printed", "3.1.1", "The gradients of the squared error, as printed."),
    _check("l-gradient", "3.1.1", "Ours: with a minus they are.", by="us"),
    _check("l-weighted-printed", "3.1.1", "The columns of Phi are weighted by eigenvalues."),
    _check("l-weighted", "3.1.1", "Ours: by singular values, their roots.", by="us"),
    _check("p-same-printed", "3.2", "The least divergence is the largest likelihood."),
    _check("p-same", "3.2", "Ours: they differ by a constant, and agree where they are.",
          by="us"),
    _check("p-rises", "3.2", "Iterations of EM never lower the likelihood."),
    _check("p-fold", "3.2.1", "A document that is folded in is as one that was fitted."),
    _order("l-plsa", "8", "PLSA is better than LSA (the source: at retrieval).", "plsa", "lsa"),
    _check("s-marginals", "4.1", "SDR matches both marginals and the means of phi, given w."),
    _check("s-information", "4.1", "The information of the measurement has two expressions."),
    _check("s-entropy", "4.1", "It has the most entropy with these means and marginals."),
    _check("s-least", "4.1, Definition 1", "It has the least mutual information."),
    _check("s-whole", "4.1", "Ours: at full rank it is the counts' own distribution.", by="us"),
    _check("s-fisher", "4.2", "The Fisher information of psi is the covariance of phi."),
    _check("s-variance", "4.2", "No estimator of psi(w) varies less than 1 / (n_w Var phi)."),
    _check("s-tight", "4.2", "The bound is tight: one estimator has just that variance."),
    _order("s-lsa", "4.3", "SDR is better than LSA (the source: at retrieval).", "sdr", "lsa"),
    _external("s-projection", "4.1", "Gradients are 10 to 15 times faster than alternating "
             "projection."),
    _external("s-retrieval", "4.3", "SDR retrieves documents better than LSA and locally linear "
             "embedding."),
    # Table 1
    _check("n-phrases", "5.1", "Of 100,000 words there are 10^25 phrases of five."),
    _check("n-simplex", "1", "Sentences of ten of 50,000 words are a simplex of 10^40."),
    _check("n-formula-printed", "5.2", "The hidden layer is tanh(C phi), and a word's score its "
          "product with that."),
    _check("n-formula", "5.2", "Ours: the layer is tanh(d + C'phi); scores have biases, too, "
          "and direct links where there are any.", by="us"),
    _check("n-linear", "5.3", "A bigram model with linear links alone is SDR, of a conditional "
          "distribution."),
    _check("n-perplexity", "5.3", "Perplexity, as printed, is one at best and V at worst."),
    _check("n-worst", "5.3", "The worst possible perplexity is V."),
    _check("n-percent", "5.3", "252 is 21.5 % less than 321."),
    _check("n-classes", "5.3, Table 1",
          "Kneser-Ney of classes, order 3, is better than that of words, order 5.",
          methods=(WORDS, CLASSES)),
    _check("n-order-classes", "5.3, Table 1",
          "MLP8, a neural model of order 3, is better than Kneser-Ney of classes.",
          methods=(DIRECT, CLASSES)),
    _check("n-order-networks", "5.3, Table 1", "MLP10, of order 5, is better than MLP8.",
          methods=(LARGE, DIRECT)),
    _check("n-cells", "5.3, Table 1", "Perplexities of MLP8 and MLP10 over that of Kneser-Ney, "
          "order 5, are the printed ones within 5 %.", methods=(DIRECT, LARGE, WORDS)),
    _check("n-mixing", "5.3", "Mixing with a trigram always helps a neural model.",
          methods=(WORDS, CLASSES, *NETWORKS, *(name + ALONE for name in NETWORKS))),
    _check("n-direct-alone", "5.3", "Direct connections help a neural model that is alone.",
          methods=(DIRECT + ALONE, PLAIN + ALONE)),
    _check("n-direct-mixed", "5.3", "Direct connections hurt one mixed with a trigram.",
          methods=(DIRECT, PLAIN)),
    # Structural learning
    _check("a-svd", "6.3.1", "The top singular vectors of all weights minimise the penalty."),
    _check("a-v", "6.3.1", "At its minimum v = Φu."),
    _check("a-u-printed", "6.3.1", "Predictors are rewritten by u = w - Φ'v."),
    _check("a-u", "6.3.1", "Ours: by u = w + Φ'v.", by="us"),
    _check("a-better", "6.5", "Structural learning beats supervised learning: parts of speech, "
          "at each number of labelled words."),
    _check("a-genres", "6.5", "And so it does for documents."),
    _check("a-ridged", "6.5", "Ours: with a ridge on v, too, it does for parts of speech.",
          by="us"),
    _check("a-once", "6.3.2", "More than one pass changes next to nothing."),
    _check("a-negatives", "6.3.2", "Setting negative weights to zero drops noise."),
    _check("a-types", "6.3.2", "A space for each type of features makes a difference."),
    _check("a-counts", "6.6", "Co-occurrence counts alone suffice to find a good space."),
    _external("a-entities", "6.5", "It beats the winners of CoNLL 2003 at named entities."),
    _external("a-cotraining", "6.5", "It beats co-training on 20 newsgroups and RCV1."),
    _external("a-digits", "6.5", "And manifold learning on digits, but for the fewest labels."),
)  # fmt: skip
