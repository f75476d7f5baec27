"""From the CSV to the tables of docs/performance.md and the figure beside them."""

import os
import platform
from pathlib import Path

import numpy as np
from iteration import OURS, PER, YARDSTICK
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from matplotlib.transforms import Bbox
from measure import spell
from peers import LISTED

from reproduction.exhibits.panels import our_style, plain_numbers, save_figure
from reproduction.trust.machine import processor

# Section, measure, "<" (at most) or ">" (at least), bound.
TARGETS = [
    ("first", "import condprob", "<", 0.15),
    ("first", "first fit of kn", "<", 1),
    ("first", "first fit of ad-lr", "<", 2.5),
    ("first", "first fit of add-half-lr", "<", 2.5),
    ("first", "first fit of py-lr", "<", 4.5),
    ("first", "first fit of ll-treeinf", "<", 7),
    ("iteration", "condprob lr / condprob", "<", 1.1),
    ("iteration", "scikit-learn NMF / condprob", ">", 10),
    ("iteration", "enstop / condprob", ">", 5),
    ("threads", "1 thread / 2 threads", ">", 1.7),
    *(("words", f"nltk.lm {id} / condprob {id}", ">", 50) for id in ("add-half", "ad", "kn")),
    ("lsa", "LSA gensim / LSA condprob", ">", 1),
    ("ngrams", "KenLM / condprob", ">", 0.5),
    *(("structured", f"SPAMS {kind} / condprob {kind}", ">", 1) for kind in ("tree2", "treeinf")),
    ("pipeline", "whole run, processor", "<", 400),
]
FLOATS = 3  # limit of memory, in floats for each pair and each entry of both factors
# The accuracy in each table and panel of fits beside their peers, by section.
ACCURACY = {"words": "nats a pair", "users": f"recall at {LISTED}"}
DOT = 5  # pixels from the centre of a dot to its edge
# Where a name may stand, to the right (1) or left of its dot and so many points up: the first place
# that is free is taken.
SIDES = [(across, up) for up in (0, -4, 4, -8, 8) for across in (1, -1)]
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]


def write_page(results, page):
    """Put the tables between the markers of a Markdown file; the rest of it stays."""
    text = page.read_text(encoding="utf-8")
    parts = {"machine": describe_run(results), "targets": targets(results)}
    parts |= {"peers": tabulate_peers(results), "growth": tabulate_growth(results)}
    parts["yardstick"] = tabulate_yardstick(results)
    parts["neural"] = tabulate_neural(results)
    for name, table in parts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{page.name}: one {begin} and one {end} are needed")
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
    page.write_text(text, encoding="utf-8")


def describe_machine():
    """Name the processor, its cores and caches, and the versions: nothing else of the machine."""
    import numba

    caches = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (index / name).read_text().strip() for name in ("level", "type", "size")
        )
        if kind != "Instruction":
            caches.append(f"L{level} {size}")
    return (
        f"{processor()}, {os.cpu_count()} cores, {', '.join(caches) or 'caches unknown'}; "
        f"{platform.system()}, Python {platform.python_version()}, numpy {np.__version__}, "
        f"numba {numba.__version__}."
    )


def describe_run(results):
    """Return the machine, and how long each section took."""
    ((machine,), sections) = results.find("machine"), results.find("make bench")
    took = ", ".join(f"{row['problem']} {spell(row['median'])}" for row in sections)
    return f"{machine['note']}\n\nSeconds of each section by the clock: {took}."


def targets(results):
    """Return each target beside its measurement, and whether it is met."""
    lines = _table("measure", "where", "target", "measured", "met")
    for section, quantity, sign, bound in TARGETS:
        rows = [row for row in results.find(section, quantity=quantity) if row["repetitions"]]
        for row in rows:
            met = (row["median"] <= bound) if sign == "<" else (row["median"] >= bound)
            goal = f"{'at most' if sign == '<' else 'at least'} {bound:g} {_unit(row)}".strip()
            lines.append(_line(quantity, row["problem"], goal, _range(row), "yes" if met else "no"))
        if not rows:
            lines.append(_line(quantity, "", "", "not measured", "-"))
    floats = results.find(quantity="floats a pair or entry")
    for row in sorted(floats, key=lambda row: -row["median"])[:1]:
        met = "yes" if row["median"] <= FLOATS else "no"
        lines.append(
            _line(
                "memory / (nnz + 2 k m) floats, the most of all",
                row["problem"],
                f"at most {FLOATS}",
                spell(row["median"]),
                met,
            )
        )
    return "\n".join(lines)


def tabulate_peers(results):
    """Return the seconds and the accuracy of fits beside their peers."""
    lines = _table("problem", "fit", "seconds", "accuracy")
    for section, accuracy in ACCURACY.items():
        for row in results.find(section, unit=accuracy):
            taken = results.find(section, quantity=row["quantity"], unit="s")
            lines.append(
                _line(
                    row["problem"],
                    row["quantity"],
                    _range(taken[0]) if taken else "-",
                    f"{row['median']:.4g} {accuracy}",
                )
            )
    return "\n".join(lines)


def tabulate_yardstick(results):
    """Return nanoseconds a pair and class of an iteration of each kernel, and two ratios."""
    names = list(YARDSTICK)
    ratios = [f"{OURS} / {base}" for base in ("C", "triad")]
    lines = _table("problem", "kB", *names, *ratios)
    for row in results.find("yardstick", unit="kB"):
        rows = [
            results.find("yardstick", row["problem"], quantity, unit)
            for quantity, unit in [*((n, PER) for n in names), *((r, "times") for r in ratios)]
        ]
        cells = [spell(found[0]["median"]) if found else "-" for found in rows]
        lines.append(_line(row["problem"], spell(row["median"]), *cells))
    return "\n".join(lines)


