"""Language models of growing order on blocks of Brown: penalised log-linear ones, and Kneser-Ney.

The protocol is that of Nelakanti et al. (2013), Section 6, on the text that is at hand: blocks of
100,000 words and the 20,000 after them; proper nouns and numbers, which Brown's tags tell, and rare
words are one symbol each; the penalty of each model at each order is chosen on 30,000 words of the
training part and the 10,000 after them. A word that the training part lacks is not scored, though
it may stand in a history.

READING: those two parts have words of their own, as the block has: what the first does not have
often enough is unknown. With the words of the whole block, a tenth of what chooses would be words
never seen, of which the test has none, and the penalties chosen are too large.
"""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from operator import itemgetter

import numpy as np

from condprob.estimators.growth import (
    bigram_contexts,
    count_bigrams,
    fit_bigram,
    fit_grown,
    trace_penalties,
)
from condprob.estimators.log_linear import LogLinear
from condprob.estimators.ngrams import fit_kneser_ney
from condprob.estimators.registry import method
from condprob.loglinear.fista import minimise
from condprob.loglinear.models import model_of
from condprob.loglinear.problem import places_of_sentences
from condprob.runtime.checkpoints import Checkpoint
from condprob.sequences.sentences import Sentences
from reproduction.corpora.sources import CorpusError, read_source
from reproduction.experiments.grid import GROWN, KNESER_NEY, is_log_linear

COLUMNS = (
    *("corpus", "n", "rank", "method", "seed", "block", "pairs", "loss", "converged"),
    *("penalty", "decay", "gap", "parameters", "iterations"),
)
OF_PATHS = (
    *("corpus", "n", "method", "penalty", "decay", "mean", "parameters", "gap", "iterations"),
)
PARTS = 50  # stretches of test text whose losses are kept apart, for block bootstraps
PROPER, NUMBER, UNKNOWN = "<proper noun>", "<number>", "<unknown>"
ROUGH = 0.03  # duality gap, nats per word, at which a penalty is judged


def read_blocks(name, entry, settings, last, allow_other_hashes=False):
    """Return the blocks of a tagged corpus, each a pair of lists of sentences of words.

    Parameters
    ----------
    name : str
        Of the corpus, for messages.
    entry : dict
        A corpus of the config with tags, of NLTK's.
    settings : dict
        ``train`` and ``test``: words of a block, in whole sentences.
    last : int
        So many blocks are needed.
    allow_other_hashes : bool

    Raises
    ------
    CorpusError
        If the corpus cannot be had, or has fewer blocks.
    """
    source = read_source(name, entry, allow_other_hashes=allow_other_hashes)
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
    if len(blocks) < last:
        words = f"{settings['train']} + {settings['test']} words"
        raise CorpusError(f"corpus {name!r} has {len(blocks)} blocks of {words}, not {last}")
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


def forget_rare(train, test, least):
    """Return both parts over the words that the first has ``least`` times; word 0 remains.

    Parameters
    ----------
    train, test : condprob.Sentences
        Word 0 stands for all others.
    least : int

    Returns
    -------
    train, test : condprob.Sentences
    """
    kept = np.bincount(train.words, minlength=train.k) >= least
    kept[0] = True
    number = np.where(kept, np.cumsum(kept) - 1, 0)
    k = int(kept.sum())
    return tuple(Sentences(k, number[part.words], part.starts) for part in (train, test))


def save_block(path, block):
    """Write a training and a test part as an .npz; without arrays where there is none."""
    arrays = {}
    if block is not None:
        for name, part in zip(("train", "test"), block, strict=True):
            arrays |= {f"{name}_words": part.words.astype(np.int32), f"{name}_starts": part.starts}
        arrays["k"] = np.array(block[0].k)
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def read_block(path):
    """Read what `save_block` wrote: both parts, without words where there were none."""
    with np.load(path) as arrays:
        if "k" not in arrays:
            return Sentences.from_lists([], 1), Sentences.from_lists([], 1)
        return tuple(
            Sentences(
                int(arrays["k"]), arrays[f"{name}_words"].astype(np.int64), arrays[f"{name}_starts"]
            )
            for name in ("train", "test")
        )


