"""Language models of growing order on blocks of Brown: penalised log-linear ones, and Kneser-Ney.

The protocol is that of Nelakanti et al. (2013), Section 6, on the text that is at hand: blocks of
100,000 words and the 20,000 after them; proper nouns and numbers, by Brown's tags, and rare
words are one symbol each; the penalty of each model at each order is chosen on 30,000 words of the
training part and the 10,000 after them. A word that the training part lacks is not scored, though
it may stand in a history.

READING: those two parts have words of their own, as the block has: a word that the first has too
rarely is unknown. With the words of the whole block, a tenth of the choosing part would be words
never seen, of which the test has none, and the penalties chosen are too large.
"""

from dataclasses import replace
from operator import attrgetter

import numpy as np

from condprob.methods.structured.log_linear import LogLinear
from condprob.text.sentences import Sentences
from reproduction.corpora.blocks import number_sentences, read_block, save_block
from reproduction.corpora.errors import CorpusError
from reproduction.corpora.sources import read_source, tagged_sentences
from reproduction.methods import METHODS
from reproduction.scores.columns import HELD_OUT
from reproduction.scores.estimators import build_estimator
from reproduction.scores.orders import add_losses

PROPER, NUMBER = "<proper noun>", "<number>"
GAP_OF_TRIALS = 0.03  # duality gap, nats per word, at which a penalty is judged


def read_blocks(name, entry, settings, last, allow_other_hashes=False):
    """Return the blocks of a tagged corpus, each a pair of lists of sentences of words.

    The settings say how many words, in whole sentences, a block has to ``train`` and to ``test``;
    so many blocks as ``last`` are needed. Raises CorpusError if the corpus cannot be had, or has
    fewer.
    """
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
    sentences = [
        [normalise(*pair) for pair in sentence]
        for content in source.contents
        for sentence in tagged_sentences(content)
    ]
    ends = np.cumsum([len(sentence) for sentence in sentences])
    size, blocks = settings["train"] + settings["test"], []
    for first in range(0, int(ends[-1]) - size + 1, size):
        edges = np.searchsorted(ends, [first, first + settings["train"], first + size])
        blocks.append((sentences[edges[0] : edges[1]], sentences[edges[1] : edges[2]]))
    if len(blocks) < last:
        words = f"{settings['train']} + {settings['test']} words"
        raise CorpusError(name, f"has {len(blocks)} blocks of {words}, not {last}")
    return blocks


def find_blocks(corpora, settings, allow_other_hashes=False):
    """Return the blocks of some ``numbers``, each its training and its test part in word numbers.

    For the other settings see `read_blocks` and `number_sentences`.
    """
    ((name, entry),) = corpora.items()
    numbers, least = settings["numbers"], settings["least"]
    found = read_blocks(name, entry, settings, max(numbers), allow_other_hashes)
    return {number: number_sentences(*found[number - 1], least) for number in numbers}


def save_blocks(paths, blocks):
    """Write the result of `find_blocks`, a file for each; return their descriptions."""
    for path, block in zip(paths, blocks.values(), strict=True):
        save_block(path, block)
    return {"blocks": {number: describe_block(*block) for number, block in blocks.items()}}


def normalise(word, tag):
    """Return a word in small letters; proper nouns and numbers, by Brown's tags, are symbols."""
    if tag.startswith("np"):
        return PROPER
    if tag.startswith(("cd", "od")) and any(map(str.isdigit, word)):
        return NUMBER
    return word.lower()


def describe_block(train, test):
    """Return the description of a block: its words, and the share of unknown ones.

    Returns
    -------
    dict
        ``train`` and ``test`` words, ``types`` of the vocabulary, ``unknown_train`` and
        ``unknown_test``, shares; an unknown test word is not scored.
    """
    shares = {
        f"unknown_{name}": round(float((part.words == 0).mean()), 4)
        for name, part in (("train", train), ("test", test))
    }
    return {"train": train.n, "test": test.n, "types": train.k} | shares


def forget_rare(train, test, least):
    """Return both parts over the words that the first has ``least`` times; 0 is any other."""
    kept = np.bincount(train.words, minlength=train.k) >= least
    kept[0] = True
    number = np.where(kept, np.cumsum(kept) - 1, 0)
    k = int(kept.sum())
    return tuple(Sentences(k, number[part.words], part.starts) for part in (train, test))


def score_block(block, path, methods, order, settings):
    """Score one block, model and order: see `score_order`.

    The ``path`` is a file of `save_block`, and the methods are the entry of one model.
    """
    train, test = read_block(path)
    ((name, entry),) = methods.items()
    place = {"corpus": block, "order": order, "method": name, "k": train.k}
    for row in score_order(train, test, entry, order, settings):
        yield place | {"n": train.n} | row


def score_order(train, test, entry, order, settings):
    """Fit one model of one order, and score the test words that it knows.

    Of the settings count ``choose``, ``least``, ``tol`` and ``iterations``. Yields
    `columns.COLUMNS`: of each stretch of test words the ``pairs`` that were scored and their
    ``loss``, nats; and for each setting a row of the held-out part.

    READING: the log-loss is summed, as the paper prints it, so that a penalty chosen on a part
    serves the whole.
    """
    # The gap at which a fit of these stops is the study's.
    is_log_linear = issubclass(METHODS[entry["method"]].estimator, LogLinear)
    estimator = build_estimator(entry, **({"tol": settings["tol"]} if is_log_linear else {}))
    chosen = {}
    first, held_out = split_off(train, settings)
    scored = held_out.words != 0
    how = {"scored": scored, "tol": GAP_OF_TRIALS, "iterations": settings["iterations"]}
    trials = list(estimator.trace_text(first, held_out, order, **how)) if is_log_linear else []
    for trial in trials:
        yield {
            "part": HELD_OUT,
            "pairs": int(scored.sum()),
            "loss": trial.mean * scored.sum(),
            **_describe_fit(trial.settings, trial),
        }
    if trials:
        best = min(trials, key=attrgetter("mean"))
        estimator, chosen = replace(estimator, **best.settings), best.settings
    model = estimator.fit_text(train, order, seed=0)
    row = _describe_fit(chosen, model) | {"seed": 0, "converged": model.ended != "limit"}
    yield from add_losses(row, test, -model.score(test))


def _describe_fit(settings, model):
    """Return the columns of the settings that were chosen, and of how a fit ended."""
    return {
        "chosen_penalty": settings.get("penalty", np.nan),
        "chosen_decay": settings.get("decay", np.nan),
        "parameters": model.parameters,
        "gap": model.gap,
        "steps": model.iterations,
    }


def split_off(train, settings):
    """Return the part of the training text that chooses: words to fit, and words to score."""
    size, held_out = settings["choose"]["train"], settings["choose"]["test"]
    first, rest = train.split(min(size / train.n, 1.0))
    held_out, _ = rest.split(min(held_out / rest.n, 1.0))
    return forget_rare(first, held_out, settings["least"])
