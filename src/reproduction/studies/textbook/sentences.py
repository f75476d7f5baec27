"""Which sentences a model prefers (section 8.1), and the next word after two histories."""

import numpy as np

from condprob.catalogue import method
from condprob.text.sentences import Sentences
from reproduction.corpora.blocks import read_block
from reproduction.scores.estimators import build_estimator
from reproduction.scores.intervals import student_interval
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.ngrams import draw_sentences, list_sentences, read_labels

SHORTEST_SENTENCE, LONGEST_SENTENCE = 5, 20  # words of the sentences that are compared
NEIGHBOURS = 10  # ranks of frequency: a word is replaced by another that is about as frequent
MEMORISED = 4  # the order whose sentences are looked at
HISTORY = ("go", "seek", "the")  # of figure 8.5
# The sentences of section 8.1, by what they are to show: the better one is first.
USES = {
    "word order": ("how can I help you", "can I how you help"),
    "speech recognition": ("I ate a cherry", "eye eight a Jerry"),
    "translation": ("High winds tonight", "large winds tonight"),
    "spelling": (
        "There are problems with this sentence .",
        "Their are problems wit this sentence .",
    ),
}
TO_COMPLETE, COMPLETIONS = ("Please", "turn", "off", "your"), 3
ORDER_OF_USES = 3
UNKNOWN_WORDS = 1_000_000  # equally probable (chosen by hand, more than English has)
UNHEARD = -2  # the number of a word that a text does not have; -1 is before its sentences
BARS = 6  # next words that are shown of each order


