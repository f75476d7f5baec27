"""Table 1 of the survey: perplexities of n-grams, of classes and of neural models on Brown.

The first words train, those after them stop what learns by steps, and the rest is tested, as Bengio
et al. (2003) have it. Every sentence ends with a word of its own, which is scored. Rare words are
one symbol, which stands in histories and is not scored.
"""

import numpy as np

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.models.textbook.classes import exchange
from condprob.sequences.sentences import Sentences
from reproduction.corpora.blocks import read_block
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.sentences import tell_losses

SMOOTH = {"discount": "modified", "continuation": "uniform"}  # Kneser-Ney of the classes


def score_file(root, inputs, methods, given):
    """Score a model of every order that is given: a scorer (`study.Job`).

    Parameters
    ----------
    root : int
    inputs : mapping
        ``words``: a file of `texts.save_texts`.
    methods : mapping
        One entry.
    given : mapping
        ``orders``.
    """
    train, test, *_ = read_block(inputs["words"])
    if not train.n:  # a text that could not be had
        return
    train, ended = train.with_stops(), test.with_stops()
    ((name, entry),) = methods.items()
    options = {key: value for key, value in entry.items() if key != "method"}
    for order in given["orders"]:
        model = method(entry["method"], **options).fit_text(
            train, order, spawn_seed(root, "table", name, order)
        )
        told = describe_training(train) | {
            "method": name,
            "order": order,
            "parameters": model.parameters,
        }
        told |= {"converged": model.ended != "limit"}
        yield from tell_losses(told, ended, -model.score(ended))


def score_classes(root, inputs, methods, given):
    """Score Kneser-Ney on classes of words, at every order that is given: a scorer (`study.Job`).

    The classes of outcomes that exchange finds for pairs are those of all words; a word has its
    share of its class.

    READING: the survey has the result and no more; Bengio et al. (2003) name both ingredients.
    """
    train, test, *_ = read_block(inputs["words"])
    if not train.n:
        return
    train, ended = train.with_stops(), test.with_stops()
    ((name, entry),) = methods.items()
    before = train.histories(2)[:, 0]
    before = np.where(before < 0, train.k - 1, before)  # a sentence starts where another ends
    counts = CountMatrix.from_pairs(before, train.words, train.k)
    labels, _, settled = exchange(counts, entry["rank"], entry["iterations"])
    label = labels[1]  # all words of the training text were outcomes
    label = np.where(label < 0, label.max() + 1, label)
    sums = np.bincount(train.words, minlength=train.k).astype(float)
    with np.errstate(divide="ignore"):
        inside = np.log(sums / np.bincount(label, sums)[label].clip(1))
    texts = [
        Sentences(int(label.max()) + 1, label[part.words], part.starts) for part in (train, ended)
    ]
    for order in given["orders"]:
        model = method("kn", **SMOOTH).fit_text(texts[0], order)
        told = describe_training(train) | {"method": name, "order": order, "converged": settled}
        told |= {"parameters": model.parameters + train.k}
        losses = -model.score(texts[1]) - inside[ended.words]
        yield from tell_losses(told, ended, losses)


def describe_training(train):
    """Return what every row of a model says of its training part."""
    return {"corpus": "brown", "k": train.k, "n": train.n, "seed": 0}