def tabulate_neural(results):
    """Return the time of an epoch of each way to train the neural model, its speed-up and loss."""
    lines = _table(
        "vocabulary and text", "output layer", "time of an epoch", "faster", "loss, nats"
    )
    for row in results.find("neural", unit="ms"):
        problem, name = row["problem"], row["quantity"]
        (loss,) = results.find("neural", problem, f"loss of {name}")
        ratio = results.find("neural", problem, f"all words / {name}")
        lines.append(
            _line(
                problem,
                name,
                _range(row),
                _range(ratio[0]) if ratio else "-",
                f"{loss['median']:.3f}",
            )
        )
    return "\n".join(lines)


def tabulate_growth(results):
    """Return the exponents of the seconds, and the seconds at the largest size."""
    lines = _table("seconds of", "growing", "exponent", "seconds at the largest", "which is")
    for row in results.rows:
        if row["quantity"].startswith("exponent of "):
            quantity = row["quantity"].removeprefix("exponent of ")
            last = results.find(row["section"], quantity=quantity)[-1]
            lines.append(
                _line(
                    quantity,
                    row["section"].removeprefix("growth in "),
                    f"{row['median']:.2f}",
                    spell(last["median"]),
                    last["problem"],
                )
            )
    return "\n".join(lines)


def _table(*names):
    return [_line(*names), _line(*("---" for _ in names))]


def _line(*cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _unit(row):
    return "" if row["unit"] == "times" else row["unit"]


def _range(row):
    value = f"{spell(row['median'])} {_unit(row)}".strip()
    return f"{value} ({spell(row['low'])} to {spell(row['high'])})"


def draw(results, folder):
    """Draw the figure: accuracy against time, kernels, growth of time."""
    with our_style():
        figure = Figure(figsize=(9.6, 7.6), layout="constrained")
        axes = figure.subplots(2, 2)
        dots = [
            _beside_peers(ax, results, section, accuracy)
            for ax, (section, accuracy) in zip(axes[0], ACCURACY.items(), strict=True)
        ]
        _bars(axes[1, 0], results)
        _growth(axes[1, 1], results)
        for axis in (axis for ax in axes.flat for axis in (ax.xaxis, ax.yaxis)):
            if axis.get_scale() == "log":
                axis.set_major_formatter(plain_numbers())
                axis.set_minor_formatter(NullFormatter())
        for ax, of_panel in zip(axes[0], dots, strict=True):
            _label_dots(ax, of_panel)
        save_figure(figure, folder / "performance.png", folder / "performance.svg")


def _beside_peers(ax, results, section, accuracy):
    """Draw the accuracy of each fit against its seconds, where it is finite; return the dots."""
    problem, dots = "", {}
    for row in results.find(section, unit=accuracy):
        problem, name = row["problem"], row["quantity"]
        taken = results.find(section, quantity=name, unit="s")
        if not taken:
            ax.axhline(row["median"], color="black", linewidth=0.8, label=name)
        elif np.isfinite(row["median"]):
            dots[name] = taken[0]["median"], row["median"]
            ax.plot(*dots[name], "o", color=COLOURS[0 if name.startswith("condprob") else 1])
    ax.set(xscale="log", xlabel="seconds", ylabel=accuracy, title=problem)
    ax.margins(x=0.4)
    if ax.get_legend_handles_labels()[0]:
        ax.legend()
    return dots


def _label_dots(ax, dots):
    """Write the name of each dot beside it, where it meets no other name and no dot, if it can."""
    ax.get_figure().draw_without_rendering()  # from then on places are known in pixels
    centres = ax.transData.transform(np.reshape(list(dots.values()), (-1, 2)))
    taken = [Bbox([centre - DOT, centre + DOT]) for centre in centres]
    for name, dot in dots.items():
        for across, up in SIDES:
            text = ax.annotate(
                name,
                dot,
                (4 * across, up),
                textcoords="offset points",
                fontsize=7,
                ha="left" if across > 0 else "right",
                va="center",
            )
            box = text.get_window_extent()
            is_inside = ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1
            is_free = is_inside and not box.count_overlaps(taken)
            if is_free or (across, up) == SIDES[-1]:
                taken.append(box)
                break
            text.remove()


def _bars(ax, results):
    base = " / condprob"
    rows = [row for row in results.find("iteration", unit="times") if base in row["quantity"]]
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    names = list(dict.fromkeys(row["quantity"].split(base)[0] for row in rows))
    height = 0.8 / max(len(problems), 1)
    for row in rows:
        which = problems.index(row["problem"])
        y = names.index(row["quantity"].split(base)[0]) + height * (which - (len(problems) - 1) / 2)
        first = row is next(r for r in rows if r["problem"] == row["problem"])
        label = row["problem"] if first else None
        ax.barh(y, row["median"], height, color=COLOURS[which], label=label)
        ax.plot([row["low"], row["high"]], [y, y], color="black", linewidth=0.8)
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set(xscale="log", xlabel="times as long", title="One EM iteration, condprob = 1")
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.legend()


def _growth(ax, results):
    """Draw the seconds of each quantity against the millions of pairs."""
    section = "growth in pairs"
    for colour, row in zip(COLOURS, results.find(section, "all"), strict=False):
        quantity = row["quantity"].removeprefix("exponent of ")
        found = results.find(section, quantity=quantity)
        pairs = [float(each["problem"].split()[0].removeprefix("nnz=")) / 1e6 for each in found]
        label = f"{quantity}: exponent {row['median']:.2f}"
        ax.plot(pairs, [each["median"] for each in found], "o-", color=colour, label=label)
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="distinct pairs, millions",
        ylabel="seconds",
        title="Growth",
    )
    ax.legend()
