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
_HERE = f"reproduction.studies.{STUDY}"
TABLES = ("universes", "shares", "effects", "nearest")


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    grid = section_of(config, STUDY)
    if not grid:
        return []
    made = [*_plan_grid(grid, config), *_plan_new_texts(grid, config)]
    jobs, exhibits = ([each for part in made for each in part[i]] for i in (0, 1))
    figures = (f"{name}.{form}" for name in (*CLAIMS, "effects") for form in ("png", "svg"))
    files = (*(f"{table}.csv" for table in TABLES), *figures)
    return [
        make_scope(
            __file__, STUDY, jobs, exhibits, corpora=tuple(grid["tokenizers"]),
            texts=tuple(_texts_of_collections(grid)),
            files=tuple(f"{STUDY}/{file}" for file in files),
        )
    ]  # fmt: skip


def grid_jobs(scope):
    """Return the names of the jobs that score the multiverse itself."""
    return [name for name in scope.jobs if name.startswith("grid/")]


def _texts(grid):
    """Yield each corpus with its tokenizers and splits."""
    for corpus, tokenizers in grid["tokenizers"].items():
        for tokenizer, split in product(tokenizers, grid["axes"]["split"]):
            yield corpus, tokenizer, split


def _plan_grid(grid, config):
    """Yield the jobs that score each corpus, tokenizer and split."""
    methods = {id: {"method": id} for id in METHOD_AXES}
    given = {key: grid[key] for key in ("axes", "words", "others", "iterations", "seeds")}
    given |= {"allow_other_hashes": config["allow_other_hashes"]}
    jobs = []
    for corpus, tokenizer, split in _texts(grid):
        text = {"text": (corpus, tokenizer, split), "entry": config["corpora"][corpus]}
        jobs.append(
            Job(
                f"grid/{corpus}--{tokenizer}--{split}", f"{_HERE}.grid:score_file", methods,
                text | given, {"receipt": f"corpora/{corpus}.json"}, READING_COLUMNS, 1500,
                f"Readings: {corpus}, {tokenizer}, split by {split}",
            )
        )  # fmt: skip
    yield jobs, ()


def _plan_new_texts(grid, config):
    """Yield AD-LR against Kneser-Ney on new texts."""
    new = grid.get("new_texts", {})
    if "replication" in new:
        collections, module = new["collections"], f"{_HERE}.replication"
        jobs = [_job_of_collection(collection, new, config) for collection in collections]
        receipts = tuple(f"{STUDY}/texts/{name}.json" for name in collections)
        entry = {"kind": "comparison", "methods": tuple(new["replication"]["methods"])}
        entry["title"] = "AD-LR against Kneser-Ney on text that the paper never saw"
        functions = f"{module}:tabulate", f"{module}:draw"
        names = tuple(job.name for job in jobs)
        yield jobs, [Exhibit("replication", entry, names, *functions, receipts)]


def _texts_of_collections(grid):
    new, module = grid.get("new_texts", {"collections": {}}), f"{_HERE}.replication"
    for name, collection in new["collections"].items():
        place = f"{STUDY}/texts/{name}"
        yield Texts(
            name, f"{module}:find_texts", "reproduction.corpora.corpus:save_samples",
            (f"{place}.npz",), f"{place}.json", {name: {"source": "nltk"} | collection},
            {"words": new["words"]}, name, memory=600, about=f"New texts: reading {name}",
        )  # fmt: skip


def _job_of_collection(collection, new, config):
    methods = without_labels(choose_methods(config, new["replication"]["methods"]))
    given = {"collection": collection, "rank": new["rank"]}
    given |= {"seeds": new["replication"]["seeds"]}
    return Job(
        f"replication/{collection}", f"{_HERE}.replication:score_collection", methods, given,
        {"texts": f"{STUDY}/texts/{collection}.npz"}, memory=1200,
        about=f"New texts: {collection}",
    )  # fmt: skip
