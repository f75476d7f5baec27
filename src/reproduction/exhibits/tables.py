"""From scores to the tidy table of an exhibit, and Table 1 in print."""

import numpy as np
import pandas as pd

from reproduction.experiments.columns import TEXT_COLUMNS, TRIAL_COLUMNS
from reproduction.experiments.intervals import student_half_width

PRECISION = "%.10g"  # of every CSV of an exhibit
UNAVAILABLE = "not available"
COLUMNS = {  # of the tables; a further one is an option that some method sweeps
    *("corpus", "k", "rank", "n", "method", "mean", "low", "high", "sd", "trials", "seeds"),
    *("converged", "difference", "note", "paper", "error"),
}
POOR = 0.5  # share of converged fits below which a figure says so


def summarise_trials(scores):
    """Average the KL risk over trials.

    Parameters
    ----------
    scores : pandas.DataFrame
        Rows of `trials.score_trials`.

    Returns
    -------
    pandas.DataFrame
        ``k, rank, n, method``, the ``mean`` KL risk (nats) with its 95 % interval ``low, high``,
        ``sd``, ``trials`` and ``converged``, the share of fits that had.
    """
    keys = ["k", "rank", "n", "method", *swept_columns(scores, TRIAL_COLUMNS)]
    return _summarise(scores, keys, "kl_risk", "trials")


def summarise_text(scores, receipts, baseline=None):
    """Average the test cross-entropy over starts, for each corpus, size and rank.

    Parameters
    ----------
    scores : pandas.DataFrame
        Rows of `text.score_text`.
    receipts : dict
        For each corpus what was found, or ``{"reason": ...}`` where it could not be had: such a
        corpus has one row, without numbers, that says why.
    baseline : str, optional
        A method; ``difference`` is then the mean minus that method's.

    Returns
    -------
    pandas.DataFrame
        ``corpus, n, rank, method``, the ``mean`` (nats per word) with ``low, high, sd``,
        ``seeds``, ``converged``, ``difference`` if asked for, and ``note``.
    """
    keys = ["corpus", "n", "rank", "method", *swept_columns(scores, TEXT_COLUMNS)]
    fits = scores.groupby([*keys, "seed"], sort=False, dropna=False).agg(
        loss=("loss", "sum"), pairs=("pairs", "sum"), converged=("converged", "all")
    )
    fits = fits.reset_index().assign(
        cross_entropy=fits["loss"].to_numpy() / fits["pairs"].to_numpy()
    )
    table = _summarise(fits, keys, "cross_entropy", "seeds")
    if baseline is not None:
        base = table[table["method"] == baseline].set_index(["corpus", "n", "rank"])["mean"]
        place = pd.MultiIndex.from_frame(table[["corpus", "n", "rank"]])
        table["difference"] = table["mean"].to_numpy() - base.reindex(place).to_numpy()
    table["note"] = ""
    missing = [
        {"corpus": corpus, "note": receipt["reason"]}
        for corpus, receipt in receipts.items()
        if "reason" in receipt
    ]
    if missing:
        table = (
            pd.concat([table, pd.DataFrame(missing)])
            if len(table)
            else pd.DataFrame(missing, columns=table.columns)
        )
    order = list(receipts)
    return table.sort_values("corpus", key=lambda names: names.map(order.index), kind="stable")


def swept_columns(scores, known):
    """Return the columns beyond the known ones: options that a method of the exhibit sweeps."""
    return [column for column in scores.columns if column not in known]


def compare_with_paper(table, methods, find_printed):
    """Add the columns ``paper``, where it prints the cell, and ``error``, ours minus its.

    Parameters
    ----------
    table : pandas.DataFrame
        From `summarise_text`.
    methods : dict
        Entries of the config's ``methods``.
    find_printed : function
        Takes corpus, entry of the method, rank and training words; returns the paper's number, or
        nan where it prints none for such a fit.
    """
    options, published = option_columns(table), []
    for row in table.to_dict("records"):
        swept = {option: row[option] for option in options if pd.notna(row[option])}
        entry = methods.get(row["method"], {}) | swept
        published.append(find_printed(row["corpus"], entry, row["rank"], row["n"]))
    return table.assign(paper=published, error=table["mean"] - published)


def option_columns(table):
    """Return the options that some method of a table sweeps: its columns beyond the known ones."""
    return [column for column in table.columns if column not in COLUMNS]


def swept_values(part, options):
    """Return the values of the options that the rows of one method sweep, each combination once.

    Returns
    -------
    list of dict
        One, empty, where it sweeps none.
    """
    found = [
        {option: row[option] for option in options if pd.notna(row[option])}
        for row in part[options].to_dict("records")
    ]
    return [values for place, values in enumerate(found) if values not in found[:place]] or [{}]


