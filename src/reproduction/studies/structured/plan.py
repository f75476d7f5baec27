"""What the rules look up of the second paper: exhibits, the files of its scores and its tables."""

from reproduction.study import make_entry

FIGURE_2 = "figure-2"
# The tables of the study's own rules, by exhibit: each is drawn from one of them.
TABLES = {
    "figure-3": {"work": "results/structured/work.csv"},
    "algorithm-1": {"solvers": "results/structured/solvers.csv"},
    "properties": {"steps": "results/structured/steps.csv"},
    "positivity": {"memory": "results/structured/memory.csv"},
}
# What the checks read of them.
GIVEN = {
    "work": "results/structured/work.csv",
    "cases": "results/structured/work-cases.csv",
    "growth": "results/structured/growth-cases.csv",
    "solvers": "results/structured/solvers-cases.csv",
}
ORDER = ("figure-1", FIGURE_2, "figure-3", "alpha", "algorithm-1", "properties", "positivity")
SETTINGS_OF_FITS = ("choose", "least", "tol", "iterations")
SETTINGS_OF_TEXTS = ("train", "test", "least")


def list_exhibits(section, has_text):
    """Return the entries of the exhibits that can be made, with or without Brown."""
    methods = {name: tuple(section["methods"]) for name in (FIGURE_2, "alpha")}
    names = ORDER if has_text else ORDER[:1]
    return {name: make_entry("structured", name, methods=methods.get(name, ())) for name in names}


def list_scores(section):
    """Return the files of scores behind each exhibit: a block, a model and an order."""
    files = [
        f"results/structured/scores/{block}-{model}-{order}.csv"
        for model in section["methods"]
        for order in section["orders_of"].get(model, section["orders"])
        for block in section["fitted"]
    ]
    return {FIGURE_2: files, "alpha": files}
