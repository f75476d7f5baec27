"""Language models of growing order on blocks of Brown: penalised log-linear ones, and Kneser-Ney.

The protocol is that of Nelakanti et al. (2013), Section 6, on the text that is at hand: blocks of
100,000 words and the 20,000 after them; proper nouns and numbers, which Brown's tags tell, and rare
words are one symbol each; a penalty is chosen on 30,000 words of the training part and the 10,000
after them. A word that the training part lacks is not scored, though it may stand in a history.
"""

from collections import Counter
from itertools import pairwise

import numpy as np

from condprob.estimators.log_linear import PENALTIES, WORSE
from condprob.estimators.ngrams import fit_kneser_ney
from condprob.estimators.registry import method
from condprob.loglinear.fista import minimise, path
from condprob.loglinear.models import model_of
from condprob.loglinear.problem import places_of_sentences
from condprob.sequences.sentences import Sentences
from reproduction.corpora.sources import read_source

COLUMNS = (
    *("corpus", "n", "rank", "method", "seed", "block", "pairs", "loss", "converged"),
    *("penalty", "gap", "parameters", "iterations"),
)
KNESER_NEY = "kn"  # of any order here: of the entry's options the discount is used
PARTS = 50  # stretches of test text whose losses are kept apart, for block bootstraps
PROPER, NUMBER, UNKNOWN = "<proper noun>", "<number>", "<unknown>"
ROUGH = 0.03  # duality gap, nats per word, at which a penalty is judged


def read_blocks(entry, settings, allow_other_hashes=False):
    """Return the blocks of a tagged corpus, each a pair of lists of sentences of words.

    Parameters
    ----------
    entry : dict
        A corpus of the config with tags, of NLTK's.
    settings : dict
        ``train`` and ``test``: words of a block, in whole sentences.
    allow_other_hashes : bool
    """
    source = read_source("structured", entry, allow_other_hashes=allow_other_hashes)
    sentences = [
        [normalise(*token.rsplit("/", 1)) for token in line.split()]
        for content in source.contents
        for line in content.decode("ascii").splitlines()
        if line.strip()
    ]
    ends = np.cumsum([len(sentence) for sentence in sentences])
    size, blocks = settings["train"] + settings["test"], []
    for first in range(0, int(ends[-1]) - size + 1, size):
        edges = np.searchsorted(ends, [first, first + settings["train"], first + size])
        blocks.append((sentences[edges[0] : edges[1]], sentences[edges[1] : edges[2]]))
    return blocks


def normalise(word, tag):
    """Return a word in small letters; proper nouns and numbers, by Brown's tags, are symbols."""
    if tag.startswith("np"):
        return PROPER
    if tag.startswith(("cd", "od")) and any(map(str.isdigit, word)):
        return NUMBER
    return word.lower()


def number_sentences(train, test, least):
    """Return both parts as numbers over the words seen ``least`` times in the first.

    Returns
    -------
    train, test : condprob.Sentences
        Word 0 stands for all others.
    """
    counts = Counter(word for sentence in train for word in sentence)
    words = [UNKNOWN, *(word for word, count in counts.items() if count >= least)]
    number = {word: i for i, word in enumerate(words)}
    return tuple(
        Sentences.from_lists([[number.get(w, 0) for w in s] for s in part], len(words))
        for part in (train, test)
    )


def score_orders(corpus, train, test, name, entry, settings):
    """Fit one model at every order, and score the test words that it knows.

    Parameters
    ----------
    corpus : str
        What the block is called.
    train, test : condprob.Sentences
    name : str
        What the model is called.
    entry : dict
        Of the config's methods: a log-linear one or Kneser-Ney.
    settings : dict
        ``orders``, ``choose``, ``tol``, ``iterations``.

    Yields
    ------
    dict
        `COLUMNS`; ``n`` is the order, ``pairs`` the words of a stretch that were scored, and
        ``loss`` their log-loss, nats.
    """
    options = dict(entry)
    id = options.pop("method")
    penalty = np.nan
    if id != KNESER_NEY:
        penalty = choose_penalty(train, id, options, settings)
    for order in settings["orders"]:
        if id != KNESER_NEY:
            model, told = fit_log_linear(train, id, options, order, penalty, settings)
        else:
            model = fit_kneser_ney(train, order, options["discount"])
            told = {"gap": 0.0, "iterations": 0}
        losses = np.where(test.words == 0, 0.0, -model.score(test))
        edges = np.linspace(0, test.n, PARTS + 1).astype(int)
        for block, (start, stop) in enumerate(pairwise(edges)):
            yield {
                "corpus": corpus,
                "n": order,
                "rank": 0,
                "method": name,
                "seed": 0,
                "block": block,
                "pairs": int((test.words[start:stop] != 0).sum()),
                "loss": losses[start:stop].sum(),
                "converged": told["gap"] <= settings["tol"],
                "penalty": penalty,
                "parameters": model.parameters,
                **told,
            }


def fit_log_linear(train, id, options, order, penalty, settings):
    """Return the model of one order, with the gap and iterations of its fit."""
    estimator = method(id, order=order, penalty=penalty, **options)
    places = places_of_sentences(train, order)
    problem, tree = estimator.build(places, train.words, train.k)
    how = settings["tol"], settings["iterations"]
    solution = minimise(estimator.norm, problem, penalty, *how)
    model = model_of(problem, tree, places, order, solution, penalty)
    return model, {"gap": solution.gap, "iterations": solution.history.size - 1}


def choose_penalty(train, id, options, settings):
    """Return the penalty that is best on the words after the first of the training part.

    READING: one penalty for each model, chosen at one order for all; the log-loss is summed, as
    the paper prints it, so that the same number serves a longer text.
    """
    size, held_out = settings["choose"]["train"], settings["choose"]["test"]
    first, rest = train.split(size / train.n)
    held_out, _ = rest.split(held_out / rest.n)
    order = settings["choose"]["order"]
    estimator = method(id, order=order, penalty=1.0, **options)
    places = places_of_sentences(first, order)
    problem, tree = estimator.build(places, first.words, first.k)
    found, best = np.inf, 0
    how = {"tol": ROUGH, "iterations": settings["iterations"]}
    for place, solution in enumerate(path(estimator.norm, problem, PENALTIES, **how)):
        model = model_of(problem, tree, places, order, solution, PENALTIES[place])
        loss = -model.score(held_out)[held_out.words != 0].mean()
        if loss < found:
            found, best = loss, place
        elif place - best >= WORSE:
            break
    return float(PENALTIES[best])
