"""Texts at order n by a method for pairs: its bigram, mixed with Kneser-Ney of order n.

    p(y | h) = (1 - w_b) p(y | last word of h) + w_b p_KN(y | h)

The weight ``w`` belongs to the bin ``b`` of how often the history of ``n - 1`` words was seen. The
weights maximise the likelihood of the last part of the text by models of the part before it
(Jelinek and Mercer 1980, who interpolate n-grams of all orders so); then both are fitted to all.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from condprob.checks import Conditions, check_order
from condprob.checks.entries import narrow
from condprob.files.stored import stored, stored_part
from condprob.jit import EXACT, njit
from condprob.model import Ended, worst_end
from condprob.progress import Parts
from condprob.run import Run
from condprob.splits import TUNING_SHARE
from condprob.text import SequenceModel
from condprob.text.backoff_model import BackoffModel
from condprob.text.ngrams import fit_ngrams, list_ngrams
from condprob.text.sentences import NOTHING, Sentences
from condprob.text.suffixes import nodes_of, sums_of_subtrees
from condprob.text.tree_model import walk
from condprob.weights import mixture_weights

# Bin 0 is of histories never seen, and bin ``i`` of those seen less than ``2**i`` times; the last
# has all others. Edges that rise more slowly lost up to .0005 nats on Brown (100,000 words).
EDGES = 2 ** np.arange(9)
LEAST_WORDS_OF_BIN = 100  # held-out words of a bin that has a weight of its own; not measured
WEIGHT_UNLEARNED = 0.5  # the weight where no words can be held out; not measured
LEAST_UNSEEN = 1e-9  # probability of unseen words that a back-off factor can share out


@dataclass(frozen=True, eq=False, repr=False)
class BigramMixture(SequenceModel, kind="bigram mixture"):
    """Mixture of a bigram with Kneser-Ney of a higher order, by how often a history was observed.

    Attributes
    ----------
    bigram : SequenceModel
        Fit of a method for pairs, of order 2.
    longer : BackoffModel
        Kneser-Ney with three discounts for each order.
    bins : numpy.ndarray of int, shape (contexts of ``longer``,)
        Bin of the histories whose longest part known to ``longer`` is this context: the bin of its
        count if the context is the whole history, and otherwise 0, because the history is unseen.
    weights : numpy.ndarray, shape (bins,)
        Weight of ``longer`` in each bin; the bigram has the rest.

    Examples
    --------
    >>> from condprob import Sentences, method
    >>> text = Sentences.from_lists([[0, 1, 2], [0, 1, 0]] * 9, k=3)
    >>> type(method("wb").fit_text(text, order=3)).__name__
    'BigramMixture'
    """

    bigram: SequenceModel = stored_part(SequenceModel)
    longer: BackoffModel = stored_part(BackoffModel)
    bins: np.ndarray = stored("i", "contexts of longer", low=0)
    weights: np.ndarray = stored("f", "bins", low=0, high=1)

    @property
    def order(self) -> int:
        return self.longer.order

    @property
    def outcomes(self) -> int:
        return self.longer.outcomes

    @property
    def parameters(self) -> int:
        return self.longer.parameters

    @property
    def ended(self) -> Ended:
        return worst_end([self.bigram.ended, self.longer.ended])

    def weights_of(self, histories: Conditions) -> np.ndarray:
        """Return the weight of ``longer`` after each history, shape (len(histories),)."""
        return self.weights[self.bins[last_contexts(self.longer, histories)]]

    def rows(self, histories: Conditions) -> np.ndarray:
        weights = self.weights_of(histories)[:, None]
        found = (1 - weights) * self.bigram.rows(histories)
        found += weights * self.longer.rows(histories)
        return found

    def at(self, histories: Conditions, outcomes: ArrayLike) -> np.ndarray:
        weights = self.weights_of(histories)
        found = (1 - weights) * self.bigram.at(histories, outcomes)
        return found + weights * self.longer.at(histories, outcomes)

    def to_backoff(self) -> BackoffModel:
        """Return a back-off model, as an ARPA file holds it, with these probabilities.

        N-grams that were seen have the probabilities of the mixture exactly. Words that were not
        seen after a history share the rest in proportion to their probabilities after the next
        shorter history, while in the mixture the bigram shares it out. All rows sum to one. After a
        history whose last word was never a context, the row is that of Kneser-Ney only.
        """
        tree, word = self.longer.tree, self.longer.word
        node = nodes_of(self.longer.first)
        chance, longer = self.longer.probability.copy(), np.flatnonzero(node > 0)
        last = tree.text[tree.ends[node[longer]] - 1].astype(np.int64)
        last[last == self.outcomes] = NOTHING  # the start of a sentence
        weights = self.weights[self.bins[node[longer]]]
        chance[longer] *= weights
        chance[longer] += (1 - weights) * self.bigram.at(last[:, None], word[longer])
        factor = self.longer.factor.copy()
        _back_off(tree.parent, self.longer.first, word, self.outcomes, chance, factor)
        return replace(self.longer, factor=factor, probability=chance)

    def in_plain_words(self) -> list[str]:
        shares = dict.fromkeys(f"{share:.0%}" for share in (self.weights.min(), self.weights.max()))
        how = ", depending on how often a history was seen" if len(shares) > 1 else ""
        mixed = (
            f"mixed       Kneser-Ney of order {self.order} with weight {' to '.join(shares)}{how}"
        )
        return [*self.bigram.in_plain_words(), mixed]

    @classmethod
    def restored(cls, values: dict[str, Any]) -> Self:
        found = super().restored(values)
        if found.bigram.order != 2 or found.bins.size != found.longer.tree.nodes:
            raise ValueError("its parts must be a bigram, and n-grams with a bin for each context")
        if found.bins.max() >= found.weights.size:
            raise ValueError("each bin must have a weight")
        return found


def fit_mixture(estimator: Any, sentences: Sentences, order: int, run: Run) -> BigramMixture:
    """Fit a bigram and Kneser-Ney of a higher order to a text, and their weights.

    The last tenth of the text, `splits.TUNING_SHARE`, is held out and tells the weights. A bin with
    fewer than `LEAST_WORDS_OF_BIN` held-out words has the weight of all words.

    Parameters
    ----------
    estimator : Estimator
        The method of the bigram; its `lighter` has the bigram with which the weights are learned.
    sentences : Sentences
    order : int
        Of Kneser-Ney; at least 2.
    run : Run
        Its checkpoint is that of the fit of the bigram to all of the text.

    Raises
    ------
    ValueError
        If the order is below two.
    """
    order, parts = check_order(order, 2), Parts("fit", 2, run.progress)
    rest, held_out = sentences.split(1 - TUNING_SHARE)
    weights = np.full(EDGES.size + 1, WEIGHT_UNLEARNED)
    with parts.next():
        if rest.n and held_out.n:
            bigram = estimator.lighter().fit_sentences(rest, 2, replace(run, checkpoint=None))
            weights = learn_weights(bigram, *fit_longer(rest, order), held_out)
    with parts.next():
        bigram = estimator.fit_sentences(sentences, 2, run)
    return BigramMixture(bigram, *fit_longer(sentences, order), weights)


def fit_longer(sentences: Sentences, order: int) -> tuple[BackoffModel, np.ndarray]:
    """Return Kneser-Ney with three discounts, and the bin of each of its contexts."""
    ngrams = list_ngrams(sentences, order)
    tree, pairs = ngrams.tree, ngrams.pairs
    times = sums_of_subtrees(pairs.upper, pairs.own)
    times = np.bincount(nodes_of(pairs.first), times, minlength=tree.nodes)
    # A history is whole if it has all its words, or begins at the start of a sentence.
    is_whole = tree.depth == order - 1
    longer = np.flatnonzero(tree.depth)
    farthest = tree.text[tree.ends[longer] - tree.depth[longer]]
    is_whole[longer] |= farthest == sentences.k
    bins = np.where(is_whole, np.searchsorted(EDGES, times, side="right"), 0)
    return fit_ngrams(ngrams, "modified", "discounted"), narrow(bins)


def learn_weights(
    bigram: SequenceModel, longer: BackoffModel, bins: np.ndarray, held_out: Sentences
) -> np.ndarray:
    """Return the maximum-likelihood weight of ``longer`` in each bin, shape (bins,)."""
    both = np.exp([part.score(held_out) for part in (bigram, longer)])
    bin_of = bins[last_contexts(longer, held_out.histories(longer.order))]
    ones = np.ones(held_out.n)
    weights = np.full(EDGES.size + 1, mixture_weights(both, ones)[1])
    for b in range(weights.size):
        inside = bin_of == b
        if inside.sum() >= LEAST_WORDS_OF_BIN:
            weights[b] = mixture_weights(both[:, inside], ones[inside])[1]
    return weights


def last_contexts(model: BackoffModel, histories: Conditions) -> np.ndarray:
    """Return the longest part of each history that is a context of the model, as its node."""
    prepared = model.whole_histories(histories)
    found = np.empty(len(prepared), dtype=np.int64)
    _walk_all(model.tree, model.edges, prepared, found)
    return found


@njit(**EXACT)
def _walk_all(tree, edges, histories, found):
    for i in range(found.size):
        found[i], _ = walk(tree, edges, histories[i])


@njit(**EXACT)
def _back_off(parent, first, word, words, chance, factor):
    """Fill in the factors, so that each row sums to one; parents are first.

    Where nothing is left for the words not seen, those seen are scaled.
    """
    for s in range(1, parent.size):
        begin, stop = first[s], first[s + 1]
        # The words of a context are among those of its parent, in the same order.
        place, kept, below = first[parent[s]], 0.0, 0.0
        for p in range(begin, stop):
            while word[place] != word[p] and place < p:
                place += 1
            kept += chance[p]
            below += chance[place]
        if kept < 1.0 - LEAST_UNSEEN and below < 1.0 - LEAST_UNSEEN and stop - begin < words:
            factor[s] = (1.0 - kept) / (1.0 - below)
        else:
            factor[s] = 0.0
            for p in range(begin, stop):
                chance[p] /= kept
