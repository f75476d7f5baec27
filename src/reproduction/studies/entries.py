"""The entries of methods that claims are about, by the names of the shipped configuration.

A claim is judged on nothing else: see `reproduction.verdicts.judge.find_others`. Users change
config.yaml; the verdicts compare it with this list. An option that is not given has the library's
default; from a list held-out words choose.
"""

from reproduction.studies.near_optimal.printed import STATED

_AD_LR = {"method": "ad-lr"} | STATED["ad-lr"]
_LEFT_OUT = {"method": "add-half-lr", "iterations": 200, "soft_counts": "leave-one-out"}
_MLP = {"method": "nplm", "embedding": 30, "batch": 64, "direct": False}
_NETWORKS = {
    "nplm-8": _MLP | {"hidden": 50, "direct": True},
    "nplm-8-plain": _MLP | {"hidden": 50},
    "nplm-10": _MLP | {"hidden": 100},
}
_TEXT = {"method": "kn", "continuation": "uniform"}
_BY_DEFAULT = (
    *("jm", "wb", "gibbs-rows", "interpolated"),
    *("ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"),
)
_SETTINGS = (
    ("smallest", "smallest_rank", (2,)),
    ("largest", "largest_rank", (17, 68)),
    ("chains", "chains", (1, 2, 4, 8)),
    ("sweeps", "sweeps", (100, 400)),
)
ENTRIES = {
    **{id: {"method": id} for id in _BY_DEFAULT},
    # The paper's.
    **{id: {"method": id} | options for id, options in STATED.items()},
    "kn-uniform": _TEXT | {"discount": 0.75},
    "kn-nearest": {
        "method": "kn", "discount": 0.75, "continuation": "floor", "form": "backoff",
        "unseen": "unigram",
    },
    "ad-lr": _AD_LR | {"initial": "clusters"},
    "ad-lr-random": _AD_LR | {"initial": "random"},
    "unigram-add-half": {"method": "add-half-lr", "constant": 0.5, "rank": 1, "iterations": 2},
    "unigram-ad": {"method": "ad-lr", "discount": 0.75, "rank": 1, "iterations": 2},
    "add-half-lr": {"method": "add-half-lr", "constant": 0.5, "iterations": 200},
    "naive-add-half-lr": {"method": "naive-add-half-lr", "constant": 0.5, "iterations": 200},
    "naive-ad-lr": {"method": "naive-ad-lr", "discount": 0.75, "iterations": 200},
    # Rivals.
    "kn-modified": {"method": "kn", "discount": "modified"},
    "kn-ad-lr-learned-gt": {
        "method": "kn-ad-lr-bins", "rank": "learned", "novelty": "good-turing"
    },
    "add-half-lr-loo": _LEFT_OUT,
    "ad-lr-loo": _LEFT_OUT | {"method": "ad-lr", "discount": 0.75},
    "py-lr": {"method": "py-lr"},
    # PY-LR with other settings, and without one ingredient at a time.
    **{
        f"py-lr-{name}-{value}": {"method": "py-lr", option: value}
        for name, option, values in _SETTINGS
        for value in values
    },
    "py-lr-types": {"method": "py-lr", "tables": "types"},
    "py-lr-tokens": {"method": "py-lr", "tables": "tokens"},
    "py-lr-no-strength": {"method": "py-lr", "strength": 0},
    "py-lr-no-novelty": {"method": "py-lr", "novelty": "none"},
    "py-lr-one-rank": {"method": "py-lr", "smallest_rank": 13, "largest_rank": 13, "chains": 1},
    # Models of texts: structured penalties, with the paper's decay of weights by depth.
    "kn-text": _TEXT | {"discount": "estimated"},
    "kn-text-modified": _TEXT | {"discount": "modified"},
    "kn-text-fixed": _TEXT | {"discount": 0.75},
    "ll-l2-w": {"method": "ll-l2", "decay": 0.5},
    "ll-l1-w": {"method": "ll-l1", "decay": 0.7},
    "ll-tree2-w": {"method": "ll-tree2", "decay": 1.1},
    "ll-treeinf-w": {"method": "ll-treeinf", "decay": 0.85},
    "ll-l2-a": {"method": "ll-l2", "decay": "learned"},
    "ll-treeinf-a": {"method": "ll-treeinf", "decay": "learned"},
    # The survey's.
    "lsa": {"method": "lsa", "weighting": ["sqrt", "counts", "probability", "ppmi"]},
    "plsa": {"method": "plsa", "temperature": [1, 0.8]},
    "sdr": {"method": "sdr", "ridge": [1, 3]},
    "class-kn": {"method": "class-exchange", "rank": 500, "iterations": 5},
    **_NETWORKS,
    **{f"{name}-alone": entry | {"weight": 0} for name, entry in _NETWORKS.items()},
}  # fmt: skip
