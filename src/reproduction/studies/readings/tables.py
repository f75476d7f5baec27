"""The universes of the multiverse, from its scores, and the one nearest to Table 1.

Further tables say in how many readings each claim holds, and which choices move its margin.
"""

import itertools

import numpy as np
import pandas as pd

from reproduction.scores.columns import ALL, read_scores
from reproduction.studies.readings.axes import (
    AXES,
    CHOICES,
    CLAIMS,
    LR_AXES,
    METHOD_AXES,
    ORDER,
    STATED,
    TEXT_AXES,
    UNSEEN,
)

DIGITS = "%.7g"  # of the tables: a multiverse is large
WARNING = (
    "selected after seeing the published values, as the best of so many: its fit is no evidence "
    "that the paper was computed so"
)
CLAIM_COLUMNS = [
    *("claim", "statement", "corpus", "readings", "share"),
    *("readings_distributions", "share_distributions", "readings_stated", "share_stated"),
    *("readings_contiguous", "share_contiguous", "median", "low", "high"),
    *("flipped_by", "flips", "weakest", "weakest_share", "note"),
]
EFFECT_COLUMNS = ["claim", "corpus", "axis", "variance", "range", "flips"]


def read_grid(files):
    """Read the scores of the grid, the choices as text, with the ``cross_entropy`` of each."""
    names = dict.fromkeys([*TEXT_AXES, "method", *CHOICES], str)
    table = read_scores(files, dtype=names)
    blank = [name for name in names if name not in table]
    return table.assign(cross_entropy=table["loss"] / table["pairs"], **dict.fromkeys(blank))


def read_universes(file):
    """Read a written table of `build_universes`, the choices as text."""
    return pd.read_csv(file, dtype=dict.fromkeys([*TEXT_AXES, *CHOICES], str))


def build_universes(scores, axes):
    """Cross the choices: one row for each universe.

    Scores are from `read_grid`, axes those of the study's section. Columns: the choices
    (`TEXT_AXES` and `CHOICES`); ``stated``, whether all that the paper does say is as it says;
    ``distributions``, whether every method is one; the cross-entropy of each method in nats per
    pair, of AD-LR the mean over ``seeds`` starts with ``sd``; ``lowest-kn``, the lowest KN under
    any choice on the same pairs; the margins of `CLAIMS`.
    """
    axes = {axis: [str(value) for value in values] for axis, values in axes.items()}
    table = scores[scores["method"] == "add-half"][TEXT_AXES]
    for axis in (axis for axis in CHOICES if axis not in LR_AXES):
        table = table.merge(pd.DataFrame({axis: axes[axis]}), how="cross")
    for method in ORDER:
        table = _join_method(table, scores, method)
    lowest = scores[scores["method"] == "kn"].groupby(TEXT_AXES)["cross_entropy"].min()
    table = table.join(lowest.rename("lowest-kn"), on=TEXT_AXES)
    margins = [*itertools.pairwise(ORDER), ("lowest-kn", "ad-lr")]
    for high, low in margins:
        table[f"{high}-minus-{low}"] = table[high] - table[low]
    table["stated"] = (table[STATED] == [axes[axis][0] for axis in STATED]).all(axis=1)
    table["distributions"] = table["backoff"] == "normalised"
    values = [*ORDER, "sd", "seeds", "lowest-kn", *(f"{a}-minus-{b}" for a, b in margins)]
    return table[[*TEXT_AXES, *CHOICES, "stated", "distributions", *values]]


def _join_method(table, scores, method):
    """Add the cross-entropy of a method; for AD-LR, a row for each of its own choices too."""
    keys = [*TEXT_AXES, *METHOD_AXES[method]]
    groups = scores[scores["method"] == method].groupby(keys, sort=False)["cross_entropy"]
    if method == "ad-lr":
        found = groups.agg(**{method: "mean", "sd": "std", "seeds": "size"}).reset_index()
    else:
        found = groups.first().rename(method).reset_index()
    if "unseen" in keys:  # from its meaning for this method to the reading shared by all
        own = [{"unseen": own[method], "reading": reading} for reading, own in UNSEEN.items()]
        found = found.merge(pd.DataFrame(own), on="unseen").drop(columns="unseen")
        found = found.rename(columns={"reading": "unseen"})
    return table.merge(found, on=[key for key in keys if key in table.columns])