def score_order(corpus, train, test, name, entry, order, settings, checkpoint=None):
    """Fit one model of one order, and score the test words that it knows.

    Parameters
    ----------
    corpus : str
        What the block is called.
    train, test : condprob.Sentences
    name : str
        What the model is called.
    entry : dict
        Of the config's methods.
    order : int
    settings : dict
        ``choose``, ``least``, ``tol``, ``iterations``.
    checkpoint : str or Path, optional
        A file that keeps the fit of a log-linear model while it is at work.

    Returns
    -------
    scores, path : list of dict
        `COLUMNS`; ``n`` is the order, ``pairs`` the words of a stretch that were scored, and
        ``loss`` their log-loss, nats. `OF_PATHS`, empty for models without a penalty.
    """
    if not train.n:  # a text that could not be had
        return [], []
    options, path_rows = dict(entry), []
    common = {"corpus": corpus, "n": order, "method": name}
    id = options.pop("method")
    told = {"penalty": np.nan, "decay": np.nan, "gap": 0.0, "iterations": 0}
    if id == KNESER_NEY:
        model = fit_kneser_ney(train, order, options["discount"])
        logs, told["parameters"] = model.score(test), model.parameters
    elif id == GROWN and order > 2:
        estimator = method(id, **options)
        path_rows = [common | row for row in trace_growth(train, estimator, order, settings)]
        told["penalty"] = min(path_rows, key=itemgetter("mean"))["penalty"]
        model = fit_grown(estimator, train, order, told["penalty"])
        logs, told["parameters"] = model.score(test), model.parameters
    elif is_log_linear(entry):
        estimator = method(id, order=order, **options)
        path_rows = [common | row for row in trace_path(train, estimator, settings)]
        best = min(path_rows, key=itemgetter("mean"))
        told = {name: best[name] for name in ("penalty", "decay")}
        model = fit_log_linear(train, replace(estimator, **told), settings, checkpoint)
        logs = model.score(test)
        told |= {"gap": model.gap, "iterations": model.history.size - 1}
        told["parameters"] = model.parameters
    else:
        logs, told["parameters"] = score_bigrams(train, test, id, options)
    losses = np.where(test.words == 0, 0.0, -logs)
    edges = np.linspace(0, test.n, PARTS + 1).astype(int)
    common |= {"rank": 0, "seed": 0, "converged": told["gap"] <= settings["tol"]}
    rows = [
        common
        | told
        | {
            "block": block,
            "pairs": int((test.words[start:stop] != 0).sum()),
            "loss": losses[start:stop].sum(),
        }
        for block, (start, stop) in enumerate(pairwise(edges))
    ]
    return rows, path_rows


def fit_log_linear(train, estimator: LogLinear, settings, checkpoint=None):
    """Return the model of one penalty and decay, fitted to the gap of the settings."""
    places = places_of_sentences(train, estimator.order)
    problem, tree = estimator.build(places, train.words, train.k)
    how = {"progress": checkpoint is not None, "checkpoint": Checkpoint.at(checkpoint)}
    how |= {key: settings[key] for key in ("tol", "iterations")}
    solution = minimise(estimator.norm, problem, estimator.penalty, **how)
    told = estimator.penalty, estimator.decay
    return model_of(problem, tree, places, estimator.order, solution, *told)


def score_bigrams(train, test, id, options):
    """Return the log-probability of each test word by a matrix method, and the pairs it saw."""
    counts = count_bigrams(train)
    matrix = method(id, **options).fit(counts, seed=0)
    return matrix.log_prob(bigram_contexts(test), test.words), counts.nnz


def split_off(train, settings):
    """Return the part of the training text that chooses: words to fit, and words to score."""
    size, held_out = settings["choose"]["train"], settings["choose"]["test"]
    first, rest = train.split(min(size / train.n, 1.0))
    held_out, _ = rest.split(min(held_out / rest.n, 1.0))
    return forget_rare(first, held_out, settings["least"])


def trace_growth(train, estimator, order, settings):
    """Yield rows of `OF_PATHS` of a bigram that is grown to longer histories.

    Parameters
    ----------
    train : condprob.Sentences
    estimator : condprob.Estimator
        Of the bigram.
    order : int
    settings : dict
        ``choose``, ``least``.
    """
    first, held_out = split_off(train, settings)

    def judge(model):
        return -model.score(held_out)[held_out.words != 0].mean()

    base = fit_bigram(estimator, first)
    for penalty, mean, model in trace_penalties(base, first, order, judge):
        told = {"penalty": penalty, "decay": np.nan, "mean": mean, "gap": 0.0, "iterations": 0}
        yield told | {"parameters": model.parameters}


def trace_path(train, estimator: LogLinear, settings):
    """Yield rows of `OF_PATHS`, from the largest penalty on, each fit from the one before.

    The words after the first of the training part are scored: ``mean``, nats per word. The path
    ends as `LogLinear.trace` says. Where the decay is to be learned, each has a path.

    READING: the log-loss is summed, as the paper prints it, so that a penalty chosen on a part
    serves the whole.
    """
    first, held_out = split_off(train, settings)
    places = places_of_sentences(first, estimator.order)
    how = {"tol": ROUGH, "iterations": settings["iterations"]}
    for candidate in estimator.candidates():
        problem, tree = candidate.build(places, first.words, first.k)

        def judge(solution, problem=problem, tree=tree):
            model = model_of(problem, tree, places, estimator.order, solution, 0.0)
            return -model.score(held_out)[held_out.words != 0].mean()

        for penalty, solution, mean in candidate.trace(judge, problem, **how):
            yield {
                "penalty": penalty,
                "decay": candidate.decay,
                "mean": mean,
                "parameters": np.count_nonzero(solution.weights),
                "gap": solution.gap,
                "iterations": solution.history.size - 1,
            }
