"""PY-LR on users of few classes, where it loses most: what would mend it, and what that costs.

`python benchmarks/few_classes.py` writes `few_classes.csv` beside this file, each line when it is
known. Models are like those of the exhibit `beyond-items-wide`, 5,000 users by 800 items of rank
15, from seeds that no exhibit has: with rows of `A` from a Dirichlet distribution of 0.2, and, as
the paper draws them, uniform ones. The estimator is frozen: nothing of this is built in.
"""

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from constants import changed

from condprob import draw_model, kl_risk, method, sample_counts

HERE = Path(__file__).parent
USERS, ITEMS, RANK, EXPONENT = 5000, 800, 15, 1.2
CONCENTRATIONS = {"few classes": 0.2, "uniform": 1.0}
PAIRS = (50_000, 150_000)
SEED = 3_000_000  # of the models
TOLD = {"rank": RANK, "iterations": 200, "soft_counts": "leave-one-out"}
ONE_RANK = {"smallest_rank": RANK, "largest_rank": RANK}
COLUMNS = "users,pairs,model,estimator,kl_risk"


@dataclass(frozen=True)
class Variant:
    """An estimator: a method with options, and constants of PY-LR that are changed."""

    options: dict = field(default_factory=dict)
    constants: dict = field(default_factory=dict)  # see `constants.changed`
    id: str = "py-lr"
    everywhere: bool = False  # whether it is tried on uniform users, too

    def fit(self, counts, seed):
        """Return the estimate from counts."""
        with ExitStack() as stack:
            for name, value in self.constants.items():
                stack.enter_context(changed(name, (value,)))
            return method(self.id, **self.options).fit(counts, seed)


VARIANTS = {
    "Add-1/2-LR, leave-one-out, told the rank": Variant(TOLD, id="add-half-lr", everywhere=True),
    "PY-LR": Variant(everywhere=True),
    "bases by tokens alone": Variant({"bases": "tokens"}),
    "rank 15 alone": Variant(ONE_RANK),
    "ranks 1.2 times the one before": Variant(constants={"RATIO_OF_RANKS": 1.2}),
    "twice the iterations": Variant({"iterations": 40}),
    "a of tokens 0.5": Variant(constants={"tokens.constant": 0.5}, everywhere=True),
    "a of tokens 0.2, by tokens alone": Variant(
        {"bases": "tokens"}, {"tokens.constant": 0.2}, everywhere=True
    ),
    "the same, rank 15 alone, one start": Variant(
        {"bases": "tokens", "starts": 1} | ONE_RANK, {"tokens.constant": 0.2}
    ),
}


def measure(models):
    """Yield the KL risk of each variant on each model and number of pairs, as lines."""
    for users, concentration in CONCENTRATIONS.items():
        for i in range(models):
            model = draw_model(
                USERS, RANK, "power-law", EXPONENT, seed=SEED + i,
                outcomes=ITEMS, concentration=concentration,
            )  # fmt: skip
            for n in PAIRS:
                counts = sample_counts(model, n, seed=SEED + i)
                for name, variant in VARIANTS.items():
                    if variant.everywhere or concentration != 1.0:
                        risk = kl_risk(model.pi, (model.A, model.B), variant.fit(counts, i))
                        yield f'{users},{n},{i},"{name}",{risk:.5f}'


def main():
    """Measure, and write each line when it is known."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=3, help="of each kind")
    parser.add_argument("--out", type=Path, default=HERE / "few_classes.csv")
    asked = parser.parse_args()
    with open(asked.out, "w", encoding="utf-8", buffering=1, newline="\n") as file:
        print(COLUMNS, file=file)
        for line in measure(asked.models):
            print(line, flush=True)
            print(line, file=file)


if __name__ == "__main__":
    main()
