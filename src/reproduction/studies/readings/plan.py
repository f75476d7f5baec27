"""The plan of `readings`: every defensible reading of the four texts, and texts never seen."""

from itertools import product

from reproduction.studies.readings.axes import CLAIMS, METHOD_AXES, READING_COLUMNS
from reproduction.study import (
    Exhibit,
    Job,
    Texts,
    choose_methods,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "readings"
FULL = f"{STUDY}_full"
SCEPTICS = "sceptics"
_HERE = f"reproduction.studies.{STUDY}"
LEADS = "reproduction.exhibits.leads"  # ours against the best of all others
TABLES = ("universes", "shares", "effects", "levels", "nearest")


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    grid = section_of(config, STUDY)
    if not grid:
        return []
    parts = ("replication", f"{_HERE}.replication", "draw"), ("further", LEADS, "draw_texts")
    made = [
        *_plan_grid(grid, config),
        *_plan_new_texts(grid, config, parts),
        *_plan_readings(grid, config, "further"),
    ]
    larger = [
        *_plan_new_texts(grid, config, [(SCEPTICS, LEADS, "draw_texts")]),
        *_plan_readings(grid, config, SCEPTICS),
    ]
    figures = (f"{name}.{form}" for name in (*CLAIMS, "effects") for form in ("png", "svg"))
    files = (*(f"{table}.csv" for table in TABLES), *figures)
    scope = _plan_scope(STUDY, made, grid, files=tuple(f"{STUDY}/{file}" for file in files))
    return [scope, *([_plan_scope(FULL, larger, grid)] if larger else [])]


def _plan_scope(name, made, grid, **further):
    """Return a scope of jobs and exhibits, pairs of both."""
    jobs, exhibits = ([each for part in made for each in part[i]] for i in (0, 1))
    return make_scope(
        __file__, name, jobs, exhibits, corpora=tuple(grid["tokenizers"]),
        texts=tuple(_texts_of_collections(grid)), **further,
    )  # fmt: skip


def grid_jobs(scope):
    """Return the names of the jobs that score the multiverse itself."""
    return [name for name in scope.jobs if name.startswith("grid/")]


def _texts(grid):
    """Yield each corpus with its tokenizers and splits."""
    for corpus, tokenizers in grid["tokenizers"].items():
        for tokenizer, split in product(tokenizers, grid["axes"]["split"]):
            yield corpus, tokenizer, split


def _job_of_text(kind, text, scorer, methods, given, config):
    """Return the job that scores one corpus, tokenizer and split."""
    corpus, tokenizer, split = text
    how = {"text": text, "entry": config["corpora"][corpus]}
    how |= {"allow_other_hashes": config["allow_other_hashes"]}
    return Job(
        f"{kind}/{corpus}--{tokenizer}--{split}", scorer, methods, how | given,
        {"receipt": f"corpora/{corpus}.json"}, READING_COLUMNS, 1500,
        f"Readings: {corpus}, {tokenizer}, split by {split} ({kind})",
    )  # fmt: skip


def _plan_grid(grid, config):
    methods = {id: {"method": id} for id in METHOD_AXES}
    given = {key: grid[key] for key in ("axes", "words", "others", "iterations", "seeds")}
    how = f"{_HERE}.grid:score_file", methods, given, config
    yield [_job_of_text("grid", text, *how) for text in _texts(grid)], ()


def _plan_new_texts(grid, config, parts):
    """Yield parts on new texts; each has the module of its table and the function of its figure.

    They are AD-LR against Kneser-Ney, and ours against the best of all others, or of a sceptic's.
    """
    new = grid.get("new_texts", {"collections": {}})
    receipts = tuple(f"{STUDY}/texts/{name}.json" for name in new["collections"])
    jobs, names = (), ()
    for name, module, draw in parts:
        if name not in new:
            continue
        settings = new[name]
        own = [
            _job_of_collection(name, collection, new, config) for collection in new["collections"]
        ]
        # A comparison with the best of all others has the methods of the replication, too.
        jobs, names = (*jobs, *(job.name for job in own)), (*names, *settings["methods"])
        entry = {"kind": "comparison", "methods": names, "ours": settings.get("ours")}
        yield own, [Exhibit(name, entry, jobs, f"{module}:tabulate", f"{module}:{draw}", receipts)]


def _texts_of_collections(grid):
    new, module = grid.get("new_texts", {"collections": {}}), f"{_HERE}.replication"
    for name, collection in new["collections"].items():
        place = f"{STUDY}/texts/{name}"
        yield Texts(
            name, f"{module}:find_texts", f"{module}:save_texts", (f"{place}.npz",),
            f"{place}.json", {name: {"source": "nltk"} | collection}, {"words": new["words"]}, name,
            memory=600, about=f"New texts: reading {name}",
        )  # fmt: skip


def _job_of_collection(name, collection, new, config):
    methods = without_labels(choose_methods(config, new[name]["methods"]))
    given = {"collection": collection, "rank": new["rank"], "seeds": new[name]["seeds"]}
    return Job(
        f"{name}/{collection}", f"{_HERE}.replication:score_collection", methods, given,
        {"texts": f"{STUDY}/texts/{collection}.npz"}, memory=1200,
        about=f"New texts: {collection} ({name})",
    )  # fmt: skip


def _plan_readings(grid, config, section):
    """Yield ours against the best of all others under every reading of the four texts."""
    settings = grid.get(section)
    if not settings:
        return
    methods, name = choose_methods(config, settings["methods"]), f"{section}-readings"
    given = {key: settings[key] for key in ("rank", "seeds")}
    given |= {"words": grid["words"], "vocabularies": grid["axes"]["vocabulary"]}
    how = f"{_HERE}.replication:score_readings", without_labels(methods), given, config
    jobs = [_job_of_text(name, text, *how) for text in _texts(grid)]
    entry = {"kind": "comparison", "methods": tuple(methods), "ours": settings["ours"]}
    receipts = tuple(f"corpora/{corpus}.json" for corpus in grid["tokenizers"])
    functions = f"{LEADS}:tabulate", f"{LEADS}:draw_readings"
    yield jobs, [Exhibit(name, entry, tuple(job.name for job in jobs), *functions, receipts)]
