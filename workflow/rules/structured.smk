"""A second paper: structured penalties for log-linear language models (Nelakanti et al., 2013).

1. cut_blocks             find or fetch the tagged corpus, cut it into blocks, number its words
2. score_order            one block, model and order: choose the penalty, fit, score
3. count_work             what each proximal step visits, on forests of the first block
4. check_structured       its worked example, its propositions, and the cases of its claims
5. draw_structured        its figures 1, 2 and 3, and the whole path of penalties
6. judge_structured       a verdict for each claim
7. write_structured_page  one page
8. cut_large, fit_large, tabulate_large  some of the models on ten times as much text

There are two scopes: `default`, a part of every run, and `full`, which `make structured` makes (or
`snakemake -j8 structured`). Fits of the first are among those of the second. The long text has a
target of its own, `million`.
"""


localrules:
    cut_blocks,
    check_structured,
    draw_structured,
    judge_structured,
    write_structured_page,
    cut_large,
    tabulate_large,


STRUCTURED = config.get("structured", {"corpus": "", "blocks": [], "orders": [], "methods": []})
OF_ORDERS = {name: config["methods"][name] for name in STRUCTURED["methods"]}
SCOPES = {}
if OF_ORDERS:
    SCOPES["full"] = {key: STRUCTURED[key] for key in ("blocks", "orders", "methods")}
    SCOPES["default"] = SCOPES["full"] | STRUCTURED["default"]
LARGE = STRUCTURED.get("large", {"methods": []})
CUT = sorted({number for scope in SCOPES.values() for number in scope["blocks"]})


wildcard_constraints:
    model="|".join(OF_ORDERS) or "none",
    block="[0-9]+",
    order="[0-9]+",
    scope="default|full",


rule cut_blocks:
    input:
        modules("cut_blocks"),
    output:
        blocks=expand(results("structured/blocks/{block}.npz"), block=CUT),
        receipt=results("structured/blocks/receipt.json"),
    log:
        results("logs/cut_blocks.log"),
    benchmark:
        results("benchmarks/cut_blocks.tsv")
    threads: 1
    resources:
        mem_mb=900,
    params:
        corpus=STRUCTURED["corpus"],
        entry=config["corpora"].get(STRUCTURED["corpus"]),
        numbers=CUT,
        settings=settings_of_orders("train", "test", "least"),
        # A corpus that was missing and has come is another value: see split_corpus.
        at_hand=lambda wildcards: was_at_hand(
            results("structured/blocks/receipt.json"), config["corpora"][STRUCTURED["corpus"]]
        ),
        strict=config["strict"],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Second paper: cutting blocks of a tagged corpus"
    script:
        "../scripts/cut_blocks.py"


rule score_order:
    input:
        lambda wildcards: modules("score_order", OF_ORDERS[wildcards.model]["method"]),
        kernels=lambda wildcards: kernels_of({"": OF_ORDERS[wildcards.model]}),
        block=results("structured/blocks/{block}.npz"),
    output:
        scores=results("structured/scores/{block}-{model}-{order}.csv"),
        path=results("structured/paths/{block}-{model}-{order}.csv"),
    log:
        results("logs/score_order/{block}-{model}-{order}.log"),
    benchmark:
        results("benchmarks/score_order/{block}-{model}-{order}.tsv")
    threads: 1
    resources:
        mem_mb=1500,
    params:
        settings=settings_of_orders("choose", "least", "tol", "iterations"),
        method=lambda wildcards: without_labels(OF_ORDERS)[wildcards.model],
    message:
        "Second paper: {wildcards.model} of order {wildcards.order}, block {wildcards.block}"
    script:
        "../scripts/score_order.py"


rule count_work:
    input:
        modules("count_work", "ll-treeinf", "ll-l2"),
        kernels=kernels_of({"": {"method": "ll-treeinf"}}),
        block=rules.cut_blocks.output.blocks[:1],
    output:
        work=results("structured/work.csv"),
        cases=results("structured/work-cases.csv"),
    log:
        results("logs/count_work.log"),
    benchmark:
        results("benchmarks/count_work.tsv")
    threads: 1
    resources:
        mem_mb=1500,
    params:
        settings=settings_of_orders("orders", "sizes", "penalty"),
    message:
        "Second paper: what each proximal step visits"
    script:
        "../scripts/count_work.py"


