"""Memory and samples of n-grams on sentences; and completed matrices of pairs."""

import re

import numpy as np

from condprob.catalogue import method
from condprob.counts import CountMatrix
from condprob.methods.textbook.completion import Descent, Entries, complete_matrix
from condprob.run import Run
from condprob.text.sentences import Sentences
from reproduction.corpora.blocks import read_block
from reproduction.scores.seeds import spawn_seed

LONGEST_SENTENCE = 60  # words after which a drawn sentence is cut
GRAM = 4  # words of the n-grams that are looked for in the training text
SHORTEST = 5  # words of a sentence that may count as copied
LETTERS_SHOWN = 460  # letters of a text that was drawn


def remember_file(root, words, style, methods, given):
    """Measure how much models of each order remember: a scorer.

    Of each order: the share of histories after which only one word was seen, and the share of
    n-grams that were seen once; a generated text, the share of its n-grams of four words that
    the training text has, and the share of its sentences that stand there whole (of those of at
    least `SHORTEST` words); and the share of all possible n-grams that the text does not have. Of a
    text that may be shown, also the beginning of what was generated.
    """
    text, *_ = read_block(words)
    train = text.with_stops()
    ((name, entry),) = methods.items()
    labels = read_labels(style)
    known, whole = np.unique(key_grams(train)), {tuple(s) for s in list_sentences(train)}
    for order in given["orders"]:
        model = method(entry["method"]).fit_text(train, order, 0)
        of_length = model.tree.depth == order - 1
        single = np.mean(np.diff(model.first)[of_length] == 1)
        drawn = draw_sentences(model, given["drawn"], spawn_seed(root, "generated", order))
        found = np.isin(key_grams(drawn), known).mean()
        said = [tuple(s) for s in list_sentences(drawn) if s.size > SHORTEST]  # with its end
        copied = np.mean([s in whole for s in said]) if said else np.nan
        times = np.unique(key_grams(train, min(order, GRAM)), return_counts=True)[1]
        once = np.mean(times == 1) if order <= GRAM else np.nan
        seen = np.unique(key_grams(text, min(order, GRAM))).size
        yield {
            "corpus": given["corpus"],
            "order": order,
            "method": name,
            "k": train.k,
            "n": train.n,
            "single": single,
            "found": found,
            "once": once,
            "copied": copied,
            "unseen": 1 - seen / text.k**order if order <= GRAM else np.nan,
            "text": write_text(drawn, labels) if given["shown"] else "",
        }


def read_labels(path):
    """Return the words of a text by their numbers; the last is that of ends, and empty."""
    with np.load(path) as file:
        return [*file["labels"].tolist(), ""]


def write_text(sentences, labels):
    """Return the beginning of some sentences as a text, a stroke between two, marks at words."""
    lines = (" ".join(labels[w] for w in s).strip() for s in list_sentences(sentences))
    text = " / ".join(line for line in lines if line)
    return re.sub(r" ([.,;:?!])", r"\1", text)[:LETTERS_SHOWN].rpartition(" ")[0]


def draw_sentences(model, words, seed):
    """Draw sentences of at least so many words in all; the last word of the model ends each."""
    rng, stop, found, total = np.random.default_rng(seed), model.outcomes - 1, [], 0
    while total < words:
        sentence = []
        while len(sentence) < LONGEST_SENTENCE and stop not in sentence[-1:]:
            (word,) = model.sample([sentence], rng)
            sentence.append(int(word))
        found.append(sentence)
        total += len(sentence)
    return Sentences.from_lists(found, model.outcomes)


def list_sentences(sentences):
    """Return the words of each sentence."""
    return np.split(sentences.words, sentences.starts[1:-1])


def key_grams(sentences, length=GRAM):
    """Return a number for each n-gram of so many words, at most `GRAM`, inside a sentence."""
    histories = sentences.histories(length)
    whole = (histories >= 0).all(axis=1)
    key = np.zeros(int(whole.sum()), dtype=np.int64)
    for column in (*histories[whole].T, sentences.words[whole]):
        key = key * sentences.k + column
    return key


def complete_file(root, words, given):
    """Complete log counts of pairs of frequent words, a tenth held out: a scorer.

    Yields the root of the mean squared error of held-out entries, with each kind of biases at each
    rank, and of the mean of the known ones (rank 0, without biases).
    """
    train, _ = read_block(words)
    entries = list_log_counts(train, given["frequent"])
    shape = (given["frequent"],) * 2
    for trial in range(given["trials"]):
        rng = np.random.default_rng(spawn_seed(root, "completion", trial))
        held = rng.random(entries.values.size) < given["held_out"]
        known, other = (Entries(*(part[mask] for part in entries)) for mask in (~held, held))
        for rank in (0, *given["ranks"]):
            for biases in ("none", "contexts", "both") if rank else ("none",):
                found = np.full(other.values.size, known.values.mean())
                if rank:
                    descent = Descent(given["rate"], given["ridge"], biases)
                    run = Run(spawn_seed(root, "completion", trial, rank))
                    parts = complete_matrix(known, shape, rank, given["passes"], descent, run)
                    found = parts.at(other.rows, other.columns)
                rmse = np.sqrt(np.mean((other.values - found) ** 2))
                yield {
                    "corpus": "brown",
                    "rank": rank,
                    "trial": trial,
                    "n": entries.values.size,
                    "biases": biases,
                    "rmse": rmse,
                }


def list_log_counts(sentences, frequent):
    """Return log counts of the pairs seen of the most frequent words, as entries of a matrix."""
    sums = np.bincount(sentences.words, minlength=sentences.k)
    sums[0] = 0  # of the unknown word
    chosen = np.argsort(-sums, kind="stable")[: min(frequent, np.count_nonzero(sums))]
    place = np.full(sentences.k + 1, -1)
    place[chosen] = np.arange(chosen.size)
    before, after = place[sentences.histories(2)[:, 0]], place[sentences.words]
    kept = (before >= 0) & (after >= 0)
    counts = CountMatrix.from_pairs(before[kept], after[kept], chosen.size)
    return Entries(counts.contexts, counts.outcomes, np.log(counts.values))
