"""Figure 1: KL risk against a known truth.

1. compile_kernels  compile the EM loop once, for all the jobs after it
   compile_method   and what a method has of its own, for the jobs that fit it
2. draw_models      draw (pi, A, B) for each trial of a (k, m)
3. score_trials     sample n pairs from each, fit every method to them, take the KL risk
   score_batch      steps 2 and 3 for many (k, m, n) at once, where a sweep has many
"""


rule compile_kernels:
    input:
        modules("compile_kernels", *COMPILED),
    output:
        kernels=touch(results("logs/kernels.compiled")),
    log:
        results("logs/compile_kernels.log"),
    benchmark:
        results("benchmarks/compile_kernels.tsv")
    threads: 1
    resources:
        mem_mb=500,
    params:
        methods=COMPILED,
    message:
        "Compiling the EM loop"
    script:
        "../scripts/compile_kernels.py"


rule compile_method:
    input:
        lambda wildcards: modules("compile_kernels", wildcards.alone),
        kernels=rules.compile_kernels.output.kernels,
    output:
        kernels=touch(results("logs/{alone}.compiled")),
    log:
        results("logs/compile_method/{alone}.log"),
    benchmark:
        results("benchmarks/compile_method/{alone}.tsv")
    threads: 1
    resources:
        mem_mb=500,
    params:
        methods=lambda wildcards: [wildcards.alone],
    message:
        "Compiling {wildcards.alone}"
    script:
        "../scripts/compile_kernels.py"


rule draw_models:
    input:
        modules("draw_models"),
    output:
        models=results("models/{exhibit}/k{k}-m{rank}.npz"),
    log:
        results("logs/draw_models/{exhibit}-k{k}-m{rank}.log"),
    benchmark:
        results("benchmarks/draw_models/{exhibit}-k{k}-m{rank}.tsv")
    threads: 1
    resources:
        mem_mb=800,
    params:
        root=config["seed"],
        trials=lambda wildcards: config["exhibits"][wildcards.exhibit]["trials"],
        rows=lambda wildcards: config["exhibits"][wildcards.exhibit]["rows"],
        exponent=lambda wildcards: config["exhibits"][wildcards.exhibit].get("exponent"),
    message:
        "{wildcards.exhibit}: drawing models with k = {wildcards.k}, m = {wildcards.rank}"
    script:
        "../scripts/draw_models.py"


rule score_trials:
    input:
        lambda wildcards: fitted_by("score_trials", wildcards.exhibit),
        kernels=lambda wildcards: kernels_of(methods_of(wildcards.exhibit)),
        models=rules.draw_models.output.models,
    output:
        scores=results("scores/{exhibit}/k{k}-m{rank}-n{n}.csv"),
    log:
        results("logs/score_trials/{exhibit}-k{k}-m{rank}-n{n}.log"),
    benchmark:
        results("benchmarks/score_trials/{exhibit}-k{k}-m{rank}-n{n}.tsv")
    threads: 1
    resources:
        mem_mb=800,
    params:
        root=config["seed"],
        methods=lambda wildcards: without_labels(methods_of(wildcards.exhibit)),
    message:
        "{wildcards.exhibit}: KL risks at k = {wildcards.k}, m = {wildcards.rank}, n = {wildcards.n}"
    script:
        "../scripts/score_trials.py"


rule score_batch:
    input:
        lambda wildcards: fitted_by("score_batch", wildcards.exhibit),
        kernels=lambda wildcards: kernels_of(methods_of(wildcards.exhibit)),
    output:
        scores=results("scores/{exhibit}/batch-{batch}.csv"),
    log:
        results("logs/score_batch/{exhibit}-{batch}.log"),
    benchmark:
        results("benchmarks/score_batch/{exhibit}-{batch}.tsv")
    threads: 1
    resources:
        mem_mb=800,
    params:
        root=config["seed"],
        settings=lambda wildcards: batches_of(wildcards.exhibit)[int(wildcards.batch)],
        trials=lambda wildcards: config["exhibits"][wildcards.exhibit]["trials"],
        rows=lambda wildcards: config["exhibits"][wildcards.exhibit]["rows"],
        exponent=lambda wildcards: config["exhibits"][wildcards.exhibit].get("exponent"),
        methods=lambda wildcards: without_labels(methods_of(wildcards.exhibit)),
    message:
        "{wildcards.exhibit}: KL risks, batch {wildcards.batch}"
    script:
        "../scripts/score_batch.py"
