"""What PY-LR's design rests on: kinds of base, momentum, and how it does off text.

`python benchmarks/design.py` writes `design.csv` beside this file, each line when it is known;
`--only` puts lines of some tables in place of theirs and keeps the others. Of a text, words of the
training half are learned from and as many that follow are scored; its test half is not read. Models
are drawn from seeds that no exhibit has. A score is in nats per word, or the KL risk.
"""

import argparse
import warnings
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
from constants import changed, load_text

from condprob import draw_model, kl_risk, method, sample_counts

HERE = Path(__file__).parent
SEED = 3_000_000  # of the models
SEEDS = 10  # fits of a text, models of a law
FEW = 60  # models where a fit takes a part of a second
COLUMNS = ("table", "case", "n", "setting", "fits", "score", "sd", "ahead")
TEXTS = (
    ("genesis", 1000),
    ("tartuffe", 1000),
    ("pydoc", 400),
    ("pydoc", 10_000),
    ("brown", 10_000),
)
LAWS = {
    "figure 1(a), power law": {"k": 100, "rank": 5, "rows": "power-law", "exponent": 1.5},
    "figure 1(a), uniform": {"k": 100, "rank": 5},
    "figure 1(b)": {"k": 50, "rank": 3},
    "figure 1(c)": {"k": 1000, "rank": 10, "rows": "power-law", "exponent": 2},
    "2,000 users by 500 items": {"k": 2000, "rank": 15, "outcomes": 500, "rows": "power-law",
                                 "exponent": 1.5, "concentration": 0.2},
}  # fmt: skip
ON_MODELS = (
    ("figure 1(a), power law", 300),
    ("figure 1(a), power law", 3000),
    ("figure 1(a), uniform", 300),
    ("figure 1(b)", 5000),
)
KINDS = ("types", "tokens", "learned")
PASSES = (10, 20, 30, 50, 100)


def draw_case(law: str, n: int, seed: int) -> tuple:
    """Return pairs of a model that is drawn, and what scores an estimate."""
    model = draw_model(**LAWS[law], seed=SEED + seed)
    counts = sample_counts(model, n, seed=SEED + seed)
    return counts, lambda estimate: kl_risk(model.pi, model.P, estimate)


def cases_of(name: str, n: int, fits: int) -> Iterator[tuple]:
    """Yield a text as often as it is fitted, or as many models of a law."""
    for seed in range(fits):
        yield draw_case(name, n, seed) if name in LAWS else load_text(name, n)


def try_setting(name, n, fits, estimator):
    """Return the scores of fits, and by how much types were ahead where that was asked."""
    scores, ahead = [], []
    for seed, (counts, score) in enumerate(cases_of(name, n, fits)):
        matrix = estimator.fit(counts, seed=seed)
        scores.append(score(matrix))
        evidence = getattr(matrix, "evidence", None)
        ahead.append(evidence[1] if evidence is not None and evidence[0] else np.nan)
    return scores, ahead


def list_tables() -> dict[str, Iterator[tuple]]:
    """Return the settings of each table: case, n, how it is called, fits, estimator, a constant."""
    return {
        "kinds": (
            (name, n, kind, SEEDS, method("py-lr", bases=kind, starts=2, rules="frozen"), ())
            for name, n in (*TEXTS, *ON_MODELS) for kind in KINDS
        ),
        "momentum": (
            (name, 3000, f"{passes} passes, {told}", 2,
             method("py-lr", bases="types", starts=2, iterations=passes), ("MOMENTUM", (m,)))
            for name in ("tartuffe", "genesis", "brown", "pydoc") for passes in PASSES
            for told, m in (("none", 0.0), ("0.7", 0.7))
        ),
        "iterations": (
            ("2,000 users by 500 items", n, told, 3, estimator, ())
            for n in (20_000, 60_000) for told, estimator in (
                *((f"{2 * i} of tokens", method("py-lr", bases="tokens", iterations=i))
                  for i in (10, 20, 40)),
                ("add-half-lr, told the rank", method("add-half-lr", rank=15)),
            )
        ),
        "few": (
            ("figure 1(c)", n, told, FEW, estimator, changes)
            for n in (10, 20, 30) for told, estimator, changes in (
                ("all ranks", method("py-lr"), ("SPARSE", (0.0,))),
                ("the middle rank and above", method("py-lr"), ()),
                ("ad-lr, told the rank", method("ad-lr", rank=10, initial="random"), ()),
            )
        ),
    }  # fmt: skip


def measure(only: list[str]) -> Iterator[tuple]:
    """Yield a line for each setting."""
    for table, settings in list_tables().items():
        for name, n, told, fits, estimator, changes in settings if table in only else ():
            with changed(*changes) if changes else nullcontext():
                scores, ahead = try_setting(name, n, fits, estimator)
            spread = f"{np.std(scores, ddof=1):.5f}"
            told_ahead = "" if np.isnan(ahead).all() else f"{np.nanmean(ahead):.4f}"
            yield table, name, str(n), told, str(fits), f"{np.mean(scores):.5f}", spread, told_ahead


def main() -> None:
    """Fill the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list_tables(), default=list(list_tables()))
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of corpora whose version is another, of fits that go on
    path, known = HERE / "design.csv", {}
    if path.exists():
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        known = {tuple(line[:4]): tuple(line) for line in table.itertuples(index=False)}
    for line in measure(asked.only):
        known[line[:4]] = line
        found = pd.DataFrame(known.values(), columns=COLUMNS)
        found.to_csv(path, index=False, lineterminator="\n")
        print(*line, flush=True)


if __name__ == "__main__":
    main()
