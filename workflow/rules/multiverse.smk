"""How far Table 1 depends on what the paper leaves open, and whether it holds on new text.

1. score_readings         one corpus, tokenizer and split: every method under every reading
2. tabulate_multiverse    one row for each universe; shares by claim, effects, levels, the nearest
3. draw_multiverse        a specification curve for each claim, and the ranking of the choices
4. score_replication      KN and AD-LR on the texts of one collection
5. tabulate_replication   paired differences with intervals, by text and over all
6. draw_replication       them as a forest plot
7. score_further          methods beyond the paper on the same texts, by the script of step 4
8. tabulate_further       one of them against the best of all others, by text and over all
9. draw_further           that as a forest plot
10. score_, tabulate_ and draw_further_readings: the same on the texts of step 1, for each reading
11. write_multiverse_page one page: what holds under which readings, and on new texts

Not part of `all`: `snakemake -j8 multiverse`. A corpus that cannot be had is left out with the
reason, as elsewhere.
"""

from reproduction.studies.readings.axes import CLAIMS, METHOD_AXES


localrules:
    tabulate_multiverse,
    draw_multiverse,
    tabulate_replication,
    draw_replication,
    tabulate_further,
    draw_further,
    tabulate_further_readings,
    draw_further_readings,
    write_multiverse_page,


GRID = config.get("multiverse", {"tokenizers": {}, "axes": {"split": []}})
REPLICATION = config.get("replication", {"methods": [], "collections": {}})
COMPARED = {name: config["methods"][name] for name in REPLICATION["methods"]}
BEYOND = REPLICATION.get("further", {"methods": []})
FURTHER = {name: config["methods"][name] for name in BEYOND["methods"]}
VARIED = GRID.get("further", {"methods": []})
VARIED_METHODS = {name: config["methods"][name] for name in VARIED["methods"]}


wildcard_constraints:
    tokenizer="[a-z-]+",
    split="halves|pairs|sentences",
    collection="[A-Za-z0-9-]+",


rule score_readings:
    input:
        modules("score_readings", *METHOD_AXES),
        kernels=rules.compile_kernels.output.kernels,
        receipt=rules.split_corpus.output.receipt,
    output:
        scores=results("multiverse/scores/{corpus}--{tokenizer}--{split}.csv"),
    log:
        results("logs/score_readings/{corpus}--{tokenizer}--{split}.log"),
    benchmark:
        results("benchmarks/score_readings/{corpus}--{tokenizer}--{split}.tsv")
    threads: 1
    resources:
        mem_mb=1500,
    params:
        root=config["seed"],
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        allow_other_hashes=config["allow_other_hashes"],
        grid={key: GRID.get(key) for key in ("axes", "words", "others", "iterations", "seeds")},
    message:
        "Multiverse: {wildcards.corpus}, {wildcards.tokenizer}, split by {wildcards.split}"
    script:
        "../scripts/score_readings.py"


READINGS = of_readings(rules.score_readings.output.scores, GRID)