def find_nearest(universes, printed):
    """Find the set of readings nearest to a printed table, by the root mean square of its errors.

    All corpora of the table that are there take the same choices, but each its own tokenizer. The
    printed numbers, nats per word, are by corpus and method. There is a row for each cell:
    ``corpus, method, paper, ours, error``, the choices, ``rms`` (nats) over the cells, ``largest``
    error, ``candidates`` (the sets compared) and ``warning``.
    """
    shared = [axis for axis in AXES if axis != "tokenizer"]
    best, candidates = [], 1
    for corpus in (name for name in printed if name in set(universes["corpus"])):
        part = universes[(universes["corpus"] == corpus) & universes["distributions"]]
        errors = part[ORDER] - [printed[corpus][method] for method in ORDER]
        part = part.assign(squares=(errors**2).sum(axis=1))
        first = part.sort_values("squares", kind="stable").drop_duplicates(shared)
        best.append(first.set_index(shared))
        candidates *= part["tokenizer"].nunique()
    columns = ["corpus", "method", "paper", "ours", "error", "rms", "largest", "candidates"]
    if not best:
        return pd.DataFrame(columns=[*columns, "tokenizer", *shared, "warning"])
    squares = pd.concat([table["squares"] for table in best], axis=1, join="inner").sum(axis=1)
    winner = squares.idxmin()
    rows = []
    for table in best:
        row = table.loc[winner]
        for method in ORDER:
            paper = printed[row["corpus"]][method]
            cell = {"corpus": row["corpus"], "method": method, "paper": paper, "ours": row[method]}
            rows.append(cell | {"error": row[method] - paper, "tokenizer": row["tokenizer"]})
    rows = pd.DataFrame(rows).assign(**dict(zip(shared, winner, strict=True)), warning=WARNING)
    rows["rms"] = np.sqrt((rows["error"] ** 2).mean())
    rows["largest"] = rows["error"].abs().max()
    rows["candidates"] = candidates * len(squares)
    return rows[[*columns, "tokenizer", *shared, "warning"]]


def claim_readings(universes, claim):
    """Return the distinct readings that a claim depends on, with its ``margin``, and their axes.

    That is, universes that differ in a choice without bearing on the claim count once. One is
    ``stated`` or of ``distributions`` if it is so in one of its universes.
    """
    _, margins, methods = CLAIMS[claim]
    bearing = {axis for method in methods for axis in METHOD_AXES[method]}
    axes = [axis for axis in AXES if axis in bearing or axis in TEXT_AXES]
    table = universes.assign(margin=universes[margins].min(axis=1))
    merged = {"margin": "first", "stated": "max", "distributions": "max"}
    return table.groupby(["corpus", *axes], sort=False).agg(merged).reset_index(), axes


def tabulate_claims(universes, notes):
    """Return the share of readings in which each claim holds, by corpus and for all.

    Universes are those of `build_universes`. Columns: ``claim, statement, corpus``; ``readings``
    and the ``share`` in which the margin is positive; the same ``_distributions`` (SB normalised),
    ``_stated`` (that, and all as far as the paper states it) and ``_contiguous`` (that, and
    contiguous halves); the ``median`` margin with its ``low`` and ``high`` (5 and 95 %);
    ``flipped_by``, the choice whose change turns the verdict most often, with ``flips``;
    ``weakest``, its level at which the claim holds least, with ``weakest_share``; ``note``, why a
    corpus could not be had.
    """
    rows = []
    for claim, (statement, _, _) in CLAIMS.items():
        readings, axes = claim_readings(universes, claim)
        for corpus, part in _by_corpus(readings):
            row = {"claim": claim, "statement": statement, "corpus": corpus, "note": ""}
            rows.append(row | _shares(part) | _flip(part, axes))
        for corpus, note in notes.items():
            rows.append({"claim": claim, "statement": statement, "corpus": corpus, "note": note})
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def _by_corpus(readings):
    corpora = dict.fromkeys(readings["corpus"])
    yield from ((corpus, readings[readings["corpus"] == corpus]) for corpus in corpora)
    if len(corpora) > 1:
        yield ALL, readings


