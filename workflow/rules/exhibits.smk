"""From scores to exhibits.

1. summarise_exhibit  the exhibit's tidy CSV: means, spreads, 95 % intervals
2. draw_exhibit       its figure, from that CSV alone
3. print_table        a table in Markdown and LaTeX, with the paper's values
4. write_summary      what was computed, and what could not be

`snakemake -j8 exhibit_figure-1a`, or `make figure NAME=figure-1a`, makes one exhibit alone.
"""


localrules:
    summarise_exhibit,
    draw_exhibit,
    print_table,
    write_summary,


rule summarise_exhibit:
    input:
        modules("summarise_exhibit"),
        scores=lambda wildcards: scores_of(wildcards.exhibit),
        receipts=lambda wildcards: receipts_of(wildcards.exhibit),
    output:
        table=results("exhibits/{exhibit}.csv"),
    log:
        results("logs/summarise_exhibit/{exhibit}.log"),
    benchmark:
        results("benchmarks/summarise_exhibit/{exhibit}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        kind=lambda wildcards: config["exhibits"][wildcards.exhibit]["kind"],
        baseline=lambda wildcards: config["exhibits"][wildcards.exhibit].get("baseline"),
        methods=lambda wildcards: without_labels(methods_of(wildcards.exhibit)),
    message:
        "{wildcards.exhibit}: its table"
    script:
        "../scripts/summarise_exhibit.py"


rule draw_exhibit:
    input:
        modules("draw_exhibit"),
        table=rules.summarise_exhibit.output.table,
    output:
        png=report(
            results("exhibits/{exhibit}.png"), category="Figures", labels={"exhibit": "{exhibit}"}
        ),
        svg=results("exhibits/{exhibit}.svg"),
    log:
        results("logs/draw_exhibit/{exhibit}.log"),
    benchmark:
        results("benchmarks/draw_exhibit/{exhibit}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        exhibit=lambda wildcards: config["exhibits"][wildcards.exhibit],
        methods=lambda wildcards: methods_of(wildcards.exhibit),
    message:
        "{wildcards.exhibit}: its figure"
    script:
        "../scripts/draw_exhibit.py"


rule print_table:
    input:
        modules("print_table"),
        table=rules.summarise_exhibit.output.table,
    output:
        markdown=results("exhibits/{exhibit}.md"),
        latex=results("exhibits/{exhibit}.tex"),
    log:
        results("logs/print_table/{exhibit}.log"),
    benchmark:
        results("benchmarks/print_table/{exhibit}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        methods=lambda wildcards: methods_of(wildcards.exhibit),
    message:
        "{wildcards.exhibit}: in Markdown and LaTeX"
    script:
        "../scripts/print_table.py"


rule write_summary:
    input:
        modules("write_summary"),
        tables=expand(rules.summarise_exhibit.output.table, exhibit=config["exhibits"]),
        prints=expand(rules.print_table.output.markdown, exhibit=exhibits("table")),
        receipts=expand(rules.split_corpus.output.receipt, corpus=config["corpora"]),
    output:
        summary=results("summary.md"),
    log:
        results("logs/write_summary.log"),
    benchmark:
        results("benchmarks/write_summary.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        exhibits={
            name: {"kind": exhibit["kind"], "title": exhibit.get("title", name)}
            for name, exhibit in config["exhibits"].items()
        },
        labels={name: entry.get("label", name) for name, entry in config["methods"].items()},
    message:
        "Summary of the run"
    script:
        "../scripts/write_summary.py"


for name in config["exhibits"]:

    rule:
        name:
            f"exhibit_{name}"
        input:
            made_of(name),
