"""How much seeds of PY-LR differ on the fresh texts, as it was frozen and as it is since.

`python benchmarks/fresh_seeds.py [results/fresh/scores]`, after `make fresh`, writes
`fresh_seeds.csv` beside this file: for each text, vocabulary and method the mean over seeds, nats
per word, their standard deviation, and how far the worst is above the mean.
"""

import argparse
from pathlib import Path

import pandas as pd

from reproduction.scores.columns import read_scores

HERE = Path(__file__).parent
METHODS = ("py-lr", "py-lr-since")


def measure(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the table."""
    keys = ["corpus", "reading", "method"]
    sums = scores[scores["method"].isin(METHODS)].groupby([*keys, "seed"])[["loss", "pairs"]].sum()
    seeds = (sums["loss"] / sums["pairs"]).unstack("seed")
    found = {"seeds": seeds.count(axis=1), "mean": seeds.mean(axis=1), "sd": seeds.std(axis=1)}
    return pd.DataFrame(found | {"worst": seeds.max(axis=1) - found["mean"]}).reset_index()


def main() -> None:
    """Read the scores and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = HERE.parent / "results" / "fresh" / "scores"
    parser.add_argument("scores", type=Path, nargs="?", default=default)
    files = sorted(parser.parse_args().scores.rglob("*.csv"))
    table = measure(read_scores(files))
    table.to_csv(HERE / "fresh_seeds.csv", index=False, float_format="%.5f", lineterminator="\n")


if __name__ == "__main__":
    main()
