"""Who may learn the penalty of longer histories in PY-LR's place, and what that loses.

`python benchmarks/scouts.py` writes `scouts.csv` beside this file, each line when it is known.
Texts are sentences of Brown's training half, and sentences drawn from chains of low rank, which
longer histories tell nothing of. A bigram is fitted to nine tenths of one, the penalty is the best
on the last tenth, and `loss` is by how many nats per word PY-LR itself is worse there with that
penalty than with its own.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import numpy as np
from lines import write_lines
from orders import number_sentences

from condprob import Sentences, draw_model, method
from condprob.sequences.growth import PENALTIES, fit_bigram, grow, prepare, trace_penalties
from condprob.splits import HELD_OUT
from reproduction.corpora.sources import read_source
from reproduction.studies.survey.texts import list_sentences

HERE = Path(__file__).parent
ORDERS = (3, 4)
SENTENCES = (1000, 5000, 15_000)
CHAINS = (100, 300)  # states
SCOUTS = {
    "PY-LR": method("py-lr", rules="frozen"),
    "one start, ranks to 13, types": method("py-lr")._scout(),
    "one start, ranks to 13": method("py-lr", starts=1, largest_rank=13),
    "one start, ranks to 5, types": method("py-lr", starts=1, largest_rank=5, bases="types"),
    "Kneser-Ney, three discounts": method("kn", discount="modified"),
}
COLUMNS = "text,order,scout,seconds,penalty,loss"


def list_texts() -> Iterator[tuple[str, Sentences]]:
    """Yield each text with its name."""
    source = read_source("brown", {"source": "nltk", "package": "brown"})
    lines = [line for content in source.contents for line in list_sentences(content)]
    lines = lines[: len(lines) // 2]  # the other half is for tests
    for number in SENTENCES:
        yield f"brown, {number:,} sentences", *number_sentences(lines[-number:])
    for k in CHAINS:
        rng, P = np.random.default_rng(1), draw_model(k, 5, "power-law", 1.2, seed=4).P
        lists = []
        for _ in range(600):
            lists.append([int(rng.integers(k))])
            for _ in range(30):
                lists[-1].append(int(rng.choice(k, p=P[lists[-1][-1]])))
        yield f"chain of {k} states", Sentences.from_lists(lists, k)


def measure() -> Iterator[str]:
    """Yield what each scout learns and loses, as lines."""
    for text, sentences in list_texts():
        rest, held_out = sentences.split(1 - HELD_OUT)
        for order in ORDERS:
            own = None
            for name, scout in SCOUTS.items():
                begun = process_time()
                base = fit_bigram(scout, rest, seed=0)
                seconds = process_time() - begun
                ground = prepare(base, rest, order)
                score = grow(ground, 1.0).score_again(held_out)
                trials = trace_penalties(ground, lambda model, score=score: -score(model).mean())
                losses = np.array([trial.mean for trial in trials])
                own = losses if own is None else own
                best = int(losses.argmin())
                loss = own[best] - own.min()
                yield f'"{text}",{order},"{name}",{seconds:.2f},{PENALTIES[best]:.4g},{loss:.5f}'


def main() -> None:
    """Measure, and write each line when it is known."""
    warnings.simplefilter("ignore")
    write_lines(HERE / "scouts.csv", COLUMNS, measure())


if __name__ == "__main__":
    main()
