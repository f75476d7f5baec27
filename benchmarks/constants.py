"""PY-LR with other constants, on training halves and models: which matter, and which are best.

`python benchmarks/constants.py` writes `constants.csv` beside this file, each line when it is
known; `--only` and `--cases` put lines in place of theirs and keep the others. Of a text, words of
the training half are learned from and as many that follow are scored; its test half is not read.
Models are drawn from seeds that no exhibit has. A constant that acts on few or on many pairs alone
is tried there.

Positive changes are losses: nats per word of a text, KL risk of a model relative to the default's.
"""

import argparse
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pandas as pd
import yaml
from orders import read_lines

from condprob import CountMatrix, cross_entropy, draw_model, kl_risk, method, sample_counts
from condprob.pitman_yor import (
    assembly,
    bases,
    estimator,
    few_classes,
    held_out,
    kinds,
    novelty,
    rows,
    settings,
)
from condprob.vocabulary import number_words
from reproduction.corpora.corpus import load_corpus, word_pairs

HERE = Path(__file__).parent
MODULES = (assembly, bases, estimator, few_classes, held_out, kinds, novelty, rows, settings)
TEXTS = {  # words to learn from, by the name of the case; its first word is the corpus
    "tartuffe": 3000,
    "genesis": 3000,
    "brown": 3000,
    "pydoc": 3000,
    "genesis, 800 words": 800,
    "genesis, 1,500 words": 1500,
    "genesis, 2,500 words": 2500,
    "brown, 10,000 words": 10_000,
    "genesis, real counts": 3000,
    "all of brown, 50,000 words": 50_000,
}
MODELS = {  # k, rank, rows, exponent, pairs
    "figure 1(a), uniform": (100, 5, "uniform", None, 300),
    "figure 1(a), power law": (100, 5, "power-law", 1.5, 1000),
    "figure 1(b)": (50, 3, "uniform", None, 5000),
    "figure 1(c), 60 pairs": (1000, 10, "power-law", 2, 60),
    "figure 1(c), 150 pairs": (1000, 10, "power-law", 2, 150),
    "600 words of figure 1(c), 80 pairs": (600, 10, "power-law", 2, 80),
    "figure 1(a), uniform, 200 pairs": (100, 5, "uniform", None, 200),
}
SHORT = ("genesis, 800 words", "genesis, 1,500 words", "genesis, 2,500 words")
MANY = ("brown, 10,000 words", "all of brown, 50,000 words")
DEALT_AGAIN = ("figure 1(a), uniform, 200 pairs",)
HANDFUL = ("figure 1(c), 60 pairs", "figure 1(c), 150 pairs", "600 words of figure 1(c), 80 pairs")
REAL = ("genesis, real counts",)  # each pair of the text weighs 1/2 to 3/2, by chance
SEED = 2_000_000  # of the models
# Constants of modules; those that belong together are changed together. Whole numbers stay whole.
NAMES = (
    "MOMENTUM", "ITERATIONS", "LONGER", "LONGER_OF_TOKENS", "MANY", "FITTED", "STARTS",
    "MORE_AS_FROZEN",
    "GOING_ON", "FOLDS", "DEALS", "SOME ALL", "CLEAR", "PRIOR_OF_ALL",
    "PRIOR_OF_LOW_RANK", "PRIOR_OF_BIN", "TELLING", "TINY", "LIKE_ALL", "FEW", "SPARSE",
    "SHORT", "DEALS_OF_SHORT", "MORE_OF_SHORT",
)  # fmt: skip
ACTS = {"MANY": MANY, "FITTED": MANY, "DEALS": DEALT_AGAIN, "FEW": HANDFUL, "SPARSE": HANDFUL}
ACTS |= {"DISCOUNTS": REAL}
ACTS |= dict.fromkeys(("SHORT", "DEALS_OF_SHORT", "MORE_OF_SHORT"), SHORT)
ELSEWHERE = {case for cases in ACTS.values() for case in cases}
OTHERS = {  # values of those that twice or half makes no sense of; grids: coarser, and finer
    "RATIO_OF_RANKS": (1.3, 2.5),
    "PLAIN_DISCOUNT": (0.375, 0.95),
    "BINS": (16.0 ** np.arange(3), 2.0 ** np.arange(11)),
    "STRENGTHS": (
        (0.0, *(4.0**power for power in range(-1, 6)), np.inf),
        (0.0, *(2.0 ** (power / 2) for power in range(-4, 21)), np.inf),
    ),
    "DISCOUNTS": ((0.0, 0.75), (0.0, 0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)),
}
OPTIONS = {"smallest_rank": (1, 4), "largest_rank": (24, 96)}  # of the method
OF_KINDS = {
    "types": ("constant", "discount", "continuation"),
    "tokens": ("constant", "discount", "strength"),
}
KEYS = ("constant", "value", "case", "seeds")
COLUMNS = (*KEYS, "score", "change")
GRID = [(d, a) for d in (0.6, 0.7, 0.8, 0.9) for a in (0.03, 0.05, 0.1)]


@cache
def load_corpus_of(name: str):
    """Return a corpus of the project's configuration."""
    entry = yaml.safe_load((HERE.parent / "config.yaml").read_text(encoding="utf-8"))["corpora"]
    return load_corpus(name, entry[name])


