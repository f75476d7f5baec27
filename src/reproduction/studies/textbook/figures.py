"""Tables of its exhibits, and the figures, each only from its table."""

import textwrap

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.panels import (
    make_grid,
    make_panels,
    put_legend,
    reach,
    set_ticks,
    use_log_y,
)
from reproduction.studies.textbook.clusters import COST_TOLERANCE

MARKERS = "os^DvPX*"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
LETTERS_OF_LINE, LINES_SHOWN = 118, 4  # letters of a line of generated text, and lines
SHADES = ("#9ecae1", "#4292c6", "#08306b")  # of orders: they differ in grey, too
# Authors and texts by the names of their corpora.
NAMES = {
    "brown": "Brown",
    "shakespeare": "Shakespeare",
    "genesis": "King James's translators, 1611",
    "genesis-web": "World English Bible",
}
TITLE = 42  # letters of a line of a panel's title


def draw_ngrams(table, exhibit, methods):
    """Draw perplexity against the order on all words, and against the words at each order."""
    figure, grid = make_panels(1, 2)
    whole = table[table["n"] == table["n"].max()]
    curves = find_curves(whole[["order", "method"]], methods, "order")
    part = whole[["order", "method"]].assign(mean=whole["perplexity"], low=np.nan, high=np.nan)
    handles = draw_curves(grid[0, 0], part, "order", curves)
    grid[0, 0].set_title("(a) all words")
    last = list(methods)[-1]
    of_last = table[table["method"] == last].sort_values("n")
    for number, (order, rows) in enumerate(of_last.groupby("order")):
        (line,) = grid[0, 1].plot(rows["n"], rows["perplexity"], **_look(number))
        handles[f"order {order}, (b)"] = line
    name = methods[last].get("label", last)
    grid[0, 1].set_title(textwrap.fill(f"(b) {name}, by training words", TITLE))
    for ax, label in zip(grid[0], ("order", "training words"), strict=True):
        ax.set(xlabel=label, ylabel="perplexity")
        if len(table):
            use_log_y(ax)
    if len(table):
        grid[0, 1].set_xscale("log")
        grid[0, 1].minorticks_off()
        set_ticks(grid[0, 1], table["n"].unique())
    put_legend(
        figure, handles, ["Relative frequencies without smoothing have infinite perplexity."]
    )
    return figure


