"""A test of claims on rows of a table: every number is above, or below, a limit."""

import numpy as np

from reproduction.verdicts.criteria import reach_verdict
from reproduction.verdicts.evidence import Missing, Untestable, say_number


def judge_rows(claim, results):
    """Ask of each row that its number, with its interval, be on one side of ``published``.

    The claim's ``rows`` are the values of columns that choose the rows (a list allows each of its
    values), and ``without`` those of rows that are left out of them. ``column`` is that of the
    number, ``value`` by default, and ``side`` is "above" or "below"; a number that is no ``value``
    has no interval. Every corpus in ``corpora`` has to be among the rows: a claim on three texts is
    untestable on two.
    """
    table = results.rows("tables", claim.exhibit, {})
    column, side = claim.settings.get("column", "value"), claim.settings["side"]
    chosen = choose_rows(table, claim.settings["rows"])
    if "without" in claim.settings:
        chosen = chosen.drop(choose_rows(chosen, claim.settings["without"]).index)
    missing = [
        name for name in claim.settings.get("corpora", ()) if name not in {*chosen["corpus"]}
    ]
    if missing:
        raise Untestable(f"{claim.exhibit} has nothing on {', '.join(missing)}")
    if chosen.empty:
        raise Missing(f"{claim.exhibit} has no rows with {claim.settings['rows']}")
    values = chosen[column].to_numpy(float)
    ends = chosen["low" if side == "above" else "high"].to_numpy(float)
    worst = np.where(np.isnan(ends) | (column != "value"), values, ends)
    sign = 1 if side == "above" else -1
    holds = sign * (worst - claim.published) > 0
    trend = sign * (values - claim.published) > 0
    weakest = chosen.iloc[int(np.argmin(sign * worst))]
    is_value = column == "value"
    numbers = [_number(row, column, is_value) for row in chosen.to_dict("records")]
    found = _number(weakest.to_dict(), column, is_value)
    return {
        **{"measured": found["value"], "low": found["low"], "high": found["high"]},
        "verdict": reach_verdict(holds.all(), trend.all()),
        "points": f"{holds.sum()} of {holds.size} {side} {claim.published:g}",
        "reason": f"weakest of {holds.size}: {found['quantity']}, {say_number(found)}",
    }, numbers


def choose_rows(table, values):
    """Return the rows of a table with these values; a list allows each of its values."""
    for name, value in values.items():
        allowed = value if isinstance(value, list) else [value]
        table = table[table[name].isin(allowed)]
    return table


def _number(row, column, is_value):
    """Return a row as evidence: its place, what the number is, and the number."""
    words = [row.get(name) for name in ("part", "text", "exhibit", "method", "competitor")]
    quantity = ", ".join(word for word in words if isinstance(word, str) and word)
    place = {key: row[key] for key in ("corpus", "k", "rank", "n") if key in row}
    ends = (row["low"], row["high"]) if is_value else (np.nan, np.nan)
    return place | {
        "quantity": quantity if is_value else f"{quantity}: {column}",
        "value": row[column],
        "low": ends[0],
        "high": ends[1],
    }
