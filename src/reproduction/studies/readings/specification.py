"""The specification curve: AD-LR minus Kneser-Ney under every defensible reading, sorted.

Simonsohn, Simmons and Nelson (2020). Each reading is a point of the curve, and the marks below say
which choices make it. Shares of readings are no probabilities: the probability of each is unknown.
"""

from reproduction.methods import METHODS
from reproduction.studies.near_optimal.source import SOURCE as PAPER
from reproduction.studies.readings.plan import AXES, OF_AD_LR, OF_KNESER_NEY, OF_TEXT

COLUMNS = ("corpus", *AXES, "kn", "ad_lr", "difference", "sd", "seeds", "setting")


def tabulate_specification(given):
    """Return the exhibit's table: a row for each reading, by corpus and difference.

    Columns are `COLUMNS`: the choices; cross-entropies of both methods and their ``difference``,
    AD-LR minus Kneser-Ney, nats per pair; ``sd``, the standard deviation over the ``seeds`` starts
    of AD-LR; and ``setting``, the column of the paper's ledger that makes these choices, if one
    does.
    """
    table = cross_settings(given.scores)
    table["setting"] = ""
    own = _own_texts(table)
    for name, choices in readings_of_ledger(given.methods).items():
        is_it = own & (table[[*choices]] == list(choices.values())).all(axis=1)
        table.loc[is_it, "setting"] = name
    order = {corpus: place for place, corpus in enumerate(dict.fromkeys(table["corpus"]))}
    table = table.assign(place=table["corpus"].map(order))
    return table.sort_values(["place", "difference"], kind="stable")[[*COLUMNS]]


def cross_settings(scores):
    """Return a row for each reading: each Kneser-Ney against each start, on the same pairs."""
    keys = ["corpus", *OF_TEXT]
    scores = scores.assign(cross_entropy=scores["loss"] / scores["pairs"])
    scores["discount"] = scores["discount"].map(_as_text)
    kn = scores[scores["method"] == "kn"][[*keys, *OF_KNESER_NEY, "cross_entropy"]]
    starts = scores[scores["method"] == "ad-lr"].groupby([*keys, *OF_AD_LR], sort=False)
    found = starts["cross_entropy"].agg(ad_lr="mean", sd="std", seeds="size").reset_index()
    table = kn.rename(columns={"cross_entropy": "kn"}).merge(found, on=keys)
    return table.assign(difference=table["ad_lr"] - table["kn"])


def readings_of_ledger(methods):
    """Return the choices that each column of the paper's ledger makes, by its name.

    Methods are entries of the config; what an entry does not say has the library's default.
    """
    found = {}
    for column in PAPER.columns:
        kn, ad_lr = (methods[column.instead.get(name, name)] for name in ("kn", "ad-lr"))
        options = METHODS["kn"].options
        chosen = {axis: kn.get(axis, options[axis].default) for axis in OF_KNESER_NEY}
        chosen["discount"] = _as_text(chosen["discount"])
        initial = ad_lr.get("initial", METHODS["ad-lr"].options["initial"].default)
        found[column.name] = chosen | {"initial": initial}
    return found


def _own_texts(table):
    """Return which readings have the project's own text: its first tokenizer, split, vocabulary."""
    first = table.groupby("corpus", sort=False)[[*OF_TEXT]].transform("first")
    return (table[[*OF_TEXT]] == first).all(axis=1)


def _as_text(value):
    """Write a level of an axis as text, a number in its shortest form."""
    try:
        return f"{float(value):g}"
    except ValueError:
        return str(value)
