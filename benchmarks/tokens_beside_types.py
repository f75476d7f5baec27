"""When PY-LR leaves out bases by tokens: where types alone are ahead of tokens alone, or seldom.

`python benchmarks/tokens_beside_types.py` writes `tokens_beside_types.csv` beside this file, each
line when it is known. Stretches of the training halves are halved; the first half is learned from
with the words that it has twice (`train`) or those of both (`text`), and the second is scored. Of
all of Brown nine tenths of what `brown.py` trains on are learned from. No test half is read.

``left_out``: where they are "behind", as it was when PY-LR was frozen; where they are "useless", of
much text alone, if they may not add `kinds.ADDED`; and "never". ``times`` says with how many seeds.
``adds`` is the mean of what tokens add to types on the first fold, nats per new pair, where types
alone are clearly ahead, and ``most`` the largest that they may.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import brown
import numpy as np
from constants import changed, load_corpus_of
from lines import spread_of, write_measured

from condprob import CountMatrix, cross_entropy, method
from condprob.pitman_yor import kinds
from condprob.pitman_yor.few_classes import FirstFold
from condprob.pitman_yor.settings import KindsAsked
from reproduction.corpora.corpus import word_pairs
from reproduction.studies.fresh.plan import VOCABULARIES
from reproduction.studies.fresh.texts import halve

HERE = Path(__file__).parent
TEXTS, SIZES = ("tartuffe", "genesis", "brown", "pydoc"), (1000, 2000, 5000, 10_000)
STRETCHES = 2  # of each text and size, where it is long enough
OF_MUCH = 2  # seeds
COLUMNS = "text,words,stretch,vocabulary,left_out,times,seeds,mean,sd,worst,adds,most,seconds"


def count_halves(words: np.ndarray, vocabulary: str) -> Iterator[CountMatrix]:
    """Yield the counts of both halves of a stretch: see `fresh.texts.halve`."""
    *parts, k = halve(np.unique(words, return_inverse=True)[1], vocabulary)
    yield from (CountMatrix.from_pairs(*word_pairs(half), k) for half in parts)


def list_halves() -> Iterator[tuple]:
    """Yield each text, size, stretch and vocabulary with counts to learn from and to score."""
    for text in TEXTS:
        words = load_corpus_of(text).train
        for n in SIZES:
            for stretch in range(min(words.size // (2 * n), STRETCHES)):
                part = words[stretch * 2 * n : (stretch + 1) * 2 * n]
                for vocabulary in VOCABULARIES:
                    yield (text, n, stretch, vocabulary), *count_halves(part, vocabulary)


def list_cases() -> Iterator[tuple]:
    """Yield the same, and what is much text."""
    yield from list_halves()
    for setting in brown.SETTINGS.values():
        words, _, k = brown.read_numbers(*setting)
        cut = 9 * words.size // 10
        parts = words[:cut], words[cut:]
        counts = [CountMatrix.from_pairs(*word_pairs(part), k) for part in parts]
        yield ("all of brown", cut, 0, "train"), *counts


def fit(counts: CountMatrix, seed: int, left_out: str):
    """Return a fit; whether tokens were left out of it; and what they add, where that was asked."""
    ask, told = KindsAsked.gain_of_tokens, []
    choose, chosen = FirstFold.fit, []

    def listen(*given):
        told.append(ask(*given))
        return told[-1]

    def watch(*given):
        chosen.append(choose(*given))
        return chosen[-1]

    added = -np.inf if left_out == "never" else kinds.ADDED
    rules = "frozen" if left_out == "behind" else "today"
    listening = patch.object(KindsAsked, "gain_of_tokens", listen)
    with changed("ADDED", (added,)), listening, patch.object(FirstFold, "fit", watch):
        found = method("py-lr", rules=rules).fit(counts, seed)
    ((tried, _),) = chosen
    return found, not kinds.is_kind(tried.components, "tokens").any(), told[-1:]


def measure(seeds: int) -> Iterator[str]:
    """Yield the lines."""
    for case, train, test in list_cases():
        is_much = case[0] not in TEXTS
        for left_out in ("behind", "useless", "never")[: 3 if is_much else 2]:
            begin = time.process_time()
            fits = [fit(train, seed, left_out) for seed in range(OF_MUCH if is_much else seeds)]
            seconds = (time.process_time() - begin) / len(fits)
            scores = np.array([cross_entropy(test, found) for found, *_ in fits])
            asked = [each for *_, told in fits for each in told]
            adds = np.mean([each.gain for each in asked]) if asked else np.nan
            most = max((each.gain + kinds.CLEAR * each.error for each in asked), default=np.nan)
            numbers = *spread_of(scores), adds, most
            told = ",".join(map(str, (*case, left_out, sum(x for _, x, _ in fits), len(fits))))
            yield ",".join([told, *(f"{x:.4f}" for x in numbers), f"{seconds:.2f}"])


if __name__ == "__main__":
    write_measured(__doc__, HERE / "tokens_beside_types.csv", COLUMNS, measure, seeds=10)
