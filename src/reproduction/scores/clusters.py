"""At which ranks the methods of an exhibit start from clusters, told from the config alone.

The rules ask this while they plan, and so without importing the library, which takes a second.
"""


def cluster_ranks(methods, rank):
    """Return the ranks at which some of these methods start from clusters, in rising order.

    Parameters
    ----------
    methods : dict
        Entries of the config's ``methods``.
    rank : int
        Rank of the exhibit, for methods that have none of their own.
    """
    return sorted(
        {entry.get("rank", rank) for entry in methods.values() if _starts_from_clusters(entry)}
    )


def _starts_from_clusters(entry):
    """Whether an entry names clusters as its start, alone or among others that it sweeps."""
    initial = entry.get("initial")
    return "clusters" in (initial if isinstance(initial, list) else [initial])
