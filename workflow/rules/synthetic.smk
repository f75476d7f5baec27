"""Figure 1: KL risk against a known truth.

1. compile_kernels  compile the EM loop once, for all the jobs after it
2. draw_models      draw (pi, A, B) for each trial of a (k, m)
3. score_trials     sample n pairs from each, fit every method to them, take the KL risk
"""


rule compile_kernels:
    input:
        modules("compile_kernels"),
    output:
        kernels=touch(results("logs/kernels.compiled")),
    log:
        results("logs/compile_kernels.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    message:
        "Compiling the EM loop"
    script:
        "../scripts/compile_kernels.py"


rule draw_models:
    input:
        modules("draw_models"),
    output:
        models=results("models/{exhibit}/k{k}-m{rank}.npz"),
    log:
        results("logs/draw_models/{exhibit}-k{k}-m{rank}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        trials=lambda wildcards: exhibit_of(wildcards)["trials"],
        rows=lambda wildcards: exhibit_of(wildcards)["rows"],
        exponent=lambda wildcards: exhibit_of(wildcards).get("exponent"),
    message:
        "{wildcards.exhibit}: drawing models with k = {wildcards.k}, m = {wildcards.rank}"
    script:
        "../scripts/draw_models.py"


rule score_trials:
    input:
        modules("score_trials"),
        kernels=results("logs/kernels.compiled"),
        models=results("models/{exhibit}/k{k}-m{rank}.npz"),
    output:
        scores=results("scores/{exhibit}/k{k}-m{rank}-n{n}.csv"),
    log:
        results("logs/score_trials/{exhibit}-k{k}-m{rank}-n{n}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        methods=hyperparameters_of,
    message:
        "{wildcards.exhibit}: KL risks at k = {wildcards.k}, m = {wildcards.rank}, n = {wildcards.n}"
    script:
        "../scripts/score_trials.py"
