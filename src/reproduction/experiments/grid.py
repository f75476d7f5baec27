"""The settings of a synthetic exhibit and how many of them one job scores; orders of models."""

from itertools import product

KNESER_NEY = "kn"  # of any order: of the entry's options the discount is used
GROWN = "py-lr"  # of any order: above two the bigram is the base measure of longer histories
FEW = 64  # batches that a large sweep has at least, to be computed side by side


def cut_into_batches(entry):
    """Return the settings of a synthetic exhibit, in batches of which each is one job.

    Parameters
    ----------
    entry : dict
        The exhibit's entry in config.yaml. Without ``batch``, the number of settings in a batch, it
        is the largest power of two that leaves `FEW` batches, or one.

    Returns
    -------
    list of list of tuple
        Each setting ``(k, rank, n)`` once, by ``k``, then rank, then ``n``, as the entry has them.
    """
    settings = list(product(entry["k_values"], entry["rank_values"], entry["n_values"]))
    size = entry.get("batch", 1 << max(0, (len(settings) // FEW).bit_length() - 1))
    return [settings[start : start + size] for start in range(0, len(settings), size)]


def is_of_any_order(entry):
    """Whether an entry of the config's methods has histories of any length; others are bigrams."""
    return entry["method"] in (KNESER_NEY, GROWN) or is_log_linear(entry)


def is_log_linear(entry):
    """Whether an entry is of the log-linear models, whose ids begin alike."""
    return entry["method"].startswith("ll-")