def _look(number):
    """Return the colour and the marker of a curve or group, which also differ in grey."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}


def draw_memory(table, exhibit, methods):
    """Draw the shares that each order remembers of each text."""
    figure, grid = make_panels(2, 2)
    panels = (
        ("single", "(a) histories with a single continuation"),
        ("once", "(b) distinct n-grams that were seen once"),
        ("found", "(c) generated 4-grams that the text has"),
        ("copied", "(d) generated sentences that the text has"),
    )
    handles = {}
    for ax, (column, title) in zip(grid.flat, panels, strict=True):
        for number, (corpus, part) in enumerate(table.groupby("corpus", sort=False)):
            (line,) = ax.plot(part["order"], part[column], **_look(number))
            handles[NAMES.get(corpus, corpus)] = line
        ax.set(title=title, xlabel="order of the n-grams", ylabel="fraction")
        ax.set_ylim(-0.02, 1.02)
        ax.set_xticks(sorted(table["order"].unique()))
    put_legend(
        figure,
        handles,
        ["In (d): sentences of at least five words. Words that Brown has once count as one word."],
    )
    return figure


def draw_digits(table, exhibit, methods):
    """Draw the clusters in a plane with their regions, and images of centres and of the misplaced.

    The regions are those of the nearer centre in the plane; k-means has all dimensions.
    """
    shown = [name for name in table["part"].unique() if name != "points"]
    figure, grid = make_panels(
        1, 1 + len(shown), width=1.2, height=2.9, width_ratios=[3.2] + [1] * len(shown)
    )
    points, handles, ax = table[table["part"] == "points"], {}, grid[0, 0]
    _shade_regions(ax, points)
    for (digit, cluster), part in points.groupby(["digit", "cluster"]):
        placed = digit == cluster
        label = f"a {digit:.0f} in the cluster of {cluster:.0f}"
        handles[label] = ax.scatter(
            part["x"],
            part["y"],
            s=9 if placed else 55,
            marker=MARKERS[int(digit)] if placed else "X",
            color=COLOURS[int(digit)],
            edgecolors="none" if placed else "black",
            zorder=2 + (not placed),
        )
    ax.set(title="two components", xlabel="first component", ylabel="second component")
    for ax, name in zip(grid[0, 1:], shown, strict=True):
        part = table[table["part"] == name]
        ax.imshow(part.pivot(index="y", columns="x", values="value"), cmap="gray_r")
        ax.set_title(name.partition(". ")[2].replace(": ", ":\n"))
        ax.set_axis_off()
    put_legend(figure, handles, ["Shading: which centre of a cluster is nearer."])
    return figure


def _shade_regions(ax, points):
    """Shade where the mean of each of two clusters is the nearer one."""
    means = points.groupby("cluster")[["x", "y"]].mean()
    if len(means) < 2:
        return
    ends = [(points[axis].min(), points[axis].max()) for axis in "xy"]
    x, y = (np.linspace(*np.add(end, np.array([-1, 1]) * 0.05 * np.ptp(end)), 200) for end in ends)
    squares = [(x - row.x) ** 2 + (y[:, None] - row.y) ** 2 for row in means.itertuples()]
    which = np.argmin(squares, axis=0)
    colours = [COLOURS[int(cluster)] for cluster in means.index]
    ax.contourf(x, y, which, levels=[-0.5, 0.5, 1.5], colors=colours, alpha=0.13)
    ax.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
    ax.grid(visible=False)


def draw_style(table, exhibit, methods):
    """Draw blocks of text in their planes, by their authors, and how often these use UPON."""
    titles = {
        "Bibles": "Genesis by its translators",
        "authors": "plays and Bibles, and other plays",
        "genres": "genres of Brown",
        "upon": "UPON in blocks of text",
    }
    panels = [panel for panel in titles if (table["panel"] == panel).any()]
    figure, axes = make_grid(len(panels))
    names, handles = list(dict.fromkeys(table[table["name"].str.len() > 1]["name"])), {}
    for number, (ax, panel) in enumerate(zip(axes, panels, strict=True)):
        rows = table[table["panel"] == panel]
        ax.set_title(f"({'abcd'[number]}) {titles[panel]}")
        if panel == "upon":
            _draw_upon(ax, rows, names)
            continue
        for place, (name, part) in enumerate(rows.groupby("name")):
            if len(name) == 1:  # letters show in grey, too
                ax.scatter(part["x"], part["y"], s=0)
                for row in part.itertuples():
                    look = {"color": COLOURS[place % len(COLOURS)], "fontsize": 7}
                    ax.text(row.x, row.y, name, ha="center", va="center", **look)
                continue
            for which, dots in part.groupby(part["set"].fillna("plane")):
                look, label = _look(names.index(name)), NAMES.get(name, name)
                if which == "other":
                    look |= {"marker": "X", "edgecolors": "black", "s": 40}
                    label += ": comedies"
                handles[label] = ax.scatter(dots["x"], dots["y"], **{"s": 18} | look)
        ax.set(xlabel="first component", ylabel="second component")
    put_legend(figure, handles, ["Letters are the genres of Brown."])
    return figure


def _draw_upon(ax, rows, names):
    """Draw how many of a thousand words are UPON in each block, by author."""
    for name, part in rows.groupby("name"):
        place = names.index(name)
        spread = place + np.linspace(-0.25, 0.25, len(part))
        ax.scatter(1000 * part["share"], spread, s=14, **_look(place))
        ax.plot(
            [1000 * part["share"].mean()] * 2, [place - 0.4, place + 0.4], color="black", lw=1.5
        )
    ax.set_yticks([])
    ax.invert_yaxis()
    ax.grid(visible=False, axis="y")
    ax.set(xlabel="UPON per 1,000 words, with the mean")


def draw_completion(table, exhibit, methods):
    """Draw the error of held-out entries against the rank."""
    figure, grid = make_panels(1, 1)
    ax, handles = grid[0, 0], {}
    for number, (biases, part) in enumerate(table[table["rank"] > 0].groupby("biases")):
        label = {"both": "rows and columns", "contexts": "rows"}.get(biases, biases)
        handles[f"biases: {label}"] = ax.errorbar(
            part["rank"],
            part["mean"],
            yerr=reach(part["mean"], part["low"], part["high"]),
            capsize=2.5,
            **_look(number),
        )
    for mean in table[table["rank"] == 0]["mean"]:
        handles["the mean of what is known"] = ax.axhline(mean, color="#7f7f7f", lw=1)
    ax.set(xlabel="rank", ylabel="RMSE of log counts, nats")
    put_legend(figure, handles, ["Means over held-out parts, with 95 % intervals."])
    return figure


def draw_compared(table, exhibit, methods):
    """Draw how often a sentence is the likelier one against the order."""
    figure, grid = make_panels(1, 1)
    ax, handles = grid[0, 0], {}
    for number, (kind, part) in enumerate(table.groupby("kind")):
        ends = reach(part["better"], part["low"], part["high"])
        look = _look(number)
        handles[kind] = ax.errorbar(part["order"], part["better"], yerr=ends, capsize=2.5, **look)
    ax.axhline(0.5, color="#7f7f7f", lw=1)
    ax.set(xlabel="order", ylabel="fraction of sentences preferred")
    ax.set_ylim(0.45, 1.02)
    ax.set_xticks(sorted(table["order"].unique()))
    put_legend(figure, handles, ["95 % intervals over sentences. The line is chance."])
    return figure


def draw_generated(table, exhibit, methods):
    """Write the sentences of each order one below the other."""
    figure, grid = make_panels(max(len(table), 1), 1, height=0.95)
    for ax in grid[:, 0]:
        ax.set_axis_off()
    for ax, row in zip(grid[:, 0], table.itertuples(), strict=False):
        lines = textwrap.wrap(str(row.text), LETTERS_OF_LINE)[:LINES_SHOWN]
        ax.set_title(
            f"order {row.order}: the text has {row.found:.0%} of the sampled 4-grams, "
            f"and {row.copied:.0%} of the sentences"
        )
        ax.text(0, 1, "\n".join(lines), va="top", fontsize=8, transform=ax.transAxes)
    return figure


def draw_next(table, exhibit, methods):
    """Draw bars of next words, and what each order gives to the words that the last one drew."""
    bars, drawn = table[table["word"].notna()], table[table["word"].isna()]
    histories = bars["history"].unique()
    figure, grid = make_panels(1, len(histories) + bool(len(drawn)), height=3.6)
    orders = sorted(table["order"].unique())
    handles, high = {}, 0.8 / max(len(orders), 1)
    for ax, history in zip(grid[0], histories, strict=False):
        part = bars[bars["history"] == history]
        words = part.groupby("word", sort=False)["probability"].max().sort_values().index
        place = {word: i for i, word in enumerate(words)}
        for number, order in enumerate(orders):
            rows = part[part["order"] == order]
            y = rows["word"].map(place) + high * ((len(orders) - 1) / 2 - number)
            handles[f"order {order}"] = ax.barh(y, rows["probability"], high, color=SHADES[number])
        labels = [word if word[0].isalpha() else f"“{word}”" for word in words]
        ax.set_yticks(range(len(words)), labels, fontsize=7)
        ax.set_ylim(-0.6, len(words) - 0.4)
        ax.set(title=f"after “{history}”", xlabel="probability")
        ax.set_xlim(0, 1.02)
        ax.grid(visible=False, axis="y")
    if len(drawn):
        ax, corpora = grid[0, -1], list(dict.fromkeys(drawn["corpus"]))
        for number, order in enumerate(orders):
            rows = drawn[drawn["order"] == order]
            x = rows["corpus"].map(corpora.index) + (number - (len(orders) - 1) / 2) * 0.27
            ends = reach(rows["probability"], rows["low"], rows["high"])
            bar = ax.bar(x, rows["probability"], 0.25, yerr=ends, capsize=3, color=SHADES[number])
            handles.setdefault(f"order {order}", bar)
        ax.set_xticks(range(len(corpora)), [NAMES.get(name, name) for name in corpora])
        ax.grid(visible=False, axis="x")
        ax.set(title="words generated at order 4", ylabel="mean probability")
    put_legend(
        figure,
        handles,
        ["Of each order the most probable words. Bars on the right have 95 % intervals."],
    )
    return figure


def draw_uses(table, exhibit, methods):
    """Draw the scores of the sentences of each use, a bar for each."""
    uses = list(dict.fromkeys(table["use"]))
    sizes = [(table["use"] == use).sum() for use in uses]
    figure, grid = make_panels(
        max(len(uses), 1), 1, height=0.85, sharex=True, height_ratios=sizes or [1]
    )
    for ax, use in zip(grid[:, 0], uses, strict=False):
        part = table[table["use"] == use]
        places = np.arange(len(part))
        best = part["nats"].to_numpy() == part["nats"].max()
        colours = np.where(best, COLOURS[0], "#b0b0b0")
        ax.barh(places, part["nats"] / np.log(10), 0.7, color=colours)
        names = [
            row.sentence + (f"  ({row.unknown:.0f} unknown)" if row.unknown else "")
            for row in part.itertuples()
        ]
        ax.set_yticks(places, names, fontsize=8)
        ax.invert_yaxis()
        ax.grid(visible=False, axis="y")
        ax.set_title(use)
    grid[-1, 0].set_xlabel("log10 of the probability: a shorter bar is the more probable sentence")
    put_legend(
        figure,
        {},
        ["Coloured: the most probable sentence of each use. An unknown word is one of a million."],
    )
    return figure


def draw_players(table, exhibit, methods):
    """Draw heights and weights without labels, with them, and with the clusters of k-means."""
    figure, grid = make_panels(1, 3, height=2.9, sharex=True, sharey=True)
    wrong = (table["man"] != table["cluster"]).mean()
    panels = (
        (np.zeros(len(table), dtype=int), "(a) what is known"),
        (table["man"].astype(int), "(b) men and women"),
        (table["cluster"].astype(int), f"(c) two clusters: {wrong:.0%} misplaced"),
    )
    handles = {}
    for ax, (group, title) in zip(grid[0], panels, strict=True):
        for number in np.unique(group):
            rows = table[group == number]
            look = {"color": "#7f7f7f", "marker": "o"} if ax is grid[0, 0] else _look(number)
            dots = ax.scatter(rows["height"], rows["weight"], s=9, **look)
            if ax is grid[0, 1]:
                handles["men" if number else "women"] = dots
        ax.set(title=title, xlabel="height, cm")
    grid[0, 0].set_ylabel("weight, kg")
    put_legend(figure, handles, ["The players are made up. Colours in (c) show the clusters."])
    return figure


def draw_films(table, exhibit, methods):
    """Draw the map of films, by their kinds."""
    figure, grid = make_panels(1, 1, height=3.6)
    ax, handles = grid[0, 0], {}
    for number, (kind, part) in enumerate(table.groupby("kind")):
        handles[kind] = ax.scatter(part["x"], part["y"], s=20, **_look(number))
    ax.set(xlabel="first component of the films' vectors", ylabel="second component")
    put_legend(figure, handles, ["Made-up films. Their kinds are unknown to the factorisation."])
    return figure


def draw_elbow(table, exhibit, methods):
    """Draw costs against the number of clusters, with an elbow and without."""
    names = list(table["data"].unique())
    figure, grid = make_panels(1, max(len(names), 1))
    for number, (ax, name) in enumerate(zip(grid[0], names, strict=False)):
        part, look = table[table["data"] == name], _look(number)
        ax.plot(part["clusters"], part["mean"], **look)
        ax.fill_between(part["clusters"], part["low"], part["high"], color=look["color"], alpha=0.2)
        ax.set(title=f"({'abc'[number % 3]}) {name}", xlabel="number of clusters, k")
        ax.set_ylim(0, 1.05)
        ax.set_xticks(part["clusters"][1::2])
    grid[0, 0].set_ylabel("cost relative to one cluster")
    put_legend(figure, {}, ["Means over sets of points; shaded are the lowest and the highest."])
    return figure


def draw_seeding(table, exhibit, methods):
    """Draw the sorted costs of all starts, for random points and for k-means++."""
    names = list(table["data"].unique())
    figure, grid = make_panels(1, max(len(names), 1))
    handles, notes = {}, []
    for ax, name in zip(grid[0], names, strict=False):
        data = table[table["data"] == name]
        for number, (start, part) in enumerate(data.groupby("start")):
            ratios = np.sort(part["ratio"])
            place = np.arange(1, ratios.size + 1)
            (handles[start],) = ax.plot(place, ratios, markersize=3, **_look(number))
            near = np.mean(ratios <= 1 + COST_TOLERANCE)
            notes.append(f"{name}, {start}: {near:.0%} within {COST_TOLERANCE:.0%} of the lowest.")
        ax.axhline(1 + COST_TOLERANCE, color="#7f7f7f", lw=1, ls=":")
        ax.set(title=f"{name}, k = {data['clusters'].iloc[0]}", xlabel="runs, sorted by cost")
    grid[0, 0].set_ylabel("cost relative to the lowest")
    put_legend(figure, handles, notes)
    return figure


def draw_classified(table, exhibit, methods):
    """Draw the share of held-out digits named rightly, by digits and clusters."""
    figure, grid = make_panels(1, 1)
    ax, places = grid[0, 0], np.arange(len(table))
    ends = reach(table["right"], table["low"], table["high"])
    ax.barh(places, table["right"], 0.6, xerr=ends, capsize=3, color=COLOURS[0])
    for place, right in zip(places, table["right"], strict=True):
        ax.text(0.02, place, f"{right:.1%}", va="center", color="white")
    names = [f"{row.digits}, {row.clusters} clusters" for row in table.itertuples()]
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.grid(visible=False, axis="y")
    ax.set(xlabel="fraction of held-out images classified correctly")
    put_legend(figure, {}, ["Means over splits into halves, with 95 % intervals."])
    return figure


def draw_rank(table, exhibit, methods):
    """Draw the share of the squared norm that is lost against the rank."""
    figure, grid = make_panels(1, 1)
    handles = {}
    for number, (curve, part) in enumerate(table.groupby("curve", sort=False)):
        dashes = {"ls": ":", "lw": 2.5} if curve.startswith("1 -") else {}
        look = {"color": COLOURS[number]}
        (handles[curve],) = grid[0, 0].plot(part["rank"], part["lost"], **look, **dashes)
    grid[0, 0].set(xlabel="rank k", ylabel="fraction of the squared norm lost")
    grid[0, 0].set_ylim(0, 1.02)
    put_legend(figure, handles, [])
    return figure


def draw_images(table, exhibit, methods):
    """Draw the mean and directions, sums of images, and approximations, row by row."""
    rows, columns = table["row"].max() + 1, table["column"].max() + 1
    figure, grid = make_panels(rows, columns, width=1.2, height=1.2)
    for ax in grid.flat:
        ax.set_axis_off()
    for (row, column), part in table.groupby(["row", "column"]):
        pixels, name = part.pivot(index="y", columns="x", values="value"), part["name"].iloc[0]
        most = {"vmin": 0, "vmax": 16} if row > 1 else {}
        if row <= 1 and part["name"].iloc[0] != "mean":  # grey is zero
            size = abs(pixels).max(axis=None) if row == 0 else 16
            most = {"vmin": -size, "vmax": size}
        grid[row, column].imshow(pixels, cmap="gray_r", **most)
        grid[row, column].set_title(name)
    return figure


def draw_ratings(table, exhibit, methods):
    """Draw the error of held-out ratings, a bar for each kind of model, by table."""
    names = list(table["table"].unique())
    figure, grid = make_panels(1, max(len(names), 1), height=3.0)
    for ax, name in zip(grid[0], names, strict=False):
        part = table[table["table"] == name]
        places = np.arange(len(part))
        ends = reach(part["mean"], part["low"], part["high"])
        colours = [
            COLOURS[0] if "factors" in kind or "by" in kind else "#7f7f7f" for kind in part["kind"]
        ]
        ax.barh(places, part["mean"], 0.6, xerr=ends, capsize=3, color=colours)
        ax.set_yticks(places, part["kind"] if ax is grid[0, 0] else [""] * len(part))
        ax.invert_yaxis()
        ax.grid(visible=False, axis="y")
        ax.set(title=name, xlabel="RMSE on held-out ratings")
    put_legend(figure, {}, ["Means over newly sampled tables, with 95 % intervals."])
    return figure


DRAW = {
    "ngrams": draw_ngrams,
    "memory": draw_memory,
    "digits": draw_digits,
    "elbow": draw_elbow,
    "seeding": draw_seeding,
    "classified": draw_classified,
    "rank": draw_rank,
    "images": draw_images,
    "compared": draw_compared,
    "uses": draw_uses,
    "players": draw_players,
    "films": draw_films,
    "generated": draw_generated,
    "next": draw_next,
    "ratings": draw_ratings,
    "style": draw_style,
    "completion": draw_completion,
}
