"""How far Table 1 depends on what the paper leaves open, and whether it holds on new text.

1. score_readings        one corpus, tokenizer and split: every method under every reading
2. tabulate_multiverse   one row for each universe; shares by claim, effects, levels, the nearest
3. draw_multiverse       a specification curve for each claim, and the ranking of the choices
4. score_replication     KN and AD-LR on the texts of one collection
5. tabulate_replication  paired differences with intervals, by text and over all
6. draw_replication      them as a forest plot

Not part of `all`: `snakemake -j8 multiverse`. A corpus that cannot be had is left out with the
reason, as elsewhere.
"""

from reproduction.multiverse.axes import CLAIMS


ruleorder: tabulate_multiverse > tabulate_replication > summarise_exhibit
ruleorder: draw_multiverse > draw_replication > draw_exhibit


GRID = config.get("multiverse", {"tokenizers": {}, "axes": {"split": []}})
REPLICATION = config.get("replication", {"methods": [], "collections": {}})
FIGURES = [f"multiverse-{claim}" for claim in CLAIMS] + ["multiverse-effects"]

READINGS = [
    results(f"multiverse/scores/{corpus}--{tokenizer}--{split}.csv")
    for corpus, tokenizers in GRID["tokenizers"].items()
    for tokenizer in tokenizers
    for split in GRID["axes"]["split"]
]
COMPARED = {
    name: {key: value for key, value in config["methods"][name].items() if key != "label"}
    for name in REPLICATION["methods"]
}

forget_gaps(
    results("multiverse/replication"),
    {name: {"source": "nltk"} | entry for name, entry in REPLICATION["collections"].items()},
)


wildcard_constraints:
    tokenizer="[a-z-]+",
    split="halves|pairs|sentences",
    collection="[A-Za-z0-9-]+",


rule multiverse:
    input:
        results("multiverse.csv"),
        expand(results("multiverse-{table}.csv"), table=["claims", "effects", "levels", "nearest"]),
        expand(results("{figure}.{form}"), figure=[*FIGURES, "replication"], form=["png", "svg"]),
        results("replication.csv"),
        results("manifest-multiverse.json"),


rule score_readings:
    input:
        modules("score_readings"),
        kernels=results("logs/kernels.compiled"),
        receipt=results("corpora/{corpus}.json"),
    output:
        scores=results("multiverse/scores/{corpus}--{tokenizer}--{split}.csv"),
    log:
        results("logs/score_readings/{corpus}--{tokenizer}--{split}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        allow_other_hashes=config["allow_other_hashes"],
        grid={key: GRID.get(key) for key in ("axes", "words", "others", "iterations", "seeds")},
    message:
        "Multiverse: {wildcards.corpus}, {wildcards.tokenizer}, split by {wildcards.split}"
    script:
        "../scripts/score_readings.py"


rule tabulate_multiverse:
    input:
        modules("tabulate_multiverse"),
        scores=READINGS,
        receipts=expand(results("corpora/{corpus}.json"), corpus=GRID["tokenizers"]),
    output:
        universes=results("multiverse.csv"),
        claims=results("multiverse-claims.csv"),
        effects=results("multiverse-effects.csv"),
        levels=results("multiverse-levels.csv"),
        nearest=results("multiverse-nearest.csv"),
    log:
        results("logs/tabulate_multiverse.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        axes=GRID["axes"],
    message:
        "Multiverse: its tables"
    script:
        "../scripts/tabulate_multiverse.py"


rule draw_multiverse:
    input:
        modules("draw_multiverse"),
        universes=results("multiverse.csv"),
        claims=results("multiverse-claims.csv"),
        effects=results("multiverse-effects.csv"),
    output:
        expand(results("{figure}.{form}"), figure=FIGURES, form=["png", "svg"]),
    log:
        results("logs/draw_multiverse.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        figures=FIGURES,
        axes=GRID["axes"],
        tokenizers=GRID["tokenizers"],
    message:
        "Multiverse: its figures"
    script:
        "../scripts/draw_multiverse.py"


rule score_replication:
    input:
        modules("score_replication"),
        kernels=results("logs/kernels.compiled"),
    output:
        scores=results("multiverse/replication/{collection}.csv"),
        receipt=results("multiverse/replication/{collection}.json"),
    log:
        results("logs/score_replication/{collection}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        collection=lambda wildcards: REPLICATION["collections"][wildcards.collection],
        settings={key: REPLICATION.get(key) for key in ("rank", "seeds", "words")},
        methods=COMPARED,
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Replication: {wildcards.collection}"
    script:
        "../scripts/score_replication.py"


rule tabulate_replication:
    input:
        modules("tabulate_replication"),
        scores=expand(
            results("multiverse/replication/{collection}.csv"),
            collection=REPLICATION["collections"],
        ),
        receipts=expand(
            results("multiverse/replication/{collection}.json"),
            collection=REPLICATION["collections"],
        ),
    output:
        table=results("replication.csv"),
    log:
        results("logs/tabulate_replication.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        methods=COMPARED,
    message:
        "Replication: its table"
    script:
        "../scripts/tabulate_replication.py"


rule draw_replication:
    input:
        modules("draw_replication"),
        table=results("replication.csv"),
    output:
        png=results("replication.png"),
        svg=results("replication.svg"),
    log:
        results("logs/draw_replication.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        labels=lambda wildcards: {
            name: config["methods"][name]["label"] for name in REPLICATION["methods"]
        },
    message:
        "Replication: its figure"
    script:
        "../scripts/draw_replication.py"
