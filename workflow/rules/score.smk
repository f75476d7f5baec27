"""Every score of every study: a job fits methods to models or texts, and writes one schema.

Which jobs there are is said by the studies (`reproduction.study.Job`).
"""


rule score:
    input:
        of_job(lambda job: code_of("score", *ids_of(job.methods), calls=(job.scorer,))),
        unpack(of_job(inputs_of)),
        kernels=of_job(lambda job: kernels_of(ids_of(job.methods))),
    output:
        scores=results("{study}/scores/{job}.csv"),
    log:
        results("logs/score/{study}/{job}.log"),
    benchmark:
        results("benchmarks/score/{study}/{job}.tsv")
    wildcard_constraints:
        job=".+",
    resources:
        mem_mb=of_job(lambda job: job.memory),
    params:
        root=config["seed"],
        job=of_job(asdict),
        # Not an output: what a killed job has of those is removed, and this is what it goes on from.
        checkpoint=checkpoint_of,
        about=of_job(lambda job: job.about),
    message:
        "{params.about}"
    script:
        "../scripts/score.py"
