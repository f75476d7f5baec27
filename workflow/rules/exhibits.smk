"""From scores to exhibits.

1. summarise_exhibit  the exhibit's tidy CSV: means, spreads, 95 % intervals
2. draw_exhibit       its figure, from that CSV alone
3. print_table        a table in Markdown and LaTeX, with the paper's values
4. write_summary      what was computed, and what could not be
"""


rule summarise_exhibit:
    input:
        modules("summarise_exhibit"),
        scores=scores_of,
        receipts=receipts_of,
    output:
        table=results("{exhibit}.csv"),
    log:
        results("logs/summarise_exhibit/{exhibit}.log"),
    wildcard_constraints:
        exhibit="|".join(config["exhibits"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        kind=lambda wildcards: exhibit_of(wildcards)["kind"],
        baseline=lambda wildcards: exhibit_of(wildcards).get("baseline"),
        methods=hyperparameters_of,
    message:
        "{wildcards.exhibit}: its table"
    script:
        "../scripts/summarise_exhibit.py"


rule draw_exhibit:
    input:
        modules("draw_exhibit"),
        table=results("{exhibit}.csv"),
    output:
        png=report(results("{exhibit}.png"), category="Figures", labels={"exhibit": "{exhibit}"}),
        svg=results("{exhibit}.svg"),
    log:
        results("logs/draw_exhibit/{exhibit}.log"),
    wildcard_constraints:
        exhibit="|".join(config["exhibits"]),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        exhibit=exhibit_of,
        methods=methods_of,
    message:
        "{wildcards.exhibit}: its figure"
    script:
        "../scripts/draw_exhibit.py"


rule print_table:
    input:
        modules("print_table"),
        table=results("{exhibit}.csv"),
    output:
        markdown=results("{exhibit}.md"),
        latex=results("{exhibit}.tex"),
    log:
        results("logs/print_table/{exhibit}.log"),
    wildcard_constraints:
        exhibit="|".join(exhibits("table")) or "no-table",
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        methods=methods_of,
    message:
        "{wildcards.exhibit}: in Markdown and LaTeX"
    script:
        "../scripts/print_table.py"


rule write_summary:
    input:
        modules("write_summary"),
        tables=expand(results("{exhibit}.csv"), exhibit=config["exhibits"]),
        prints=expand(results("{exhibit}.md"), exhibit=exhibits("table")),
        receipts=expand(results("corpora/{corpus}.json"), corpus=config["corpora"]),
    output:
        summary=results("summary.md"),
    log:
        results("logs/write_summary.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        exhibits=lambda wildcards: {
            name: {"kind": exhibit["kind"], "title": exhibit["title"]}
            for name, exhibit in config["exhibits"].items()
        },
        labels=lambda wildcards: {name: entry["label"] for name, entry in config["methods"].items()},
    message:
        "Summary of the run"
    script:
        "../scripts/write_summary.py"