def rows_with(part, values):
    """Return the rows of a table that have these values of the options."""
    for option, value in values.items():
        part = part[part[option] == value]
    return part


def tell(value):
    """Write the value of an option."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def poorly_converged(table, methods):
    """Say in a sentence which methods had converged in less than half of their fits, if any."""
    found = []
    for name, (lowest, highest, mean) in converged_shares(table).items():
        if mean < POOR:
            label = methods.get(name, {}).get("label", name)
            found.append(f"{label} in {_share_between(lowest, highest)} of its fits")
    if not found:
        return []
    return [f"Converged after the last iteration: {'; '.join(found)}."]


def converged_shares(table):
    """Return the lowest, highest and mean share of converged fits of each method where one had not.

    Returns
    -------
    dict
        By name of the method; methods whose fits had all converged, or that do not iterate, are
        left out.
    """
    known = table.dropna(subset=["method"])
    shares = known.assign(converged=known["converged"].astype(float)).groupby("method", sort=False)[
        "converged"
    ]
    found = shares.agg(["min", "max", "mean"])
    return {row.Index: tuple(row)[1:] for row in found.itertuples() if row.min < 1}


def print_table(table, methods, form):
    """Lay Table 1 out in Markdown or LaTeX: methods down, corpora across, ours and (the paper's).

    A dagger marks cells of which not all fits had converged.

    Parameters
    ----------
    table : pandas.DataFrame
        From `compare_with_paper`.
    methods : dict
        Entries of the config's ``methods``, in the order of the rows.
    form : "markdown" or "latex"
    """
    corpora, options = list(dict.fromkeys(table["corpus"])), option_columns(table)
    rows = [["", *corpora]]
    for name, entry in methods.items():
        part = table[table["method"] == name]
        for values in swept_values(part, options):
            chosen = [f"{option} = {tell(value)}" for option, value in values.items()]
            same = rows_with(part, values)
            cells = {row.corpus: row for row in same.itertuples()}
            label = ", ".join([entry.get("label", name), *chosen])
            rows.append([label, *(_cell(cells.get(corpus)) for corpus in corpora)])
    notes = [f"{corpus}: {note}" for corpus, note in unavailable(table).items()]
    unfinished = converged_shares(table)
    if unfinished:
        shares = ", ".join(
            f"{methods[name].get('label', name)} {_share_between(lowest, highest)}"
            for name, (lowest, highest, _) in unfinished.items()
        )
        notes.append(f"{DAGGER} not all fits had converged; the share that had: {shares}")
    return (_in_markdown if form == "markdown" else _in_latex)(rows, notes)


DAGGER = "\N{DAGGER}"


def _in_markdown(rows, notes):
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "| --- " + "| ---: " * (len(rows[0]) - 1) + "|")
    notes = [f"- {note}" for note in notes]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def _in_latex(rows, notes):
    signs = {"±": r"$\pm$", DAGGER: r"$^\dagger$"}
    body = [" & ".join(row) + r" \\" for row in rows]
    for sign, command in signs.items():
        body = [line.replace(sign, command) for line in body]
    head = [r"\begin{tabular}{l" + "r" * (len(rows[0]) - 1) + "}", r"\hline"]
    notes = [f"% {note}" for note in notes]
    lines = [*head, body[0], r"\hline", *body[1:], r"\hline", r"\end{tabular}", *notes]
    return "\n".join(lines) + "\n"


def _share_between(lowest, highest):
    """Write a share, or the range of shares, in per cent."""
    low, high = (f"{100 * share:.0f}" for share in (lowest, highest))
    return f"{low} %" if low == high else f"{low} to {high} %"


def unavailable(table):
    """Return the reason for each corpus of a table that could not be had."""
    missing = table[table["method"].isna()]
    return dict(zip(missing["corpus"], missing["note"], strict=True))


def _cell(row):
    """Print one cell: the mean, its spread over starts, the paper's value."""
    if row is None:
        return UNAVAILABLE
    spread = f" ± {row.sd:.4f}" if row.seeds > 1 else ""
    paper = f" ({row.paper:.4f})" if np.isfinite(row.paper) else ""
    mark = DAGGER if row.converged < 1 else ""
    return f"{row.mean:.4f}{mark}{spread}{paper}"


def _summarise(scores, keys, value, count):
    """Return mean, spread and Student's interval of ``value`` for each group, in file order."""
    groups = scores.groupby(keys, sort=False, dropna=False)
    table = groups[value].agg(["mean", "std", "size"]).rename(columns={"std": "sd"})
    half = student_half_width(table["sd"], table["size"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    table["converged"] = groups["converged"].mean()
    table = table.rename(columns={"size": count}).reset_index()
    return table[[*keys, "mean", "low", "high", "sd", count, "converged"]]
