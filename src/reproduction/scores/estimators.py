"""From an entry of the config to estimators, and whether a fit has converged."""

from itertools import product

from condprob.catalogue import method
from reproduction.methods import METHODS

NOT_OPTIONS = ("method", "label", "style")  # keys of an entry that are no hyperparameters


def swept_options(methods):
    """Return the options that some of these entries of ``methods`` sweep, each once, in order."""
    return tuple(
        dict.fromkeys(
            key
            for entry in methods.values()
            for key, value in entry.items()
            if isinstance(value, list)
        )
    )


def build_estimator(entry, **defaults):
    """Return the estimator of an entry that sweeps no option.

    The defaults hold where the entry does not have the option.
    """
    options = {key: value for key, value in entry.items() if key not in NOT_OPTIONS}
    return method(entry["method"], **(defaults | options))


def build_variants(entry, rank=None):
    """Return the estimators of an entry of the config's ``methods``, each with its swept values.

    An option whose value is a list is swept: there is an estimator for each combination. The rank
    is the exhibit's, for a method that has one and whose entry gives none.
    """
    defaults = {"rank": rank} if "rank" in METHODS[entry["method"]].options else {}
    swept = swept_options({"": entry})
    found = []
    for values in product(*(entry[name] for name in swept)):
        chosen = dict(zip(swept, values, strict=True))
        found.append((chosen, build_estimator(entry | chosen, **defaults)))
    return found


def has_converged(matrix):
    """Whether a fit ended where its iterations lead; True if it has none."""
    return matrix.ended != "limit"
