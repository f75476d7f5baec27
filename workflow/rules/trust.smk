"""The files of a run that `make verify` reads, for each scope by itself; and the targets.

1. write_provenance  versions, processor, BLAS, threads, seed, commit, corpora, time of each rule
2. write_manifest    the SHA-256 of every result, with the provenance
"""


rule write_provenance:
    input:
        code_of("write_provenance"),
        results=of_scope(computed_in),
        receipts=of_scope(receipts_of),
    output:
        provenance=results("{scope}/provenance.json"),
    log:
        results("logs/write_provenance/{scope}.log"),
    benchmark:
        results("benchmarks/write_provenance/{scope}.tsv")
    resources:
        mem_mb=300,
    params:
        root=config["seed"],
        methods=of_scope(lambda scope: scope.methods()),
        benchmarks=results("benchmarks"),
        names=of_scope(names_of_jobs),
    message:
        "{wildcards.scope}: the machine and the times of the run"
    script:
        "../scripts/write_provenance.py"


rule write_manifest:
    input:
        code_of("write_manifest"),
        provenance=rules.write_provenance.output.provenance,
        results=of_scope(computed_in),
        page=of_scope(pages_of),
    output:
        manifest=results("{scope}/manifest.json"),
    log:
        results("logs/write_manifest/{scope}.log"),
    benchmark:
        results("benchmarks/write_manifest/{scope}.tsv")
    resources:
        mem_mb=200,
    params:
        fields=of_scope(lambda scope: {key: getattr(scope, key) for key in OF_SCOPE}),
    message:
        "{wildcards.scope}: the hash of every result"
    script:
        "../scripts/write_manifest.py"


for scope in SCOPES.values():

    rule:
        name:
            scope.name
        input:
            made_by(scope.name),


rule everything:
    input:
        [file for name in SCOPES for file in made_by(name)],
