"""The methods that a configuration may name, and what the reproduction has to know of each.

They are those of the library, and those of the studies: a study has rivals of its own if its folder
has a module ``methods``, which calls `condprob.register` for each of them.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from condprob.catalogue import METHODS
from reproduction.studies import STUDIES

__all__ = [
    "AGREEMENTS",
    "COMPILED_BY",
    "EDGED",
    "METHODS",
    "agreement_of",
    "groups_of",
    "is_direct",
]

for _study in STUDIES:
    if Path(__file__).with_name("studies").joinpath(_study, "methods.py").is_file():
        import_module(f"reproduction.studies.{_study}.methods")

# How nearly two machines agree on a fit. "exact", which is that of a method without an entry: sums
# differ by their rounding. "iterated": iterations repeat the rounding. "choosing": a last bit may
# turn a draw or a discrete choice. "certified": a fit stops once its gap, or the gain of an
# iteration, is small enough.
AGREEMENTS = {
    **dict.fromkeys(
        (
            *("interpolated", "lr", "add-half-lr", "ad-lr", "naive-add-half-lr", "naive-ad-lr"),
            *("lsa", "plsa"),
        ),
        "iterated",
    ),
    **dict.fromkeys(
        (
            *("py-lr", "class-kmeans", "class-exchange", "mf-sgd", "aso", "nplm"),
            *("kn-ad-lr-bins", "gibbs-rows"),
        ),
        "choosing",
    ),
    **dict.fromkeys(
        ("sdr", "sdr-conditional", "ll-l1", "ll-l2", "ll-tree2", "ll-treeinf"), "certified"
    ),
}
# A change of the last bit may grow until the fit is another one: soft absolute discounting does so
# when soft counts come near one.
EDGED = {"ad-lr", "kn-ad-lr-bins"}
# The methods without iterations: a fit of all of them takes less time than a job takes to start.
DIRECT = {"mle", "add-half", "laplace", "ad", "sb", "kn", "jm", "wb"}
# The groups of compiled functions: the methods whose fits together compile a group, and those that
# run it besides.
COMPILED_BY = {
    "em": ("naive-ad-lr", "add-half-lr", "ad-lr"),
    "py-lr": ("py-lr",),
    "classes": ("class-exchange",),
    "mf-sgd": ("mf-sgd",),
    "loglinear": ("ll-treeinf",),
    "gibbs": ("gibbs-rows",),
}
_RUN_BY = {
    "em": ("naive-add-half-lr", "lr", "plsa", "kn-ad-lr-bins"),
    "loglinear": ("ll-l1", "ll-l2", "ll-tree2"),
}


def agreement_of(id: str) -> str:
    """Return how nearly two machines agree on a fit of a method: see `AGREEMENTS`."""
    return AGREEMENTS.get(id, "exact")


def is_direct(entry: Mapping) -> bool:
    """Whether an entry of the config's ``methods`` is fitted without iterations.

    A low-rank method of rank one is: its fit is a product of margins, which one iteration finds.
    """
    return entry["method"] in DIRECT or (
        entry.get("rank") == 1 and "em" in groups_of([entry["method"]])
    )


def groups_of(ids: list[str]) -> list[str]:
    """Return the groups of compiled functions that fits of these methods run, sorted."""
    return sorted(
        group
        for group, compiling in COMPILED_BY.items()
        if not {*compiling, *_RUN_BY.get(group, ())}.isdisjoint(ids)
    )
