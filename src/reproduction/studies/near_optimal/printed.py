"""The paper's printed values: Table 1, sizes of corpora, axes of figures, and their settings."""

from math import nan

# Table 1: test cross-entropy, nats per word, by corpus and by method id.
TABLE_1 = {
    "tartuffe": {"add-half": 7.1808, "ad": 6.268, "sb": 6.0426, "kn": 5.7555, "ad-lr": 5.6923},
    "genesis": {"add-half": 7.3039, "ad": 6.041, "sb": 5.9058, "kn": 5.7341, "ad-lr": 5.6673},
    "brown": {"add-half": 8.847, "ad": 7.9819, "sb": 7.973, "kn": 7.7001, "ad-lr": 7.609},
}
# Section 7: words for training and as many for testing, and the vocabulary; half a last digit.
CORPORA = {
    "tartuffe": {"train_words": (9300, 50), "types": (2800, 50)},
    "genesis": {"train_words": (19000, 500), "types": (4400, 50)},
    "brown": {"train_words": (20000, 500), "types": (10500, 50)},
}
# The vertical axes as printed: the figure, its curves by their names in the config, both ends.
AXES = {
    "figure-1a": ("1(a)", ["add-half", "naive-add-half-lr", "add-half-lr"], (0, 1.4)),
    "figure-1b": ("1(b)", ["add-half-lr", "ad", "naive-ad-lr", "ad-lr-random", "kn"], (0.01, 0.1)),
    "figure-1c": ("1(c)", ["add-half-lr", "ad", "naive-ad-lr", "ad-lr-random", "kn"], (1.5, 4)),
    "figure-2a": ("2(a)", ["ad-lr", "kn"], (-0.4, 0)),
    "figure-2b": ("2(b)", ["ad-lr", "kn"], (-0.3, 0.05)),
    "figure-2c": ("2(c)", ["ad-lr"], (5.68, 5.82)),
}
# The fixed settings of each figure, as captioned or as Section 7 says.
SETTINGS = {
    "figure-1a": {"k": 100, "rank": 5},
    "figure-1b": {"k": 50, "rank": 3},
    "figure-1c": {"k": 1000, "rank": 10},
    "figure-2a": {"corpus": "tartuffe", "rank": 50},
    "figure-2b": {"corpus": "genesis", "rank": 50},
    "figure-2c": {"corpus": "tartuffe"},
}
# The hyperparameters that Table 1 is of, by method id. The library's defaults are the same.
STATED = {
    "add-half": {"constant": 0.5},
    "ad": {"discount": 0.75},
    "sb": {"discount": 0.75, "weight": 0.4, "normalised": True},
    "kn": {"discount": 0.75},
    "ad-lr": {"discount": 0.75, "constant": 0.5, "iterations": 200, "rank": 50},
}
NEAR = 0.05  # relative: another edition of the text still has about the printed number of words


def find_printed(corpus, entry, rank, n):
    """Return the number that Table 1 prints for a fit, nats per word, nan where it prints none.

    The rank is the exhibit's, for methods that have one but give none; ``n`` are the words that
    were trained on. A fit with another discount, rank or number of iterations than the paper's, or
    on a split of another size, has no printed number. Kneser-Ney's variants and the starts of AD-LR
    all have: the paper does not say which it used.
    """
    id = entry.get("method")
    if id not in TABLE_1.get(corpus, {}):
        return nan
    words, _ = CORPORA[corpus]["train_words"]
    given = {"rank": rank} | entry
    same = all(given.get(option, value) == value for option, value in STATED[id].items())
    return TABLE_1[corpus][id] if same and abs(n - words) <= NEAR * words else nan
