"""Tables of its exhibits, and the figures, each from its table alone."""

import textwrap

import numpy as np

from reproduction.exhibits.curves import draw_curves, find_curves
from reproduction.exhibits.panels import make_panels, put_legend, reach, set_ticks, use_log_y
from reproduction.studies.textbook.clusters import COST_TOLERANCE

MARKERS = "os^DvPX*"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f")
LETTERS_OF_LINE, LINES_SHOWN = 118, 4  # letters of a line of generated text, and lines
SHADES = ("#9ecae1", "#4292c6", "#08306b")  # of orders: they differ in grey, too
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
    put_legend(figure, handles, ["Relative frequencies alone have infinite perplexity."])
    return figure


def _look(number):
    """Return the colour and the marker of a curve or group, which differ in grey, too."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)]}


def draw_memory(table, exhibit, methods):
    """Draw the shares that each order remembers."""
    figure, grid = make_panels(1, 2)
    panels = (
        ("single", "(a) histories with a single continuation"),
        ("found", "(b) generated 4-grams that were seen"),
    )
    for ax, (column, title) in zip(grid[0], panels, strict=True):
        ax.plot(table["order"], table[column], marker="o", color=COLOURS[0])
        ax.set(title=title, xlabel="order", ylabel="share")
        ax.set_ylim(-0.02, 1.02)
        ax.set_xticks(table["order"])
    return figure


def draw_digits(table, exhibit, methods):
    """Draw the clusters in a plane, and the images of centres and of misplaced digits."""
    shown = [name for name in table["part"].unique() if name != "points"]
    figure, grid = make_panels(1, 1 + len(shown), width=1.44, height=1.9)
    points, handles = table[table["part"] == "points"], {}
    for (digit, cluster), part in points.groupby(["digit", "cluster"]):
        placed = digit == cluster
        label = f"{digit:.0f} in the cluster of {cluster:.0f}"
        handles[label] = grid[0, 0].scatter(
            part["x"],
            part["y"],
            s=8 if placed else 60,
            marker="o" if placed else "*",
            color=COLOURS[int(cluster)],
            edgecolors="none" if placed else "black",
            zorder=2 + (not placed),
        )
    grid[0, 0].set_title("two components")
    for ax, name in zip(grid[0, 1:], shown, strict=True):
        part = table[table["part"] == name]
        ax.imshow(part.pivot(index="y", columns="x", values="value"), cmap="gray_r")
        ax.set_title(name.partition(". ")[2])
        ax.set_axis_off()
    put_legend(figure, handles, [])
    return figure


def draw_style(table, exhibit, methods):
    """Draw the blocks of text in their planes."""
    figure, grid = make_panels(1, 2)
    handles = {}
    for ax, (panel, rows) in zip(grid[0], table.groupby("panel", sort=False), strict=False):
        for number, (name, part) in enumerate(rows.groupby("name")):
            look, is_letter = _look(number), len(name) == 1
            dots = ax.scatter(part["x"], part["y"], s=0 if is_letter else 18, **look)
            for row in part.itertuples() if is_letter else ():  # letters show in grey, too
                ax.text(
                    row.x, row.y, name, color=look["color"], fontsize=7, ha="center", va="center"
                )
            handles |= {} if is_letter else {name: dots}
        ax.set(title=panel, xlabel="first component")
    grid[0, 0].set_ylabel("second component")
    put_legend(figure, handles, ["Letters are the genres of Brown."])
    return figure


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
    put_legend(figure, handles, ["Means over parts that were held out, with 95 % intervals."])
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
    ax.set(xlabel="order", ylabel="share of sentences preferred")
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
        ax.set_title(f"order {row.order}: {row.copied:.0%} of the sentences are copies")
        ax.text(0, 1, "\n".join(lines), va="top", fontsize=8, transform=ax.transAxes)
    return figure


def draw_next(table, exhibit, methods):
    """Draw bars of next words, and what each order gives to the words that the last one drew."""
    tale, drawn = table[table["corpus"] == "tale"], table[table["corpus"] == "brown"]
    histories = tale["history"].unique()
    figure, grid = make_panels(1, 2 + bool(len(drawn)), height=3.4)
    orders = sorted(table["order"].unique())
    handles, high = {}, 0.8 / max(len(orders), 1)
    for ax, history in zip(grid[0], histories, strict=False):
        part = tale[tale["history"] == history]
        words = part.groupby("word")["probability"].max().sort_values(ascending=True).index
        place = {word: i for i, word in enumerate(words)}
        for number, order in enumerate(orders):
            rows = part[part["order"] == order]
            y = rows["word"].map(place) + high * ((len(orders) - 1) / 2 - number)
            colour = SHADES[number]
            handles[f"order {order}"] = ax.barh(y, rows["probability"], high, color=colour)
        ax.set_yticks(range(len(words)), words, fontsize=7)
        ax.set_ylim(-0.6, len(words) - 0.4)
        ax.set(title=f"after “{history}”", xlabel="probability")
        ax.set_xlim(0, 1.02)
        ax.grid(visible=False, axis="y")
    if len(drawn):
        ax = grid[0, 2]
        ends = reach(drawn["probability"], drawn["low"], drawn["high"])
        colours = [SHADES[orders.index(order)] for order in drawn["order"]]
        ax.bar(drawn["order"], drawn["probability"], 0.6, yerr=ends, capsize=3, color=colours)
        ax.set_xticks(drawn["order"])
        ax.set(title="Brown: words of order 4", xlabel="order", ylabel="mean probability")
    put_legend(figure, handles, [])
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
    grid[0, 0].set_ylabel("cost, of that with one cluster")
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
        ax.set(title=f"{name}, k = {data['clusters'].iloc[0]}", xlabel="starts, by their cost")
    grid[0, 0].set_ylabel("cost, of the lowest")
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
    ax.set(xlabel="share of held-out images named rightly")
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
    grid[0, 0].set(xlabel="rank k", ylabel="share of the squared norm lost")
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
        ax.set(title=name, xlabel="RMSE of what was held out")
    put_legend(figure, {}, ["Means over tables drawn anew, with 95 % intervals."])
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
    "generated": draw_generated,
    "next": draw_next,
    "ratings": draw_ratings,
    "style": draw_style,
    "completion": draw_completion,
}
