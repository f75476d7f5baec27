"""Table 1 of the survey: Kneser-Ney on classes of words, and neural models.

The first words train, the next ones stop models that learn by steps, and the rest is tested, as
Bengio et al. (2003) have it. Rare words are one symbol. For n-grams of words see `scores.orders`.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from threadpoolctl import threadpool_limits

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.textbook.classes import exchange
from condprob.text.sentences import Sentences
from reproduction.scores.estimators import build_estimator
from reproduction.scores.orders import score_orders

SMOOTH = {"discount": "modified", "continuation": "uniform"}  # Kneser-Ney of the classes


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A model of classes of words; a word has its share of its class.

    Attributes
    ----------
    model
        Of the classes, at some order.
    label : numpy.ndarray of int, shape (words,)
        The class of each word.
    inside : numpy.ndarray, shape (words,)
        The logarithm of the word's share of its class.
    ended : str
        How the search for classes ended.
    """

    model: object
    label: np.ndarray
    inside: np.ndarray
    ended: str

    @property
    def parameters(self):
        """Those of the classes, and a share for each word."""
        return self.model.parameters + self.label.size

    def score(self, sentences):
        """Return the logarithm of the probability of each word, nats."""
        return self.model.score(put_classes(sentences, self.label)) + self.inside[sentences.words]


def put_classes(sentences, label):
    """Return sentences of classes in place of words."""
    return Sentences(int(label.max()) + 1, label[sentences.words], sentences.starts)


def score_classes(root, words, methods, orders):
    """Score Kneser-Ney on classes of words, at every order: a scorer.

    The classes of outcomes that exchange finds for pairs are those of all words.

    READING: the survey has the result and no more; Bengio et al. (2003) name both ingredients.
    """
    found = []  # the same at every order

    def fit(train, stop, methods, order, seed_of):
        ((name, entry),) = methods.items()
        if not found:
            found.extend(find_classes(train, entry))
        label, inside, ended = found
        model = method("kn", **SMOOTH).fit_text(put_classes(train, label), order)
        yield name, ClassModel(model, label, inside, ended), {}

    return score_orders(root, words, methods, orders, fit=fit)


def find_classes(train, entry):
    """Return the class of each word, its share there, a logarithm, and how the search ended."""
    before = train.histories(2)[:, 0]
    before = np.where(before < 0, train.k - 1, before)  # a sentence starts where another ends
    counts = CountMatrix.from_pairs(before, train.words, train.k)
    labels, _, settled = exchange(counts, entry["rank"], entry["iterations"])
    label = labels[1]  # all words of the training text were outcomes
    label = np.where(label < 0, label.max() + 1, label)
    sums = np.bincount(train.words, minlength=train.k).astype(float)
    with np.errstate(divide="ignore"):
        inside = np.log(sums / np.bincount(label, sums)[label].clip(1))
    return label, inside, "converged" if settled else "limit"


def score_networks(root, words, methods, orders, checkpoint=None):
    """Score a network, mixed and unmixed, from one fit: a scorer.

    Of two entries of methods, which differ in the weight of the trigram, the second has none. The
    stopping part stops the training and gives the weight of the trigram, which is counted in the
    training part, too. A fit that was killed goes on from its ``checkpoint``. Sums are on one
    thread: jobs run side by side.
    """
    with threadpool_limits(1):
        fit = partial(fit_network, checkpoint=checkpoint)
        yield from score_orders(root, words, methods, orders, fit=fit)


def fit_network(train, stop, methods, order, seed_of, checkpoint=None):
    """Yield a network mixed with its trigram, and the same unmixed."""
    (name, entry), (alone, _) = methods.items()
    model = build_estimator(entry).fit_beside(
        train, stop, order, seed_of(name), checkpoint=checkpoint
    )
    for called, each in ((name, model), (alone, replace(model, share=0.0))):
        yield called, each, {"steps": each.history.size - 1}
