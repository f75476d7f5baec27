"""What claims call by the names of config.yaml: each name's method, and the options it stands for.

A claim is judged on nothing else; see `reproduction.verdicts.judge.find_others`. What a study calls
by names of its own stands with its claims.
"""

from reproduction.studies.near_optimal.printed import ENTRIES as OF_THE_PAPER

ENTRIES = OF_THE_PAPER | {
    "kn-modified": {"method": "kn", "discount": "modified"},
    "jm": {"method": "jm"},
    "wb": {"method": "wb"},
    "hpy": {"method": "hpy"},
    "ad-lr-mean": {"method": "ad-lr-mean", "iterations": 200, "discount": 0.75},
    "kn-ad-lr": {"method": "kn-ad-lr", "iterations": 200, "discount": 0.75, "initial": "clusters"},
    "kn-gt": {"method": "kn-gt"},
    "kn-ad-lr-bins": {"method": "kn-ad-lr-bins"},
    "kn-ad-lr-bins-gt": {"method": "kn-ad-lr-bins", "novelty": "good-turing"},
    "py-lr": {"method": "py-lr", "rules": "frozen"},
}
