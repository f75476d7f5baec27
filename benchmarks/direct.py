"""The direct methods beside `nltk.lm`: fit the pairs of one text, score the pairs of another.

Both get the vocabulary beforehand and the pairs in their own form, numbers or words.
"""

import time
from itertools import pairwise

from measure import interleave
from problems import small_text

from condprob import CountMatrix, cross_entropy, method
from condprob.vocabulary import number_words

SECONDS = 4.0  # for scoring with nltk.lm, which then is extrapolated to all pairs


def time_direct(results, texts, repetitions, quick):
    """Fit one text and score another, by each method."""
    name = small_text(texts)
    text = texts[name]
    words = [[f"w{i}" for i in part] for part in (text.train, text.test)]
    models = _models(words[0] + words[1])
    runs = {f"condprob {id}": lambda id=id: _score(id, text) for id in models}
    runs["numbering the words"] = lambda: number_words(words[0] + words[1])
    ours = interleave(runs, 10 * repetitions)
    results.add_times("direct", name, ours)
    for id, build in models.items():
        measured = [_time_nltk(build, *words) for _ in range(1 if quick else 3)]
        scored = min(scored for _, scored in measured)
        note = f"extrapolated from {scored:,} of {len(text.test) - 1:,} pairs"
        results.add_times("direct", name, {f"nltk.lm {id}": [s for s, _ in measured]}, note)
        ratios = [theirs / s for theirs, _ in measured for s in ours[f"condprob {id}"]]
        results.add("direct", name, f"nltk.lm {id} / condprob {id}", "times", ratios)


def _score(id, text):
    fitted, scored = (
        CountMatrix.from_pairs(part[:-1], part[1:], text.k) for part in (text.train, text.test)
    )
    return cross_entropy(scored, method(id).fit(fitted))


def _models(words):
    """Return how to build each method in nltk.lm."""
    from nltk import lm

    vocabulary = lm.Vocabulary(words)
    return {
        "add-half": lambda: lm.Lidstone(0.5, 2, vocabulary=vocabulary),
        "ad": lambda: lm.AbsoluteDiscountingInterpolated(2, discount=0.75, vocabulary=vocabulary),
        "sb": lambda: lm.StupidBackoff(0.4, 2, vocabulary=vocabulary),
        "kn": lambda: lm.KneserNeyInterpolated(2, discount=0.75, vocabulary=vocabulary),
    }


def _time_nltk(build, train, test):
    """Return the seconds to fit and to score all pairs, and how many were scored for it."""
    from nltk.util import everygrams

    model, grams, pairs = build(), list(everygrams(train, max_len=2)), list(pairwise(test))
    start = time.perf_counter()
    model.fit([grams])
    fitted = time.perf_counter()
    scored = 0
    for context, word in pairs:
        model.score(word, [context])
        scored += 1
        if time.perf_counter() - fitted > SECONDS:
            break
    return fitted - start + (time.perf_counter() - fitted) * len(pairs) / scored, scored
