"""What a run leaves for `make verify`.

1. write_provenance  versions, processor, BLAS, threads, seed, commit, corpora, time of each rule
2. write_manifest    the SHA-256 of every result, with the provenance
"""

from reproduction.interruption import take_over

# A run that was killed left its lock and half a file: this one goes on from there.
ALIVE = take_over() if workflow.is_main_process else None


# What each manifest is of: every run's, and those of targets that have to be asked for.
MANIFESTS = {
    "": computed_results(),
    "-multiverse": [
        *READINGS,
        *expand(rules.score_replication.output, collection=REPLICATION["collections"]),
        *rules.tabulate_multiverse.output,
        *rules.draw_multiverse.output,
        *rules.tabulate_replication.output,
        *rules.draw_replication.output,
    ],
}


wildcard_constraints:
    part="|-[a-z]+",


rule write_provenance:
    input:
        modules("write_provenance"),
        results=lambda wildcards: MANIFESTS[wildcards.part],
        receipts=expand(results("corpora/{corpus}.json"), corpus=config["corpora"]),
    output:
        provenance=results("provenance{part}.json"),
    log:
        results("logs/write_provenance{part}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        methods=lambda wildcards: {
            name: {key: value for key, value in entry.items() if key != "label"}
            for name, entry in config["methods"].items()
        },
    message:
        "What computed the results"
    script:
        "../scripts/write_provenance.py"


rule write_manifest:
    input:
        modules("write_manifest"),
        provenance=results("provenance{part}.json"),
        results=lambda wildcards: MANIFESTS[wildcards.part],
        page=lambda wildcards: [] if wildcards.part else [results("report.html")],
    output:
        manifest=results("manifest{part}.json"),
    log:
        results("logs/write_manifest{part}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    message:
        "The hash of every result"
    script:
        "../scripts/write_manifest.py"
