"""What fits need.

1. compile_kernels  compile the functions of a group of methods once, for all the jobs after it
2. split_corpus     find or fetch a corpus, check it, cut it into words, split it into training and test
3. draw_models      draw pi, A and B for each trial of a figure on synthetic models

REQUIRED INPUTS: none but the corpora, which lie on NLTK's search path or are fetched
OUTPUTS: results/corpora/{corpus}.npz, results/{study}/models/{exhibit}/k{k}-m{m}.npz
"""


rule compile_kernels:
    output:
        touch("results/logs/{group}.compiled"),
    log:
        "results/logs/compile_kernels/{group}.log",
    benchmark:
        "results/benchmarks/shared/compile_kernels/{group}.tsv"
    resources:
        mem_mb=500,
    params:
        methods=lambda w: COMPILED_BY[w.group],
        code=lambda w: code_version("scripts/compile_kernels.py", COMPILED_BY[w.group]),
    message:
        "Compiling {wildcards.group}"
    script:
        "../scripts/compile_kernels.py"


rule split_corpus:
    input:
        lambda w: config["corpora"][w.corpus].get("path", []),
    output:
        words="results/corpora/{corpus}.npz",
        receipt="results/corpora/{corpus}.json",
    log:
        "results/logs/split_corpus/{corpus}.log",
    benchmark:
        "results/benchmarks/shared/split_corpus/{corpus}.tsv"
    localrule: True
    resources:
        mem_mb=300,
    params:
        entry=lambda w: config["corpora"][w.corpus],
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("scripts/split_corpus.py"),
    message:
        "{wildcards.corpus}: finding, checking and splitting the text"
    script:
        "../scripts/split_corpus.py"


rule draw_models:
    output:
        models="results/{study}/models/{exhibit}/k{k}-m{m}.npz",
    log:
        "results/logs/{study}/draw_models/{exhibit}-k{k}-m{m}.log",
    benchmark:
        "results/benchmarks/{study}/draw_models/{exhibit}-k{k}-m{m}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        law=lambda w: law_of(EXHIBITS[w.exhibit]),
        code=code_version("scripts/draw_models.py"),
    message:
        "{wildcards.exhibit}: drawing models with k = {wildcards.k}, m = {wildcards.m}"
    script:
        "../scripts/draw_models.py"
