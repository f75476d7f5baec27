"""What a run leaves for `make verify`, for each scope by itself; and the targets.

1. write_provenance  versions, processor, BLAS, threads, seed, commit, corpora, time of each rule
2. write_manifest    the SHA-256 of every result, with the provenance
"""


localrules:
    write_provenance,
    write_manifest,


def computed_in(scope):
    """Return what is computed in a scope, but for its page and its provenance."""
    needed = [file for job in scope.jobs.values() for file in files_of(job)]
    claims = ("claims", "claims-evidence", "claims-readings") if scope.judged else ()
    return [
        *under(f"corpora/{corpus}.{form}" for corpus in scope.corpora for form in ("npz", "json")),
        *under(dict.fromkeys(needed)),
        *under(scope.scores()),
        *(file for name in scope.exhibits for file in made_of(scope, name)),
        *cases_of(scope),
        *under(f"{scope.name}/{name}.csv" for name in claims),
        *under(scope.files),
        results(f"{scope.name}/summary.md"),
    ]


def files_of(job):
    """Yield the files that a job is given."""
    for files in job.inputs.values():
        yield from files if isinstance(files, tuple) else [files]


def methods_in(scope):
    """Return the entries of all methods that a scope fits."""
    return {name: entry for job in scope.jobs.values() for name, entry in job.methods.items()}


def pages_of(scope):
    """Return the page of a scope, if it has one."""
    return under([f"{scope.name}/report.html"] if scope.page else [])


rule write_provenance:
    input:
        modules("write_provenance"),
        results=lambda wildcards: computed_in(SCOPES[wildcards.scope]),
        receipts=lambda wildcards: receipts_of(SCOPES[wildcards.scope]),
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
        methods=lambda wildcards: methods_in(SCOPES[wildcards.scope]),
        benchmarks=results("benchmarks"),
    message:
        "{wildcards.scope}: what computed the results"
    script:
        "../scripts/write_provenance.py"


rule write_manifest:
    input:
        modules("write_manifest"),
        provenance=rules.write_provenance.output.provenance,
        results=lambda wildcards: computed_in(SCOPES[wildcards.scope]),
        page=lambda wildcards: pages_of(SCOPES[wildcards.scope]),
    output:
        manifest=results("{scope}/manifest.json"),
    log:
        results("logs/write_manifest/{scope}.log"),
    benchmark:
        results("benchmarks/write_manifest/{scope}.tsv")
    resources:
        mem_mb=200,
    params:
        folder=config["results"],
        told=lambda wildcards: {
            key: getattr(SCOPES[wildcards.scope], key) for key in ("agreement", "kept")
        },
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
