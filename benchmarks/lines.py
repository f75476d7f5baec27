"""A table that is written line by line, each when it is known."""

from collections.abc import Iterable
from pathlib import Path


def write_lines(path: Path, columns: str, lines: Iterable[str]) -> None:
    """Write and print the lines of a CSV file below its columns, each at once."""
    with open(path, "w", encoding="utf-8", buffering=1, newline="\n") as file:
        print(columns, file=file)
        for line in lines:
            print(line, flush=True)
            print(line, file=file)
