"""What the rules look up of the second paper: exhibits, the files of its scores and its tables.

Of three targets the first has one block and low orders, the second all, and the third some of the
models on ten times as much text.
"""

from reproduction.study import make_entry

FIGURE_2, TABLE = "figure-2", "table"
BLOCKS, LARGE = "blocks", "large"
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


def blocks_of(section):
    """Return the numbers of the blocks that are cut: those of any target."""
    return sorted({*section["blocks"], *section["default"].get("blocks", ())})


def list_exhibits(part, has_text):
    """Return the entries of the exhibits of a target that can be made, with or without Brown.

    The ``part`` of the configuration is what the target makes: its ``methods`` and more.
    """
    methods = {name: tuple(part["methods"]) for name in (FIGURE_2, "alpha")}
    names = ORDER if has_text else ORDER[:1]
    return {name: make_entry("structured", name, methods=methods.get(name, ())) for name in names}


def list_scores(part):
    """Return the files of scores behind each exhibit of a target."""
    files = [
        f"results/structured/scores/{block}-{model}-{order}.csv"
        for model in part["methods"]
        for order in part["orders"]
        for block in part["blocks"]
    ]
    return {FIGURE_2: files, "alpha": files, TABLE: files}


def settings_of_blocks(section, folder, numbers):
    """Return how the blocks of a folder are cut: words to train on and to test on, and which."""
    settings = section | section["large"] if folder == LARGE else section
    return {key: settings[key] for key in SETTINGS_OF_TEXTS} | {"numbers": numbers}


def block_file(block):
    """Return the file of a block, by its number or as the large one."""
    return f"results/structured/{'large/1' if block == LARGE else f'blocks/{block}'}.npz"
