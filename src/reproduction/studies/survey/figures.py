"""The figures of its exhibits, each only from its table."""

import textwrap

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from reproduction.exhibits.palette import style_of
from reproduction.exhibits.panels import (
    SIZE_OF_NOTE,
    WIDTH,
    make_grid,
    make_panels,
    plain_numbers,
    put_legend,
    reach,
    set_ticks,
)
from reproduction.studies.survey.plan import (
    ASO,
    CLOSED,
    FEATURES,
    KNESER_NEY,
    OURS,
    RANKED_AS,
    RIDGED,
    SHOWN_AS,
    SUPERVISED,
    TAGGING,
)
from reproduction.studies.survey.words import NEAREST

COLOURS = ("#7f7f7f", "#e69f00", "#d55e00", "#0072b2", "#117733", "#cc79a7", "#56b4e9", "#000000")
# Nats: a method that is worse by more stands at the edge, with its number.
LARGEST_DIFFERENCE_SHOWN = 1.0
SHORTEST_FIT = 1e-3  # seconds: less is as good as nothing
HEIGHT_OF_ROW = 0.22  # inches of a row
ROWS_BETWEEN_FAMILIES = 0.6  # rows between two families
MARKED = "os^vDP"  # rankings
PANELS_ACROSS = 2  # maps beside each other
# Of the names of words, in points: the width of a letter, the height, and the side of a panel; and
# how many rings of places around a point are tried.
WIDTH_OF_LETTER, LETTERS_HIGH, SIDE_OF_PANEL, RINGS_TRIED = 4.2, 7.5, 225, 16
LOOKS_OF_TAGGERS = {  # colour, marker, dashes
    SUPERVISED: ("#7f7f7f", "s", ":"),
    ASO: ("#0072b2", "o", "-"),
    RIDGED: ("#d55e00", "^", "--"),
    FEATURES: ("#117733", "D", "-."),
}


def draw_methods(table, exhibit, methods):
    """Draw a forest: for each text, by families, how much each method is worse than Kneser-Ney."""
    panels = [(corpus, table[table["corpus"] == corpus]) for corpus in exhibit["corpora"]]
    return _draw_forest(panels, exhibit, methods, "nats per word")


def draw_risk(table, exhibit, methods):
    """Draw a forest: at each number of pairs, how far each method's risk is above Kneser-Ney's."""
    panels = [(f"{n:,} pairs", part.assign(setting=CLOSED)) for n, part in table.groupby("n")]
    return _draw_forest(panels, exhibit, methods, "nats")


