"""How often the 95 % intervals of `posterior` hold the truth, on models that were drawn.

`python benchmarks/coverage_of_intervals.py` writes `coverage.csv` beside this file, the lines of
one model of each setting at a time, and draws it in `coverage.svg`; `--draw` draws alone. Models
have 100 contexts and 100 outcomes, and are of seeds that no constant of the sampler was chosen on.
The cells of a model are counted in five ways:

- all alike, those that were seen, those that were not;
- weighted by the mean of the posterior, which the counts tell;
- weighted by the truth, as pairs are drawn. Not even a posterior that is exact has 95 % there: of
  the truths that an interval with equal tails misses, those above weigh more than those below. The
  lines whose posterior is "exact" show it: that of Dirichlet rows whose strength and base are told,
  ``Dir(c_i + strength base)``.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.stats import beta

from condprob import CountMatrix, draw_model, posterior, sample_counts
from reproduction.exhibits.looks import save_figure

HERE = Path(__file__).parent
CSV, PICTURE = HERE / "coverage.csv", HERE / "coverage.svg"
K, LEVEL, MODELS = 100, 0.95, 10
PAIRS = (2000, 20_000)
SEED = 5_000_000  # of the models; constants were chosen on models of other seeds
DIRICHLET = {  # strength, and exponent of the base j^-exponent
    "Dirichlet rows, strength 30 around 1/j": (30.0, 1),
    "Dirichlet rows, strength 5 around the uniform": (5.0, 0),
}
LOW_RANK = {  # rank, rows, exponent
    "rank 5, power-law rows": (5, "power-law", 1.5),
    "rank 5, uniform rows": (5, "uniform", None),
    "rank 15, power-law rows": (15, "power-law", 1.5),
}
WAYS = ("all", "seen", "unseen", "by estimate", "by truth")
COLUMNS = ("models", "pairs", "posterior", "model", *WAYS, "width")


def draw_case(name: str, n: int, model: int) -> tuple:
    """Return the distribution of the contexts, the rows, the counts, and shapes of exact rows."""
    place = [*DIRICHLET, *LOW_RANK].index(name)
    rng = np.random.default_rng([SEED, place, n, model])
    if name in LOW_RANK:
        rank, rows, exponent = LOW_RANK[name]
        drawn = draw_model(K, rank, rows, exponent, seed=rng)
        return drawn.pi, drawn.P, sample_counts(drawn, n, seed=rng), None
    strength, exponent = DIRICHLET[name]
    base = np.arange(1.0, K + 1) ** -exponent
    shapes = strength * base / base.sum()
    pi, P = rng.dirichlet(np.ones(K)), rng.dirichlet(shapes, size=K)
    C = rng.multinomial(n, (pi[:, None] * P).ravel()).reshape(K, K)
    return pi, P, CountMatrix.from_dense(C), C + shapes


def count_covered(pi, P, C, mean, low, high) -> list[float]:
    """Return the coverage in each of the ways, and the mean width of the intervals."""
    covered = (low <= P) & (high >= P)
    weights = (np.ones(C.shape), C > 0, C == 0, pi[:, None] * mean, pi[:, None] * P)
    return [*(np.average(covered, weights=w) for w in weights), float((high - low).mean())]


def measure(name: str, n: int, model: int) -> Iterator[tuple]:
    """Yield the lines of one model that is drawn."""
    pi, P, counts, shapes = draw_case(name, n, model)
    C = counts.sparse().toarray()
    found, tails = posterior(counts, seed=model), [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    mean, ends = np.empty(C.shape), np.empty((2, *C.shape))
    for i in range(K):
        drawn = found.draw(i, seed=i)
        mean[i], ends[:, i] = drawn.mean(axis=0), np.quantile(drawn, tails, axis=0)
    yield name, n, "sampled", model, *count_covered(pi, P, C, mean, *ends)
    if shapes is not None:
        sums = shapes.sum(axis=1, keepdims=True)
        ends = [beta.ppf(tail, shapes, sums - shapes) for tail in tails]
        yield name, n, "exact", model, *count_covered(pi, P, C, shapes / sums, *ends)


def summarise(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean coverage and its standard error over models, in per cent."""
    groups = table.groupby(["models", "pairs", "posterior"], sort=False)[list(WAYS)]
    return pd.concat({"mean": 100 * groups.mean(), "error": 100 * groups.sem()}, axis=1)


def print_table(table: pd.DataFrame) -> str:
    """Return the table of docs/recipes.md, in Markdown."""
    found = summarise(table)
    lines = [["models", "pairs", "posterior", *WAYS], ["---"] * (3 + len(WAYS))]
    for (models, pairs, kind), line in found.iterrows():
        told = [f"{line['mean', way]:.1f} ± {line['error', way]:.1f}" for way in WAYS]
        lines.append([models, f"{pairs:,}", kind, *told])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw_coverage(table: pd.DataFrame):
    """Draw a panel for each way of counting: mean coverage of each setting, and twice its error."""
    found = summarise(table[table["posterior"] == "sampled"])
    figure, axes = plt.subplots(1, len(WAYS), figsize=(12, 4), sharey=True, layout="constrained")
    places = np.arange(len(found))[::-1]
    for way, panel in zip(WAYS, axes, strict=True):
        panel.axvspan(93, 97, color="0.9")
        panel.axvline(100 * LEVEL, color="0.6", lw=1)
        mean, error = found["mean", way], 2 * found["error", way]
        panel.errorbar(mean, places, xerr=error, fmt="o", ms=4)
        panel.set(title=way, xlabel="per cent covered")
    labels = [f"{models}, {pairs:,}" for models, pairs, _ in found.index]
    axes[0].set_yticks(places, labels)
    return figure


def main() -> None:
    """Measure what is asked for, and draw it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draw", action="store_true", help="draw what coverage.csv has")
    parser.add_argument("--models", type=int, default=MODELS, help="drawn for each setting")
    asked = parser.parse_args()
    lines = []
    for model in range(0 if asked.draw else asked.models):
        for n in PAIRS:
            for name in (*DIRICHLET, *LOW_RANK):
                lines.extend(measure(name, n, model))
        table = pd.DataFrame(lines, columns=COLUMNS)
        table.to_csv(CSV, index=False, float_format="%.5f", lineterminator="\n")
    save_figure(draw_coverage(pd.read_csv(CSV)), PICTURE)


if __name__ == "__main__":
    main()
