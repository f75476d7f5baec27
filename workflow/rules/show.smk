"""From scores to figures and tables, for every study.

1. tabulate     the CSV of an exhibit: means, spreads, 95 % intervals
2. draw         its figure, from that CSV
3. print_table  a table in Markdown and LaTeX, next to the paper's values

`snakemake -j8 results/near_optimal/exhibits/figure-1a.png` makes only that figure.

REQUIRED INPUTS: the scores of each exhibit, as STUDIES lists them
OUTPUTS: results/{study}/exhibits/{exhibit}.csv, .png, .svg, and .md and .tex of tables
"""


rule tabulate:
    input:
        unpack(lambda w: dict(study(w).tables.get(w.exhibit, {}))),
        scores=lambda w: study(w).scores_of([w.exhibit]),
        receipts=lambda w: study(w).receipts_of([w.exhibit]),
    output:
        table="results/{study}/exhibits/{exhibit}.csv",
    log:
        "results/logs/{study}/tabulate/{exhibit}.log",
    benchmark:
        "results/benchmarks/{study}/tabulate/{exhibit}.tsv"
    localrule: True
    resources:
        mem_mb=500,
    params:
        seed=config["seed"],
        study=lambda w: study(w).package,
        tables=lambda w: list(study(w).tables.get(w.exhibit, ())),
        entry=lambda w: without_style_of(study(w).exhibits[w.exhibit]),
        methods=lambda w: without_style(entries(w)),
        code=lambda w: code_version("scripts/tabulate.py", study=study(w).package, module="tables"),
    message:
        "{wildcards.study}: table of {wildcards.exhibit}"
    script:
        "../scripts/tabulate.py"


rule draw:
    input:
        table=rules.tabulate.output.table,
    output:
        png=report(
            "results/{study}/exhibits/{exhibit}.png",
            category="{study}",
            labels={"exhibit": "{exhibit}"},
        ),
        svg="results/{study}/exhibits/{exhibit}.svg",
    log:
        "results/logs/{study}/draw/{exhibit}.log",
    benchmark:
        "results/benchmarks/{study}/draw/{exhibit}.tsv"
    localrule: True
    resources:
        mem_mb=400,
    params:
        study=lambda w: study(w).package,
        entry=lambda w: dict(study(w).exhibits[w.exhibit]),
        methods=entries,
        titled=config.get("titles", True),
        code=lambda w: code_version("scripts/draw.py", study=study(w).package, module="figures"),
    message:
        "{wildcards.study}: figure of {wildcards.exhibit}"
    script:
        "../scripts/draw.py"


rule print_table:
    input:
        table=rules.tabulate.output.table,
    output:
        markdown="results/{study}/exhibits/{exhibit}.md",
        latex="results/{study}/exhibits/{exhibit}.tex",
    log:
        "results/logs/{study}/print_table/{exhibit}.log",
    benchmark:
        "results/benchmarks/{study}/print_table/{exhibit}.tsv"
    localrule: True
    resources:
        mem_mb=300,
    params:
        methods=entries,
        code=code_version("scripts/print_table.py"),
    message:
        "{wildcards.study}: {wildcards.exhibit} in Markdown and LaTeX"
    script:
        "../scripts/print_table.py"
