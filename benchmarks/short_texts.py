"""PY-LR on short texts: how much of its cross-entropy is chance, by deals of folds and starts.

`python benchmarks/short_texts.py` writes `short_texts.csv` beside this file, each line when it is
known. Words of a training half are learned from and as many that follow are scored; its test half
is not read.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from constants import changed, load_text
from lines import spread_of, write_measured

from condprob import method

HERE = Path(__file__).parent
TEXTS, SIZES = ("tartuffe", "genesis", "brown", "pydoc"), (500, 1000)
SETTINGS = ("SHORT", "DEALS_OF_SHORT", "MORE_OF_SHORT")
VALUES = [(0, 1, 1), (2000, 6, 1), (2000, 1, 2), (2000, 6, 2)]  # as before first
COLUMNS = "text,words,deals,starts,seeds,mean,sd,worst"


def measure(seeds: int) -> Iterator[str]:
    """Yield mean, standard deviation and what the worst seed is above the mean, as lines."""
    for text in TEXTS:
        for n in SIZES:
            counts, score = load_text(text, n)
            for values in VALUES:
                with ExitStack() as stack:
                    for name, value in zip(SETTINGS, values, strict=True):
                        stack.enter_context(changed(name, (value,)))
                    frozen = method("py-lr", rules="frozen")
                    fits = (frozen.fit(counts, seed) for seed in range(seeds))
                    scores = np.array([score(fitted) for fitted in fits])
                told = ",".join(f"{x:.4f}" for x in spread_of(scores))
                deals, starts = ("as before", "as before") if not values[0] else values[1:]
                yield f"{text},{n},{deals},{starts},{seeds},{told}"


if __name__ == "__main__":
    write_measured(__doc__, HERE / "short_texts.csv", COLUMNS, measure, seeds=20)
