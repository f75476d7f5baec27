"""One scorer fits models to a text in sentences at every order.

Each sentence ends with a word of its own, which is scored. A word that the training part lacks
stands in histories and is not scored.
"""

from itertools import pairwise

import numpy as np

from reproduction.corpora.blocks import read_block
from reproduction.scores.columns import BLOCKS
from reproduction.scores.estimators import build_estimator
from reproduction.scores.seeds import spawn_seed


def fit_alone(train, stop, methods, order, seed_of):
    """Yield ``(name, model, {})``: each method fitted only to the training part."""
    for name, entry in methods.items():
        yield name, build_estimator(entry).fit_text(train, order, seed_of(name)), {}


def score_orders(root, words, methods, orders, limit=0, fit=fit_alone):
    """Fit and score at each of the ``orders``: a scorer.

    ``words`` is a file of `corpora.blocks.save_block`. The first words train, at most ``limit``; 0
    is all. ``fit`` takes the training part and the part that stops a training, both `Sentences`,
    the entries of the methods, an order, and a function from a name to a seed. It yields a name, a
    model and further columns.
    """
    train, test, *stop = read_block(words)
    if limit:
        train, _ = train.split(min(limit / train.n, 1.0))
    n = train.n
    train, test, *stop = (part.with_stops() for part in (train, test, *stop))
    stop = stop[0] if stop else None
    for order in orders:

        def seed_of(name, order=order):
            return spawn_seed(root, "table", name, order)

        for name, model, further in fit(train, stop, methods, order, seed_of):
            row = {"corpus": "brown", "order": order, "method": name, "k": train.k, "n": n}
            row |= {"seed": 0, "parameters": model.parameters, "converged": model.ended != "limit"}
            yield from add_losses(row | further, test, -model.score(test))


def add_losses(row, test, losses):
    """Yield the rows of a fit: the loss of each stretch of test words, but for unknown ones.

    ``row`` has the other columns; ``losses``, shape (test words,), are in nats.
    """
    losses = np.where(test.words == 0, 0.0, losses)
    edges = np.linspace(0, test.n, BLOCKS + 1).astype(int)
    for block, (start, stop) in enumerate(pairwise(edges)):
        pairs = int((test.words[start:stop] != 0).sum())
        yield row | {"block": block, "pairs": pairs, "loss": losses[start:stop].sum()}