rule tabulate_multiverse:
    input:
        modules("tabulate_multiverse"),
        scores=READINGS,
        receipts=expand(rules.split_corpus.output.receipt, corpus=GRID["tokenizers"]),
    output:
        universes=results("multiverse/universes.csv"),
        claims=results("multiverse/claims.csv"),
        effects=results("multiverse/effects.csv"),
        levels=results("multiverse/levels.csv"),
        nearest=results("multiverse/nearest.csv"),
    log:
        results("logs/tabulate_multiverse.log"),
    benchmark:
        results("benchmarks/tabulate_multiverse.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        axes=GRID["axes"],
    message:
        "Multiverse: its tables"
    script:
        "../scripts/tabulate_multiverse.py"


rule draw_multiverse:
    input:
        modules("draw_multiverse"),
        universes=rules.tabulate_multiverse.output.universes,
        claims=rules.tabulate_multiverse.output.claims,
        effects=rules.tabulate_multiverse.output.effects,
    output:
        png=expand(results("multiverse/{figure}.png"), figure=[*CLAIMS, "effects"]),
        svg=expand(results("multiverse/{figure}.svg"), figure=[*CLAIMS, "effects"]),
    log:
        results("logs/draw_multiverse.log"),
    benchmark:
        results("benchmarks/draw_multiverse.tsv")
    threads: 1
    resources:
        mem_mb=500,
    params:
        axes=GRID["axes"],
        tokenizers=GRID["tokenizers"],
    message:
        "Multiverse: its figures"
    script:
        "../scripts/draw_multiverse.py"


rule score_replication:
    input:
        modules("score_replication", *sorted({entry["method"] for entry in COMPARED.values()})),
        kernels=rules.compile_kernels.output.kernels,
    output:
        scores=results("multiverse/texts/{collection}.csv"),
        receipt=results("multiverse/texts/{collection}.json"),
    log:
        results("logs/score_replication/{collection}.log"),
    benchmark:
        results("benchmarks/score_replication/{collection}.tsv")
    threads: 1
    resources:
        mem_mb=800,
    params:
        root=config["seed"],
        collection=lambda wildcards: REPLICATION["collections"][wildcards.collection],
        # As in split_corpus: a collection that was missing and has come is another value.
        at_hand=lambda wildcards: was_at_hand(
            results(f"multiverse/texts/{wildcards.collection}.json"),
            {"source": "nltk"} | REPLICATION["collections"][wildcards.collection],
        ),
        settings={key: REPLICATION.get(key) for key in ("rank", "seeds", "words")},
        methods=without_labels(COMPARED),
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Replication: {wildcards.collection}"
    script:
        "../scripts/score_replication.py"


rule tabulate_replication:
    input:
        modules("tabulate_replication"),
        scores=expand(rules.score_replication.output.scores, collection=REPLICATION["collections"]),
        receipts=expand(
            rules.score_replication.output.receipt, collection=REPLICATION["collections"]
        ),
    output:
        table=results("multiverse/replication.csv"),
    log:
        results("logs/tabulate_replication.log"),
    benchmark:
        results("benchmarks/tabulate_replication.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        root=config["seed"],
        methods=without_labels(COMPARED),
    message:
        "Replication: its table"
    script:
        "../scripts/tabulate_replication.py"


rule draw_replication:
    input:
        modules("draw_replication"),
        table=rules.tabulate_replication.output.table,
    output:
        png=results("multiverse/replication.png"),
        svg=results("multiverse/replication.svg"),
    log:
        results("logs/draw_replication.log"),
    benchmark:
        results("benchmarks/draw_replication.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        labels={name: entry.get("label", name) for name, entry in COMPARED.items()},
    message:
        "Replication: its figure"
    script:
        "../scripts/draw_replication.py"


rule score_further:
    input:
        modules("score_replication", *sorted({entry["method"] for entry in FURTHER.values()})),
        kernels=kernels_of(FURTHER),
    output:
        scores=results("multiverse/further/{collection}.csv"),
        receipt=results("multiverse/further/{collection}.json"),
    log:
        results("logs/score_further/{collection}.log"),
    benchmark:
        results("benchmarks/score_further/{collection}.tsv")
    threads: 1
    resources:
        mem_mb=1200,
    params:
        root=config["seed"],
        collection=lambda wildcards: REPLICATION["collections"][wildcards.collection],
        # As in split_corpus: a collection that was missing and has come is another value.
        at_hand=lambda wildcards: was_at_hand(
            results(f"multiverse/further/{wildcards.collection}.json"),
            {"source": "nltk"} | REPLICATION["collections"][wildcards.collection],
        ),
        settings={key: (REPLICATION | BEYOND).get(key) for key in ("rank", "seeds", "words")},
        methods=without_labels(FURTHER),
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Beyond the paper: {wildcards.collection}"
    script:
        "../scripts/score_replication.py"


rule tabulate_further:
    input:
        modules("tabulate_further"),
        scores=expand(
            [rules.score_replication.output.scores, rules.score_further.output.scores],
            collection=REPLICATION["collections"],
        ),
        receipts=expand(
            rules.score_replication.output.receipt, collection=REPLICATION["collections"]
        ),
    output:
        table=results("multiverse/further.csv"),
    log:
        results("logs/tabulate_further.log"),
    benchmark:
        results("benchmarks/tabulate_further.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        root=config["seed"],
        ours=BEYOND.get("ours"),
    message:
        "Beyond the paper: its table of new texts"
    script:
        "../scripts/tabulate_further.py"


rule draw_further:
    input:
        modules("draw_further"),
        table=rules.tabulate_further.output.table,
    output:
        png=results("multiverse/further.png"),
        svg=results("multiverse/further.svg"),
    log:
        results("logs/draw_further.log"),
    benchmark:
        results("benchmarks/draw_further.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        methods=COMPARED | FURTHER,
        ours=BEYOND.get("ours"),
    message:
        "Beyond the paper: its figure of new texts"
    script:
        "../scripts/draw_further.py"


rule score_further_readings:
    input:
        modules(
            "score_further_readings",
            *sorted({entry["method"] for entry in VARIED_METHODS.values()}),
        ),
        kernels=kernels_of(VARIED_METHODS),
        receipt=rules.split_corpus.output.receipt,
    output:
        scores=results("multiverse/further-readings/{corpus}--{tokenizer}--{split}.csv"),
    log:
        results("logs/score_further_readings/{corpus}--{tokenizer}--{split}.log"),
    benchmark:
        results("benchmarks/score_further_readings/{corpus}--{tokenizer}--{split}.tsv")
    threads: 1
    resources:
        mem_mb=1200,
    params:
        root=config["seed"],
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        allow_other_hashes=config["allow_other_hashes"],
        words=GRID.get("words"),
        vocabularies=GRID["axes"].get("vocabulary"),
        methods=without_labels(VARIED_METHODS),
        rank=VARIED.get("rank"),
        seeds=VARIED.get("seeds"),
    message:
        "Beyond the paper: {wildcards.corpus}, {wildcards.tokenizer}, by {wildcards.split}"
    script:
        "../scripts/score_further_readings.py"


VARIED_READINGS = of_readings(rules.score_further_readings.output.scores, GRID)


rule tabulate_further_readings:
    input:
        modules("tabulate_further"),
        scores=VARIED_READINGS,
        receipts=expand(rules.split_corpus.output.receipt, corpus=GRID["tokenizers"]),
    output:
        table=results("multiverse/further-readings.csv"),
    log:
        results("logs/tabulate_further_readings.log"),
    benchmark:
        results("benchmarks/tabulate_further_readings.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        root=config["seed"],
        ours=VARIED.get("ours"),
    message:
        "Beyond the paper: its table of all readings"
    script:
        "../scripts/tabulate_further.py"


rule draw_further_readings:
    input:
        modules("draw_further_readings"),
        table=rules.tabulate_further_readings.output.table,
    output:
        png=results("multiverse/further-readings.png"),
        svg=results("multiverse/further-readings.svg"),
    log:
        results("logs/draw_further_readings.log"),
    benchmark:
        results("benchmarks/draw_further_readings.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        methods=VARIED_METHODS,
        ours=VARIED.get("ours"),
    message:
        "Beyond the paper: its figure of all readings"
    script:
        "../scripts/draw_further_readings.py"


# What a config without methods beyond the paper does not have.
FURTHER_MADE = [*rules.tabulate_further.output, *rules.draw_further.output]
VARIED_MADE = [*rules.tabulate_further_readings.output, *rules.draw_further_readings.output]
NEW = [*(FURTHER_MADE if FURTHER else []), *(VARIED_MADE if VARIED_METHODS else [])]


rule write_multiverse_page:
    input:
        modules("write_multiverse_page"),
        TEMPLATES,
        claims=rules.tabulate_multiverse.output.claims,
        effects=rules.tabulate_multiverse.output.effects,
        nearest=rules.tabulate_multiverse.output.nearest,
        replication=rules.tabulate_replication.output.table,
        figures=[
            *rules.draw_multiverse.output.png,
            rules.draw_replication.output.png,
            *(file for file in NEW if file.endswith(".png")),
        ],
        further=[file for file in NEW if file.endswith(".csv")],
        provenance=results("provenance-multiverse.json"),
    output:
        page=results("multiverse/report.html"),
    log:
        results("logs/write_multiverse_page.log"),
    benchmark:
        results("benchmarks/write_multiverse_page.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        config=shown_on_pages(),
    message:
        "The page of the multiverse"
    script:
        "../scripts/write_multiverse_page.py"


rule multiverse:
    input:
        lambda wildcards: [*COMPUTED["-multiverse"], *PAGES["-multiverse"]],
        results("manifest-multiverse.json"),
