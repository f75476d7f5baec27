"""Beyond the paper, on text that it never saw: one estimator against the best of all others."""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from reproduction.exhibits.looks import STYLE, look_of
from reproduction.experiments.intervals import percentile_interval, resample, resample_loss
from reproduction.multiverse.axes import ALL
from reproduction.multiverse.replication import DRAWS, losses_by_method, tabulate_texts

NAME = "further"
BEST = "best other"
COLUMNS = [
    *("collection", "text", "n", "k", "method", "other", "cross_entropy", "difference", "low"),
    *("high", "seeds", "texts", "ahead", "clear", "behind", "note"),
]


def tabulate_further(root, scores, ours, notes):
    """Compare one method with each other, and with the best other of each text.

    Parameters
    ----------
    root : int
        Of the bootstrap's random numbers.
    scores : pandas.DataFrame
        Rows of `replication.score_texts`, of all methods.
    ours : str
        The name of the method.
    notes : dict
        Why a collection could not be had.

    Returns
    -------
    pandas.DataFrame
        `COLUMNS`. ``cross_entropy`` is the mean of ``method`` in nats per pair, ``difference`` its
        cross-entropy less that of ours, positive where ours is better, with its 95 % interval
        ``low, high``: over stretches of test text and over starts, resampled together. The method
        ``best other`` is the one that is lowest on the test text itself, named in ``other``: it
        flatters the others. Rows with ``text`` all have the mean over texts, with texts resampled
        too, on how many of them ours is ``ahead``, by an interval ``clear`` of zero, and clearly
        ``behind``.
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
    drawn = {method: _draw(table, pairs, seed) for method, table in losses.items()}
    for method in [ours, *others, BEST]:
        chosen = best if method == BEST else method
        gap = drawn[chosen] - drawn[ours]
        low, high = percentile_interval(gap)
        row = {key: part[key].iloc[0] for key in ("n", "k")}
        row |= {"method": method, "other": chosen, "cross_entropy": means[chosen]}
        row |= {"difference": means[chosen] - means[ours], "low": low, "high": high}
        yield row | {"seeds": len(losses[chosen]), "texts": 1}, gap


def _draw(losses, pairs, seed):
    """Return bootstrap draws of a mean loss; methods share the stretches of text."""
    rng = np.random.default_rng(seed)
    blocks = resample(pairs.size, DRAWS, rng)
    return resample_loss(losses, pairs, blocks, resample(len(losses), DRAWS, rng))


def _over_texts(table, draws, seed):
    """Yield the mean over all texts for each method."""
    for method, part in table.groupby("method", sort=False):
        weights = resample(len(part), DRAWS, np.random.default_rng(seed))
        low, high = percentile_interval((weights * draws[part.index].T).sum(axis=1))
        yield {
            **{"collection": ALL, "text": ALL, "method": method, "other": method},
            **{key: part[key].mean() for key in ("cross_entropy", "difference")},
            **{"low": low, "high": high, "seeds": part["seeds"].max(), "texts": len(part)},
            **{"ahead": (part["difference"] > 0).sum(), "clear": (part["low"] > 0).sum()},
            "behind": (part["high"] < 0).sum(),
        }


def draw_further(table, methods, ours):
    """Draw by how much ours is ahead of the best other on each text, coloured by that method.

    Parameters
    ----------
    table : pandas.DataFrame
        From `tabulate_further`.
    methods : dict
        Entries of the config's ``methods``.
    ours : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    best = table[(table["method"] == BEST) & (table["text"] != ALL)].sort_values("difference")
    whole = table[(table["method"] == BEST) & (table["text"] == ALL)]
    label = methods[ours].get("label", ours)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.8 + 0.24 * (len(best) + 1)), layout="constrained")
        ax = figure.subplots()
        ax.axvline(0, color="black", lw=0.8)
        handles = {}
        for place, row in enumerate([*whole.itertuples(), *best.itertuples()]):
            is_mean = row.text == ALL
            colour, marker = ("black", "D") if is_mean else look_of(methods[row.other]["method"])
            bar = ax.errorbar(
                row.difference,
                place,
                xerr=[[row.difference - row.low], [row.high - row.difference]],
                **{"color": colour, "marker": marker, "capsize": 2, "elinewidth": 1, "ls": "none"},
            )
            name = "mean of all texts" if is_mean else methods[row.other].get("label", row.other)
            handles[name] = bar
        texts = ["mean of all", *best["text"]] if len(best) else []
        ax.set_yticks(range(len(texts)), texts)
        ax.grid(False, axis="y")
        ax.set_xlabel(
            f"best other method minus {label}, nats per word (right of zero {label} is better)"
        )
        title = f"{label} against the best other method of each text"
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
        if handles:
            note = "Mark: the best other, chosen on the test text itself. 95 % intervals, paired."
            figure.legend(
                handles.values(), handles, title=note, loc="outside lower center", ncols=4
            )
    return figure
