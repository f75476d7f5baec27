"""The plan of `structured`: models of growing order on blocks of Brown, the second paper's claims.

Of three scopes the first has one block and low orders, the second all, and the third some of the
models on ten times as much text.
"""

from reproduction.study import (
    Job,
    Texts,
    Theory,
    choose_methods,
    make_exhibit,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "structured"
_HERE = f"reproduction.studies.{STUDY}"
FIGURE_1, FIGURE_2, FIGURE_3, ALPHA = "figure-1", "figure-2", "figure-3", "alpha"
ALGORITHM_1, PROPERTIES, POSITIVITY = "algorithm-1", "properties", "positivity"
TABLE = "table"  # of `million`
BLOCKS, LARGE = "blocks", "large"
RECEIPT = f"{STUDY}/{BLOCKS}/receipt.json"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    full = {key: section[key] for key in ("blocks", "orders", "methods")}
    scopes = [
        _plan_scope("structured", full | section["default"], section, config),
        _plan_scope("structured_full", full, section, config),
    ]
    return [*scopes, *([_plan_million(section, config)] if "large" in section else [])]


def blocks_of(section):
    """Return the numbers of the blocks that are cut: those of any scope."""
    return sorted({*section["blocks"], *section["default"].get("blocks", ())})


def _texts(folder, numbers, section, config, **how):
    """Return the texts of the blocks of some numbers; ``how`` they are cut can be changed."""
    corpus = section["corpus"]
    settings = {key: section[key] for key in ("train", "test", "least")} | how
    return Texts(
        folder,
        f"{_HERE}.orders:find_blocks",
        f"{_HERE}.orders:save_blocks",
        tuple(f"{STUDY}/{folder}/{number}.npz" for number in numbers),
        f"{STUDY}/{folder}/receipt.json",
        {corpus: config["corpora"].get(corpus)},
        settings | {"numbers": numbers},
        corpus,
        needed=folder == LARGE,
        memory=900,
        about="Structured penalties: cutting blocks of a tagged corpus",
    )


def _plan_scope(name, part, section, config):
    methods = choose_methods(config, part["methods"])
    jobs = [
        _job(f"{BLOCKS}/{block}", model, entry, order, section)
        for model, entry in without_labels(methods).items()
        for order in part["orders"]
        for block in part["blocks"]
    ]
    work = {"work": f"{STUDY}/work.csv", "cases": f"{STUDY}/work-cases.csv"}
    more = {name: f"{STUDY}/{name}.csv" for name in ("steps", "memory", "solvers")}
    cases = {name: f"{STUDY}/{name}-cases.csv" for name in ("growth", "solvers")}
    exhibits = [
        make_exhibit(__file__, FIGURE_1),
        make_exhibit(__file__, FIGURE_2, jobs, (RECEIPT,), methods=tuple(methods)),
        make_exhibit(__file__, FIGURE_3, (), (RECEIPT,), tables={"work": work["work"]}),
        make_exhibit(__file__, ALPHA, jobs, (RECEIPT,), methods=tuple(methods)),
        *(
            make_exhibit(__file__, exhibit, (), (RECEIPT,), tables={table: more[table]})
            for exhibit, table in (
                (ALGORITHM_1, "solvers"),
                (PROPERTIES, "steps"),
                (POSITIVITY, "memory"),
            )
        ),
    ]
    texts = _texts(BLOCKS, blocks_of(section), section, config)
    return make_scope(
        __file__,
        name,
        jobs,
        exhibits,
        texts=(texts,),
        theory=Theory(f"{_HERE}.checks:check_cases", inputs=work | cases, exhibits=(FIGURE_2,)),
        files=(*work.values(), *more.values(), *cases.values()),
    )


def _plan_million(section, config):
    large = section["large"]
    methods = choose_methods(config, large["methods"])
    jobs = [
        _job(f"{LARGE}/1", model, entry, large["order"], section, memory=6000, checkpoint=True)
        for model, entry in without_labels(methods).items()
    ]
    receipts = (f"{STUDY}/{LARGE}/receipt.json",)
    table = make_exhibit(__file__, TABLE, jobs, receipts, methods=tuple(methods))
    texts = _texts(LARGE, [1], section, config, train=large["train"], test=large["test"])
    return make_scope(__file__, "million", jobs, [table], texts=(texts,))


def _job(block, model, entry, order, section, **how):
    settings = {key: section[key] for key in ("choose", "least", "tol", "iterations")}
    place = block.replace(f"{BLOCKS}/", "").replace("/1", "")
    return Job(
        f"{place}-{model}-{order}",
        f"{_HERE}.orders:score_file",
        {model: entry},
        {"block": place, "order": order, "settings": settings},
        {"block": f"{STUDY}/{block}.npz"},
        about=f"Structured penalties: {model} of order {order}, block {place}",
        **{"memory": 1500} | how,
    )
