"""The paper's last comparison under every reading of what it leaves open, and on new texts:
`snakemake -j8 readings`.

1. score_grid        AD-LR and Kneser-Ney under every reading of a corpus, a tokenizer and a split
2. read_collection   texts that the paper never saw
3. score_collection  AD-LR and Kneser-Ney on each of them

REQUIRED INPUTS: the paper's corpora, Genesis in other languages, more of Brown
OUTPUTS: results/readings/scores/grid/{corpus}--{tokenizer}--{split}.csv, replication/{collection}.csv
"""

from reproduction.studies.readings import plan as readings

READINGS = section_of(config, "readings")
NEW_TEXTS = READINGS.get("new_texts", {"collections": {}})
COLLECTIONS = {name: {"source": "nltk"} | entry for name, entry in NEW_TEXTS["collections"].items()}
CORPORA_OF_GRID = [corpus for corpus in READINGS["tokenizers"] if corpus in CORPORA]
HAD = [
    name
    for name, entry in COLLECTIONS.items()
    if TEXTS.has(name, f"results/readings/texts/{name}.json", is_at_hand(entry))
]
SCORES_OF_READINGS = readings.list_scores(READINGS, CORPORA_OF_GRID, HAD)
RECEIPTS_OF_GRID = [f"results/corpora/{corpus}.json" for corpus in CORPORA_OF_GRID]
STUDIES["readings"] = make_study(
    "readings",
    "readings",
    readings.list_exhibits(READINGS, SCORES_OF_READINGS),
    SCORES_OF_READINGS,
    corpora={
        "specification": [*READINGS["tokenizers"]],
        "choices": [*READINGS["tokenizers"]],
        "replication": [*COLLECTIONS],
    },
    receipts={
        "specification": RECEIPTS_OF_GRID,
        "choices": RECEIPTS_OF_GRID,
        "replication": [f"results/readings/texts/{name}.json" for name in HAD],
    },
    tables={"choices": {"choices": "results/readings/exhibits/specification.csv"}},
    has_checks=False,
)


rule score_grid:
    input:
        receipt=rules.split_corpus.output.receipt,
        kernels=kernels(["ad-lr"]),
    output:
        scores="results/readings/scores/grid/{corpus}--{tokenizer}--{split}.csv",
    log:
        "results/logs/readings/score_grid/{corpus}--{tokenizer}--{split}.log",
    benchmark:
        "results/benchmarks/readings/score_grid/{corpus}--{tokenizer}--{split}.tsv"
    resources:
        mem_mb=1500,
    params:
        seed=config["seed"],
        entry=lambda w: config["corpora"][w.corpus],
        grid={key: READINGS[key] for key in readings.GRID},
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/readings/scripts/score_grid.py", ["kn", "ad-lr"]),
    message:
        "readings: {wildcards.corpus}, {wildcards.tokenizer}, split by {wildcards.split}"
    script:
        "scripts/score_grid.py"


rule read_collection:
    output:
        texts="results/readings/texts/{collection}.npz",
        receipt="results/readings/texts/{collection}.json",
    log:
        "results/logs/readings/read_collection/{collection}.log",
    benchmark:
        "results/benchmarks/readings/read_collection/{collection}.tsv"
    localrule: True
    resources:
        mem_mb=600,
    params:
        entry=lambda w: COLLECTIONS[w.collection],
        words=NEW_TEXTS.get("words"),
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/readings/scripts/read_collection.py"),
    message:
        "readings: reading {wildcards.collection}"
    script:
        "scripts/read_collection.py"


rule score_collection:
    input:
        texts=rules.read_collection.output.texts,
        kernels=kernels(["ad-lr"]),
    output:
        scores="results/readings/scores/replication/{collection}.csv",
    log:
        "results/logs/readings/score_collection/{collection}.log",
    benchmark:
        "results/benchmarks/readings/score_collection/{collection}.tsv"
    resources:
        mem_mb=1200,
    params:
        seed=config["seed"],
        methods=without_style(choose_methods(config, READINGS["methods"])),
        rank=READINGS["rank"],
        seeds=NEW_TEXTS.get("seeds"),
        code=code_version("studies/readings/scripts/score_collection.py", ["kn", "ad-lr"]),
    message:
        "readings: AD-LR and Kneser-Ney on {wildcards.collection}"
    script:
        "scripts/score_collection.py"
