"""Printed tables, with notes on fits that had not converged."""

import numpy as np

from reproduction.exhibits.sweeps import find_variants, rows_with

UNAVAILABLE = "not available"
LEAST_CONVERGED = 0.5  # share of converged fits below which a figure says so
# Soft absolute discounting has no objective that must settle. Of samplers, and of methods of
# discrete choices or random steps, nothing measures whether they have come to rest.
SOFT = {"ad-lr", "kn-ad-lr-bins"}
UNMEASURED = {
    *("py-lr", "class-kmeans", "class-exchange", "mf-sgd", "aso", "nplm"),
    *("kn-ad-lr-bins", "gibbs-rows", "py-lr-ablated"),
}
DAGGER = "\N{DAGGER}"
# What means something else in Markdown; in LaTeX, or is no ASCII.
MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|&~$"})
LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"\N{PLUS-MINUS SIGN}": r"$\pm$", DAGGER: r"$^\dagger$"}
)


def format_difference(value, digits):
    """Return a difference with its sign; one that is zero after rounding has none."""
    text = f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text[1:] if float(f"{value:.{digits}f}") == 0 else text


def poorly_converged(table, methods):
    """Say which methods still moved at the end of more than half of their fits, and why if known.

    There is nothing to say of those of `UNMEASURED`, nor of a sweep of iterations, which shows
    itself what more of them do.
    """
    found, soft = [], False
    swept = "iterations" in table and table["iterations"].nunique() > 1
    for name, (_, _, mean) in converged_shares(table).items():
        id = methods[name]["method"]
        if mean < LEAST_CONVERGED and id not in UNMEASURED and not swept:
            soft = soft or id in SOFT
            share = share_between(1 - mean, 1 - mean)
            found.append(f"{methods[name].get('label', name)} in {share} of its fits")
    if not found:
        return []
    why = "; soft discounting has no objective that must converge" if soft else ""
    return [f"Still moving after the last iteration: {', '.join(found)}{why}."]


def converged_shares(table):
    """Return the lowest, highest and mean share of converged fits of each method where one had not.

    Methods whose fits had all converged, or that do not iterate, are left out.
    """
    shares = table["converged"].astype(float).groupby(table["method"], sort=False)
    found = shares.agg(["min", "max", "mean"])
    return {row.Index: tuple(row)[1:] for row in found.itertuples() if row.min < 1}


def share_between(lowest, highest):
    """Write a share, or the range of shares, in per cent; one short of all is never 100 %."""
    low, high = (_percent(share) for share in (lowest, highest))
    return f"{low} %" if low == high else f"{low} to {high} %"


def _percent(share):
    text = f"{100 * share:.0f}"
    return f"{100 * share:.1f}" if text in ("0", "100") and 0 < share < 1 else text


def print_table(table, methods, form):
    """Lay a table out in "markdown" or "latex": methods down, corpora across, ours (the paper's).

    The table is that of `compare_with_paper`, the rows in the order of the methods. A dagger marks
    cells of which not all fits had converged.
    """
    corpora = list(dict.fromkeys(table["corpus"]))
    rows = [["", *corpora]]
    for name, values, label in find_variants(table, methods):
        part = rows_with(table[table["method"] == name], values)
        cells = {row.corpus: row for row in part.itertuples()}
        rows.append([label, *(_cell(cells.get(corpus)) for corpus in corpora)])
    notes = [_explain(table)]
    unfinished = converged_shares(table)
    if unfinished:
        shares = ", ".join(
            f"{methods[name].get('label', name)} {share_between(lowest, highest)}"
            for name, (lowest, highest, _) in unfinished.items()
        )
        notes.append(f"{DAGGER} not all fits converged; the fraction that did: {shares}")
    return (_in_markdown if form == "markdown" else _in_latex)(rows, notes)


def _explain(table):
    """Describe the content of a cell."""
    parts = ["Nats per word"]
    if table["seeds"].max() > 1:
        parts.append(
            f"\N{PLUS-MINUS SIGN} the standard deviation over {table['seeds'].max():.0f} runs"
        )
    if np.isfinite(table["paper"]).any():
        parts.append("in brackets the published value")
    return "; ".join(parts)


def _in_markdown(rows, notes):
    rows = [list(map(in_markdown, row)) for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| --- " + "| ---: " * (len(rows[0]) - 1) + "|")
    notes = [f"- {in_markdown(note)}" for note in notes]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def in_markdown(text):
    """Write a text in Markdown, in one line."""
    return " ".join(text.split()).translate(MARKDOWN)


def _in_latex(rows, notes):
    body = [" & ".join(map(_escape, row)) + r" \\" for row in rows]
    width = len(rows[0])
    head = [r"\begin{tabular}{l" + "r" * (width - 1) + "}", r"\hline"]
    notes = [rf"\multicolumn{{{width}}}{{l}}{{\footnotesize {_escape(note)}}} \\" for note in notes]
    lines = [*head, body[0], r"\hline", *body[1:], r"\hline", *notes, r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _escape(text):
    """Write a text in LaTeX."""
    return " ".join(text.split()).translate(LATEX)


def _cell(row):
    """Print one cell: the mean, its spread over runs, the published value."""
    if row is None:
        return UNAVAILABLE
    spread = f" ± {row.sd:.4f}" if row.seeds > 1 else ""
    paper = f" ({row.paper:.4f})" if np.isfinite(row.paper) else ""
    mark = DAGGER if row.converged < 1 else ""
    return f"{row.mean:.4f}{mark}{spread}{paper}"
