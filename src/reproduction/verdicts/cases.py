"""Cases of a theory: a statement holds where its value is at most its bound."""

import numpy as np

COLUMNS = ("check", "case", "k", "rank", "n", "value", "bound", "share", "holds")
BOUND_TOLERANCE = 1e-9


def make_case(check, case, value, bound, k=0, rank=0, n=0):
    """Return a case: a statement holds where its value is at most its bound.

    ``check`` is the statement, ``case`` the computation; sizes are zero where there are none.
    """
    value, bound = float(value), float(bound)
    share = value / bound if bound > BOUND_TOLERANCE else value
    holds = bool(value <= bound + BOUND_TOLERANCE)
    numbers = {"value": value, "bound": bound, "share": share, "holds": holds}
    return {"check": check, "case": case, "k": k, "rank": rank, "n": n} | numbers


def at_least(check, case, value, bound, **sizes):
    """Return a case whose value is at least its bound: the missing part is at most zero."""
    return make_case(check, f"{case}: shortfall from {bound:.3g}", bound - value, 0, **sizes)


def slope_of_logs(x, y):
    """Return the exponent of the power law that is nearest to points, by least squares of logs."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])
