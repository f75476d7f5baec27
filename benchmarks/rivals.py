"""PY-LR and its rivals on training halves: accuracy against cost, and the front of the two.

`python benchmarks/rivals.py` writes `rivals.csv` beside this file, each line when it is known, and
draws it in `rivals.svg`; `--draw` draws alone, `--only bilinear-rows` adds the lines of one more
method. Half of the training words of a text are learned from, the other half is scored; its test
half is not read. Seconds are those of the processor for a whole fit, choice of settings included,
after one that compiles. They are of one machine, so that they stand here and in no result of the
pipeline, which has the same bytes wherever it runs.
"""

import argparse
import csv
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from condprob import CountMatrix, cross_entropy
from reproduction.corpora.corpus import load_corpus, word_pairs
from reproduction.exhibits.fronts import find_front
from reproduction.exhibits.looks import (
    draw_exhibit,
    line_style,
    make_panels,
    put_legend,
    save_figure,
)
from reproduction.scores.estimators import build_variants

HERE = Path(__file__).parent
CSV, PICTURE = HERE / "rivals.csv", HERE / "rivals.svg"
TEXTS = ("genesis", "brown", "pydoc")
EXHIBITS = ("beyond-rivals", "beyond-bilinear")  # whose methods these are
SEEDS = 2
COLUMNS = ("text", "method", "seed", "nats", "seconds")


def read_config() -> tuple[dict, dict]:
    """Return the entries of the corpora, and those of the methods that are compared."""
    top = HERE.parent
    common, study = (
        yaml.safe_load((top / path).read_text(encoding="utf-8"))
        for path in ("config.yaml", "workflow/studies/beyond/config.yaml")
    )
    methods = common["methods"] | study["methods"]
    exhibits = study["studies"]["beyond"]["exhibits"]
    names = [name for exhibit in EXHIBITS for name in exhibits[exhibit]["methods"]]
    return common["corpora"], {name: methods[name] for name in names}


def measure(corpora: dict, methods: dict) -> Iterator[tuple]:
    """Yield the rows of the table."""
    for text in TEXTS:
        words = load_corpus(text, corpora[text]).train
        kinds, words = np.unique(words, return_inverse=True)  # what the training half has
        parts = words[: len(words) // 2], words[len(words) // 2 :]
        learned, scored = (CountMatrix.from_pairs(*word_pairs(p), kinds.size) for p in parts)
        for name, entry in methods.items():
            ((_, estimator),) = build_variants(entry, rank=50)
            for seed in range(SEEDS):
                if seed == 0 and text == TEXTS[0]:
                    estimator.fit(learned, seed)
                begin = time.process_time()
                fit = estimator.fit(learned, seed)
                seconds = time.process_time() - begin
                yield text, name, seed, f"{cross_entropy(scored, fit):.4f}", f"{seconds:.3g}"


def draw_costs(table: pd.DataFrame, exhibit: dict, methods: dict):
    """Draw a panel for each text: nats against seconds, and the front as steps."""
    figure, axes = make_panels(1, len(TEXTS))
    handles, styles = {}, {}
    for name, entry in methods.items():
        before = sum(methods[other]["method"] == entry["method"] for other in styles)
        styles[name] = line_style(entry["method"], before) | {"ls": ""}
    for ax, text in zip(axes[0], TEXTS, strict=True):
        means = table[table["text"] == text].groupby("method")[["nats", "seconds"]].mean()
        front = find_front(means)
        ax.step(front["seconds"], front["nats"], where="post", color="0.6", lw=1, zorder=1)
        for name, entry in methods.items():
            x, y = means.loc[name, ["seconds", "nats"]]
            handles[entry.get("label", name)] = ax.plot(x, y, **styles[name])[0]
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_title(text)
        ax.set_xlabel("seconds of the processor for a fit")
        ax.set_ylabel("nats per word")
    put_legend(figure, handles, ["Line: what no other method beats in both."])
    return figure


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", action="store_true", help="draw what was measured")
    parser.add_argument("--only", metavar="METHOD", help="measure it alone, keep the other lines")
    asked, (corpora, methods) = parser.parse_args(), read_config()
    warnings.simplefilter("ignore")
    if not asked.draw:
        with CSV.open("a" if asked.only else "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            if not asked.only:
                writer.writerow(COLUMNS)
            wanted = {asked.only: methods[asked.only]} if asked.only else methods
            for row in measure(corpora, wanted):
                writer.writerow(row)
                file.flush()
    entry = {"title": "Accuracy against cost, on training halves"}
    figure = draw_exhibit("rivals:draw_costs", pd.read_csv(CSV), entry, methods)
    save_figure(figure, PICTURE)


if __name__ == "__main__":
    main()
