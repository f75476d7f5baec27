"""Printed values of the paper: Table 1, sizes of texts, hyperparameters, settings of figures."""

from math import nan

# Table 1: test cross-entropy, nats per word, by corpus and by method id.
TABLE_1 = {
    "tartuffe": {"add-half": 7.1808, "ad": 6.268, "sb": 6.0426, "kn": 5.7555, "ad-lr": 5.6923},
    "genesis": {"add-half": 7.3039, "ad": 6.041, "sb": 5.9058, "kn": 5.7341, "ad-lr": 5.6673},
    "brown": {"add-half": 8.847, "ad": 7.9819, "sb": 7.973, "kn": 7.7001, "ad-lr": 7.609},
}
# Section 7: words for training, and as many for testing.
WORDS = {"tartuffe": 9300, "genesis": 19000, "brown": 20000}
# The hyperparameters that Table 1 is of, by method id. The library's defaults are the same.
STATED = {
    "add-half": {"constant": 0.5},
    "ad": {"discount": 0.75},
    "sb": {"discount": 0.75, "weight": 0.4, "normalised": True},
    "kn": {"discount": 0.75},
    "ad-lr": {"discount": 0.75, "constant": 0.5, "iterations": 200, "rank": 50},
}
# What the captions and the text say of each figure, by key of the config. The power law of figure
# 1(a) is a reading: with the caption's uniform rows its axis cannot be reached.
SETTINGS = {
    "figure-1a": {"k_values": [100], "rank_values": [5], "rows": "uniform"},
    "figure-1a-power-law": {"k_values": [100], "rank_values": [5], "rows": "power-law"},
    "figure-1b": {"k_values": [50], "rank_values": [3], "rows": "uniform"},
    "figure-1c": {"k_values": [1000], "rank_values": [10], "rows": "power-law"},
    "figure-2a": {"corpora": ["tartuffe"], "rank": 50},
    "figure-2b": {"corpora": ["genesis"], "rank": 50},
}
# Relative: another edition of the text still has about the printed number of words.
WORDS_TOLERANCE = 0.05


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
    words = WORDS[corpus]
    given = {"rank": rank} | entry
    same = all(given.get(option, value) == value for option, value in STATED[id].items())
    return TABLE_1[corpus][id] if same and abs(n - words) <= WORDS_TOLERANCE * words else nan