def _draw_forest(panels, exhibit, methods, unit):
    """Draw a row for each method, the families apart, with a panel for each text or size."""
    known = {name for _, part in panels for name in part["method"]}
    families = {
        family: [name for name in names if name in known]
        for family, names in exhibit["families"].items()
    }
    families = {family: names for family, names in families.items() if names}
    places = place_rows(families)
    low = min(places.values(), default=0)
    figure = Figure(figsize=(WIDTH, 1.0 + HEIGHT_OF_ROW * (1 - low)), layout="constrained")
    grid = figure.subplots(1, max(len(panels), 1), squeeze=False, sharey=True)
    for ax, (title, part) in zip(grid[0], panels, strict=False):
        ax.axvline(0, color="black", lw=0.8)
        for value in part[(part["method"] == OURS) & (part["setting"] == CLOSED)]["difference"]:
            ax.axvline(value, color=style_of(OURS, methods).colour, lw=0.8, ls=":")
        for names in list(families.values())[1:]:
            ax.axhline(places[names[0]] + (1 + ROWS_BETWEEN_FAMILIES) / 2, color="#c9c9c9", lw=0.6)
        edge = min(LARGEST_DIFFERENCE_SHOWN, max(part["high"].max(), 0.05)) if len(part) else 1.0
        beyond = _is_far(part).any()
        for row in part.itertuples():
            _draw_row(ax, row, places[row.method], edge, methods)
        ax.set(title=title, xlabel=unit)
        ax.set_xlim(right=edge * (1.5 if beyond else 1.1))  # room for numbers that are far
        if edge == LARGEST_DIFFERENCE_SHOWN:
            ax.set_xticks(np.arange(0.0, LARGEST_DIFFERENCE_SHOWN + 0.01, 0.5))
            ax.set_xticks(np.arange(-0.25, LARGEST_DIFFERENCE_SHOWN, 0.25), minor=True)
            ax.grid(which="minor", axis="x", lw=0.4)
        ax.grid(False, axis="y")
    grid[0, 0].set_ylim(low - 0.6, 0.7)
    labels = [methods[name].get("label", name) for name in places]
    grid[0, 0].set_yticks(list(places.values()), labels)
    for family, names in families.items():
        middle = (places[names[0]] + places[names[-1]]) / 2
        grid[0, -1].annotate(
            textwrap.fill(family, 13),
            (1.03, middle),
            va="center",
            xycoords=("axes fraction", "data"),
            fontsize=SIZE_OF_NOTE,
            color="0.35",
            annotation_clip=False,
        )
    other = methods[KNESER_NEY].get("label", KNESER_NEY)
    note = f"Each method minus {other}: left of zero it is better. Dotted: PY-LR. "
    note += "95 % intervals, paired."
    if any((part["setting"] != CLOSED).any() for _, part in panels):
        note += " Small and lower: only the words of the training text."
    put_legend(figure, {}, [note])
    return figure


def place_rows(families):
    """Return the height of each method's row, families apart."""
    places, height = {}, 0.0
    for names in families.values():
        for name in names:
            places[name] = height
            height -= 1
        height -= ROWS_BETWEEN_FAMILIES
    return places


def _is_far(part):
    """Whether each row is beyond the panel."""
    return np.isinf(part["mean"]) | (part["difference"] > LARGEST_DIFFERENCE_SHOWN)


def _dots(colours):
    """Return handles of a legend, a dot of each colour."""
    return {
        name: Line2D([], [], color=colour, marker="o", ls="") for name, colour in colours.items()
    }


def _draw_row(ax, row, place, edge, methods):
    """Draw one difference; one that is far is a number behind the edge of the panel."""
    is_infinite, is_closed = np.isinf(row.mean), row.setting == CLOSED
    if np.isnan(row.difference) and not is_infinite:
        return
    place += 0.22 if is_closed else -0.22
    style, size = style_of(row.method, methods), 4.5 if is_closed else 3.2
    if is_infinite or row.difference > LARGEST_DIFFERENCE_SHOWN:
        text = "\N{INFINITY}" if is_infinite else f"{row.difference:.2f}"
        ax.plot(edge * 1.05, place, ">", color=style.colour, ms=size)
        ax.annotate(text, (edge * 1.13, place), fontsize=5.5, va="center_baseline")
        return
    ends = reach(row.difference, row.low, row.high)
    ax.errorbar(
        row.difference, place, xerr=ends, **style.dot(), ms=size, mew=0.8, elinewidth=1, ls="none"
    )


def find_front(table):
    """Return the rows that no other beats in both ``seconds`` and ``nats``, by seconds."""
    table = table.sort_values(["seconds", "nats"])
    return table[table["nats"] < table["nats"].cummin().shift(fill_value=np.inf)]


