"""Which claims of the paper hold, and the page that says so.

1. check_theorems  the theory on small cases
2. judge_claims    a verdict for each claim, with the paired differences behind it
3. write_report    one page: verdicts, figures, readings, provenance
"""


rule check_theorems:
    input:
        modules("check_theorems"),
        kernels=results("logs/kernels.compiled"),
    output:
        checks=results("theorems.csv"),
    log:
        results("logs/check_theorems.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        root=config["seed"],
    message:
        "The paper's theory, on small cases"
    script:
        "../scripts/check_theorems.py"


rule judge_claims:
    input:
        modules("judge_claims"),
        scores=all_scores,
        tables=expand(results("{exhibit}.csv"), exhibit=config["exhibits"]),
        receipts=expand(results("corpora/{corpus}.json"), corpus=config["corpora"]),
        checks=results("theorems.csv"),
    output:
        claims=results("claims.csv"),
        evidence=results("claims-evidence.csv"),
        readings=results("claims-readings.csv"),
    log:
        results("logs/judge_claims.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    message:
        "Verdicts on the paper's claims"
    script:
        "../scripts/judge_claims.py"


rule write_report:
    input:
        modules("write_report"),
        page_templates(),
        claims=results("claims.csv"),
        readings=results("claims-readings.csv"),
        checks=results("theorems.csv"),
        tables=expand(results("{exhibit}.csv"), exhibit=config["exhibits"]),
        figures=expand(results("{exhibit}.{form}"), exhibit=config["exhibits"], form=["svg", "png"]),
        receipts=expand(results("corpora/{corpus}.json"), corpus=config["corpora"]),
        provenance=results("provenance.json"),
    output:
        report=results("report.html"),
    log:
        results("logs/write_report.log"),
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        config={
            key: config[key]
            for key in ("results", "methods", "exhibits", "repository")
            if key in config
        },
        made_by={
            kind: {"rule": rule, "file": f"workflow/rules/{file}.smk"}
            for kind, rule, file in [
                ("risk-curve", "score_trials", "synthetic"),
                ("table", "score_text", "text"),
                ("learning-curve", "score_text", "text"),
                ("rank-selection", "score_text", "text"),
                ("corpora", "split_corpus", "text"),
                ("theorems", "check_theorems", "report"),
            ]
        },
    message:
        "The page: which claims hold"
    script:
        "../scripts/write_report.py"
