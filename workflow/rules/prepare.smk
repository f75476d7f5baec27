"""What fits need: compiled functions, texts, synthetic models.

1. compile_kernels  compile a group of functions once, for all the jobs after it
2. split_corpus     find or fetch a corpus, check it, cut it into words, number them, split it
   read_texts       the texts that a study reads in a way of its own, a rule for each
3. draw_models      draw (pi, A, B) for each trial of a (k, m)

A corpus that cannot be had leaves a receipt with the reason, and scores without rows.
"""


rule compile_kernels:
    input:
        lambda wildcards: code_of("compile_kernels", *COMPILED_BY[wildcards.group]),
    output:
        kernels=touch(results("logs/{group}.compiled")),
    log:
        results("logs/compile_kernels/{group}.log"),
    benchmark:
        results("benchmarks/compile_kernels/{group}.tsv")
    resources:
        mem_mb=500,
    params:
        methods=lambda wildcards: COMPILED_BY[wildcards.group],
    message:
        "Compiling {wildcards.group}"
    script:
        "../scripts/compile_kernels.py"


rule split_corpus:
    input:
        code_of("split_corpus"),
        text=lambda wildcards: config["corpora"][wildcards.corpus].get("path", []),
    output:
        words=results("corpora/{corpus}.npz"),
        receipt=results("corpora/{corpus}.json"),
    log:
        results("logs/split_corpus/{corpus}.log"),
    benchmark:
        results("benchmarks/split_corpus/{corpus}.tsv")
    resources:
        mem_mb=300,
    params:
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        at_hand=lambda wildcards: at_hand(
            f"corpora/{wildcards.corpus}.json", config["corpora"][wildcards.corpus]
        ),
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "{wildcards.corpus}: finding, checking and splitting the text"
    script:
        "../scripts/split_corpus.py"


for (study, name), texts in TEXTS.items():

    rule:
        name:
            f"read_{study}_{name}"
        input:
            code_of("read_texts", calls=(texts.find, texts.save)),
        output:
            files=under(texts.files),
            receipt=results(texts.receipt),
        log:
            results(f"logs/read_texts/{study}/{name}.log"),
        benchmark:
            results(f"benchmarks/read_texts/{study}/{name}.tsv")
        localrule: True
        resources:
            mem_mb=texts.memory,
        params:
            texts=asdict(texts),
            at_hand=lambda wildcards, texts=texts: is_awaited(texts),
            strict=config["strict"],
            allow_other_hashes=config["allow_other_hashes"],
        message:
            texts.about
        script:
            "../scripts/read_texts.py"


rule draw_models:
    input:
        code_of("draw_models"),
    output:
        models=results("{study}/models/{exhibit}/k{k}-m{rank}.npz"),
    log:
        results("logs/draw_models/{study}/{exhibit}-k{k}-m{rank}.log"),
    benchmark:
        results("benchmarks/draw_models/{study}/{exhibit}-k{k}-m{rank}.tsv")
    resources:
        mem_mb=800,
    params:
        root=config["seed"],
        law=lambda wildcards: law_of(entry_of(wildcards)),
    message:
        "{wildcards.exhibit}: drawing models with k = {wildcards.k}, m = {wildcards.rank}"
    script:
        "../scripts/draw_models.py"
