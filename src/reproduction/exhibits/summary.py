"""The summary of a run: its exhibits, the best method at each point, and the missing texts."""

import pandas as pd

from reproduction.exhibits.printing import converged_shares, in_markdown, share_between
from reproduction.exhibits.sweeps import option_columns, tell


def write_summary(exhibits, tables, prints, receipts, labels):
    """Write the summary of a run in Markdown: the best methods, and the missing texts.

    ``exhibits`` are the titles, ``tables`` the CSV of each, ``prints`` those that were printed, in
    Markdown; receipts are by corpus, labels by method.
    """
    lines = ["# What was computed", ""]
    for name, title in exhibits.items():
        forms = (f"[{form.upper()}](exhibits/{name}.{form})" for form in ("csv", "png", "svg"))
        lines += [f"## {in_markdown(title)}", "", ", ".join(forms), ""]
        if name in prints:
            lines += [prints[name]]
        elif {"method", "mean", "low"} <= set(tables[name]):
            lines += [_best_methods(tables[name], labels), "", *_unfinished(tables[name], labels)]
    lines += ["## Corpora", ""]
    for name, receipt in receipts.items():
        if "reason" in receipt:
            words = f"left out: {in_markdown(receipt['reason'])}; to get it, {receipt['remedy']}"
        elif "content_sha256" not in receipt:  # a part of a corpus, or a collection of texts
            words = "read"
        else:
            digest = f"SHA-256 {receipt['content_sha256'][:12]} ({receipt['check']})"
            words = (
                f"{receipt['words']:,} words, {receipt['types']:,} types; train "
                f"{receipt['train_words']:,}, test {receipt['test_words']:,}; "
                f"source: {receipt['source']}, {digest}"
            )
        lines.append(f"- {name}: {words}")
    return "\n".join(lines) + "\n"


def _unfinished(table, labels):
    """Say of which methods some fits had not converged after the last iteration, if of any."""
    found = [
        f"{in_markdown(labels[name])} {share_between(lowest, highest)}"
        for name, (lowest, highest, _) in converged_shares(table).items()
    ]
    if found:
        shares = ", ".join(found)
        yield f"Fits that had converged, from the worst of these points to the best: {shares}."
        yield ""


def _best_methods(table, labels):
    """Say which method has the lowest mean at each point of an exhibit."""
    keys = [
        key
        for key in ("corpus", "k", "rank", "n", "order")
        if table.get(key, pd.Series()).nunique() > 1
    ]
    known = table.dropna(subset=["mean"])
    best = known.loc[known.groupby(keys or ["method"], sort=False)["mean"].idxmin()]
    head = [*keys, "lowest mean", "nats", "95 % interval"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    options = option_columns(table)
    for row in best.to_dict("records"):
        values = [f"{row[key]:,.0f}" if key != "corpus" else row[key] for key in keys]
        chosen = [f"{option} = {tell(row[option])}" for option in options if pd.notna(row[option])]
        label = ", ".join([in_markdown(labels[row["method"]]), *chosen])
        interval = f"{row['low']:.4f} to {row['high']:.4f}" if pd.notna(row["low"]) else "one fit"
        lines.append("| " + " | ".join([*values, label, f"{row['mean']:.4f}", interval]) + " |")
    return "\n".join(lines)
