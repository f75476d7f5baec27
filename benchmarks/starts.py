"""How many starts PY-LR has of few distinct pairs: what chance is left, and what more would take.

`python benchmarks/starts.py` writes `starts.csv` beside this file, each line when it is known. Of
the cases of `tokens_beside_types.py` those of 2,000 pairs or more with fewer than 10,000 distinct
ones; no test half is read. ``most``: of how many starts a base is the mean, at most.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from constants import changed
from lines import spread_of, write_measured
from tokens_beside_types import list_halves

from condprob import cross_entropy, method
from condprob.pitman_yor.estimator import SHORT, STARTS

HERE = Path(__file__).parent
TIMES = (2, 4, 8)  # as it was frozen, as it is, and twice as many
MANY = 10_000  # distinct pairs
COLUMNS = "text,words,stretch,vocabulary,most,seeds,mean,sd,worst,seconds"


def measure(seeds: int) -> Iterator[str]:
    """Yield mean, standard deviation and what the worst seed is above the mean, as lines."""
    for case, train, test in list_halves():
        if train.n < SHORT or train.nnz >= MANY:
            continue
        for times in TIMES:
            with changed("MORE", (times,)):
                begin = time.process_time()
                fits = [method("py-lr").fit(train, seed) for seed in range(seeds)]
                seconds = (time.process_time() - begin) / seeds
            scores = np.array([cross_entropy(test, found) for found in fits])
            told = ",".join(map(str, (*case, times * STARTS, seeds)))
            yield ",".join([told, *(f"{x:.4f}" for x in spread_of(scores)), f"{seconds:.2f}"])


if __name__ == "__main__":
    write_measured(__doc__, HERE / "starts.csv", COLUMNS, measure, seeds=20)
