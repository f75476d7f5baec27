"""The scores of the paper's exhibits: one method, and one (k, m) or one corpus.

1. score_models  KL risk on synthetic models, for every n
2. score_corpus  test cross-entropy on a corpus, for every n and every rank

The methods in closed form take less time than a process and share a job: `closed-form`.

REQUIRED INPUTS: results/corpora/{corpus}.npz, results/{study}/models/{exhibit}/k{k}-m{m}.npz
OUTPUTS: results/{study}/scores/{exhibit}/{method}/k{k}-m{m}.csv, .../{corpus}.csv
"""


rule score_models:
    input:
        models=rules.draw_models.output.models,
        kernels=lambda w: kernels(ids_of(methods_of(w))),
    output:
        scores="results/{study}/scores/{exhibit}/{method}/k{k}-m{m}.csv",
    log:
        "results/logs/{study}/score_models/{exhibit}-{method}-k{k}-m{m}.log",
    benchmark:
        "results/benchmarks/{study}/score_models/{exhibit}-{method}-k{k}-m{m}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        n_values=lambda w: EXHIBITS[w.exhibit]["n_values"],
        methods=methods_of,
        oracle=lambda w: EXHIBITS[w.exhibit].get("oracle") if w.method == "closed-form" else None,
        code=lambda w: code_version("scripts/score_models.py", ids_of(methods_of(w))),
    message:
        "{wildcards.exhibit}: KL risk of {wildcards.method}, k = {wildcards.k}, m = {wildcards.m}"
    script:
        "../scripts/score_models.py"


rule score_corpus:
    input:
        words=rules.split_corpus.output.words,
        kernels=lambda w: kernels(ids_of(methods_of(w))),
    output:
        scores="results/{study}/scores/{exhibit}/{method}/{corpus}.csv",
    log:
        "results/logs/{study}/score_corpus/{exhibit}-{method}-{corpus}.log",
    benchmark:
        "results/benchmarks/{study}/score_corpus/{exhibit}-{method}-{corpus}.tsv"
    resources:
        mem_mb=700,
    params:
        seed=config["seed"],
        sizes=lambda w: sizes_of(EXHIBITS[w.exhibit]),
        methods=methods_of,
        code=lambda w: code_version("scripts/score_corpus.py", ids_of(methods_of(w))),
    message:
        "{wildcards.exhibit}: cross-entropy of {wildcards.method} on {wildcards.corpus}"
    script:
        "../scripts/score_corpus.py"
