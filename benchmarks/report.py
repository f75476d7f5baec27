"""From the CSV to the tables of docs/performance.md and the figure beside them."""

import os
import platform
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from measure import spell

from reproduction.exhibits.looks import STYLE, save_figure
from reproduction.trust.machine import processor

# Section, problem (None: all but pydoc), measure, "<" (at most) or ">" (at least), bound.
TARGETS = [
    ("limit", None, "condprob / C", "<", 1.5),
    ("iteration", None, "scikit-learn NMF / condprob", ">", 10),
    ("iteration", None, "enstop / condprob", ">", 5),
    ("iteration", None, "dense numpy / condprob", ">", 500),
    ("threads", None, "1 thread / 2 threads", ">", 1.7),
    ("trials", None, "numpy, all trials in one call / fit ad-lr", ">", 1),
    *(
        ("direct", None, f"nltk.lm {id} / condprob {id}", ">", 50)
        for id in ("add-half", "ad", "sb", "kn")
    ),
    ("lowdim", None, "LSA gensim / LSA condprob", ">", 1),
    ("ngrams", None, "KenLM / condprob", ">", 1),
    ("completion", None, "scikit-surprise / condprob", ">", 1),
    ("neural", None, "PyTorch / condprob", ">", 1),
    *(
        ("structured", "100000 nodes", f"condprob {kind} / SPAMS {kind}", "<", 1)
        for kind in ("tree2", "treeinf")
    ),
    *(
        ("structured", "100000 words, order 12", f"gradient and step, {kind}", "<", 50)
        for kind in ("l1", "l2", "tree2", "treeinf")
    ),
    ("pipeline", "Table 1, ten seeds", "whole run", "<", 60),
]
FLOATS = 3  # limit of memory, in floats for each pair and each entry of both factors
MEMORY = ("growth in pairs", "growth in k", "growth in m")
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
MARKERS = "os^Dvx"


def write_page(results, page):
    """Put the tables between the markers of a Markdown file; the rest of it stays."""
    text = page.read_text(encoding="utf-8")
    parts = {"machine": machines(results), "targets": targets(results)}
    for name, table in parts.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{page.name}: one {begin} and one {end} are needed")
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n{table}\n{end}{rest.partition(end)[2]}"
    page.write_text(text, encoding="utf-8")


def machines(results):
    """Return the machines: first the machine of most sections, then the others with theirs."""
    sections = {}
    for row in results.find("machine"):
        sections.setdefault(row["note"], []).append(row["problem"])
    first, *others = sorted(sections, key=lambda note: -len(sections[note]))
    return "\n\n".join(
        [first, *(f"The section {', '.join(sections[note])}: {note}" for note in others)]
    )


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


def targets(results):
    """Return each target beside its measurement, and whether it is met."""
    lines = ["| measure | where | target | measured | met |", "| --- | --- | --- | --- | --- |"]
    for section, problem, quantity, sign, bound in TARGETS:
        rows = results.find(section, problem, quantity)
        found = [row for row in rows if row["median"] is not None and row["problem"] != "pydoc"]
        unit = found[0]["unit"] if found else ""
        goal = f"{'at most' if sign == '<' else 'at least'} {bound:g} {unit}".replace(" times", "")
        for row in found:
            met = (row["median"] <= bound) if sign == "<" else (row["median"] >= bound)
            lines.append(_line(quantity, row["problem"], goal, _range(row), "yes" if met else "no"))
        if not found:
            lines.append(_line(quantity, problem or "", goal, "not measured", "-"))
    for section in sorted({row["section"] for row in results.find(quantity="exponent of time")}):
        (row,) = results.find(section, quantity="exponent of time")
        against = "k alone" if section.endswith(" k") else "nnz m"
        lines.append(_line(f"exponent of time in {against}", section, "about 1 in nnz m",
                           spell(row["median"]), "-"))  # fmt: skip
    rows = [row for name in MEMORY for row in results.find(name, quantity="floats a pair or entry")]
    for row in sorted(rows, key=lambda row: -row["median"])[:1]:
        met = "yes" if row["median"] <= FLOATS else "no"
        lines.append(_line("memory / (nnz + 2 k m) floats, the most of all", row["problem"],
                           f"at most {FLOATS}", spell(row["median"]), met))  # fmt: skip
    for row in results.find("growth in pairs", quantity="memory of the fit")[-1:]:
        met = "yes" if row["median"] < 4096 else "no"
        lines.append(_line("memory of the largest fit", row["problem"], "below 4 GiB",
                           f"{spell(row['median'])} MB", met))  # fmt: skip
    return "\n".join(lines)