@cache
def load_text(name: str, n: int) -> tuple:
    """Return counts of a training half's first words, and what scores by as many after them."""
    if name.startswith("all of brown"):  # the beginning of what `orders.py` learns from
        lines = chain.from_iterable(line.split() for line in read_lines()[0])
        words, k = number_words(islice(lines, 2 * n))
        corpus = SimpleNamespace(train=words, k=k)
    else:
        corpus = load_corpus_of(name.split(",")[0])
    parts = corpus.train[:n], corpus.train[n : 2 * n]
    learned, scored = (CountMatrix.from_pairs(*word_pairs(part), corpus.k) for part in parts)
    if name in REAL:
        weights = np.random.default_rng(SEED).uniform(0.5, 1.5, n - 1)
        learned = CountMatrix.from_pairs(*word_pairs(parts[0]), corpus.k, weights=weights)
    return learned, lambda estimate: cross_entropy(scored, estimate)


def list_cases() -> dict[str, tuple]:
    """Return counts to learn from and a function that scores an estimate, by the name of each."""
    found = {name: load_text(name, size) for name, size in TEXTS.items()}
    for i, (name, (k, rank, law, exponent, n)) in enumerate(MODELS.items()):
        model = draw_model(k, rank, law, exponent, seed=SEED + i)
        counts = sample_counts(model, n, seed=SEED + i)
        found[name] = counts, lambda estimate, model=model: kl_risk(model.pi, model.P, estimate)
    return found


@contextmanager
def changed(name: str, value: object) -> Iterator[None]:
    """Give a constant another value, wherever its module or another has it."""
    with ExitStack() as stack:
        if "." in name:
            kind, names = name.split(".")
            other = replace(bases.KINDS[kind], **dict(zip(names.split(), value, strict=True)))
            stack.enter_context(patch.dict(bases.KINDS, {kind: other}))
        else:
            for each, new in zip(name.split(), value, strict=True):
                for module in MODULES:
                    if hasattr(module, each):
                        stack.enter_context(patch.object(module, each, new))
        yield


def list_changes() -> Iterator[tuple[str, tuple]]:
    """Yield each constant with each value that is tried in its place."""
    yield "", ()
    for value in GRID:
        yield "types.discount constant", value
    for name in NAMES:
        given = [
            next(getattr(m, each) for m in MODULES if hasattr(m, each)) for each in name.split()
        ]
        for factor in (0.5, 2):
            yield name, tuple(_times(value, factor) for value in given)
    for name, grids in OTHERS.items():
        for grid in grids:
            yield name, (grid,)
    for name, values in OPTIONS.items():
        yield from ((name, (value,)) for value in values)
    for kind, names in OF_KINDS.items():
        for each in names:
            value = getattr(bases.KINDS[kind], each)
            for factor in (0.5, 2):
                yield (
                    f"{kind}.{each}",
                    (min(_times(value, factor), 0.95 if each != "constant" else 9),),
                )


def _times(value, factor):
    other = value * factor
    return max(round(other), 1) if isinstance(value, int) else other


def measure(cases: dict, seeds: int, only: list[str]) -> Iterator[tuple]:
    """Yield a line for each change and case: its score, and by how much it is worse."""
    plain = {}
    for name, value in list_changes():
        if name and not any(word in name for word in only):
            continue
        wanted = ACTS.get(name) or (cases.keys() - ELSEWHERE if name else cases)
        for case in [case for case in cases if case in wanted]:
            counts, score = cases[case]
            options = {name: value[0]} if name in OPTIONS else {}
            fitted = method("py-lr", rules="frozen", **options)
            with changed("" if options else name, () if options else value):
                scores = [score(fitted.fit(counts, seed)) for seed in range(seeds)]
            mean = float(np.mean(scores))
            plain.setdefault(case, mean)
            change = mean - plain[case] if case in TEXTS else mean / plain[case] - 1
            told = " ".join(f"{len(one)} values" if np.ndim(one) else f"{one:g}" for one in value)
            yield name, told, case, str(seeds), f"{mean:.5f}", f"{change:+.5f}"


def main() -> None:
    """Try the changes that are asked for, and write what each costs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=2, help="fits of each")
    parser.add_argument(
        "--only", default="", help="constants whose name contains one of these words"
    )
    parser.add_argument("--cases", default="", help="cases whose name contains one of these words")
    parser.add_argument("--out", type=Path, default=HERE / "constants.csv")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of corpora whose version is another
    words = asked.cases.split() or [""]
    cases = {name: case for name, case in list_cases().items() if any(w in name for w in words)}
    known = {}
    if (asked.only or asked.cases) and asked.out.exists():
        table = pd.read_csv(asked.out, dtype=str, keep_default_na=False)
        known = {tuple(line[list(KEYS)]): tuple(line) for _, line in table.iterrows()}
    for line in measure(cases, asked.seeds, asked.only.split() or [""]):
        known[line[: len(KEYS)]] = line
        table = pd.DataFrame(known.values(), columns=COLUMNS)
        table.to_csv(asked.out, index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
