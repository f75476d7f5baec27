"""The methods that a configuration may name: those of the library, and those of the studies.

A study has rivals of its own if its folder has a module ``methods``, which calls
`condprob.register` for each of them.
"""

from importlib import import_module
from pathlib import Path

from condprob.catalogue import METHODS
from reproduction.studies import STUDIES

for _study in STUDIES:
    if Path(__file__).with_name("studies").joinpath(_study, "methods.py").is_file():
        import_module(f"reproduction.studies.{_study}.methods")

__all__ = ["METHODS"]
