"""Table 1 and figure 2: cross-entropy on held-out text.

1. split_corpus   find or fetch a corpus, check it, cut it into words, number them, split it
2. cluster_text   cluster its contexts beforehand for all starts of an exhibit that it knows of
3. score_text     fit every method to the training pairs, sum its losses over the test pairs

A corpus that cannot be had leaves a receipt with the reason, and scores without rows.
"""


rule split_corpus:
    input:
        modules("split_corpus"),
        text=lambda wildcards: config["corpora"][wildcards.corpus].get("path", []),
    output:
        words=results("corpora/{corpus}.npz"),
        receipt=results("corpora/{corpus}.json"),
    log:
        results("logs/split_corpus/{corpus}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "{wildcards.corpus}: finding, checking and splitting the text"
    script:
        "../scripts/split_corpus.py"


rule cluster_text:
    input:
        modules("cluster_text"),
        words=results("corpora/{corpus}.npz"),
    output:
        clusters=results("clusters/{exhibit}/{corpus}.npz"),
    log:
        results("logs/cluster_text/{exhibit}-{corpus}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        # Sizes, ranks and numbers of starts are read from the config within the script, so that
        # a new one does not cluster all of them again: score_text finds those that are missing.
        root=config["seed"],
    message:
        "{wildcards.exhibit}: clusters of the contexts of {wildcards.corpus}, to start from"
    script:
        "../scripts/cluster_text.py"


rule score_text:
    input:
        modules("score_text"),
        kernels=results("logs/kernels.compiled"),
        words=results("corpora/{corpus}.npz"),
        clusters=results("clusters/{exhibit}/{corpus}.npz"),
    output:
        scores=results("scores/{exhibit}/{corpus}-{words}-m{rank}.csv"),
    log:
        results("logs/score_text/{exhibit}-{corpus}-{words}-m{rank}.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
        methods=hyperparameters_of,
        seeds=lambda wildcards: exhibit_of(wildcards)["seeds"],
        test=lambda wildcards: exhibit_of(wildcards).get("test"),
        test_words=lambda wildcards: exhibit_of(wildcards).get("test_words"),
    message:
        "{wildcards.exhibit}: {wildcards.corpus}, {wildcards.words} words, m = {wildcards.rank}"
    script:
        "../scripts/score_text.py"
