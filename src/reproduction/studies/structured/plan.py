"""The plan of `structured`: models of growing order on blocks of Brown, the second paper's claims.

Of three scopes the first has one block and low orders, the second all, and the third some of the
models on ten times as much text.
"""

from condprob.catalogue import METHODS
from reproduction.study import (
    Exhibit,
    Job,
    Scope,
    Texts,
    Theory,
    choose_methods,
    read_words,
    section_of,
    without_labels,
)

STUDY = "structured"
_HERE = f"reproduction.studies.{STUDY}"
FIGURE_1, FIGURE_2, FIGURE_3, ALPHA, PATH = "figure-1", "figure-2", "figure-3", "alpha", "path"
EXHIBITS = read_words(__file__)["exhibits"]
BLOCKS, LARGE = "blocks", "large"
RECEIPT = f"{STUDY}/{BLOCKS}/receipt.json"


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    full = {key: section[key] for key in ("blocks", "orders", "methods")}
    scopes = [
        _plan_scope("structured", full | section["default"], section, config,
                    takes="about 6 minutes", larger="structured_full"),
        _plan_scope("structured_full", full, section, config, takes="about an hour"),
    ]  # fmt: skip
    return [*scopes, *([_plan_million(section, config)] if "large" in section else [])]


def blocks_of(section):
    """Return the numbers of the blocks that are cut: those of any scope."""
    return sorted({*section["blocks"], *section["default"].get("blocks", ())})


def _texts(folder, numbers, section, config, **how):
    """Return the texts of the blocks of some numbers; ``how`` they are cut can be changed."""
    corpus = section["corpus"]
    settings = {key: section[key] for key in ("train", "test", "least")} | how
    return Texts(
        folder, f"{_HERE}.orders:find_blocks", f"{_HERE}.orders:save_blocks",
        tuple(f"{STUDY}/{folder}/{number}.npz" for number in numbers),
        f"{STUDY}/{folder}/receipt.json", {corpus: config["corpora"].get(corpus)},
        settings | {"numbers": numbers}, corpus, needed=folder == LARGE, memory=900,
        about="Structured penalties: cutting blocks of a tagged corpus",
    )  # fmt: skip


def _plan_scope(name, part, section, config, **further):
    methods = choose_methods(config, part["methods"])
    jobs = [
        _job(f"{BLOCKS}/{block}", model, entry, order, section)
        for model, entry in without_labels(methods).items()
        for order in orders_of(entry, part["orders"])
        for block in part["blocks"]
    ]
    names = tuple(job.name for job in jobs)
    work = {"work": f"{STUDY}/work.csv", "cases": f"{STUDY}/work-cases.csv"}
    figures, curves = f"{_HERE}.figures", f"{_HERE}.curves"
    listed = tuple(part["methods"])
    exhibits = [
        _exhibit(FIGURE_1, (), (), f"{figures}:tabulate_example", f"{figures}:draw_example"),
        _exhibit(FIGURE_2, listed, names, f"{curves}:tabulate_orders", f"{curves}:draw_orders"),
        _exhibit(FIGURE_3, (), (), f"{figures}:tabulate_work", f"{figures}:draw_work",
                 tables={"work": work["work"]}),
        _exhibit(ALPHA, listed, names, f"{curves}:tabulate_decays", f"{curves}:draw_decays"),
        _exhibit(PATH, listed, names, f"{curves}:tabulate_paths", f"{curves}:draw_paths"),
    ]  # fmt: skip
    is_small = "larger" in further
    extent = "one block of text, orders up to 5" if is_small else "all blocks, orders up to 12"
    return Scope(
        name,
        STUDY,
        f"Structured penalties, {extent}",
        "A second paper: do penalties on whole subtrees of the suffix tree make log-linear "
        "language models as good as Kneser-Ney, at any order?",
        {job.name: job for job in jobs},
        {exhibit.name: exhibit for exhibit in exhibits},
        texts=(_texts(BLOCKS, blocks_of(section), section, config),),
        theory=Theory(f"{_HERE}.checks:check_cases", inputs=work, exhibits=(FIGURE_2,)),
        files=tuple(work.values()),
        agreement="certified",
        **further,
    )


def _exhibit(name, methods, jobs, tabulate, draw, **tables):
    entry = EXHIBITS[name] | {"methods": methods}
    return Exhibit(
        name, entry, jobs, tabulate, draw, (RECEIPT,) if name != FIGURE_1 else (), **tables
    )


def _plan_million(section, config):
    large = section["large"]
    methods = choose_methods(config, large["methods"])
    jobs = [
        _job(f"{LARGE}/1", model, entry, large["order"], section, memory=6000, checkpoint=True)
        for model, entry in without_labels(methods).items()
    ]
    entry = {"methods": tuple(large["methods"]), "title": "A million words"}
    table = Exhibit(
        "table", EXHIBITS[FIGURE_2] | entry,
        tuple(job.name for job in jobs), f"{_HERE}.curves:tabulate_orders",
        f"{_HERE}.curves:draw_orders", (f"{STUDY}/{LARGE}/receipt.json",),
    )  # fmt: skip
    return Scope(
        "million",
        STUDY,
        "Structured penalties, a million words",
        "Some of the second paper's models on ten times as much text.",
        {job.name: job for job in jobs},
        {table.name: table},
        texts=(_texts(LARGE, [1], section, config, train=large["train"], test=large["test"]),),
        judged=False,
        page="",
        agreement="certified",
        takes="some hours",
    )


def _job(block, model, entry, order, section, **how):
    settings = {key: section[key] for key in ("choose", "least", "tol", "iterations")}
    place = block.replace(f"{BLOCKS}/", "").replace("/1", "")
    return Job(
        f"{place}-{model}-{order}", f"{_HERE}.orders:score_file", {model: entry},
        {"block": place, "order": order, "settings": settings},
        {"block": f"{STUDY}/{block}.npz"},
        about=f"Structured penalties: {model} of order {order}, block {place}",
        **{"memory": 1500} | how,
    )  # fmt: skip


def orders_of(entry, orders):
    """Return the orders at which a method is fitted: one of pairs alone at two, others at all."""
    return orders if "text" in METHODS[entry["method"]].fits else [2]
