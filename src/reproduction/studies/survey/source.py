"""The survey itself, as verdicts and page take it."""

from functools import partial

from reproduction.studies.entries import ENTRIES
from reproduction.studies.survey.claims import CLAIMS, CRITERIA
from reproduction.studies.survey.parts import (
    COST,
    EXAMPLE,
    GENRES,
    MAP,
    METHODS,
    RISK,
    TABLE,
    TAGGING,
)
from reproduction.verdicts.judge import say_verdicts
from reproduction.verdicts.source import Erratum, Reading, Source

DESCRIPTIONS = {
    METHODS: "The survey has no such comparison. Cross-entropy of the second half given the "
    "first, as in Table 1 of the first paper; ranks, ridges, rates and classes are chosen on "
    "the last tenth of the training words. Hollow: the words of the training text alone. "
    "Relative frequencies (MLE) are infinite where a pair is new. What takes long has one "
    "start by default and ten in `survey_full`, which alone tries SDR and the log-bilinear "
    "rows on Brown.",
    COST: "The survey's Table 2 names losses and optimisers, no seconds. Of the processor, on "
    "the machine of this run.",
    RISK: "Not in the survey: the known truth of the first paper's models.",
    EXAMPLE: "The survey draws the same six titles: user interfaces and graph theory lie apart.",
    TABLE: "The survey prints 321 for Kneser-Ney of order 5, 312 for classes, 270 and 252 for "
    "neural models: trained on 800,000 words of another preparation of Brown.",
    MAP: "The survey says that all of its models capture some lexical semantics, and draws "
    "none of them. Directions of the vectors of frequent words as contexts.",
    TAGGING: "The survey has this task as its example, and results of named entities in words: "
    "consistent improvements.",
    GENRES: "The survey reports 20 newsgroups and RCV1, in words.",
}
READINGS = (
    Reading("choosing", "How rank, ridge, rate and classes are chosen", "Nothing.",
            "By the loss of the last tenth of the training words, for all methods alike, "
            "among the ranks of the comparison and the values that the method's entry lists; "
            "then fitted to all of them.", "No test word is seen.", "medium",
            "studies: survey: comparison: ranks; lists in methods", (METHODS, RISK)),
    Reading("task", "What is judged", "Retrieval of documents, perplexity, classification.",
            "How well a method predicts the next word, or completes pairs.",
            "It is what all of them can do.", "low", "", (METHODS,)),
    Reading("projection", "Where a title lies in the plane", "The top two basis vectors.",
            "Its products with the two left singular vectors.", "Section 3.1: Phi'X.", "high",
            "", (EXAMPLE,)),
    Reading("sample", "What n is in the bounds of Cramer and Rao", "The size of the sample.",
            "For psi(w) it is how often w was seen; the variance is that of phi, given w.",
            "The biases A and B are unknown, too.", "medium", "", ("theorems",)),
    Reading("split", "How Brown is split", "Nothing; its source does.",
            "In proportion, in the order of the files; of every fourth file by default.",
            "Genres follow each other as in the whole.", "medium",
            "studies: survey: table: every", (TABLE,)),
    Reading("rare", "Rare words", "Words seen three times or less are one symbol, by its "
            "source.", "It is not scored, the end of a sentence is.",
            "Orderings may carry over, numbers do not.", "low", "studies: survey: table: least",
            (TABLE,)),
    Reading("stopping", "How neural models are stopped and mixed", "Nothing; its source has "
            "a validation set, and mixes at one half or by learned weights.",
            "The stopping part stops them and tells the weight of the trigram, which is "
            "counted in the training part alone.", "Weights of mixtures.",
            "medium", "methods: nplm-8", (TABLE,)),
    Reading("map", "What is drawn of a word", "Nothing.",
            "The direction of its vector as the word before, in the plane of the two principal "
            "components of the words shown.",
            "The first singular vector tells how frequent a word is.", "low",
            "studies: survey: words", (MAP,)),
    Reading("auxiliary", "Loss of the auxiliary predictors",
            "Any; its source has the modified Huber loss.",
            "Squares of labels one and zero: all problems share one system. The target has "
            "the modified Huber loss.", "", "medium", "", (TAGGING, GENRES)),
    Reading("rank", "Dimensions of each space", "Nothing.",
            "Chosen with the ridge: each half of the labelled examples is told from the other. "
            "With a ridge on v it is the largest, and there each ingredient is changed.",
            "v has no ridge: many dimensions fit a thousand labels whatever they are.",
            "medium", "studies: survey: tagging: ranks", (TAGGING, GENRES)),
    Reading("counts", "Normalised counts in place of weights", "Nothing.",
            "What regressions on each feature alone give, negative ones set to zero.",
            "They count pairs, beyond the word's share.", "low", "", (TAGGING,)),
    Reading("pieces", "Whose most frequent word is predicted", "A document's.",
            "That of pieces of 200 words: 400 documents give too few examples.", "", "low",
            "studies: survey: tagging: genres: piece", (GENRES,)),
)  # fmt: skip
ERRATA = (
    Erratum("The gradients of LSA lack a minus", "Section 3.1.1.", ("l-gradient-printed",)),
    Erratum("Phi is weighted by singular values", "Not by eigenvalues, their squares.",
            ("l-weighted-printed",)),
    Erratum("Divergence and likelihood differ by a constant",
            "Their best arguments are the same, their values are not.", ("p-same-printed",)),
    Erratum("50,000 to the tenth is 10^47, not 10^40", "Section 1.", ("n-simplex",)),
    Erratum("The layers of the neural model lack their biases, and C is transposed",
            "Section 5.2: C is k(n-1) by h and has phi on its right. The direct links of "
            "Section 5.3 are in no formula, either.", ("n-formula-printed",)),
    Erratum("Perplexity lacks its minus", "As printed it is at most one; and it is the inverse "
            "of the geometric mean of the probabilities.", ("n-perplexity",)),
    Erratum("The worst perplexity is infinite", "A word to which a model gives nothing has it.",
            ("n-worst",)),
    Erratum("u = w - Φ'v should be u = w + Φ'v", "Section 6.3.1: else the predictors differ.",
            ("a-u-printed",)),
    Erratum("Eigenvectors are the rows of Φ, not its columns", "ΦΦ' = I has k rows."),
)  # fmt: skip

SOURCE = Source(
    title="A Survey of Dimensionality Reduction Techniques for Natural Language",
    noun="survey",
    byline="John Blitzer, Written Preliminary Examination, University of Pennsylvania",
    link="",
    claims=CLAIMS,
    stated=ENTRIES,
    criteria=CRITERIA,
    order=tuple(DESCRIPTIONS),
    parts=tuple(f"Section {number}" for number in (1, 3, 4, 5, 6, 7, 8)),
    descriptions=DESCRIPTIONS,
    readings=READINGS,
    left_out="A survey names its sources for what a program has to know.",
    errata=ERRATA,
    headline=partial(say_verdicts, CLAIMS),
)
