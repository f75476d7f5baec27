"""Beyond the paper: one estimator against the best of all others.

On text that the paper never saw, and on its texts under every reading.
"""

from functools import partial

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from reproduction.corpora.receipts import left_out, read_receipt
from reproduction.exhibits.looks import MARKERS, STYLE, look_of, put_title, reach
from reproduction.scores.seeds import spawn_seed
from reproduction.scores.text import Fits, score_pairs
from reproduction.studies.readings.axes import ALL
from reproduction.studies.readings.replication import (
    draw_losses,
    losses_by_method,
    tabulate_texts,
    tell_interval,
    tell_mean,
)
from reproduction.studies.readings.texts import read_given, split_text, vary_vocabulary

NAME = "further"
READING = ", "  # between the tokenizer, the split and the vocabulary that name a reading
BEST = "best other"
WIDE = 36  # letters of a label of which three fit beside each other
COLUMNS = [
    *("collection", "text", "n", "k", "method", "other", "cross_entropy", "difference", "low"),
    *("high", "seeds", "texts", "ahead", "clear", "behind", "note"),
]


def score_readings(root, inputs, methods, given):
    """Score every method under every reading of one split of a text: a scorer (`study.Job`).

    Its input is the ``receipt`` of the corpus. Given is what `texts.read_given` takes;
    ``vocabularies`` (see `texts.choose_words`), ``rank`` and ``seeds``. Of `columns.COLUMNS`,
    ``reading`` is how the text is cut, split, and which words count.
    """
    if "reason" in read_receipt(inputs["receipt"]):
        return
    text, rank = given["text"], given["rank"]
    corpus, *reading = text
    pairs = split_text(root, text, read_given(given))
    for vocabulary, train, test, kept in vary_vocabulary(text, *pairs, given["vocabularies"]):
        named = READING.join([*reading, vocabulary])
        place = {"corpus": corpus, "reading": named, "k": kept.size, "n": train[0].size}
        start_of = partial(spawn_seed, root, NAME, corpus, named, rank)
        how = Fits(methods, rank, given["seeds"])
        for row in score_pairs(start_of, train, test, kept.size, how):
            yield place | {"rank": rank} | row


def tabulate(given):
    """Return the exhibit's table: `tabulate_further`."""
    return tabulate_further(given.root, given.scores, given.entry["ours"], left_out(given.receipts))


def draw(table, exhibit, methods):
    """Return the exhibit's figure: `draw_further`."""
    return draw_further(table, methods, exhibit["ours"])


def draw_readings(table, exhibit, methods):
    """Return the exhibit's figure: `draw_further_readings`."""
    return draw_further_readings(table, methods, exhibit["ours"])


def tabulate_further(root, scores, ours, notes):
    """Compare the method ``ours`` with each other, and with the best other of each text.

    Scores are rows of `replication.score_collection` or `score_readings`, of all methods; notes say
    why a collection could not be had. In the table, `COLUMNS`, ``cross_entropy`` is the mean of
    ``method`` in nats per pair, ``difference`` its cross-entropy less that of ours, positive where
    ours is better, with its 95 % interval ``low, high``: over stretches of test text and over
    starts, resampled together. The method ``best other`` is the one that is lowest on the test text
    itself, named in ``other``: it flatters the others. Rows with ``text`` all have the mean over
    texts, with texts resampled too, on how many of them ours is ``ahead``, by an interval ``clear``
    of zero, and clearly ``behind``.
    """

    def compare(part, seed):
        return _compare(part, ours, seed)

    return tabulate_texts(root, NAME, scores, notes, COLUMNS, compare, _over_texts)


def _compare(part, ours, seed):
    """Yield the row and the bootstrap draws of each method on one text; the last is the best."""
    losses = losses_by_method(part)
    pairs = part[part["method"] == ours].groupby("block")["pairs"].first().to_numpy()
    means = {method: table.mean(axis=0).sum() / pairs.sum() for method, table in losses.items()}
    others = [method for method in losses if method != ours]
    best = min(others, key=means.get)
    drawn = {method: draw_losses(table, pairs, seed) for method, table in losses.items()}
    for method in [ours, *others, BEST]:
        chosen = best if method == BEST else method
        gap = drawn[chosen] - drawn[ours]
        row = {key: part[key].iloc[0] for key in ("n", "k")}
        row |= {"method": method, "other": chosen, "cross_entropy": means[chosen]}
        row |= {"difference": means[chosen] - means[ours]} | tell_interval(gap)
        yield row | {"seeds": len(losses[chosen]), "texts": 1}, gap