def draw_cost(table, exhibit, methods):
    """Draw cross-entropy against seconds of a fit, and the front of both, for each text."""
    known = table[table["setting"] == CLOSED]
    figure, grid = make_panels(1, len(exhibit["corpora"]), width=3.6, height=3.6)
    handles = {}
    for ax, corpus in zip(grid[0], exhibit["corpora"], strict=True):
        part = known[known["corpus"] == corpus].assign(
            seconds=lambda rows: rows["fit_seconds"].clip(lower=SHORTEST_FIT),
            nats=lambda r: r["mean"],
        )
        front = find_front(part)
        ax.step(front["seconds"], front["nats"], where="post", color="0.6", lw=1, zorder=1)
        for row in part.itertuples():
            dot = style_of(row.method, methods).dot()
            label = methods[row.method].get("label", row.method)
            (handles[label],) = ax.plot(row.seconds, row.nats, ls="", ms=4.5, **dot)
        ax.plot(front["seconds"], front["nats"], "o", ms=8, mfc="none", mec="black", mew=0.8)
        names = ", ".join(methods[name].get("label", name) for name in front["method"])
        ringed = textwrap.fill(f"Ringed: {names}", 44)
        ax.set(
            title=corpus,
            xlabel=f"processor seconds per fit\n{ringed}",
            ylabel="nats per word",
        )
        if len(part):
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter(plain_numbers())
            ax.xaxis.set_minor_formatter(NullFormatter())
            ax.set_ylim(top=part["nats"].min() + LARGEST_DIFFERENCE_SHOWN)
    note = (
        "Line and rings: methods that no other beats in both. Worse ones are cut off; times below "
    )
    put_legend(figure, handles, [f"{note}one millisecond are shown at one."])
    return figure


def draw_table(table, exhibit, methods):
    """Draw the ratio of each perplexity to Kneser-Ney's next to the published one; write both."""
    figure, grid = make_panels(1, 1, height=1.0 + 0.27 * max(len(table), 1))
    ax, handles, names = grid[0, 0], {}, []
    columns = ((1.03, "here"), (1.12, "published"))
    for at, title in columns:
        ax.text(at, 1.0, title, transform=ax.transAxes, va="bottom", fontsize=SIZE_OF_NOTE)
    for place, row in enumerate(table.itertuples()):
        ends = reach(row.ratio, row.ratio_low, row.ratio_high)
        style = style_of(row.method, methods)
        ax.errorbar(row.ratio, -place, xerr=ends, **style.dot(), capsize=3, ls="none")
        if not row.converged:
            name = "not converged"
            (handles[name],) = ax.plot(row.ratio, -place, "o", ms=9, mfc="none", mec="0.6")
        if np.isfinite(row.printed_ratio):
            (handles["published ratio"],) = ax.plot(
                row.printed_ratio, -place, "|", ms=14, mew=1.6, color="black"
            )
        for (at, _), value in zip(columns, (row.perplexity, row.printed), strict=True):
            if np.isfinite(value):
                ax.text(
                    at,
                    -place,
                    f"{value:.0f}",
                    transform=ax.get_yaxis_transform(),
                    va="center",
                    fontsize=SIZE_OF_NOTE,
                )
        names.append(f"{methods[row.method].get('label', row.method)}, order {row.order}")
    ax.axvline(1, color="0.6", lw=1)
    ax.set_yticks([-place for place in range(len(names))], names)
    ax.set_ylim(-len(names) + 0.4, 0.6)
    ax.set_xlabel("perplexity over that of Kneser-Ney: left is better")
    trained = f"Trained on {table['words'].max():,.0f} words; " if len(table) else ""
    put_legend(
        figure,
        handles,
        [
            f"{trained}the survey's models on 800,000 of another preparation of Brown. "
            "Right: perplexities."
        ],
    )
    return figure


def draw_example(table, exhibit, methods):
    """Draw the titles of Figure 1 in their plane."""
    figure, grid = make_panels(1, 1)
    ax, looks = (
        grid[0, 0],
        {"u": ("user interfaces", "o", "#d55e00"), "g": ("graph theory", "^", "#0072b2")},
    )
    handles = {}
    for kind, (name, marker, colour) in looks.items():
        part = table[table["title"].str.startswith(kind)]
        handles[name] = ax.scatter(part["x"], part["y"], marker=marker, color=colour, s=30)
        for row in part.itertuples():
            ax.plot([0, row.x], [0, row.y], color=colour, lw=0.6)
            ax.annotate(
                row.title,
                (row.x, row.y),
                xytext=(-14, 4) if kind == "g" else (4, 4),  # where no other line runs
                textcoords="offset points",
                fontsize=SIZE_OF_NOTE,
            )
    ax.set(xlabel="first singular vector", ylabel="second singular vector")
    put_legend(figure, handles, [])
    return figure


