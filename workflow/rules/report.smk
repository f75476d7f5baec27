"""Which claims of the paper hold, and the page that says so.

1. check_theorems  the theory on small cases
2. judge_claims    a verdict for each claim, with the paired differences behind it
3. write_report    one page: verdicts, figures, readings, provenance
"""


localrules:
    judge_claims,
    write_report,


rule check_theorems:
    input:
        modules("check_theorems", "lr", "add-half-lr", "naive-add-half-lr"),
        kernels=rules.compile_kernels.output.kernels,
    output:
        checks=results("theorems.csv"),
    log:
        results("logs/check_theorems.log"),
    benchmark:
        results("benchmarks/check_theorems.tsv")
    threads: 1
    resources:
        mem_mb=400,
    params:
        root=config["seed"],
    message:
        "The paper's theory, on small cases"
    script:
        "../scripts/check_theorems.py"


rule judge_claims:
    input:
        modules("judge_claims"),
        scores=[file for name in config["exhibits"] for file in scores_of(name)],
        tables=expand(rules.summarise_exhibit.output.table, exhibit=config["exhibits"]),
        receipts=expand(rules.split_corpus.output.receipt, corpus=config["corpora"]),
        checks=rules.check_theorems.output.checks,
    output:
        claims=results("claims.csv"),
        evidence=results("claims-evidence.csv"),
        readings=results("claims-readings.csv"),
    log:
        results("logs/judge_claims.log"),
    benchmark:
        results("benchmarks/judge_claims.tsv")
    threads: 1
    resources:
        mem_mb=300,
    message:
        "Verdicts on the paper's claims"
    script:
        "../scripts/judge_claims.py"


rule write_report:
    input:
        modules("write_report"),
        TEMPLATES,
        claims=rules.judge_claims.output.claims,
        readings=rules.judge_claims.output.readings,
        checks=rules.check_theorems.output.checks,
        tables=expand(rules.summarise_exhibit.output.table, exhibit=config["exhibits"]),
        figures=expand(rules.draw_exhibit.output, exhibit=config["exhibits"]),
        receipts=expand(rules.split_corpus.output.receipt, corpus=config["corpora"]),
        provenance=results("provenance.json"),
    output:
        report=results("report.html"),
    log:
        results("logs/write_report.log"),
    benchmark:
        results("benchmarks/write_report.tsv")
    threads: 1
    resources:
        mem_mb=300,
    params:
        config=shown_on_pages(),
        made_by={
            **dict.fromkeys(SYNTHETIC, describe_rule(rules.score_trials)),
            **dict.fromkeys(
                filter(batches_of, exhibits(*SYNTHETIC)), describe_rule(rules.score_batch)
            ),
            "table": describe_rule(rules.score_text),
            "learning-curve": describe_rule(rules.score_text),
            "rank-selection": describe_rule(rules.score_text),
            "corpora": describe_rule(rules.split_corpus),
            "theorems": describe_rule(rules.check_theorems),
        },
    message:
        "The page: which claims hold"
    script:
        "../scripts/write_report.py"
