"""What `structured` makes: models of growing order on blocks of Brown, the second paper's claims.

Of three scopes the first has one block and low orders, the second all, and the third some of the
models on ten times as much text.
"""

from reproduction.study import Exhibit, Job, Scope, Theory, choose_methods, section_of, without_labels

STUDY = "structured"
_HERE = f"reproduction.studies.{STUDY}"
FIGURE_2, ALPHA, PATH = "figure-2", "alpha", "path"
BLOCKS, LARGE = "blocks", "large"
CLAIMS_REST_ON = (FIGURE_2,)


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    full = {key: section[key] for key in ("blocks", "orders", "methods")}
    scopes = [
        _plan_scope("structured", full | section["default"], section, config, takes="6 minutes",
                    larger="structured_full"),
        _plan_scope("structured_full", full, section, config, takes="an hour"),
    ]  # fmt: skip
    return [*scopes, *([_plan_million(section, config)] if "large" in section else [])]


def blocks_of(section):
    """Return the numbers of the blocks that are cut: those of any scope."""
    return sorted({*section["blocks"], *section["default"].get("blocks", ())})


def _plan_scope(name, part, section, config, **told):
    methods = choose_methods(config, part["methods"])
    jobs = [
        _job(f"{BLOCKS}/{block}", model, entry, order, section)
        for model, entry in without_labels(methods).items()
        for order in orders_of(entry, part["orders"])
        for block in part["blocks"]
    ]
    names = tuple(job.name for job in jobs)
    receipts = (f"{STUDY}/{BLOCKS}/receipt.json",)
    work = {"work": f"{STUDY}/work.csv", "cases": f"{STUDY}/work-cases.csv"}
    figures, curves = f"{_HERE}.figures", f"{_HERE}.curves"
    listed = {"methods": part["methods"]}
    exhibits = [
        Exhibit("figure-1", {"kind": "example", "methods": ()}, (), f"{figures}:tabulate_example",
                f"{figures}:draw_example"),
        Exhibit(FIGURE_2, {"kind": "order-curve", "x": "order"} | listed, names,
                f"{curves}:tabulate_orders", f"{curves}:draw_orders", receipts),
        Exhibit("figure-3", {"kind": "work", "methods": ()}, (), f"{figures}:tabulate_work",
                f"{figures}:draw_work", receipts, tables={"work": work["work"]}),
        Exhibit(ALPHA, {"kind": "path"} | listed, names, f"{curves}:tabulate_decays",
                f"{curves}:draw_decays", receipts),
        Exhibit(PATH, {"kind": "path"} | listed, names, f"{curves}:tabulate_paths",
                f"{curves}:draw_paths", receipts),
    ]  # fmt: skip
    what = "one block of text, orders up to 5" if "larger" in told else "all blocks, orders up to 12"
    return Scope(
        name,
        STUDY,
        f"Structured penalties, {what}",
        "A second paper: do penalties on whole subtrees of the suffix tree make log-linear language "
        "models as good as Kneser-Ney, at any order?",
        {job.name: job for job in jobs},
        {exhibit.name: exhibit for exhibit in exhibits},
        theory=Theory(f"{_HERE}.checks:check_cases", inputs=work, exhibits=(FIGURE_2,)),
        files=(*work.values(), *receipts),
        agreement="certified",
        **told,
    )


def _plan_million(section, config):
    large = section["large"]
    methods = choose_methods(config, large["methods"])
    jobs = [
        _job(f"{LARGE}/1", model, entry, large["order"], section, memory=6000, checkpoint=True)
        for model, entry in without_labels(methods).items()
    ]
    table = Exhibit(
        "table", {"kind": "order-curve", "x": "order", "methods": large["methods"]},
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
        judged=False,
        page="",
        files=table.receipts,
        agreement="certified",
        takes="hours",
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
    from condprob.estimators.catalogue import METHODS

    return orders if METHODS[entry["method"]].any_order else [2]
