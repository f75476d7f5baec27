"""A second paper: structured penalties for log-linear language models (Nelakanti et al., 2013).

1. score_orders            one block of text and one model: fits at every order, scored
2. count_work              what each proximal step visits, on forests of the first block
3. check_structured        its worked example, its propositions, and the cases of its claims
4. draw_orders             figure 2: perplexity and size against the order
5. judge_structured        a verdict for each claim
6. write_structured_page   one page

Not part of `all`: `make structured`, or `snakemake -j8 structured`.
"""

STRUCTURED = config.get("structured", {"corpus": "", "blocks": [], "methods": []})
OF_ORDERS = {name: config["methods"][name] for name in STRUCTURED["methods"]}
BLOCKS = [f"block-{number}" for number in STRUCTURED["blocks"]]
FIGURE_2 = "structured-figure-2"


wildcard_constraints:
    model="|".join(OF_ORDERS) or "none",
    block="block-[0-9]+",


rule score_orders:
    input:
        lambda wildcards: modules("score_orders", OF_ORDERS[wildcards.model]["method"]),
        kernels=lambda wildcards: kernels_of({"": OF_ORDERS[wildcards.model]}),
    output:
        scores=results("structured/scores/{block}--{model}.csv"),
    log:
        results("logs/score_orders/{block}--{model}.log"),
    benchmark:
        results("benchmarks/score_orders/{block}--{model}.tsv")
    threads: 1
    resources:
        mem_mb=1500,
    params:
        entry=config["corpora"].get(STRUCTURED["corpus"]),
        settings=STRUCTURED,
        method=lambda wildcards: without_labels(OF_ORDERS)[wildcards.model],
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "Orders: {wildcards.model} on {wildcards.block}"
    script:
        "../scripts/score_orders.py"


rule count_work:
    input:
        modules("count_work", "ll-treeinf", "ll-l2"),
        kernels=kernels_of({"": {"method": "ll-treeinf"}}),
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
        entry=config["corpora"].get(STRUCTURED["corpus"]),
        settings=STRUCTURED,
        allow_other_hashes=config["allow_other_hashes"],
    message:
        "What each proximal step visits"
    script:
        "../scripts/count_work.py"


rule check_structured:
    input:
        modules("check_structured"),
        scores=expand(rules.score_orders.output.scores, block=BLOCKS, model=OF_ORDERS),
        cases=rules.count_work.output.cases,
    output:
        scores=results("structured/scores.csv"),
        table=results(f"structured/{FIGURE_2}.csv"),
        checks=results("structured/checks.csv"),
    log:
        results("logs/check_structured.log"),
    benchmark:
        results("benchmarks/check_structured.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        root=config["seed"],
    message:
        "The second paper's claims, case by case"
    script:
        "../scripts/check_structured.py"


rule draw_orders:
    input:
        modules("draw_orders"),
        table=rules.check_structured.output.table,
    output:
        png=results(f"structured/{FIGURE_2}.png"),
        svg=results(f"structured/{FIGURE_2}.svg"),
    log:
        results("logs/draw_orders.log"),
    benchmark:
        results("benchmarks/draw_orders.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        methods=OF_ORDERS,
        title=STRUCTURED.get("title", FIGURE_2),
    message:
        "The second paper's figure 2"
    script:
        "../scripts/draw_orders.py"


rule judge_structured:
    input:
        modules("judge_structured"),
        scores=rules.check_structured.output.scores,
        table=rules.check_structured.output.table,
        checks=rules.check_structured.output.checks,
    output:
        claims=results("structured/claims.csv"),
        evidence=results("structured/claims-evidence.csv"),
        readings=results("structured/claims-readings.csv"),
    log:
        results("logs/judge_structured.log"),
    benchmark:
        results("benchmarks/judge_structured.tsv")
    threads: 1
    resources:
        mem_mb=300,
    message:
        "Verdicts on the second paper's claims"
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
        figure=rules.draw_orders.output.svg,
        provenance=results("provenance-structured.json"),
    output:
        page=results("structured/report.html"),
    log:
        results("logs/write_structured_page.log"),
    benchmark:
        results("benchmarks/write_structured_page.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        config=shown_on_pages(),
        methods=list(OF_ORDERS),
        title=STRUCTURED.get("title", FIGURE_2),
        made_by={
            "learning-curve": describe_rule(rules.score_orders),
            "theorems": describe_rule(rules.check_structured),
        },
    message:
        "The page of the second paper"
    script:
        "../scripts/write_structured_page.py"


rule structured:
    input:
        rules.check_structured.output,
        rules.draw_orders.output,
        rules.judge_structured.output,
        rules.count_work.output,
        rules.write_structured_page.output,
        results("manifest-structured.json"),
