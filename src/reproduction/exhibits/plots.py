"""The figures. Each is drawn from the tidy table of its exhibit and nothing else."""

import textwrap

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

from reproduction.exhibits.tables import unavailable

# One colour and marker for a method (Okabe and Ito's palette, safe for colour-blind readers);
# other readings of the same method share them and differ in their dashes.
LOOKS = {
    "add-half": ("#7f7f7f", "s"),
    "ad": ("#e69f00", "^"),
    "naive-add-half-lr": ("#cc79a7", "v"),
    "naive-ad-lr": ("#56b4e9", "D"),
    "sb": ("#000000", "P"),
    "kn": ("#d55e00", "X"),
    "add-half-lr": ("#009e73", "o"),
    "ad-lr": ("#0072b2", "o"),
    "lr": ("#8c564b", "*"),
}
DASHES = ["-", (0, (4, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2))]
STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same glyphs everywhere
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 9,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "legend.frameon": False,
    "figure.dpi": 150,
    "svg.hashsalt": "condprob",  # the same ids in every run
}


def draw_exhibit(table, exhibit, methods):
    """Draw the figure of an exhibit.

    Parameters
    ----------
    table : pandas.DataFrame
        The exhibit's CSV.
    exhibit : dict
        Its entry in the config.
    methods : dict
        Entries of its methods, in order.

    Returns
    -------
    matplotlib.figure.Figure
    """
    draw = {
        "risk-curve": draw_risk_curves,
        "table": draw_table,
        "learning-curve": draw_learning_curves,
        "rank-selection": draw_rank_selection,
    }[exhibit["kind"]]
    with mpl.rc_context(STYLE):
        figure = draw(table, exhibit, methods)
        title = textwrap.fill(exhibit["title"], int(10 * figure.get_figwidth()))
        figure.suptitle(title, x=0.01, ha="left", fontsize=11, fontweight="bold")
    return figure


def save_figure(figure, *paths):
    """Write the figure to each path, without date or version: the same bytes in every run."""
    with mpl.rc_context(STYLE):
        for path in paths:
            blank = {"Date": None} if str(path).endswith("svg") else {"Software": None}
            figure.savefig(path, metadata=blank)


def draw_risk_curves(table, exhibit, methods):
    """Draw KL risk against ``n``: for each (k, m) on its own scale and in the paper's frame.

    Where a single ``n`` was drawn for several ``k``, the risk is drawn against ``k`` instead.
    """
    if table["n"].nunique() == 1 < table["k"].nunique():
        return _draw_against_k(table, methods)
    settings = list(dict.fromkeys(zip(table["k"], table["rank"], strict=True)))
    frames = [None, exhibit["y_range"]] if "y_range" in exhibit else [None]
    figure, axes = _panels(len(settings), len(frames))
    for row, (k, rank) in zip(axes, settings, strict=True):
        part = table[(table["k"] == k) & (table["rank"] == rank)]
        for ax, frame in zip(row, frames, strict=True):
            _draw_lines(ax, part, "n", methods)
            if exhibit.get("y_scale") == "log":
                _use_log_scale(ax)
            if frame:
                ax.set_ylim(frame)
                ax.set_title(
                    f"the same, on the axis printed in the paper ({frame[0]} to {frame[1]})"
                )
            else:
                trials = part["trials"].max()
                ax.set_title(f"k = {k}, m = {rank}; mean of {trials} trials, 95 % intervals")
                if exhibit.get("y_scale") != "log":
                    ax.set_ylim(bottom=0)
            ax.set_xlabel("number of pairs, n")
            ax.set_ylabel("KL risk, nats")
    _legend(figure, axes[0, 0])
    return figure


def _draw_against_k(table, methods):
    """Draw KL risk against ``k``, both on logarithmic scales, for each rank."""
    ranks = list(dict.fromkeys(table["rank"]))
    figure, axes = _panels(1, len(ranks), width=5.6)
    for ax, rank in zip(axes[0], ranks, strict=True):
        part = table[table["rank"] == rank]
        _draw_lines(ax, part, "k", methods)
        ax.set_xscale("log")
        _use_log_scale(ax)
        ax.set_xticks(part["k"].unique(), labels=[f"{k:,}" for k in part["k"].unique()])
        ax.minorticks_off()
        n, trials = part["n"].iloc[0], part["trials"].max()
        ax.set_title(f"m = {rank}, n = {n:,}; mean of {trials} trials, 95 % intervals")
        ax.set_xlabel("number of contexts and of outcomes, k")
        ax.set_ylabel("KL risk, nats")
    _legend(figure, axes[0, 0])
    return figure