def _shares(part):
    """Count readings, and those in which the claim holds."""
    row = {}
    groups = {"": part, "_distributions": part[part["distributions"]]}
    stated = groups["_stated"] = part[part["distributions"] & part["stated"]]
    groups["_contiguous"] = stated[stated["split"] == "halves"]
    for suffix, group in groups.items():
        row[f"readings{suffix}"] = len(group)
        row[f"share{suffix}"] = (group["margin"] > 0).mean() if len(group) else np.nan
    low, median, high = part["margin"].quantile([0.05, 0.5, 0.95])
    return row | {"low": low, "median": median, "high": high}


def _flip(part, axes):
    """Name the choice whose change turns the verdict most often, and its worst level."""
    flips = {axis: flip_share(part, axis, axes) for axis in axes}
    flips = {axis: share for axis, share in flips.items() if share > 0}
    if not flips:
        return {}
    axis = max(flips, key=flips.get)
    shares = (part["margin"] > 0).groupby(part[axis], sort=False).mean()
    return {
        "flipped_by": axis,
        "flips": flips[axis],
        "weakest": shares.idxmin(),
        "weakest_share": shares.min(),
    }


def flip_share(readings, axis, axes):
    """Return how often changing one choice, and nothing else, turns the verdict.

    Among all pairs of readings that differ on ``axis`` alone, the share in which the margin is
    positive in just one; nan where there is no such pair.
    """
    others = ["corpus", *(other for other in axes if other != axis)]
    codes = [pd.factorize(readings[other])[0] for other in others]
    cells = np.ravel_multi_index(codes, [code.max() + 1 for code in codes])
    _, group = np.unique(cells, return_inverse=True)
    size, holds = np.bincount(group), np.bincount(group, readings["margin"] > 0)
    pairs = (size * (size - 1) // 2).sum()
    return (holds * (size - holds)).sum() / pairs if pairs else np.nan


def tabulate_effects(universes):
    """Rank the choices by how much they move the margin of each claim.

    Columns: ``claim, corpus, axis``, ranked; ``variance``, the share of the margin's variance that
    is lost from an additive model without the axis (its main effect, the others given;
    ``interactions`` has what no main effect explains); ``range``, the largest minus the smallest
    effect of its levels in nats; ``flips`` (see `flip_share`).
    """
    rows = []
    for claim in CLAIMS:
        readings, axes = claim_readings(universes, claim)
        for corpus, part in _by_corpus(readings):
            for row in _effects(part, [*(["corpus"] if corpus == ALL else []), *axes]):
                flips = np.nan
                if row["axis"] in axes:
                    flips = flip_share(part, row["axis"], axes)
                rows.append({"claim": claim, "corpus": corpus} | row | {"flips": flips})
    return pd.DataFrame(rows, columns=EFFECT_COLUMNS)


def _effects(part, axes):
    """Return the main effects of one claim, largest first: least squares on indicators."""
    margin = part["margin"].to_numpy() - part["margin"].mean()
    total = margin @ margin
    codes = {axis: pd.factorize(part[axis])[0] for axis in axes}
    blocks = {a: (c[:, None] == np.arange(c.max() + 1)).astype(float) for a, c in codes.items()}
    design = np.column_stack([np.ones(len(part)), *blocks.values()])
    # Normal equations: the design has tens of thousands of rows and a few dozen columns.
    gram, moments = design.T @ design, design.T @ margin
    widths = np.cumsum([1, *(block.shape[1] for block in blocks.values())])

    def explained(keep):
        return moments[keep] @ np.linalg.pinv(gram[np.ix_(keep, keep)], rcond=1e-10, hermitian=True)

    everything = np.arange(len(gram))
    effects = explained(everything)
    full = effects @ moments
    rows = []
    for axis, start, stop in zip(axes, widths[:-1], widths[1:], strict=True):
        keep = np.delete(everything, np.arange(start, stop))
        lost = full - explained(keep) @ moments[keep]
        rows.append(
            {
                "axis": axis,
                "variance": max(lost, 0.0) / total if total else 0.0,
                "range": np.ptp(effects[start:stop]),
            }
        )
    rows.sort(key=lambda row: -row["variance"])
    left = {"axis": "interactions", "variance": max(total - full, 0.0) / total if total else 0.0}
    return [*rows, left]
