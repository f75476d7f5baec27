"""Where structure pays: the best method by the power law of the rows and by the pairs of a context.

Models are those of figure 1 with power-law rows, small enough for all methods. Texts are points
beside them: their pairs per context are counted, and `find_exponent` estimates their exponent.
"""

import numpy as np
from scipy.optimize import brentq

from condprob.counts import CountMatrix
from condprob.synthetic import draw_model
from reproduction.corpora.corpus import read_corpus, word_pairs
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.trials import draw_models, score_trials

STEEPEST, FLATTEST = 4.0, 0.01  # exponents between which that of a text is looked for
ROWS = 6  # drawn rows over which the distinct outcomes of a context are averaged
TEXT = "text"  # the ``method`` of the row of a text


def score_models(root, inputs, methods, given):
    """Yield the KL risks of methods at each exponent and size.

    Models of a trial share their contexts and the orders of their outcomes over all exponents.
    """
    k, rank = given["k"], given["rank"]
    for exponent in given["exponents"]:
        law = {"rows": "power-law", "exponent": exponent}
        models = draw_models(root, "structure", k, rank, given["trials"], **law)
        sizes = [pairs * k for pairs in given["pairs"]]
        for row in score_trials(root, "structure", sizes, models, methods):
            yield row | {"exponent": exponent}


def score_texts(root, inputs, methods, given):
    """Yield the size and the exponent of the training pairs of each text."""
    for corpus, file in zip(given["corpora"], inputs["words"], strict=True):
        text = read_corpus(file, corpus)
        counts = CountMatrix.from_pairs(*word_pairs(text.train), text.k)
        seed = spawn_seed(root, "structure", corpus)
        yield {
            "corpus": corpus,
            "method": TEXT,
            "rank": given["rank"],
            "n": counts.n,
            "k": counts.seen_contexts.size,
            "exponent": find_exponent(counts, given["rank"], seed),
        }


def find_exponent(counts, rank, seed):
    """Return the exponent whose models have as many distinct pairs as there are in counts.

    The distinct outcomes of a context with ``C_i`` pairs and the row ``p`` are
    ``sum_j 1 - (1 - p_j)^C_i`` on average. Rows are those of models of this rank with power-law
    rows of B, over as many outcomes; contexts and their pairs are those of the counts. The number
    falls with the exponent, and the ends of the range stand for what lies beyond them.
    """
    sizes, times = np.unique(counts.row_sums[counts.seen_contexts], return_counts=True)

    def excess(exponent):
        rows = draw_model(
            ROWS, rank, "power-law", exponent, np.random.default_rng(seed), outcomes=counts.shape[1]
        ).P
        unseen = np.exp(np.multiply.outer(sizes, np.log1p(-rows))).sum(axis=(1, 2)) / ROWS
        return times @ (counts.shape[1] - unseen) - counts.values.size

    if excess(FLATTEST) <= 0:
        return FLATTEST
    return STEEPEST if excess(STEEPEST) >= 0 else brentq(excess, FLATTEST, STEEPEST, xtol=1e-3)
