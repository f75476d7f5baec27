"""The figures of the study, each plotted from its table."""

import numpy as np

from reproduction.exhibits.panels import make_panels
from reproduction.studies.near_optimal.figures import DRAW as PAPERS


def draw_constants(table, exhibit, methods):
    """Draw the differences with their intervals, one below the other."""
    figure, ((ax,),) = make_panels(1, 1, names=len(table))
    places = np.arange(len(table))
    reach = np.abs(table[["low", "high"]].to_numpy().T - table["difference"].to_numpy())
    ax.errorbar(table["difference"], places, xerr=reach, fmt="o", color="black", ms=3, lw=1)
    ax.axvline(0, color="grey", lw=0.8)
    ax.set_yticks(places, table["constant"] + ": " + table["other"].astype(str))
    ax.invert_yaxis()
    ax.set_xlabel("loss minus that with the value used,\nnats per word (left of zero: better)")
    return figure


DRAW = PAPERS | {"beyond-constants": draw_constants}
