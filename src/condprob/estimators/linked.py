"""What methods share whose scores may leave a pair no probability: some of the unigram's."""

from collections.abc import Callable

import numpy as np

from condprob.annotations import Seed
from condprob.counts import CountMatrix
from condprob.estimators.direct import unigram
from condprob.estimators.mixtures import learn_weights
from condprob.estimators.splits import HELD_OUT, hold_out
from condprob.matrices.contract import ConditionalMatrix

ALMOST = 1e-6  # how far a learned weight keeps from zero and from one
UNTOLD = 0.5  # the weight where there are no pairs to learn it from; not measured


def learn_unigram_weight(
    fit: Callable[[CountMatrix], ConditionalMatrix],
    counts: CountMatrix,
    discount: float,
    seed: Seed,
) -> float:
    """Return the share of the unigram distribution that is best beside a fit, by EM.

    Both are fitted to nine tenths of the pairs, drawn at random, and judged by the others. The
    likelihood is concave in the share.

    Parameters
    ----------
    fit : function
        Takes counts, returns a matrix without such a share.
    counts : CountMatrix
    discount : float
        Of the unigram distribution, `direct.unigram`.
    seed : int, numpy.random.SeedSequence or numpy.random.Generator

    Returns
    -------
    float
        Between `ALMOST` and one less it; `UNTOLD` where a part has no pairs.
    """
    rest, held_out = hold_out(counts, HELD_OUT, seed)
    if not (rest.n and held_out.n):
        return UNTOLD
    scores = fit(rest).at(held_out.contexts, held_out.outcomes)
    both = np.column_stack([scores, unigram(rest, discount)[held_out.outcomes]])
    return float(np.clip(learn_weights(both, held_out.values)[1], ALMOST, 1 - ALMOST))
