"""The methods that a configuration may name, and what the reproduction has to know of each.

They are those of the library, and those of the studies: a study has rivals of its own if its folder
has a module ``methods``, which calls `condprob.register` for each of them.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from condprob.catalogue import METHODS
from reproduction.studies import STUDIES

__all__ = ["COMPILED_BY", "DIRECT", "METHODS", "groups_of", "is_direct"]

for _study in STUDIES:
    if Path(__file__).with_name("studies").joinpath(_study, "methods.py").is_file():
        import_module(f"reproduction.studies.{_study}.methods")

# The methods without iterations: a fit of all of them takes less time than a job takes to start.
DIRECT = {"mle", "add-half", "laplace", "ad", "sb", "kn", "jm", "wb", "good-turing", "katz"}
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
    "py-lr": ("py-lr-ablated",),
    "loglinear": ("ll-l1", "ll-l2", "ll-tree2"),
}


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
