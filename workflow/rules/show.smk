"""From scores to exhibits.

1. tabulate_exhibit  the exhibit's tidy CSV: means, spreads, 95 % intervals
2. draw_exhibit      its figure, from that CSV alone
3. print_table       a table in Markdown and LaTeX, with the paper's values

`snakemake -j8 exhibit_figure-1a`, or `make figure NAME=figure-1a`, makes one exhibit alone.
"""


rule tabulate_exhibit:
    input:
        lambda wildcards: code_of("tabulate_exhibit", calls=(exhibit_of(wildcards).tabulate,)),
        unpack(lambda wildcards: {k: results(v) for k, v in exhibit_of(wildcards).tables.items()}),
        scores=lambda wildcards: under(SCOPES[wildcards.scope].scores(exhibit_of(wildcards).jobs)),
        receipts=lambda wildcards: under(exhibit_of(wildcards).receipts),
    output:
        table=results("{scope}/exhibits/{exhibit}.csv"),
    log:
        results("logs/tabulate_exhibit/{scope}/{exhibit}.log"),
    benchmark:
        results("benchmarks/tabulate_exhibit/{scope}/{exhibit}.tsv")
    resources:
        mem_mb=500,
    params:
        root=config["seed"],
        study=of_scope(lambda scope: scope.study),
        tabulate=lambda wildcards: exhibit_of(wildcards).tabulate,
        tables=lambda wildcards: list(exhibit_of(wildcards).tables),
        entry=lambda wildcards: without_looks(exhibit_of(wildcards).entry),
        methods=lambda wildcards: without_labels(entries_of(wildcards)),
    message:
        "{wildcards.exhibit}: its table"
    script:
        "../scripts/tabulate_exhibit.py"


rule draw_exhibit:
    input:
        lambda wildcards: code_of("draw_exhibit", calls=(exhibit_of(wildcards).draw,)),
        table=rules.tabulate_exhibit.output.table,
    output:
        png=report(
            results("{scope}/exhibits/{exhibit}.png"),
            category="{scope}",
            labels={"exhibit": "{exhibit}"},
        ),
        svg=results("{scope}/exhibits/{exhibit}.svg"),
    log:
        results("logs/draw_exhibit/{scope}/{exhibit}.log"),
    benchmark:
        results("benchmarks/draw_exhibit/{scope}/{exhibit}.tsv")
    resources:
        mem_mb=400,
    params:
        draw=lambda wildcards: exhibit_of(wildcards).draw,
        entry=lambda wildcards: dict(exhibit_of(wildcards).entry),
        methods=entries_of,
        titled=config.get("titles", True),
    message:
        "{wildcards.exhibit}: its figure"
    script:
        "../scripts/draw_exhibit.py"


rule print_table:
    input:
        code_of("print_table"),
        table=rules.tabulate_exhibit.output.table,
    output:
        markdown=results("{scope}/exhibits/{exhibit}.md"),
        latex=results("{scope}/exhibits/{exhibit}.tex"),
    log:
        results("logs/print_table/{scope}/{exhibit}.log"),
    benchmark:
        results("benchmarks/print_table/{scope}/{exhibit}.tsv")
    resources:
        mem_mb=300,
    params:
        methods=entries_of,
    message:
        "{wildcards.exhibit}: in Markdown and LaTeX"
    script:
        "../scripts/print_table.py"


for scope in SCOPES.values():
    for name, target in scope.targets().items():

        rule:
            name:
                f"exhibit_{target}"
            input:
                made_of(scope, name),
