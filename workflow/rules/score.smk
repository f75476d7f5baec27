"""Every score of every study: a job fits methods to models or texts, and writes one schema.

Which jobs there are is said by the studies (`reproduction.study.Job`).
"""


def job_of(wildcards):
    """Return what a file of scores is to hold."""
    return JOBS[wildcards.study, wildcards.job]


def inputs_of(job):
    """Return the files that a job is given, by what they are."""
    return {
        name: under(files) if isinstance(files, tuple) else results(files)
        for name, files in job.inputs.items()
    }


rule score:
    input:
        lambda wildcards: modules(
            "score", *ids_of(job_of(wildcards).methods), calls=(job_of(wildcards).scorer,)
        ),
        unpack(lambda wildcards: inputs_of(job_of(wildcards))),
        kernels=lambda wildcards: kernels_of(ids_of(job_of(wildcards).methods)),
    output:
        scores=results("{study}/scores/{job}.csv"),
    log:
        results("logs/score/{study}/{job}.log"),
    benchmark:
        results("benchmarks/score/{study}/{job}.tsv")
    wildcard_constraints:
        job=".+",
    resources:
        mem_mb=lambda wildcards: job_of(wildcards).memory,
    params:
        root=config["seed"],
        job=lambda wildcards: asdict(job_of(wildcards)),
        # Not an output: what a killed job has of those is removed, and this is what it goes on from.
        checkpoint=lambda wildcards: (
            results(f"{wildcards.study}/scores/{wildcards.job}.checkpoint")
            if job_of(wildcards).checkpoint
            else None
        ),
        about=lambda wildcards: job_of(wildcards).about,
    message:
        "{params.about}"
    script:
        "../scripts/score.py"
