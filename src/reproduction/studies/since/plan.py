"""The plan of `since`: models of each law, texts, trajectories, and the bounds in print."""

from reproduction.study import (
    Job,
    Theory,
    choose_methods,
    make_exhibit,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "since"
_HERE = f"reproduction.studies.{STUDY}"
MAP, REGRET, RANK, TEXT = "map", "regret", "rank", "text"  # exhibits
TRAJECTORY, BOUNDS = "trajectory", "bounds"  # exhibits, and jobs
MODELS = "models"  # in the names of jobs
OURS, ORACLE, UNBIASED = "py-lr", "-oracle", "-unbiased"  # a method, and ends of names of choices
OF_FITS = ("found", "seconds", "total_variation", "bias")


def _show(name, jobs, receipts=(), **entry):
    """Return an exhibit, whose table is made by the function of its name in `tables`."""
    tabulate = f"{_HERE}.tables:tabulate_{name}"
    return make_exhibit(__file__, name, jobs, receipts, tabulate, **entry)


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    methods = without_labels(choose_methods(config, section["methods"]))
    models = [
        Job(
            f"{MODELS}/{name}", f"{_HERE}.scoring:score_models", methods, {"group": name} | group,
            columns=OF_FITS, memory=900, about=f"Since 2016: models {name}",
        )
        for name, group in section["models"].items()
    ]  # fmt: skip
    texts = [
        Job(
            f"{TEXT}/{corpus}", f"{_HERE}.scoring:score_text", methods,
            {key: section["text"][key] for key in ("words", "rank", "seeds")} | {"corpus": corpus},
            {"words": f"corpora/{corpus}.npz"}, OF_FITS, memory=900,
            about=f"Since 2016: {corpus}",
        )
        for corpus in section["text"]["corpora"]
    ]  # fmt: skip
    trajectory = Job(
        TRAJECTORY, f"{_HERE}.chains:score_trajectories", {}, section[TRAJECTORY],
        columns=("gap", "drawn"), about="Since 2016: one trajectory",
    )  # fmt: skip
    bounds = Job(
        BOUNDS, f"{_HERE}.chains:score_bounds", {}, section[BOUNDS], columns=("case", "value"),
        about="Since 2016: bounds",
    )  # fmt: skip
    names = tuple(section["methods"])
    choices = tuple(name + end for name in names for end in (ORACLE, UNBIASED))
    entry = {"methods": names, "choices": choices}  # names in the scores beyond the methods'
    receipts = tuple(f"corpora/{corpus}.json" for corpus in section["text"]["corpora"])
    exhibits = [
        *(_show(name, models, **entry) for name in (MAP, REGRET, RANK)),
        _show(TEXT, texts, receipts, **entry),
        _show(TRAJECTORY, [trajectory]),
        _show(BOUNDS, [bounds]),
    ]
    scope = make_scope(
        __file__, STUDY, [*models, *texts, trajectory, bounds], exhibits,
        corpora=tuple(section["text"]["corpora"]),
        theory=Theory(f"{_HERE}.checks:check_cases", exhibits=(REGRET, TRAJECTORY, BOUNDS)),
    )  # fmt: skip
    return [scope]
