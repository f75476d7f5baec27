"""From an entry of the config to an estimator, and whether its fit has converged."""

from condprob.estimators.registry import METHODS, method

CONVERGED = 1e-5  # nats per pair: a fit whose objective still moves more in an iteration is flagged


def build_method(entry, rank=None):
    """Return the estimator of an entry of the config's ``methods``, with the exhibit's rank."""
    options = {key: value for key, value in entry.items() if key not in ("method", "label")}
    if "rank" in METHODS[entry["method"]].options and "rank" not in options:
        options["rank"] = rank
    return method(entry["method"], **options)


def has_converged(matrix):
    """Whether the last iteration moved the objective by less than `CONVERGED`; True if direct."""
    return bool(getattr(matrix, "last_change", 0.0) < CONVERGED)