def _over_texts(table, draws, seed):
    """Yield the mean over all texts for each method."""
    for method, part in table.groupby("method", sort=False):
        row = {"collection": ALL, "text": ALL, "method": method, "other": method}
        row |= {"cross_entropy": part["cross_entropy"].mean()}
        yield row | tell_mean(part, draws[part.index], seed)


def draw_further(table, methods, ours):
    """Draw by how much ours is ahead of the best other on each text, coloured by that method."""
    best, whole = _best(table)
    best = best.sort_values("difference")
    label = methods[ours].get("label", ours)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.8 + 0.24 * (len(best) + 1)), layout="constrained")
        ax = figure.subplots()
        ax.axvline(0, color="black", lw=0.8)
        handles, first = {}, {}
        for place, row in enumerate([*whole.itertuples(), *best.itertuples()]):
            if row.text == ALL:
                name, how = "mean of all texts", {"color": "black", "marker": "D"}
            else:
                name, id = methods[row.other].get("label", row.other), methods[row.other]["method"]
                how = dict(zip(("color", "marker"), look_of(id), strict=True))
                if first.setdefault(id, name) != name:  # another variant of the method
                    how["markerfacecolor"] = "white"
            handles[name] = _draw_bar(ax, row, place, **how)
        texts = ["mean of all", *best["text"]] if len(best) else []
        ax.set_yticks(range(len(texts)), texts)
        _finish(figure, ax, label, "each text", handles)
    return figure


def draw_further_readings(table, methods, ours):
    """Draw by how much ours is ahead of the best other under each reading, a band for each text.

    The mark is the split; it is filled where the vocabulary is that of the whole text.
    """
    bands = {}
    for row in _best(table)[0].itertuples():
        tokenizer, split, vocabulary = row.text.split(READING)
        bands.setdefault(f"{row.collection}: {tokenizer}", []).append((row, split, vocabulary))
    label = methods[ours].get("label", ours)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.9 + 0.42 * len(bands)), layout="constrained")
        ax = figure.subplots()
        ax.axvline(0, color="black", lw=0.8)
        names, handles, marks = {}, {}, {}
        for top, band in enumerate(bands.values()):
            places = np.linspace(-top - 0.32, -top + 0.32, len(band))[::-1]
            for place, (row, split, vocabulary) in zip(places, band, strict=True):
                colour, _ = look_of(methods[row.other]["method"])
                marker = marks.setdefault(split, MARKERS[len(marks)])
                how = {"color": colour, "marker": marker, "markersize": 5}
                if vocabulary != "text":
                    how["markerfacecolor"] = "white"
                _draw_bar(ax, row, place, **how)
                names.setdefault(colour, {})[methods[row.other].get("label", row.other)] = None
        for colour, same in names.items():  # variants of a method have one colour
            handles[",\n".join(same)] = ax.plot([], [], color=colour, lw=3)[0]
        for split, marker in marks.items():
            handles[f"split: {split}"] = ax.plot([], [], marker, color="0.3")[0]
        hollow = {"color": "0.3", "markerfacecolor": "white"}
        handles["types of the training pairs alone"] = ax.plot([], [], "o", **hollow)[0]
        ax.set_yticks(-np.arange(len(bands)), bands)
        _finish(figure, ax, label, "each reading", handles)
    return figure


def _best(table):
    """Return the rows of the best other: of each text, and over all."""
    best = table[table["method"] == BEST]
    return best[best["text"] != ALL], best[best["text"] == ALL]


def _draw_bar(ax, row, place, **how):
    """Draw a difference with its interval; return what a legend shows."""
    ends = reach(row.difference, row.low, row.high)
    return ax.errorbar(row.difference, place, xerr=ends, **how, capsize=2, elinewidth=1, ls="none")


def _finish(figure, ax, label, each, handles):
    """Add to a figure of differences what it needs to be read."""
    ax.grid(False, axis="y")
    ax.set_xlabel(
        f"best other method minus {label}, nats per word (right of zero {label} is better)"
    )
    title = f"{label} against the best other method of {each}"
    put_title(figure, title)
    if handles:
        note = "Colour: the best other, chosen on the test text itself. 95 % intervals, paired."
        columns = 3 if max(map(len, handles)) <= WIDE else 2
        figure.legend(
            handles.values(), handles, title=note, loc="outside lower center", ncols=columns
        )