rule check_structured:
    input:
        modules("check_structured"),
        scores=lambda wildcards: fits_of(wildcards.scope, rules.score_order.output.scores),
        paths=lambda wildcards: fits_of(wildcards.scope, rules.score_order.output.path),
        cases=rules.count_work.output.cases,
    output:
        scores=results("structured/{scope}/scores.csv"),
        paths=results("structured/{scope}/paths.csv"),
        table=results("structured/{scope}/figure-2.csv"),
        checks=results("structured/{scope}/checks.csv"),
    log:
        results("logs/check_structured/{scope}.log"),
    benchmark:
        results("benchmarks/check_structured/{scope}.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        root=config["seed"],
        highest=max(STRUCTURED["orders"], default=0),
    message:
        "Second paper: its claims, case by case ({wildcards.scope})"
    script:
        "../scripts/check_structured.py"


rule draw_structured:
    input:
        modules("draw_structured"),
        table=rules.check_structured.output.table,
        paths=rules.check_structured.output.paths,
        work=rules.count_work.output.work,
        receipt=rules.cut_blocks.output.receipt,
    output:
        expand(
            results("structured/{{scope}}/{figure}.{kind}"),
            figure=["figure-1", "figure-2", "figure-3", "alpha", "path"],
            kind=["svg", "png"],
        ),
    log:
        results("logs/draw_structured/{scope}.log"),
    benchmark:
        results("benchmarks/draw_structured/{scope}.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        methods=OF_ORDERS,
    message:
        "Second paper: its figures ({wildcards.scope})"
    script:
        "../scripts/draw_structured.py"


rule judge_structured:
    input:
        modules("judge_structured"),
        scores=rules.check_structured.output.scores,
        table=rules.check_structured.output.table,
        checks=rules.check_structured.output.checks,
    output:
        claims=results("structured/{scope}/claims.csv"),
        evidence=results("structured/{scope}/claims-evidence.csv"),
        readings=results("structured/{scope}/claims-readings.csv"),
    log:
        results("logs/judge_structured/{scope}.log"),
    benchmark:
        results("benchmarks/judge_structured/{scope}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    message:
        "Second paper: verdicts ({wildcards.scope})"
    script:
        "../scripts/judge_structured.py"


rule write_structured_page:
    input:
        modules("write_structured_page"),
        TEMPLATES,
        claims=rules.judge_structured.output.claims,
        readings=rules.judge_structured.output.readings,
        checks=rules.check_structured.output.checks,
        table=rules.check_structured.output.table,
        figures=rules.draw_structured.output,
        receipt=rules.cut_blocks.output.receipt,
        provenance=lambda wildcards: results(
            "provenance.json" if wildcards.scope == "default" else "provenance-structured.json"
        ),
    output:
        page=results("structured/{scope}/report.html"),
    log:
        results("logs/write_structured_page/{scope}.log"),
    benchmark:
        results("benchmarks/write_structured_page/{scope}.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        config=shown_on_pages(),
        methods=list(OF_ORDERS),
        corpus=STRUCTURED["corpus"],
        made_by={
            "learning-curve": describe_rule(rules.score_order),
            "work": describe_rule(rules.count_work),
            "example": describe_rule(rules.check_structured),
            "theorems": describe_rule(rules.check_structured),
        },
    message:
        "Second paper: its page ({wildcards.scope})"
    script:
        "../scripts/write_structured_page.py"


rule structured:
    input:
        made_in("full"),
        fits_of("full", rules.score_order.output.scores) if SCOPES else [],
        expand(rules.write_structured_page.output, scope=["full"] if SCOPES else []),
        results("manifest-structured.json"),


rule cut_large:
    input:
        modules("cut_blocks"),
    output:
        blocks=[results("structured/large/block.npz")],
        receipt=results("structured/large/receipt.json"),
    log:
        results("logs/cut_large.log"),
    benchmark:
        results("benchmarks/cut_large.tsv")
    threads: 1
    resources:
        mem_mb=900,
    params:
        corpus=STRUCTURED["corpus"],
        entry=config["corpora"].get(STRUCTURED["corpus"]),
        numbers=[1],
        settings={"least": STRUCTURED.get("least")} | LARGE,
        at_hand=lambda wildcards: was_at_hand(
            results("structured/large/receipt.json"), config["corpora"][STRUCTURED["corpus"]]
        ),
        strict=True,
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Second paper: cutting the long text"
    script:
        "../scripts/cut_blocks.py"


rule fit_large:
    input:
        lambda wildcards: modules("fit_large", OF_ORDERS[wildcards.model]["method"]),
        kernels=lambda wildcards: kernels_of({"": OF_ORDERS[wildcards.model]}),
        block=rules.cut_large.output.blocks[0],
    output:
        scores=results("structured/large/scores/{model}.csv"),
    log:
        results("logs/fit_large/{model}.log"),
    benchmark:
        results("benchmarks/fit_large/{model}.tsv")
    threads: 1
    resources:
        mem_mb=6000,
    params:
        settings=settings_of_orders("choose", "least", "tol", "iterations")
        | {"order": LARGE.get("order")},
        method=lambda wildcards: without_labels(OF_ORDERS)[wildcards.model],
        # Not an output: what a killed job has of those is removed, and this is what it goes on from.
        checkpoint=lambda wildcards: results(f"structured/large/{wildcards.model}.checkpoint"),
    message:
        "Second paper: {wildcards.model} on the long text"
    script:
        "../scripts/fit_large.py"


rule tabulate_large:
    input:
        modules("tabulate_large"),
        scores=expand(rules.fit_large.output.scores, model=LARGE["methods"]),
    output:
        table=results("structured/large/table.csv"),
    log:
        results("logs/tabulate_large.log"),
    benchmark:
        results("benchmarks/tabulate_large.tsv")
    threads: 1
    resources:
        mem_mb=300,
    message:
        "Second paper: the long text's table"
    script:
        "../scripts/tabulate_large.py"


rule million:
    input:
        # Each result by itself, so that one that is gone is made again.
        expand(rules.fit_large.output.scores, model=LARGE["methods"]),
        rules.tabulate_large.output.table if LARGE["methods"] else [],
