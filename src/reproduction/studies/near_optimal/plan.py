"""The plan of the paper's target: the exhibits of config.yaml, its theory, its claims."""

from dataclasses import replace

from reproduction.scores.plan import corpora_of, plan_exhibits, plan_on_texts
from reproduction.studies.near_optimal.printed import SETTINGS, TABLE_1
from reproduction.study import (
    Theory,
    choose_methods,
    make_exhibit,
    make_scope,
    without_labels,
)

STUDY = "near_optimal"
TABLE, DISCOUNTING = "table-1", "absolute-discounting"
ADD_HALF_LR, AD_LR = "add-half-lr", ("ad-lr", "ad-lr-random")  # by their names in the config
STARTS = 10  # of Add-1/2-LR on each corpus, where Table 1 has no fewer
OF_THE_PRINT = ("y_range", "y_ranges", "printed_gap")  # of a figure, for other settings nothing


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    entries = {name: mark_changes(name, entry) for name, entry in config["exhibits"].items()}
    jobs, exhibits = plan_exhibits(STUDY, entries, config)
    more, exhibit = plan_discounting(config, jobs, exhibits)
    jobs |= more
    exhibits |= exhibit
    checks = f"reproduction.studies.{STUDY}.theorems:check_cases"
    scope = make_scope(
        __file__,
        STUDY,
        jobs.values(),
        exhibits.values(),
        corpora=corpora_of(config["exhibits"]),
        theory=Theory(checks, ("lr", "add-half-lr", "naive-add-half-lr")),
        kept=(".csv", ".png", "report.html"),
    )
    return [scope]


def plan_discounting(config, planned, exhibits):
    """Return jobs and exhibit of "absolute discounting is imperative", each by name.

    The jobs fit Add-1/2-LR as Table 1 fits AD-LR, whose own scores, of the ``planned`` jobs, are
    beside them. There is nothing of either where the config has no such table.
    """
    methods = (ADD_HALF_LR, *AD_LR)
    table = exhibits.get(TABLE)
    if table is None or not {*methods} <= config["methods"].keys():
        return {}, {}
    corpora = [corpus for corpus in table.entry["corpora"] if corpus in TABLE_1]
    if not corpora or not {*AD_LR} <= {*table.entry["methods"]}:
        return {}, {}
    kept = {key: table.entry[key] for key in ("rank", "differs", "batches") if key in table.entry}
    entry = kept | {"corpora": corpora, "seeds": min(STARTS, table.entry["seeds"])}
    fitted = without_labels(choose_methods(config, [ADD_HALF_LR]))
    jobs = {job.name: job for job in plan_on_texts(STUDY, DISCOUNTING, entry, fitted)}
    receipts = tuple(f"corpora/{corpus}.json" for corpus in corpora)
    exhibit = make_exhibit(
        __file__,
        DISCOUNTING,
        jobs.values(),
        receipts,
        methods=methods,
        **entry,
    )
    of_table = [
        name
        for name in table.jobs
        if {*AD_LR} & planned[name].methods.keys()
        and any(corpus in corpora for corpus, *_ in planned[name].given["points"])
    ]
    exhibit = replace(exhibit, jobs=(*exhibit.jobs, *of_table), printed=True)
    return jobs, {DISCOUNTING: exhibit}


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
