"""PY-LR on users of few classes: what its constant of the weights earns, and where it is not clear.

`python benchmarks/few_classes.py` writes `few_classes.csv` and `few_classes_gains.csv` beside this
file, each line when it is known. Models are of seeds that no exhibit has:

- those like the exhibit `beyond-items-wide`, 5,000 users by 800 items, on which the rule was made;
- those that were drawn when it was, others in size, rank and concentration, and looked at once.

The second file has what the rule looks at, by how many nats per new pair half the constant is
ahead, of all bases and of the middle one alone, on these models and on texts: training halves.
"""

import argparse
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from constants import changed, load_text
from lines import write_lines
from orders import number_sentences, read_lines

from condprob import draw_model, kl_risk, method, sample_counts
from condprob.pitman_yor import few_classes
from condprob.sequences.pairs import count_bigrams

HERE = Path(__file__).parent
SEED = 3_000_000  # of the models
TEXTS = {"tartuffe": 3000, "genesis": 3000, "brown": 10_000, "pydoc": 9000}
SENTENCES = (4000, 45_000)  # of all of Brown's, with one word for those that stand once


class Users(NamedTuple):
    """Models that are drawn: `draw_model`, with power-law rows if there is an exponent."""

    users: int
    items: int
    rank: int
    concentration: float
    exponent: float | None
    pairs: tuple[int, ...]

    def __str__(self) -> str:
        rows = "uniform rows" if self.exponent is None else "power-law rows"
        size = f"{self.users:,} x {self.items:,}"
        return f"{size}, rank {self.rank}, {rows}, A of {self.concentration:g}"

    def draw(self, seed: int):
        """Return a model."""
        law = "uniform" if self.exponent is None else "power-law"
        return draw_model(
            self.users, self.rank, law, self.exponent, seed=seed,
            outcomes=self.items, concentration=self.concentration,
        )  # fmt: skip


WIDE = (50_000, 150_000)
KNOWN = [
    *(Users(5000, 800, 15, c, 1.2, WIDE) for c in (0.1, 0.2, 0.5, 1.0)),
    Users(5000, 800, 5, 0.2, 1.2, WIDE),
    Users(5000, 800, 40, 0.5, 1.2, WIDE),
]
NOT_SEEN = [
    Users(2000, 1500, 10, 0.3, 1.0, (40_000, 200_000)),
    Users(20_000, 300, 8, 0.15, 1.5, (100_000, 300_000)),
    Users(1000, 200, 6, 0.3, None, (10_000, 50_000)),
]


@dataclass(frozen=True)
class Variant:
    """An estimator: a method with options, and constants of PY-LR that are changed."""

    options: dict = field(default_factory=dict)
    constants: dict = field(default_factory=dict)  # see `constants.changed`
    id: str = "py-lr"
    is_told: bool = False  # the rank

    def fit(self, counts, seed, rank):
        """Return the estimate from counts."""
        options = self.options | ({"rank": rank} if self.is_told else {})
        with ExitStack() as stack:
            for name, value in self.constants.items():
                stack.enter_context(changed(name, (value,)))
            return method(self.id, **options).fit(counts, seed)


TOLD = {"iterations": 200, "soft_counts": "leave-one-out"}
TOKENS = {"bases": "tokens"}
VARIANTS = {
    "Add-1/2-LR, leave-one-out, told the rank": Variant(TOLD, id="add-half-lr", is_told=True),
    "KN with three discounts": Variant({"discount": "modified"}, id="kn"),
    "PY-LR": Variant(),
    "bases by tokens alone, a of 1": Variant(TOKENS),
    "the same, a of 0.2": Variant(TOKENS, {"tokens.constant": 0.2}),
}
OF_ONE = {  # tried on the first with a concentration of 0.2 alone
    "the same, ranks 1.2 times the one before": Variant(TOKENS, {"RATIO_OF_RANKS": 1.2}),
    "the same, rank 15 alone": Variant(TOKENS | {"smallest_rank": 15, "largest_rank": 15}),
}


def measure(models: int) -> Iterator[str]:
    """Yield the KL risk of each variant on each model and number of pairs, as lines."""
    for seen, users in [*(("known", each) for each in KNOWN), *(("new", one) for one in NOT_SEEN)]:
        for i in range(models):
            model = users.draw(SEED + i)
            for n in users.pairs:
                counts = sample_counts(model, n, seed=SEED + i)
                variants = VARIANTS | (OF_ONE if users == KNOWN[1] else {})
                for name, variant in variants.items():
                    fitted = variant.fit(counts, i, users.rank)
                    risk = kl_risk(model.pi, (model.A, model.B), fitted)
                    yield f'{seen},"{users}",{n},{i},"{name}",{risk:.5f}'


def list_gains() -> Iterator[str]:
    """Yield by how much half the constant is ahead, as lines: see `few_classes.FirstFold`."""
    found, compare = [], few_classes._compare

    def compare_and_tell(one, other):
        evidence, components = compare(one, other), one.tried.components
        found.append((components[0].name, len(components), evidence))
        return evidence

    cases = {f"{name}, {n:,} words": load_text(name, n)[0] for name, n in TEXTS.items()}
    lines = [line.split() for line in read_lines()[0]]
    for number in SENTENCES:
        counts = count_bigrams(*number_sentences(lines[:number]))
        cases[f"all of brown, {counts.n:,.0f} words"] = counts
    for users in (*KNOWN, *NOT_SEEN):
        model = users.draw(SEED)
        for n in users.pairs:
            cases[f"{users}, {n:,} pairs"] = sample_counts(model, n, seed=SEED)
    with (  # so that no case ends with its middle base
        patch.multiple(few_classes, ALL=-np.inf, PART=-np.inf),
        patch.object(few_classes, "_compare", compare_and_tell),
    ):
        for name, counts in cases.items():
            found.clear()
            method("py-lr").fit(counts, seed=0)
            for base, number, evidence in found:
                gain = f"{evidence.gain:.4f},{evidence.error:.4f}"
                yield f'"{name}",{base},{number},{gain}'


def main() -> None:
    """Measure, and write each line when it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=3, help="of each kind")
    parser.add_argument("--gains", action="store_true", help="measure the gains alone")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    risks = "few_classes.csv", "seen,users,pairs,model,estimator,kl_risk", measure(asked.models)
    gains = "few_classes_gains.csv", "case,base,components,gain,error", list_gains()
    for name, columns, lines in (gains,) if asked.gains else (gains, risks):
        write_lines(HERE / name, columns, lines)


if __name__ == "__main__":
    main()
