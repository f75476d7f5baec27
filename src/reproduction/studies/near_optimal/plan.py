"""The plan of the paper's target: the exhibits of config.yaml, its theory, its claims."""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.study import Theory, make_scope

STUDY = "near_optimal"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    jobs, exhibits = plan_exhibits(STUDY, config["exhibits"], config)
    checks = f"reproduction.studies.{STUDY}.theorems:check_cases"
    scope = make_scope(
        __file__, STUDY, jobs.values(), exhibits.values(), corpora=corpora_of(config["exhibits"]),
        theory=Theory(checks, ("lr", "add-half-lr", "naive-add-half-lr")),
    )  # fmt: skip
    return [scope]
