"""A table that is written line by line, each when it is known."""

import argparse
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np


def write_lines(path: Path, columns: str, lines: Iterable[str]) -> None:
    """Write and print the lines of a CSV file below its columns, each at once."""
    with open(path, "w", encoding="utf-8", buffering=1, newline="\n") as file:
        print(columns, file=file)
        for line in lines:
            print(line, flush=True)
            print(line, file=file)


def spread_of(scores: np.ndarray) -> tuple[float, float, float]:
    """Return mean, standard deviation and what the worst seed is above the mean."""
    return scores.mean(), scores.std(ddof=1), scores.max() - scores.mean()


def write_measured(
    doc: str, path: Path, columns: str, measure: Callable[[int], Iterable[str]], seeds: int
) -> None:
    """Write what is measured with as many seeds as the command line asks for, or these.

    ``doc`` is that of the script.
    """
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=seeds)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of corpora whose version is another
    write_lines(path, columns, measure(asked.seeds))