def draw_words(table, exhibit, methods):
    """Draw the words in the plane of each method, and write their neighbours below."""
    names = [name for name in exhibit["methods"] if name in set(table["method"])]
    groups = [group for group in table["group"].unique() if group != NEAREST]
    colours = dict(zip(groups, COLOURS[1:], strict=False))
    figure, panels = make_grid(max(len(names), 1), PANELS_ACROSS, width=3.6, height=4.7)
    for ax, name in zip(panels, names, strict=False):
        own = table[table["method"] == name]
        ax.set_title(methods[name].get("label", name))
        _write_words(ax, own[own["group"] != NEAREST], colours)
        ax.tick_params(labelsize=6)
        nearest = own[own["group"] == NEAREST]
        lines = [f"{row.word}: {row.near}" for row in nearest.itertuples()]
        text = "\n".join("\n   ".join(textwrap.wrap(line, 46)) for line in lines)
        ax.set_xlabel(text, loc="left", fontsize=7)
    note = "Below: the nearest of the most frequent words, by the cosine of their vectors."
    put_legend(figure, _dots(colours), [note])
    return figure


def _write_words(ax, rows, colours):
    """Draw words as points, and each name at the nearest free place, a line between them."""
    ax.plot(rows["x"], rows["y"], " ")
    ax.margins(0.12)
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    spots = (rows[["x", "y"]].to_numpy() - [left, low]) / [right - left, high - low] * SIDE_OF_PANEL
    taken = [(x - 1, y - 1, x + 1, y + 1) for x, y in spots]  # left, lower, right, upper: points
    for row, (x, y) in zip(rows.itertuples(), spots, strict=True):
        size = np.array([WIDTH_OF_LETTER * len(row.word), LETTERS_HIGH])
        for shift in _around(size):
            low = np.array([x, y]) + shift
            box = (*low, *(low + size))
            is_inside = min(box) > 0 and max(box) < SIDE_OF_PANEL
            if is_inside and not any(_overlap(box, other) for other in taken):
                break
        taken.append(box)
        far = np.hypot(*shift) > 2 * LETTERS_HIGH
        line = {"arrowstyle": "-", "lw": 0.3, "color": colours[row.group], "shrinkA": 0}
        ax.plot(row.x, row.y, ".", color=colours[row.group], ms=3)
        ax.annotate(
            row.word,
            (row.x, row.y),
            shift,
            textcoords="offset points",
            color=colours[row.group],
            fontsize=6.5,
            arrowprops=line if far else None,
        )


def _around(size):
    """Yield shifts of the lower left corner of a label from its point, the nearest first."""
    for ring in range(RINGS_TRIED):
        for angle in np.linspace(0, 2 * np.pi, 8 + 4 * ring, endpoint=False):
            reach = (1.0 + LETTERS_HIGH * ring) * np.array([np.cos(angle), np.sin(angle)])
            yield reach - size * np.array([np.cos(angle) < -0.1, np.sin(angle) < -0.1])


