"""The project's own configuration: it takes half a second, and is read and checked once."""

from copy import deepcopy
from functools import cache
from pathlib import Path

from reproduction.config import load_config
from reproduction.studies import STUDIES

TOP = Path(__file__).parents[2]
STUDIES_FILES = (f"workflow/studies/{study}/config.yaml" for study in STUDIES)
FILES = ("config.yaml", *(name for name in STUDIES_FILES if (TOP / name).is_file()))
_load = cache(load_config)


def own_config(*names):
    """Return a copy of what these files of the project hold; without names, all of its files."""
    return deepcopy(_load(tuple(TOP / name for name in names or FILES)))
