"""From scores to the tidy table of an exhibit, and Table 1 in print."""

import numpy as np
import pandas as pd

from reproduction.experiments.intervals import student_half_width

PRECISION = "%.10g"  # of every CSV of an exhibit
UNAVAILABLE = "not available"


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
    return _summarise(scores, ["k", "rank", "n", "method"], "kl_risk", "trials")


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
    keys = ["corpus", "n", "rank", "method"]
    fits = scores.groupby([*keys, "seed"], sort=False).agg(
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
    published = [
        find_printed(row.corpus, methods.get(row.method, {}), row.rank, row.n)
        for row in table.itertuples()
    ]
    return table.assign(paper=published, error=table["mean"] - published)


def print_table(table, methods, form):
    """Lay Table 1 out in Markdown or LaTeX: methods down, corpora across, ours and (the paper's).

    Parameters
    ----------
    table : pandas.DataFrame
        From `compare_with_paper`.
    methods : dict
        Entries of the config's ``methods``, in the order of the rows.
    form : "markdown" or "latex"
    """
    corpora = list(dict.fromkeys(table["corpus"]))
    cells = {(row.corpus, row.method): row for row in table.itertuples()}
    rows = [["", *corpora]]
    for name, entry in methods.items():
        rows.append([entry["label"], *(_cell(cells.get((c, name))) for c in corpora)])
    if form == "markdown":
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "| --- " + "| ---: " * len(corpora) + "|")
        notes = [f"- {c}: {note}" for c, note in unavailable(table).items()]
        return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"
    body = [" & ".join(row).replace("±", r"$\pm$") + r" \\" for row in rows]
    head = [r"\begin{tabular}{l" + "r" * len(corpora) + "}", r"\hline"]
    notes = [f"% {c}: {note}" for c, note in unavailable(table).items()]
    return (
        "\n".join([*head, body[0], r"\hline", *body[1:], r"\hline", r"\end{tabular}", *notes])
        + "\n"
    )


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
    return f"{row.mean:.4f}{spread}{paper}"


def _summarise(scores, keys, value, count):
    """Return mean, spread and Student's interval of ``value`` for each group, in file order."""
    groups = scores.groupby(keys, sort=False)
    table = groups[value].agg(["mean", "std", "size"]).rename(columns={"std": "sd"})
    half = student_half_width(table["sd"], table["size"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    table["converged"] = groups["converged"].mean()
    table = table.rename(columns={"size": count}).reset_index()
    return table[[*keys, "mean", "low", "high", "sd", count, "converged"]]
