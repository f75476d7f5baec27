"""The textbook itself, as verdicts and page take it."""

from functools import partial

from reproduction.studies.entries import ENTRIES
from reproduction.studies.textbook.claims import (
    CLAIMS,
    COMPLETION,
    CRITERIA,
    DIGITS,
    ELBOW,
    GENERATED,
    MEMORY,
    NGRAMS,
    STYLE,
)
from reproduction.verdicts.judge import say_verdicts
from reproduction.verdicts.source import Erratum, Reading, Source

ERRATA = (
    Erratum("The code of k-means passes the means where clusters are due",
            "Section 6.4 calls update_cluster_mean(X, k, Y), whose third argument is C."),
    Erratum("The digits are not MNIST, and have 17 shades",
            "Scikit-learn's images of 8 by 8 pixels go from 0 to 16; MNIST's have 28 by 28.",
            ("k-pixels",)),
    Erratum("2.28 is 2.29", "The mean squared error of Example 7.1.2; the best plane has 1.13.",
            ("p-712",)),
    Erratum("A random subspace loses 1 - k/d",
            "Problem 7.1.4 prints n, which is the number of vectors elsewhere; it is their "
            "dimension that counts.", ("p-random-printed",)),
    Erratum("Equation (8.19) has V inside a sum over words",
            "So it is added V times, and rows do not sum to one; (8.20) is right.",
            ("n-laplace-printed",)),
    Erratum("Replacing zeros alone makes no distribution",
            "What words never seen receive has to be taken from the others.", ("n-backoff",)),
    Erratum("The worst perplexity is infinite", "A word to which a model gives nothing has it.",
            ("n-worst",)),
    Erratum("100 million of 9 billion are more than 1 %",
            "0.5 million users by 18 thousand films are 9 billion, not 10, and 1.1 % are known.",
            ("m-share",)),
    Erratum("Equation (9.9) prints B with the wrong index", "k for k'.", ("m-gradient-printed",)),
)  # fmt: skip
READINGS = (
    Reading("test", "What is tested", "A held-out part; not which.",
            "The last tenth of the sentences of each file of Brown.",
            "The genres follow each other: the end of the corpus is another kind of text.",
            "medium", "", (NGRAMS,)),
    Reading("unknown", "Words never seen", "Nothing.",
            "A word that the training text has once is unknown; unknown words are not scored, the "
            "end of a sentence is.", "Orderings may carry over, numbers do not.", "low",
            "studies: textbook: least", (NGRAMS,)),
    Reading("smoothing", "How orders are compared", "Smoothed, without saying how.",
            "Relative frequencies of all orders, mixed by EM; Kneser-Ney beside it.",
            "It is the textbook's linear combination, normalised.", "medium", "", (NGRAMS,)),
    Reading("start", "Points that k-means begins with", "k random points, or k-means++.",
            "Random points, 20 times; what costs least is shown.", "", "high", "", (DIGITS,)),
    Reading("empty", "A cluster without points", "Nothing.", "It takes the farthest point.", "",
            "medium", "", (DIGITS, ELBOW)),
    Reading("step", "Length of the steps of gradient descent", "Nothing.",
            "Half as long after each pass that raises the error, which is taken back.", "",
            "medium", "studies: textbook: completion: rate", (COMPLETION,)),
    Reading("texts", "The texts", "Shakespeare, the Wall Street Journal, Oz, Netflix.",
            "Brown and two translations of Genesis.", "They are at hand.", "low",
            "studies: textbook: corpus", (NGRAMS, MEMORY, STYLE, COMPLETION)),
)  # fmt: skip
SOURCE = Source(
    title="A textbook: clustering, low dimensions, n-grams, matrix factorisation",
    noun="textbook",
    byline="Lecture notes of the course COS 324, chapters 6 to 9",
    link="",
    claims=CLAIMS,
    stated=ENTRIES,
    criteria=CRITERIA,
    order=(NGRAMS, MEMORY, GENERATED, DIGITS, ELBOW, STYLE, COMPLETION),
    parts=tuple(f"Chapter {number}" for number in (6, 7, 8, 9)),
    descriptions={
        NGRAMS: "The textbook has 962, 170 and 109 for orders 1 to 3, trained on 38 million words "
        "of the Wall Street Journal.",
        MEMORY: "The textbook shows two histories of Shakespeare after which one word follows.",
        GENERATED: "The textbook has such samples of Shakespeare. Each begins a sentence; no word "
        "is smoothed.",
        DIGITS: "In the textbook, too, two images of 360 are in the wrong cluster.",
        ELBOW: "The textbook draws a cost with an elbow and one without, and what images lose.",
        STYLE: "The textbook shows the books of Oz by two authors in such a plane.",
        COMPLETION: "The textbook has 0.905 without and 0.900 with biases for Netflix's ratings.",
    },
    readings=READINGS,
    left_out="Much is left open that a program has to know.",
    errata=ERRATA,
    headline=partial(say_verdicts, CLAIMS),
)
