"""Table 1 and figure 2: cross-entropy on held-out text.

1. split_corpus   find or fetch a corpus, check it, cut it into words, number them, split it
2. cluster_text   cluster its contexts, for the methods that start from clusters
3. score_text     fit every method to the training pairs, sum its losses over the test pairs

A corpus that cannot be had leaves a receipt with the reason, and scores without rows.
"""


localrules:
    split_corpus,


rule split_corpus:
    input:
        modules("split_corpus"),
        text=lambda wildcards: config["corpora"][wildcards.corpus].get("path", []),
    output:
        words=results("corpora/{corpus}.npz"),
        receipt=results("corpora/{corpus}.json"),
    log:
        results("logs/split_corpus/{corpus}.log"),
    benchmark:
        results("benchmarks/split_corpus/{corpus}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        entry=lambda wildcards: config["corpora"][wildcards.corpus],
        # A corpus that was missing and has come is another value: Snakemake then runs this again.
        at_hand=lambda wildcards: was_at_hand(
            results(f"corpora/{wildcards.corpus}.json"), config["corpora"][wildcards.corpus]
        ),
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "{wildcards.corpus}: finding, checking and splitting the text"
    script:
        "../scripts/split_corpus.py"


rule cluster_text:
    input:
        modules("cluster_text"),
        words=rules.split_corpus.output.words,
    output:
        clusters=results("clusters/{exhibit}/{corpus}-{words}-m{rank}.npz"),
    log:
        results("logs/cluster_text/{exhibit}-{corpus}-{words}-m{rank}.log"),
    benchmark:
        results("benchmarks/cluster_text/{exhibit}-{corpus}-{words}-m{rank}.tsv")
    threads: 1
    resources:
        mem_mb=500,
    params:
        root=config["seed"],
        seeds=lambda wildcards: config["exhibits"][wildcards.exhibit]["seeds"],
    message:
        "{wildcards.exhibit}: clusters of {wildcards.corpus}, {wildcards.words} words, m = {wildcards.rank}"
    script:
        "../scripts/cluster_text.py"


rule score_text:
    input:
        lambda wildcards: fitted_by("score_text", wildcards.exhibit),
        kernels=lambda wildcards: kernels_of(methods_of(wildcards.exhibit)),
        words=rules.split_corpus.output.words,
        clusters=lambda wildcards: clusters_for(**dict(wildcards.items())),
    output:
        scores=results("scores/{exhibit}/{corpus}-{words}-m{rank}.csv"),
    log:
        results("logs/score_text/{exhibit}-{corpus}-{words}-m{rank}.log"),
    benchmark:
        results("benchmarks/score_text/{exhibit}-{corpus}-{words}-m{rank}.tsv")
    threads: 1
    resources:
        mem_mb=700,
    params:
        root=config["seed"],
        methods=lambda wildcards: without_labels(methods_of(wildcards.exhibit)),
        seeds=lambda wildcards: config["exhibits"][wildcards.exhibit]["seeds"],
        split=lambda wildcards: split_of(wildcards.exhibit),
    message:
        "{wildcards.exhibit}: {wildcards.corpus}, {wildcards.words} words, m = {wildcards.rank}"
    script:
        "../scripts/score_text.py"