def _line(*cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _range(row):
    value = spell(row["median"]) + ("" if row["unit"] == "times" else f" {row['unit']}")
    return f"{value} ({spell(row['low'])} to {spell(row['high'])})"


def draw(results, folder):
    """Draw the figure: kernels, direct methods, growth of time and memory, the pipeline."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 10.4), layout="constrained")
        grid = figure.add_gridspec(3, 2)
        axes = [figure.add_subplot(grid[i // 2, i % 2]) for i in range(4)]
        _bars(axes[0], results, "iteration", " / condprob", "One EM iteration, condprob = 1")
        _bars(axes[1], results, "direct", " / condprob", "Fit and score a text, condprob = 1")
        _growth(axes[2], results, "iteration", "ms", "Time of an iteration")
        _growth(axes[3], results, "memory of the fit", "MB", "Memory of a fit")
        for axis in (axis for ax in axes for axis in (ax.xaxis, ax.yaxis)):
            if axis.get_scale() == "log":
                axis.set_major_formatter("{x:g}")
                axis.set_minor_formatter(NullFormatter())
        _rules(figure.add_subplot(grid[2, :]), results)
        save_figure(figure, folder / "performance.png", folder / "performance.svg")


def _bars(ax, results, section, base, title):
    rows = [row for row in results.find(section, unit="times") if base in row["quantity"]]
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    names = list(dict.fromkeys(row["quantity"].split(base)[0] for row in rows))
    height = 0.8 / max(len(problems), 1)
    for row in rows:
        which = problems.index(row["problem"])
        y = names.index(row["quantity"].split(base)[0]) + height * (which - (len(problems) - 1) / 2)
        first = row is next(r for r in rows if r["problem"] == row["problem"])
        ax.barh(y, row["median"], height, color=COLOURS[which], label=row["problem"] * first)
        ax.plot([row["low"], row["high"]], [y, y], color="black", linewidth=0.8)
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set(xscale="log", xlabel="times as long", title=title, yticks=range(len(names)))
    ax.set_yticklabels(names)
    ax.invert_yaxis()
    handles, labels = ax.get_legend_handles_labels()
    ax.legend([h for h, label in zip(handles, labels, strict=True) if label], filter(None, labels))


def _growth(ax, results, quantity, unit, title):
    sections = dict.fromkeys(
        r["section"] for r in results.rows if r["section"].startswith("growth")
    )
    for section, colour, marker in zip(sections, COLOURS, MARKERS, strict=False):
        rows = results.find(section, quantity=quantity)
        sizes = [dict(part.split("=") for part in row["problem"].split()) for row in rows]
        nnz, k, m = (np.array([float(s[key]) for s in sizes]) for key in ("nnz", "k", "m"))
        x = nnz * m if quantity == "iteration" else 8e-6 * (nnz + 2 * k * m)
        found = results.find(section, quantity="exponent of time")
        label = section.removeprefix("growth ")
        if quantity == "iteration" and found and np.ptp(np.log(x)) > 1:
            label += f": exponent {found[0]['median']:.2f}"
        ax.plot(x, [row["median"] for row in rows], marker, color=colour, label=label)
    ax.set(xscale="log", yscale="log", ylabel=unit, title=title)
    if quantity == "iteration":
        ax.set_xlabel("nnz m")
    else:
        ax.set_xlabel("nnz + 2 k m floats, MB")
        ends = np.array(ax.get_xlim())
        ax.plot(ends, FLOATS * ends, color="black", linewidth=0.8, label="limit: three times that")
    ax.legend()


def _rules(ax, results):
    """Draw where the time of a whole run goes: a bar for each rule."""
    rows = [row for row in results.find("pipeline", unit="s") if ": " in row["quantity"]]
    problem = rows[0]["problem"] if rows else ""
    spent = {
        row["quantity"].partition(": ")[0]: row["median"]
        for row in rows
        if row["problem"] == problem
    }
    names = sorted(spent, key=lambda name: -spent[name])
    ax.barh(names, [spent[name] for name in names], color=COLOURS[0])
    whole = results.find("pipeline", problem, "whole run")
    clock = f"; the whole run: {whole[0]['median']:.0f} s" if whole else ""
    ax.set(xlabel="seconds, all jobs of a rule", title=f"The pipeline at {problem}{clock}")
    ax.invert_yaxis()