def draw_learning_curves(table, exhibit, methods):
    """Draw the cross-entropy minus the baseline's against the number of training words."""
    figure, axes = _panels(1, len(exhibit["corpora"]))
    base = methods[exhibit["baseline"]]["label"]
    for ax, corpus in zip(axes[0], exhibit["corpora"], strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            for bound in ("low", "high"):
                part = part.assign(**{bound: part[bound] - part["mean"] + part["difference"]})
            _draw_lines(ax, part.assign(mean=part["difference"]), "n", methods)
            seeds = int(part["seeds"].max())
            ax.set_title(f"{corpus}; low-rank methods: mean of {seeds} starts, 95 % intervals")
            _shade_frame(ax, exhibit.get("y_range"))
        ax.set_xlabel("training words, n")
        ax.set_ylabel(f"cross-entropy minus that of {base}, nats")
    _legend(figure, *axes[0])
    return figure


def draw_rank_selection(table, exhibit, methods):
    """Draw the validation cross-entropy against the rank, and mark each minimum."""
    columns = min(2, len(exhibit["corpora"]))
    figure, axes = _panels(-(-len(exhibit["corpora"]) // columns), columns)
    for ax in axes.flat[len(exhibit["corpora"]) :]:
        ax.set_axis_off()
    for ax, corpus in zip(axes.flat, exhibit["corpora"], strict=False):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            _draw_lines(ax, part, "rank", methods)
            for i, (_, curve) in enumerate(part.groupby("method", sort=False)):
                best = curve.loc[curve["mean"].idxmin()]
                ax.plot(best["rank"], best["mean"], "o", ms=11, mfc="none", mec="black", zorder=4)
                label = f"m = {best['rank']:.0f}"
                offset = {
                    "textcoords": "offset points",
                    "xytext": (0, 9 if i % 2 else -16),
                    "ha": "center",
                }
                ax.annotate(label, (best["rank"], best["mean"]), fontsize=8, **offset)
            _shade_frame(ax, exhibit.get("y_ranges", {}).get(corpus))
            ax.margins(y=0.18)
            ax.set_title(f"{corpus}: n = {part['n'].iloc[0]:,.0f} words; minimum ringed")
        ax.set_xlabel("rank, m")
        ax.set_ylabel("cross-entropy, nats")
    _legend(figure, *axes.flat)
    return figure


def draw_table(table, exhibit, methods):
    """Draw Table 1: ours with the spread over starts, beside the paper's value."""
    figure, axes = _panels(1, len(exhibit["corpora"]), width=3.1)
    places = {name: -i for i, name in enumerate(methods)}
    for ax, corpus in zip(axes[0], exhibit["corpora"], strict=True):
        if not _say_missing(ax, table, corpus):
            part = table[table["corpus"] == corpus]
            for row in part.itertuples():
                colour, marker = LOOKS[methods[row.method]["method"]]
                y = places[row.method]
                spread = row.sd if row.seeds > 1 else None
                ax.errorbar(row.mean, y, xerr=spread, color=colour, marker=marker, capsize=3)
                if np.isfinite(row.paper):
                    ax.plot(row.paper, y, marker="|", ms=15, mew=1.6, color="black", zorder=1)
            ax.set_title(corpus)
            ax.margins(x=0.12)
        ax.set_yticks(list(places.values()))
        ax.set_yticklabels([methods[name]["label"] for name in places] if ax is axes[0, 0] else [])
        ax.set_ylim(-len(places) + 0.4, 0.6)
        ax.set_xlabel("nats per word")
    seeds = int(table["seeds"].max())
    note = f"mark: ours, with the standard deviation over {seeds} starts; bar: the paper's value"
    figure.supxlabel(note, fontsize=8, x=0.99, ha="right")
    return figure


def _panels(rows, columns, width=4.6):
    """Return a figure and its grid of axes."""
    figure = Figure(figsize=(max(width * columns, 7.4), 3.1 * rows + 0.9), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def _draw_lines(ax, table, x, methods):
    """Draw a line with 95 % intervals for each method."""
    seen = {}
    for name, entry in methods.items():
        colour, marker = LOOKS[entry["method"]]
        variant = seen[entry["method"]] = seen.get(entry["method"], -1) + 1
        part = table[table["method"] == name].sort_values(x)
        if part.empty:
            continue
        ax.errorbar(
            part[x],
            part["mean"],
            yerr=[(part["mean"] - part["low"]).fillna(0), (part["high"] - part["mean"]).fillna(0)],
            color=colour,
            marker=marker,
            mfc="white" if variant else colour,
            ls=DASHES[variant % len(DASHES)],
            capsize=2.5,
            elinewidth=1,
            label=entry["label"],
        )
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _use_log_scale(ax):
    """Make the KL axis logarithmic, with plain numbers on it."""
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())


def _shade_frame(ax, frame):
    """Shade the range of the axis that the paper prints."""
    if frame:
        ax.axhspan(*frame, color="#f2f2ea", zorder=0)
        corner = {"xycoords": ("axes fraction", "data"), "ha": "right", "va": "bottom"}
        label = "axis printed in the paper"
        ax.annotate(label, (0.99, frame[0]), color="#6b6b5f", fontsize=7, **corner)


def _say_missing(ax, table, corpus):
    """Write into a panel why its corpus is missing, if it is."""
    reason = unavailable(table).get(corpus)
    if reason is not None:
        text = f"{corpus} could not be had:\n" + textwrap.fill(reason, 44)
        ax.text(0.5, 0.5, text, ha="center", va="center", fontsize=8, transform=ax.transAxes)
        ax.set_title(corpus)
        ax.set_xticks([])
        ax.grid(False)
    return reason is not None


def _legend(figure, *axes):
    """Put one legend for all panels under the figure."""
    entries = {}
    for ax in axes:
        handles, labels = ax.get_legend_handles_labels()
        entries |= dict(zip(labels, handles, strict=True))
    if entries:
        figure.legend(
            entries.values(), entries.keys(), loc="outside lower center", ncols=len(entries)
        )
