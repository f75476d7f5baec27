"""The plan of `readings`: the paper's last comparison under every reading, and on new texts."""

from itertools import product

from reproduction.study import (
    Job,
    Texts,
    choose_methods,
    make_exhibit,
    make_scope,
    section_of,
    without_labels,
)

STUDY = "readings"
_HERE = f"reproduction.studies.{STUDY}"
SPECIFICATION, CHOICES, REPLICATION = "specification", "choices", "replication"
# A reading is one value on each of these axes: of the text, of Kneser-Ney, and of AD-LR.
OF_TEXT = ("tokenizer", "split", "vocabulary")
OF_KNESER_NEY = ("continuation", "unseen", "discount")
OF_AD_LR = ("initial",)
AXES = (*OF_TEXT, *OF_KNESER_NEY, *OF_AD_LR)


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    grid = section_of(config, STUDY)
    if not grid:
        return []
    shown = {SPECIFICATION: list(_plan_grid(grid, config))}
    of_collections = list(_plan_collections(grid, config))
    receipts = {SPECIFICATION: tuple(f"corpora/{name}.json" for name in grid["tokenizers"])}
    if of_collections:
        shown[REPLICATION] = of_collections
        receipts[REPLICATION] = tuple(texts.receipt for texts in _texts_of_collections(grid))
    exhibits = [
        make_exhibit(
            __file__,
            name,
            jobs,
            receipts[name],
            methods=tuple(grid["methods"]),
        )
        for name, jobs in shown.items()
    ]
    curve = f"{STUDY}/exhibits/{SPECIFICATION}.csv"
    exhibits.insert(
        1,
        make_exhibit(
            __file__,
            CHOICES,
            (),
            receipts[SPECIFICATION],
            {CHOICES: curve},
            methods=tuple(grid["methods"]),
        ),
    )
    scope = make_scope(
        __file__,
        STUDY,
        [job for jobs in shown.values() for job in jobs],
        exhibits,
        corpora=tuple(grid["tokenizers"]),
        texts=tuple(_texts_of_collections(grid)),
    )
    return [scope]


def _plan_grid(grid, config):
    """Yield a job for each corpus, tokenizer and split."""
    given = {key: grid[key] for key in ("axes", "words", "rank", "iterations", "seeds")}
    given |= {"allow_other_hashes": config["allow_other_hashes"]}
    for corpus, tokenizers in grid["tokenizers"].items():
        for tokenizer, split in product(tokenizers, grid["axes"]["split"]):
            text = {"text": (corpus, tokenizer, split), "entry": config["corpora"][corpus]}
            yield Job(
                f"grid/{corpus}--{tokenizer}--{split}",
                f"{_HERE}.grid:score_file",
                {id: {"method": id} for id in ("kn", "ad-lr")},
                text | given,
                {"receipt": f"corpora/{corpus}.json"},
                AXES,
                1500,
                f"Readings: {corpus}, {tokenizer}, split by {split}",
            )


def _plan_collections(grid, config):
    """Yield a job for each collection of new texts."""
    if "new_texts" not in grid:
        return
    new = grid["new_texts"]
    methods = without_labels(choose_methods(config, grid["methods"]))
    for name in new["collections"]:
        yield Job(
            f"{REPLICATION}/{name}",
            f"{_HERE}.replication:score_collection",
            methods,
            {"collection": name, "rank": grid["rank"], "seeds": new["seeds"]},
            {"texts": f"{STUDY}/texts/{name}.npz"},
            memory=1200,
            about=f"New texts: {name}",
        )


def _texts_of_collections(grid):
    """Yield the texts that the paper never saw, by collection."""
    new = grid.get("new_texts", {"collections": {}})
    for name, collection in new["collections"].items():
        place = f"{STUDY}/texts/{name}"
        yield Texts(
            name,
            f"{_HERE}.replication:find_texts",
            "reproduction.corpora.corpus:save_samples",
            (f"{place}.npz",),
            f"{place}.json",
            {name: {"source": "nltk"} | collection},
            {"words": new["words"]},
            name,
            memory=600,
            about=f"New texts: reading {name}",
        )
