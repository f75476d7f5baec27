"""The plan of the paper's target: the exhibits of config.yaml, its theory, its claims."""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.study import Scope, Theory

STUDY = "near_optimal"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    jobs, exhibits = plan_exhibits(STUDY, config["exhibits"], config)
    scope = Scope(
        STUDY,
        STUDY,
        "Near-optimal smoothing",
        "Is smoothing inside a low-rank factorisation the best estimate of conditional "
        "probabilities? The paper, figure by figure, and a verdict on each of its claims.",
        jobs,
        exhibits,
        corpora=corpora_of(config["exhibits"]),
        theory=Theory(
            f"reproduction.studies.{STUDY}.theorems:check_cases",
            ("lr", "add-half-lr", "naive-add-half-lr"),
        ),
        agreement="edged",
        takes="4 to 9 minutes",
    )
    return [scope]