def _overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def draw_retrieval(table, exhibit, methods):
    """Draw the precision of each model for each length of queries, and by genre."""
    lengths = sorted(table["words"].unique(), reverse=True)
    by_genre = table[(table["genre"] != "all") & (table["words"] == 0)]
    figure, grid = make_panels(2 if len(by_genre) else 1, 1, height=2.6)
    ax, handles, names = grid[0, 0], {}, [n for n in RANKED_AS if n in set(table["method"])]
    apart = 0.8 / max(len(lengths), 1)
    for number, words in enumerate(lengths):
        part = table[(table["words"] == words) & (table["genre"] == "all")]
        part = part.set_index("method").loc[names]
        ends = reach(part["precision"], part["low"], part["high"])
        name = f"queries: {words} words" if words else "queries: whole documents"
        places = np.arange(len(names)) + apart * (number - (len(lengths) - 1) / 2)
        handles[name] = ax.errorbar(
            part["precision"],
            -places,
            xerr=ends,
            marker="os"[number % 2],
            capsize=3,
            ls="none",
            color=COLOURS[3 - number],
        )
    ax.set_yticks(-np.arange(len(names)), [RANKED_AS[name] for name in names])
    ax.set(xlabel="precision at ten")
    ax.set_xlim(left=0)
    if len(by_genre):
        side = grid[1, 0]
        genres = by_genre["genre"].unique().tolist()
        for place, name in enumerate(names):
            part = by_genre[by_genre["method"] == name].set_index("genre").loc[genres]
            x = np.arange(len(genres)) + 0.13 * (place - (len(names) - 1) / 2)
            ends = reach(part["precision"], part["low"], part["high"])
            handles[RANKED_AS[name]] = side.errorbar(
                x,
                part["precision"],
                yerr=ends,
                marker=MARKED[place],
                ms=3.5,
                ls="none",
                elinewidth=0.7,
                color=COLOURS[place],
            )
        sizes = by_genre.groupby("genre")["queries"].first().loc[genres]
        side.set_xticks(np.arange(len(genres)), [f"{g}\n{n}" for g, n in sizes.items()])
        side.set(xlabel="genre of whole queries, and how many there are", ylabel="precision at ten")
    put_legend(
        figure,
        handles,
        ["95 % intervals over queries. Relevant is what has the genre of the query."],
    )
    return figure


def draw_structural(table, exhibit, methods):
    """Draw accuracies against the number of labels, and the effect of each ingredient."""
    others = table[~table["method"].isin(LOOKS_OF_TAGGERS)]
    figure, grid = make_panels(1, 2 if len(others) else 1)
    ax, handles = grid[0, 0], {}
    for name, (colour, marker, dashes) in LOOKS_OF_TAGGERS.items():
        part = table[table["method"] == name].sort_values("n")
        if part.empty:
            continue
        ends = reach(part["accuracy"], part["low"], part["high"])
        handles[SHOWN_AS[name]] = ax.errorbar(
            part["n"],
            part["accuracy"],
            yerr=ends,
            marker=marker,
            ls=dashes,
            capsize=3,
            color=colour,
        )
    unit = "words" if exhibit["kind"] == TAGGING else "documents"
    ax.set(xlabel=f"labelled {unit}", ylabel="accuracy")
    if len(table):
        ax.set_xscale("log")
        ax.minorticks_off()
        set_ticks(ax, table["n"].unique())
    if len(others):
        side = grid[0, 1]
        for place, row in enumerate(others.itertuples()):
            ends = 100 * reach(-row.gain, -row.gain_high, -row.gain_low)
            side.errorbar(
                -100 * row.gain, -place, xerr=ends, marker="o", color=LOOKS_OF_TAGGERS[RIDGED][0]
            )
        side.axvline(0, color="black", lw=0.8)
        side.set_yticks(
            [-place for place in range(len(others))], [SHOWN_AS[name] for name in others["method"]]
        )
        side.set(
            xlabel="change in errors, points\n(left of zero: better)",
            title=f"minus ASO, ridge on v:\n{others['n'].iloc[0]:,} labelled {unit}",
        )
    put_legend(
        figure,
        handles,
        ["95 % intervals over documents and draws of the labelled; differences are paired."],
    )
    return figure


DRAW = {
    "methods": draw_methods,
    "cost": draw_cost,
    "risk": draw_risk,
    "example": draw_example,
    "perplexities": draw_table,
    "words": draw_words,
    "retrieval": draw_retrieval,
    "tagging": draw_structural,
    "genres": draw_structural,
}