def compare_file(root, words, methods, given):
    """Compare held-out sentences with spoilt ones by their scores: a scorer.

    Yields the fraction of sentences with the larger probability, ties as halves, by order: compared
    with the same words in another order, and with one word replaced.
    """
    train, test = read_block(words)
    kept = [
        s
        for s in list_sentences(test)
        if SHORTEST_SENTENCE <= s.size <= LONGEST_SENTENCE and s.min() > 0
    ]
    kept = kept[:: max(len(kept) // given["compared"], 1)][: given["compared"]]
    rng = np.random.default_rng(spawn_seed(root, "compared"))
    counts = np.bincount(train.words, minlength=train.k)
    spoilt = {
        "words in another order": [shuffle(s, rng) for s in kept],
        "a word replaced": [replace(s, counts, rng) for s in kept],
    }
    ((name, entry),) = methods.items()
    for order in given["orders"]:
        model = build_estimator(entry).fit_text(train.with_stops(), order, 0)
        good = score_each(model, kept, train.k)
        for kind, others in spoilt.items():
            bad = score_each(model, others, train.k)
            margin = np.where(abs(good - bad) <= 1e-9, 0.0, good - bad)  # ties, but for rounding
            share, low, high = student_interval((np.sign(margin) + 1) / 2)
            yield {
                "corpus": given["corpus"],
                "order": order,
                "method": name,
                "n": len(kept),
                "kind": kind,
                "better": share,
                "low": low,
                "high": high,
            }


def use_file(words, style, methods, given):
    """Score the sentences of section 8.1, each with its end: a scorer.

    A word that the training text does not have is scored as one of `UNKNOWN_WORDS` unknown ones. Of
    the sentence that is to be completed the most probable words are tried.
    """
    train, _ = read_block(words)
    labels = read_labels(style)
    number = {word: i for i, word in enumerate(labels)}
    ((name, entry),) = methods.items()
    order = min(ORDER_OF_USES, max(given["orders"]))
    model = build_estimator(entry).fit_text(train.with_stops(), order, 0)
    history = [number.get(word, 0) for word in TO_COMPLETE]
    after = np.argsort(-model.rows([history[1 - order :]])[0], kind="stable")
    best = [int(i) for i in after if i and labels[i]][:COMPLETIONS]
    completed = {" ".join((*TO_COMPLETE, labels[i])): [*history, i] for i in best}
    uses = {
        use: {text: [number.get(word, 0) for word in text.split()] for text in texts}
        for use, texts in USES.items()
    } | {"completion": completed}
    for use, texts in uses.items():
        scores = score_each(model, list(texts.values()), train.k)
        for (text, words), score in zip(texts.items(), scores, strict=True):
            yield {
                "corpus": given["corpus"],
                "order": order,
                "method": name,
                "n": len(words),
                "use": use,
                "sentence": text,
                "unknown": words.count(0),
                "nats": score - words.count(0) * np.log(UNKNOWN_WORDS),
            }


def score_each(model, sentences, k):
    """Return the log probability of each sentence with its end, nats, shape (sentences,)."""
    ended = Sentences.from_lists(sentences, k).with_stops()
    return np.add.reduceat(model.score(ended), ended.starts[:-1])


def shuffle(sentence, rng):
    """Return the words in another order; the same where all are equal."""
    if (sentence == sentence[0]).all():
        return sentence
    while True:
        found = rng.permutation(sentence)
        if (found != sentence).any():
            return found


def replace(sentence, counts, rng):
    """Return a sentence with one word replaced by another of about the same frequency."""
    order = np.argsort(-counts, kind="stable")
    order = order[order > 0]  # without the unknown word
    rank = np.empty(counts.size, dtype=int)
    rank[order] = np.arange(order.size)
    found, place = sentence.copy(), int(rng.integers(sentence.size))
    here = rank[sentence[place]]
    near = [
        r
        for r in range(here - NEIGHBOURS, here + NEIGHBOURS + 1)
        if 0 <= r < order.size and r != here
    ]
    found[place] = order[rng.choice(near)]
    return found


def next_file(root, words, style, given):
    """Ask models of each order for the next word of a text: a scorer.

    Of a text that may be shown: the most probable words after two histories (figures 8.5 and 8.6),
    where it has `HISTORY`; the second goes on with the word that the highest order gives most to.
    Of each text: the mean probability that each order gives to the words of sentences that
    `MEMORISED` drew, with an interval over sentences.
    """
    text, *_ = read_block(words)
    ended = text.with_stops()
    models = {o: method("mle").fit_text(ended, o, 0) for o in (2, 3, MEMORISED)}
    first = {"corpus": given["corpus"], "k": text.k, "n": text.n}
    for row in list_next(models, text, read_labels(style)) if given["shown"] else ():
        yield first | row
    drawn = draw_sentences(models[MEMORISED], given["drawn"], spawn_seed(root, "next"))
    inside = (drawn.histories(MEMORISED) >= 0).all(axis=1)
    sentence = np.repeat(np.arange(len(drawn)), np.diff(drawn.starts))[inside]
    kept, which = np.unique(sentence, return_inverse=True)
    sizes = np.bincount(which, minlength=kept.size)
    for order, model in models.items():
        chances = np.exp(model.score(drawn))[inside]
        mean, low, high = student_interval(np.bincount(which, chances) / sizes)
        drawn_words = {"order": order, "n": int(inside.sum())}
        yield first | drawn_words | {"probability": mean, "low": low, "high": high}


def list_next(models, text, labels):
    """Yield the most probable words after two histories, at each order: see `next_file`."""
    number = {word: i for i, word in enumerate(labels)}
    history = tuple(number.get(word, UNHEARD) for word in HISTORY)
    for _ in range(2):
        if not (text.histories(MEMORISED) == history).all(axis=1).any():
            return
        rows = {order: model.rows([history])[0] for order, model in models.items()}
        for order, row in rows.items():
            for word in np.argsort(-row, kind="stable")[:BARS]:
                if row[word] > 0:
                    yield {
                        "order": order,
                        "history": " ".join(labels[i] for i in history),
                        "word": labels[word] or "(end)",
                        "probability": row[word],
                    }
        history = (*history[1:], int(rows[MEMORISED].argmax()))
