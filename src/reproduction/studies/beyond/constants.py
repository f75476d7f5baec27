"""What each constant of PY-LR is worth: the loss of a text where one of them is another.

The words are only those of the training halves: so many are fitted, and as many after them scored.
"""

from contextlib import contextmanager

from condprob.catalogue import method
from condprob.counts import CountMatrix, PairsInOrder
from condprob.methods.pitman_yor import constants
from condprob.methods.pitman_yor.estimator import PitmanYorLowRank
from condprob.options import options_of
from reproduction.corpora.corpus import word_pairs
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import in_blocks

NAME, METHOD = "constants", "py-lr"  # of the seeds, and in the scores
OPTIONS = options_of(PitmanYorLowRank)


def score_text(root, corpus, changes, words, seeds, options):
    """Yield the losses of a `corpora.corpus.Corpus` with each constant changed, and with none.

    The first ``words`` train, from so many ``seeds``; the ``options`` are those of every fit, and
    ``changes`` other values of each constant, by its name in
    `condprob.methods.pitman_yor.constants` or among the options. A value is written as JSON writes
    it; without a change both name and value are empty.
    """
    train, test = map(word_pairs, corpus.split(words))
    counts = CountMatrix.from_pairs(*train, corpus.k)
    place = {"corpus": corpus.name, "method": METHOD, "n": counts.n, "k": corpus.k}
    every = [(name, value) for name, values in changes.items() for value in values]
    for name, value in [("", ""), *every]:
        for seed in range(seeds):
            start = spawn_seed(root, NAME, corpus.name, seed)
            with changed(name, value) as further:
                estimator = method(METHOD, **options | further)
                matrix = estimator.fit(PairsInOrder(*train, corpus.k), start)
            row = place | {"constant": name, "value": spell(value), "seed": seed}
            for block in in_blocks(-matrix.log_prob(*test)):
                yield row | block


@contextmanager
def changed(name, value):
    """Give a constant another value; yield the options of the method that do so, if it is one."""
    if not name or name in OPTIONS:
        yield {name: value} if name else {}
        return
    used = getattr(constants, name)
    setattr(constants, name, value)
    try:
        yield {}
    finally:
        setattr(constants, name, used)


def used_value(name):
    """Return the value of a constant, or the default of an option."""
    return OPTIONS[name].default if name in OPTIONS else getattr(constants, name)


def spell(value):
    """Return a value as text: numbers short, none as "none"."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(spell, value)) or "none"
    return value if isinstance(value, str) else f"{value:,.10g}"
