"""What the textbook claims, with criteria that were fixed before any claim was judged."""

import re

from reproduction.verdicts.source import by_cases, untestable

NGRAMS, MEMORY, COMPLETION = "ngrams", "memory", "completion"
GENERATED, DIGITS, ELBOW, STYLE = "generated", "digits", "elbow", "style"
PLAIN = "interpolated"  # the smoothing by which orders are compared
CRITERIA = {
    "theory": "Reproduced if every case holds: a case is a number and its bound, which say "
    "themselves what is compared. Numbers in print hold as far as their digits go. Low ends are "
    "those of 95 % intervals over stretches of test words.",
}


def _in_chapter(place):
    """Return a place with the chapter of its number."""
    return f"Chapter {re.search('[0-9]', place)[0]}, {place[0].lower()}{place[1:]}"


def _check(id, place, statement, **further):
    return by_cases(id, _in_chapter(place), statement, **further)


def _external(id, place, statement):
    return untestable(id, _in_chapter(place), statement)


CLAIMS = (
    _check("k-decreases", "Theorem 6.3.2", "Each iteration of k-means lowers its cost; it ends."),
    _check("k-optimum", "Problem 6.3.4", "The best cost of k + 1 clusters is at most that of k."),
    _check("k-digits", "Section 6.3.3", "Two clusters of 360 images of digits misplace two."),
    _check("k-pixels", "Section 6.3.3", "Pixels have values from 0 to 15."),
    _check("k-starts", "Section 6.3.4",
           "The choice of the first clusters greatly influences the result."),
    _check("p-701", "Example 7.0.1", "Three vectors of a plane have the printed coefficients."),
    _check("p-712", "Example 7.1.2", "Their approximation has a mean squared error of 2.28."),
    _check("p-712-bound", "Example 7.1.2", "They have rank 2 with a mean squared error of 2.5."),
    _check("p-projection", "Problem 7.1.3", "The nearest vector of a subspace is the projection."),
    _check("p-random-printed", "Problem 7.1.4", "A random subspace of k dimensions loses 1 - k/n."),
    _check("p-random", "Problem 7.1.4", "Ours: it loses 1 - k/d of vectors in d dimensions.",
           by="us"),
    _check("p-falls", "Problem 7.1.5", "The error falls as the rank rises."),
    _check("s-bibles", "Section 7.2",
           "Function words in two dimensions tell authors apart: two translations of Genesis."),
    _check("s-genres", "Section 7.2", "And so they do the genres of Brown."),
    _external("s-oz", "Figure 7.5", "The Royal Book of Oz lies with Thompson's books."),
    _external("p-faces", "Figure 7.9", "128 basis images approximate the faces well."),
    _check("n-tables", "Tables 8.2, 8.4, 8.7", "The tables of the cowperson language, exactly."),
    _check("n-sentence", "Sections 8.2 to 8.4", "Its sentences have 0.21, 0.07 and 0.01."),
    _check("n-mle", "Problem 8.2.4", "Relative frequencies are the likeliest."),
    _check("n-sum", "Section 8.3.2", "With stop tokens the sentences have probability one in all."),
    _check("n-unseen", "Section 8.4.1",
           "Of 844 million pairs of Shakespeare's words 99.96 % were never seen."),
    _check("n-memory", "Section 8.4.1",
           "After most histories of three words a single word is known: it is memorised."),
    _check("n-found", "Section 8.4.1", "The longer the n-grams, the more is remixed fragments."),
    _check("n-clueless", "Example 8.4.2", "A clueless model has perplexity V."),
    _check("n-worst", "Section 8.4.2", "That is the worst possible perplexity."),
    _external("n-human", "Example 8.4.3", "The true perplexity of English is 15 to 20."),
    _external("n-wsj", "Table 8.5", "Perplexities on the Wall Street Journal: 962, 170, 109."),
    _check("n-order", "Table 8.5", "Bigrams are better than unigrams, and trigrams than bigrams.",
           methods=(PLAIN,)),
    _check("n-laplace", "Equation (8.20)", "Add-one smoothing is a distribution."),
    _check("n-laplace-printed", "Equation (8.19)", "Its general form is, too, as printed."),
    _check("n-backoff", "Example 8.4.8",
           "Zeros are replaced by probabilities of shorter histories: a distribution."),
    _check("ours-backoff", "Example 8.4.8", "Ours: it is one if the seen words give the mass.",
           by="us"),
    _check("m-unique", "Example 9.2.5", "A matrix with gaps has one completion of rank one."),
    _check("m-impossible", "Example 9.2.6", "Another has none."),
    _check("m-gradient", "Equation (9.6)", "The gradient of the loss."),
    _check("m-gradient-printed", "Equation (9.9)", "That of a sample, with its index as printed."),
    _check("m-bias", "Section 9.2.3", "A bias of each row lowers the error of unknown entries."),
    _check("m-bias-both", "Section 9.2.3", "Ours: biases of rows and columns do.", by="us"),
    _check("m-share", "Section 9.2.3", "Less than 1 % of the entries were known."),
)  # fmt: skip
