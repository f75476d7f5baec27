"""One method, "ours", against the best of all others on each text."""

from matplotlib.figure import Figure

from reproduction.corpora.receipts import left_out
from reproduction.exhibits.looks import WIDTH, reach
from reproduction.exhibits.palette import look_of
from reproduction.scores.columns import ALL
from reproduction.scores.pairs import (
    average_texts,
    draw_losses,
    ends_of,
    losses_of_methods,
    tabulate_texts,
)

NAME = "further"  # of the seeds of the bootstrap
BEST = "best other"
LETTERS_OF_THREE = 30  # letters of a label of which three fit beside each other
COLUMNS = [
    *("collection", "text", "n", "k", "method", "other", "cross_entropy", "difference", "low"),
    *("high", "seeds", "texts", "ahead", "clear", "behind", "note"),
]


def tabulate(given):
    """Return the exhibit's table (`study.Material`): `tabulate_leads`."""
    return tabulate_leads(given.root, given.scores, given.entry["ours"], left_out(given.receipts))


def tabulate_leads(root, scores, ours, notes):
    """Compare the method ``ours`` with each other, and with the best other of each text.

    In the scores ``corpus`` is the collection and ``reading`` the text; notes say why a collection
    could not be had. In the table, `COLUMNS`, ``cross_entropy`` is the mean of ``method`` in nats
    per pair. ``difference`` is its cross-entropy less that of ours, positive where ours is better.
    Its 95 % interval ``low, high`` is over stretches of test text and over starts, resampled
    together. The method ``best other`` is the lowest on the test text itself, named in ``other``:
    this choice flatters the others. Rows with ``text`` all have the mean over texts, with texts
    resampled too. They count on how many texts ours is ``ahead``, by an interval ``clear`` of
    zero, and clearly ``behind``.
    """

    def compare(part, seed):
        return _compare(part, ours, seed)

    return tabulate_texts(root, NAME, scores, notes, COLUMNS, compare, _over_texts)


def _compare(part, ours, seed):
    """Yield the row and the bootstrap draws of each method on one text; the last is the best."""
    losses, means, pairs = losses_of_methods(part, ours)
    others = [method for method in losses if method != ours]
    best = min(others, key=means.get)
    drawn = {method: draw_losses(table, pairs, seed) for method, table in losses.items()}
    for method in [ours, *others, BEST]:
        chosen = best if method == BEST else method
        gap = drawn[chosen] - drawn[ours]
        row = {key: part[key].iloc[0] for key in ("n", "k")}
        row |= {"method": method, "other": chosen, "cross_entropy": means[chosen]}
        row |= {"difference": means[chosen] - means[ours]} | ends_of(gap)
        yield row | {"seeds": len(losses[chosen]), "texts": 1}, gap


def _over_texts(table, draws, seed):
    """Yield the mean over all texts for each method."""
    for method, part in table.groupby("method", sort=False):
        row = {"collection": ALL, "text": ALL, "method": method, "other": method}
        row |= {"cross_entropy": part["cross_entropy"].mean()}
        yield row | average_texts(part, draws[part.index], seed)


def draw_texts(table, exhibit, methods):
    """Draw by how much ours is ahead of the best other on each text, by that method's mark."""
    best = table[table["method"] == BEST]
    samples = exhibit.get("samples", "texts")
    whole, best = best[best["text"] == ALL], best[best["text"] != ALL].sort_values("difference")
    figure = Figure(figsize=(WIDTH, 1.6 + 0.2 * (len(best) + 1)), layout="constrained")
    ax = figure.subplots()
    ax.axvline(0, color="black", lw=0.8)
    handles = {}
    for place, row in enumerate([*whole.itertuples(), *best.itertuples()]):
        if row.text == ALL:
            name, look = f"mean of all {samples}", {"color": "black", "marker": "D"}
        else:
            name = methods[row.other].get("label", row.other)
            look = look_of(row.other, methods[row.other]["method"]).dot()
        handles[name] = _draw_bar(ax, row, place, **look)
    texts = ["mean of all", *best["text"]] if len(best) else []
    ax.set_yticks(range(len(texts)), texts)
    ax.set_ylim(-0.8, max(len(texts), 1) - 0.2)
    if best.empty:
        _say_nothing(ax, table, samples)
    _finish(figure, ax, methods[exhibit["ours"]].get("label", exhibit["ours"]), handles)
    return figure


def _say_nothing(ax, table, samples):
    """Say in an empty figure why it has nothing to show."""
    lost = table.loc[table["text"].isna(), "collection"].nunique()
    reasons = "; ".join(dict.fromkeys(table["note"].dropna()))
    text = f"None of the {lost} packages with these {samples} could be had: {reasons}."
    ax.text(0.5, 0.5, text, transform=ax.transAxes, ha="center", va="center")
    ax.set_xticks([])


def _draw_bar(ax, row, place, **look):
    """Draw a difference with its interval; return its handle for a legend."""
    ends = reach(row.difference, row.low, row.high)
    return ax.errorbar(row.difference, place, xerr=ends, **look, capsize=2, elinewidth=1, ls="none")


def _finish(figure, ax, label, handles):
    """Add labels and legend to a figure of differences."""
    ax.grid(False, axis="y")
    ax.set_xlabel(
        f"best other method minus {label}, nats per pair (right of zero {label} is better)"
    )
    if handles:
        note = "Mark: the best other, chosen on the test data itself. 95 % intervals, paired."
        columns = 3 if max(map(len, handles)) <= LETTERS_OF_THREE else 2
        figure.legend(
            handles.values(), handles, title=note, loc="outside lower center", ncols=columns
        )
