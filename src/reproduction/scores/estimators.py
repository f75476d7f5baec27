"""From an entry of the config to estimators, and whether a fit has converged."""

from itertools import product

from condprob.catalogue import METHODS, method
from reproduction.scores.plan import swept_options

NOT_OPTIONS = ("method", "label")  # keys of an entry that are no hyperparameters


def build_variants(entry, rank=None):
    """Return the estimators of an entry of the config's ``methods``, each with what is swept.

    An option whose value is a list is swept: there is an estimator for each combination. The rank
    is the exhibit's, for a method that has one and whose entry gives none.
    """
    options = {key: value for key, value in entry.items() if key not in NOT_OPTIONS}
    if "rank" in METHODS[entry["method"]].options and "rank" not in options:
        options["rank"] = rank
    swept = swept_options({"": entry})
    found = []
    for values in product(*(options[name] for name in swept)):
        chosen = dict(zip(swept, values, strict=True))
        found.append((chosen, method(entry["method"], **(options | chosen))))
    return found


def has_converged(matrix):
    """Whether a fit ended where its iterations lead; True if it has none."""
    return matrix.ended != "limit"
