"""The plan of the paper's target: the exhibits of config.yaml, its theory, its claims."""

from reproduction.scores.plan import corpora_of, plan_exhibits
from reproduction.studies.near_optimal.printed import SETTINGS
from reproduction.study import Theory, make_scope

STUDY = "near_optimal"
OF_THE_PRINT = ("y_range", "y_ranges", "printed_gap")  # of a figure, for other settings nothing


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    entries = {name: mark_changes(name, entry) for name, entry in config["exhibits"].items()}
    jobs, exhibits = plan_exhibits(STUDY, entries, config)
    checks = f"reproduction.studies.{STUDY}.theorems:check_cases"
    scope = make_scope(
        __file__, STUDY, jobs.values(), exhibits.values(), corpora=corpora_of(config["exhibits"]),
        theory=Theory(checks, ("lr", "add-half-lr", "naive-add-half-lr")),
    )  # fmt: skip
    return [scope]


def mark_changes(name, entry):
    """Return an exhibit's entry; with other settings than the paper's it says so.

    It has a further key ``differs`` then, and nothing of the paper's own figure.
    """
    changed = {
        key: value
        for key, value in SETTINGS.get(name, {}).items()
        if key in entry and entry[key] != value
    }
    if not changed:
        return entry
    said = "; ".join(
        f"{key} is {_write(entry[key])}, there {_write(value)}" for key, value in changed.items()
    )
    kept = {key: value for key, value in entry.items() if key not in OF_THE_PRINT}
    title = f"{entry.get('title', name)} (not the paper's settings)"
    return kept | {"title": title, "differs": f"Not the paper's settings: {said}."}


def _write(value):
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
