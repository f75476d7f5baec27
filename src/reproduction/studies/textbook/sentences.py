"""Which sentences a model prefers (section 8.1), and the next word of a text known by heart."""

import numpy as np

from condprob.catalogue import method
from condprob.text.sentences import Sentences
from condprob.vocabulary import Vocabulary
from reproduction.corpora.blocks import read_block
from reproduction.scores.estimators import build_estimator
from reproduction.scores.intervals import student_interval
from reproduction.scores.seeds import spawn_seed
from reproduction.studies.textbook.ngrams import draw_sentences, list_sentences

SHORTEST_SENTENCE, LONGEST_SENTENCE = 5, 20  # words of the sentences that are compared
NEIGHBOURS = 10  # ranks of frequency: a word is replaced by another that is about as frequent
MEMORISED = 4  # the order whose sentences are looked at
TALE = [  # Of our own, so that it may be shown.
    "the miller goes to the mill in the morning",
    "the baker goes to the market with the bread",
    "if you want bread go seek the baker at the market",
    "if you want flour go seek the miller at the mill",
    "we seek the road that leads to the sea",
    "they seek the bread that the baker made",
    "some seek the shade of the old tree",
    "at night we seek the light of the inn",
    "the children go seek the stranger from the hills",
    "nobody saw the stranger at the inn",
    "the stranger asked the way to the sea",
    "a stranger came to the inn at night",
    "go seek the stranger from the hills said the miller",
    "the old road to the mill leads along the river",
    "the bread of the baker is the pride of the market",
    "in the morning the road to the market is full",
]
HISTORIES = (("go", "seek", "the"), ("seek", "the", "stranger"))


def compare_file(root, inputs, methods, given):
    """Compare held-out sentences with spoilt ones by their scores: a scorer.

    Yields the share of sentences that have the larger probability, ties as halves, by order: beside
    the same words in another order, and beside one word replaced.
    """
    train, test = read_block(inputs["words"])
    if not train.n:
        return
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
                "corpus": "brown",
                "order": order,
                "method": name,
                "n": len(kept),
                "kind": kind,
                "better": share,
                "low": low,
                "high": high,
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


def next_file(root, inputs, methods, given):
    """Ask models of each order for the next word: a scorer.

    Of `TALE`: the distribution after two histories (Figures 8.5, 8.6). Of the text: the mean
    probability that each order gives to the words of sentences that `MEMORISED` drew, with an
    interval over sentences.
    """
    words = Vocabulary(word for line in TALE for word in line.split())
    tale = Sentences.from_lists([words.numbers(line.split()) for line in TALE], len(words))
    for order in (2, 3, MEMORISED):
        model = method("mle").fit_text(tale.with_stops(), order, 0)
        for history in HISTORIES:
            (row,) = model.rows([tuple(words.numbers(history).tolist())])
            for number in np.flatnonzero(row[: len(words)]):
                yield {
                    "corpus": "tale",
                    "order": order,
                    "k": len(words),
                    "n": tale.n,
                    "history": " ".join(history),
                    "word": words[int(number)],
                    "probability": row[number],
                }
    train, _ = read_block(inputs["words"])
    if not train.n:
        return
    ended = train.with_stops()
    models = {o: method("mle").fit_text(ended, o, 0) for o in (2, 3, MEMORISED)}
    drawn = draw_sentences(models[MEMORISED], given["drawn"], spawn_seed(root, "next"))
    inside = (drawn.histories(MEMORISED) >= 0).all(axis=1)
    sentence = np.repeat(np.arange(len(drawn)), np.diff(drawn.starts))[inside]
    kept, which = np.unique(sentence, return_inverse=True)
    sizes = np.bincount(which, minlength=kept.size)
    for order, model in models.items():
        chances = np.exp(model.score(drawn))[inside]
        mean, low, high = student_interval(np.bincount(which, chances) / sizes)
        yield {
            "corpus": "brown",
            "order": order,
            "k": train.k,
            "n": int(inside.sum()),
            "probability": mean,
            "low": low,
            "high": high,
        }
