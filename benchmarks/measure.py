"""Timing side by side, and the table of the measurements."""

import csv
import gc
import resource
import time
from dataclasses import dataclass, field

import numpy as np

COLUMNS = ["section", "problem", "quantity", "unit", "median", "low", "high", "repetitions", "note"]


@dataclass
class Results:
    """Rows of the CSV. ``low`` and ``high`` are the least and the most of the repetitions."""

    rows: list = field(default_factory=list)

    @classmethod
    def read(cls, path, machine):
        """Read a CSV that `write` wrote on this machine; without one, or of another, nothing."""
        if not path.exists():
            return cls()
        with open(path, encoding="utf-8", newline="") as file:
            rows = [
                {key: _number(key, cell) for key, cell in row.items()}
                for row in csv.DictReader(file)
            ]
        results = cls(rows)
        return results if [row["note"] for row in results.find("machine")] == [machine] else cls()

    def drop(self, *parts):
        """Take away the rows of these parts of the run."""
        self.rows = [row for row in self.rows if _part(row) not in parts]

    def sort(self, parts):
        """Put the rows in the order of these parts, and each part's as they were measured."""
        self.rows.sort(key=lambda row: parts.index(_part(row)))

    def add(self, section, problem, quantity, unit, values=(), note=""):
        """Add a measurement, one value for each repetition; no values where it is not available."""
        found = (np.min(values), np.median(values), np.max(values)) if len(values) else [None] * 3
        low, median, high = found
        row = (section, problem, quantity, unit, median, low, high, len(values), note)
        self.rows.append(dict(zip(COLUMNS, row, strict=True)))
        print(f"  {problem}: {quantity}: {spell(median)} {unit} {note}".rstrip(), flush=True)

    def add_times(self, section, problem, seconds, note="", per=1):
        """Add times in ms; ``per`` is the number of calls in a repetition."""
        for quantity, values in seconds.items():
            self.add(section, problem, quantity, "ms", [1e3 * s / per for s in values], note)

    def add_ratios(self, section, problem, seconds, base, unit="times"):
        """Add how many times longer each took than ``base``, repetition by repetition."""
        for quantity, values in seconds.items():
            if quantity != base:
                ratios = np.divide(values, seconds[base])
                self.add(section, problem, f"{quantity} / {base}", unit, ratios)

    def find(self, section=None, problem=None, quantity=None, unit=None):
        """Return the rows with these values, in order."""
        wanted = {"section": section, "problem": problem, "quantity": quantity, "unit": unit}
        wanted = {key: value for key, value in wanted.items() if value is not None}
        return [row for row in self.rows if all(row[key] == value for key, value in wanted.items())]

    def write(self, path):
        """Write the CSV."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            for row in self.rows:
                writer.writerow({key: _plain(value) for key, value in row.items()})


def _part(row):
    """Return the part of the run that a row is of; growth has one section for each axis."""
    return row["problem"] if row["section"] == "make bench" else row["section"].split()[0]


def _number(key, cell):
    """Return a cell as it was before `Results.write`."""
    if key == "repetitions":
        return int(cell)
    if key in ("median", "low", "high"):
        return float(cell) if cell else None
    return cell


def _plain(value):
    """Return a number to five digits, anything else as it is."""
    return f"{value:.5g}" if isinstance(value, float) else value


def spell(value):
    """Return a number to three digits, a dash where there is none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def processor_seconds():
    """Return the seconds of the processor of this process and of the children that have ended."""
    whose = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(sum(resource.getrusage(who)[:2]) for who in whose)


def interleave(runs, repetitions, warm_up=True, clock=processor_seconds):
    """Time functions in turn, so that other work of the machine affects all of them alike.

    Parameters
    ----------
    runs : dict of str to callable
    repetitions : int
    warm_up : bool
        Call each once before, so that compiling and allocating are not timed.
    clock : callable
        Seconds; `time.perf_counter` where threads share the work.

    Returns
    -------
    dict of str to list of float
        Seconds of each repetition.
    """
    if warm_up:
        for run in runs.values():
            run()
    seconds = {name: [] for name in runs}
    for _ in range(repetitions):
        for name, run in runs.items():
            gc.collect()
            start = clock()
            run()
            seconds[name].append(clock() - start)
    return seconds


def often(run, at_least=0.05):
    """Return how often to call a function so that one repetition takes ``at_least`` seconds."""
    run()
    start = time.perf_counter()
    run()
    return max(1, round(at_least / max(time.perf_counter() - start, 1e-7)))
