"""What a run leaves for `make verify`.

1. write_provenance  versions, processor, BLAS, threads, seed, commit, corpora, time of each rule
2. write_manifest    the SHA-256 of every result, with the provenance

Both are written for every run, and again for the multiverse and the whole of the second paper,
which have to be asked for.
"""


localrules:
    write_provenance,
    write_manifest,


# What each of the two manifests is of, by the end of its name, but for the page and provenance.
COMPUTED = {
    "": [
        *expand(rules.split_corpus.output, corpus=config["corpora"]),
        *(file for name in config["exhibits"] for file in starts_of(name)),
        *(file for name in config["exhibits"] for file in scores_of(name)),
        *(file for name in config["exhibits"] for file in made_of(name)),
        *rules.check_theorems.output,
        *rules.judge_claims.output,
        *rules.write_summary.output,
        *made_in("default"),
    ],
    "-multiverse": [
        *READINGS,
        *rules.tabulate_multiverse.output,
        *rules.draw_multiverse.output,
        *expand(rules.score_replication.output, collection=REPLICATION["collections"]),
        *rules.tabulate_replication.output,
        *rules.draw_replication.output,
        *(
            expand(rules.score_further.output, collection=REPLICATION["collections"])
            if FURTHER
            else []
        ),
        *(VARIED_READINGS if VARIED_METHODS else []),
        *NEW,
    ],
    "-structured": made_in("full"),
}
PAGES = {
    "": [
        *rules.write_report.output,
        *expand(rules.write_structured_page.output, scope=["default"] if SCOPES else []),
    ],
    "-multiverse": rules.write_multiverse_page.output,
    "-structured": expand(rules.write_structured_page.output, scope="full"),
}


wildcard_constraints:
    part="|-multiverse|-structured",


rule write_provenance:
    input:
        modules("write_provenance"),
        results=lambda wildcards: COMPUTED[wildcards.part],
        receipts=expand(rules.split_corpus.output.receipt, corpus=config["corpora"]),
    output:
        provenance=results("provenance{part}.json"),
    log:
        results("logs/write_provenance/run{part}.log"),
    benchmark:
        results("benchmarks/write_provenance/run{part}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        root=config["seed"],
        methods=without_labels(config["methods"]),
        benchmarks=results("benchmarks"),
    message:
        "What computed the results"
    script:
        "../scripts/write_provenance.py"


rule write_manifest:
    input:
        modules("write_manifest"),
        provenance=rules.write_provenance.output.provenance,
        results=lambda wildcards: COMPUTED[wildcards.part],
        page=lambda wildcards: PAGES[wildcards.part],
    output:
        manifest=results("manifest{part}.json"),
    log:
        results("logs/write_manifest/run{part}.log"),
    benchmark:
        results("benchmarks/write_manifest/run{part}.tsv")
    threads: 1
    resources:
        mem_mb=200,
    message:
        "The hash of every result"
    script:
        "../scripts/write_manifest.py"
