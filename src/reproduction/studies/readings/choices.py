"""What each choice of a reading changes: the specification curve in a few of its points.

Each point is a reading, and has the interval of its own starts. So the table is small enough for
the reference, and each of its numbers can be compared with another run's.
"""

import numpy as np
import pandas as pd

from reproduction.scores.intervals import student_half_width
from reproduction.studies.readings.plan import AXES, CHOICES

COLUMNS = (
    *("corpus", "axis", "level", "settings", "above", "share", "difference", "low", "high"),
    "percentile",
)
SHARES = (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)  # of the curve: the points that are kept
EVERY, SETTING = "every", "setting"  # in place of an axis: all readings, and those of the ledger


def tabulate_choices(given):
    """Return the exhibit's table, of the specification curve's.

    A row is a point of the sorted curve of all readings that make a choice, ``level`` of ``axis``;
    all `EVERY` readings also have a curve, and each column of the paper's ledger is one of a single
    `SETTING`. Columns are `COLUMNS`: the number of ``readings``; the share of them ``above`` zero;
    the ``share`` of the curve that lies at or before the point; its ``difference``, AD-LR minus
    Kneser-Ney in nats per word, with the 95 % interval over the starts of AD-LR; and the
    ``percentile`` of the point among all readings, the fraction with a smaller difference.
    """
    rows = []
    for corpus, part in given.tables[CHOICES].groupby("corpus", sort=False):
        groups = [(EVERY, "", part)]
        for axis in (SETTING, *AXES):
            levels = part[part[axis].notna()].groupby(axis, sort=False)
            groups += [(axis, str(level), chosen) for level, chosen in levels]
        for axis, level, chosen in groups:
            for point in _points(chosen):
                below = (part["difference"] < point["difference"]).mean()
                place = {"corpus": corpus, "axis": axis, "level": level, "percentile": below}
                rows.append(place | point)
    return pd.DataFrame(rows, columns=COLUMNS)


def _points(readings):
    """Yield the points of the sorted curve of some readings; of a single one there is one."""
    sorted_ = readings.sort_values("difference", kind="stable").reset_index(drop=True)
    size = len(sorted_)
    for share in SHARES if size > 1 else (1,):
        row = sorted_.iloc[max(int(np.ceil(share * size)) - 1, 0)]
        half = 0.0
        if row["seeds"] > 1:
            half = student_half_width(row["sd"], row["seeds"])
        yield {
            "settings": size,
            "above": (sorted_["difference"] > 0).mean(),
            "share": share,
            "difference": row["difference"],
            "low": row["difference"] - half,
            "high": row["difference"] + half,
        }
