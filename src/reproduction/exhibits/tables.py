"""From scores to the tidy table of an exhibit."""

import pandas as pd

from reproduction.exhibits.sweeps import option_columns
from reproduction.scores.columns import BLOCKS, COLUMNS, ORACLE
from reproduction.scores.intervals import student_half_width
from reproduction.scores.pairs import paired_difference
from reproduction.study import source_of

PRECISION = "%.10g"  # of the numbers in every CSV of an exhibit, and of verdicts


def tabulate_trials(given):
    """Return the table of an exhibit on models (`study.Material`): `summarise_trials`."""
    places = ["k", "rank", "n", "method", *swept_columns(given.scores)]
    rows = given.scores.groupby(places, sort=False, dropna=False).size()
    refuse_lost(rows, given.entry.get("trials", rows), "trials")
    table = summarise_trials(given.scores, given.entry.get("baseline"))
    return in_order(table, ["k", "rank", "n"], given.methods)


def tabulate_text(given):
    """Return the table of an exhibit on texts: `summarise_text`."""
    places = ["corpus", "n", "rank", "method", *swept_columns(given.scores), "seed"]
    fits = given.scores.groupby(places, sort=False, dropna=False)
    refuse_lost(fits.size(), fits["pairs"].sum().clip(upper=BLOCKS), "blocks of the test text")
    table = summarise_text(given.scores, given.entry.get("baseline"))
    return in_order(table, ["corpus", "n", "rank"], given.methods)


def refuse_lost(found, wanted, what):
    """Raise ValueError where scores at a place have another number of rows than they should."""
    lost = found[found != wanted]
    if len(lost):
        names = dict(zip(lost.index.names, lost.index[0], strict=True))
        place = ", ".join(f"{name} {value}" for name, value in names.items() if value == value)
        raise ValueError(
            f"the scores of {place} have {lost.iloc[0]} {what}, not as many as were made: a file "
            "was cut short. Remove the scores of the exhibit and run again"
        )


def in_order(table, place, methods):
    """Return a table by place, in the order in which places come, and there by method.

    Scores lie by method, and in a table the methods of a point stand together.
    """
    points = table.groupby(place, sort=False, dropna=False).ngroup()
    ranks = {name: rank for rank, name in enumerate(methods)}
    order = pd.DataFrame({"point": points, "method": table["method"].map(ranks)})
    return table.loc[order.sort_values(["point", "method"], kind="stable").index]


def tabulate_cells(given):
    """Return a table whose cells may have published values: `compare_with_paper`."""
    find_printed = source_of(given.study).find_printed
    return compare_with_paper(tabulate_text(given), given.methods, find_printed)


def summarise_trials(scores, baseline=None):
    """Average the KL risk over trials: rows of `trials.score_trials`.

    Columns: ``k, rank, n, method``, the ``mean`` KL risk (nats) with its 95 % interval ``low,
    high``, ``sd``, ``trials`` and ``converged``, the share of fits that had. With a method
    ``baseline`` also the mean ``difference`` from it, of the same trials, with the interval
    ``difference_low, difference_high`` of these paired differences. ``oracle`` is the mean risk of
    the oracle at the same point, where the scores have one.
    """
    sizes, of_oracle = ["k", "rank", "n"], scores["method"] == ORACLE
    oracle, scores = scores[of_oracle], scores[~of_oracle]
    keys = [*sizes, "method", *swept_columns(scores)]
    table = _summarise(scores, keys, "kl_risk", "trials")
    if baseline is not None:
        trial = [*sizes, "trial"]
        base = scores[scores["method"] == baseline].set_index(trial)["kl_risk"]
        paired = base.reindex(pd.MultiIndex.from_frame(scores[trial])).to_numpy()
        gaps = scores.assign(difference=scores["kl_risk"] - paired)
        gaps = _summarise(gaps, keys, "difference", "trials")
        table["difference"] = gaps["mean"]
        table["difference_low"], table["difference_high"] = gaps["low"], gaps["high"]
    if oracle.empty:
        return table
    return table.join(oracle.groupby(sizes)["kl_risk"].mean().rename(ORACLE), on=sizes)


def summarise_text(scores, baseline=None):
    """Average the test cross-entropy over starts, for each corpus, size and rank.

    Columns: ``corpus, n, rank, method``, the ``mean`` (nats per word) with ``low, high, sd``,
    ``seeds``, ``converged``; and ``difference``, the mean minus that of the method ``baseline`` if
    there is one, with its interval ``difference_low, difference_high`` over stretches of the test
    words and starts, as in every comparison on texts.
    """
    keys = ["corpus", "n", "rank", "method", *swept_columns(scores)]
    fits = scores.groupby([*keys, "seed"], sort=False, dropna=False).agg(
        loss=("loss", "sum"), pairs=("pairs", "sum"), converged=("converged", "all")
    )
    fits = fits.reset_index().assign(
        cross_entropy=fits["loss"].to_numpy() / fits["pairs"].to_numpy()
    )
    table = _summarise(fits, keys, "cross_entropy", "seeds")
    if baseline is not None:
        columns = [*keys, "difference", "difference_low", "difference_high"]
        gaps = pd.DataFrame(_gaps_of_text(scores, keys, baseline), columns=columns)
        table = table.merge(gaps, how="left", on=keys)
    return table


def _gaps_of_text(scores, keys, baseline):
    """Yield for each group of scores its paired difference from a method at the same place."""
    place = ["corpus", "n", "rank"]
    bases = dict(iter(scores[scores["method"] == baseline].groupby(place)))
    for values, rows in scores.groupby(keys, sort=False, dropna=False):
        row = dict(zip(keys, values, strict=True))
        if row["method"] == baseline:
            yield row | {"difference": 0.0}
            continue
        base = bases[tuple(row[key] for key in place)].assign(method="baseline")
        rows = pd.concat([rows.assign(method="it"), base])
        gap, low, high = paired_difference(rows, "baseline", "it")
        yield row | {"difference": gap, "difference_low": low, "difference_high": high}


def swept_columns(scores):
    """Return the columns beyond those of every score: options that a method sweeps."""
    return [column for column in scores.columns if column not in COLUMNS]


def compare_with_paper(table, methods, find_printed):
    """Add the columns ``paper``, where it prints the cell, and ``error``, ours minus its.

    ``find_printed`` is that of `verdicts.source.Source`.
    """
    options, published = option_columns(table), []
    for row in table.to_dict("records"):
        swept = {option: row[option] for option in options if pd.notna(row[option])}
        entry = methods.get(row["method"], {}) | swept
        published.append(find_printed(row["corpus"], entry, row["rank"], row["n"]))
    return table.assign(paper=published, error=table["mean"] - published)


def _summarise(scores, keys, value, count):
    """Return mean, spread and Student's interval of ``value`` for each group, in file order."""
    groups = scores.groupby(keys, sort=False, dropna=False)
    table = groups[value].agg(["mean", "std", "size"]).rename(columns={"std": "sd"})
    half = student_half_width(table["sd"], table["size"])
    table["low"], table["high"] = table["mean"] - half, table["mean"] + half
    table["converged"] = groups["converged"].mean()
    table = table.rename(columns={"size": count}).reset_index()
    return table[[*keys, "mean", "low", "high", "sd", count, "converged"]]
