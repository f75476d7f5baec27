"""One method, "ours", against the best of all others on each text."""

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
COLUMNS = [
    *("collection", "text", "n", "k", "method", "other", "cross_entropy", "difference", "low"),
    *("high", "seeds", "texts", "ahead", "clear", "behind"),
]


def tabulate_leads(root, scores, ours):
    """Compare the method ``ours`` with each other, and with the best other of each text.

    In the scores ``corpus`` is the collection and ``setting`` the text. In the table, `COLUMNS`,
    ``cross_entropy`` is the mean of ``method`` in nats per pair. ``difference`` is ours minus that
    cross-entropy, negative where ours is better. Its 95 % interval ``low, high`` is over stretches
    of test text and over starts, resampled together. The method ``best other`` is the lowest on
    the test text itself, named in ``other``: this choice flatters the others. Rows with ``text``
    all have the mean over texts, with texts resampled too. They count on how many texts ours is
    ``ahead``, by an interval ``clear`` of zero, and clearly ``behind``.
    """

    def compare(part, seed):
        return _compare(part, ours, seed)

    return tabulate_texts(root, NAME, scores, COLUMNS, compare, _over_texts)


def _compare(part, ours, seed):
    """Yield the row and the bootstrap draws of each method on one text; the last is the best."""
    losses, means, pairs = losses_of_methods(part, ours)
    others = [method for method in losses if method != ours]
    best = min(others, key=means.get)
    drawn = {method: draw_losses(table, pairs, seed) for method, table in losses.items()}
    for method in [ours, *others, BEST]:
        chosen = best if method == BEST else method
        gap = drawn[ours] - drawn[chosen]
        row = {key: part[key].iloc[0] for key in ("n", "k")}
        row |= {"method": method, "other": chosen, "cross_entropy": means[chosen]}
        row |= {"difference": means[ours] - means[chosen]} | ends_of(gap)
        yield row | {"seeds": len(losses[chosen]), "texts": 1}, gap


def _over_texts(table, draws, seed):
    """Yield the mean over all texts for each method."""
    for method, part in table.groupby("method", sort=False):
        row = {"collection": ALL, "text": ALL, "method": method, "other": method}
        row |= {"cross_entropy": part["cross_entropy"].mean()}
        yield row | average_texts(part, draws[part.index], seed)
