"""Which claims of a source hold, for every study.

1. check_theory      statements of its theory, case by case
2. judge_claims      a verdict on each claim, with the paired differences behind it
3. write_provenance  versions, processor, BLAS, seed, commit, corpora, time of each rule
4. write_page        one page: verdicts, figures, interpretations, provenance
5. verify            compare the paper's results with results/reference: `snakemake verify`

REQUIRED INPUTS: results/{study}/exhibits, and the scores behind them
OUTPUTS: results/{study}/theory.csv, claims.csv, claims-evidence.csv, claims-settings.csv,
         provenance.json, report.html
"""


rule check_theory:
    input:
        unpack(lambda w: dict(study(w).given)),
        kernels=lambda w: kernels(study(w).fitted),
        scores=lambda w: study(w).scores_of(study(w).checked),
    output:
        cases="results/{study}/theory.csv",
    log:
        "results/logs/{study}/check_theory.log",
    benchmark:
        "results/benchmarks/{study}/check_theory.tsv"
    resources:
        mem_mb=400,
    params:
        seed=config["seed"],
        study=lambda w: study(w).package,
        given=lambda w: list(study(w).given),
        scores=lambda w: {name: study(w).scores_of([name]) for name in study(w).checked},
        code=lambda w: code_version(
            "scripts/check_theory.py", study(w).fitted, study(w).package, "checks"
        ),
    message:
        "{wildcards.study}: checking its theory case by case"
    script:
        "../scripts/check_theory.py"


rule judge_claims:
    input:
        claims=lambda w: words_behind(study(w).package),
        criteria=f"{SRC}/verdicts/criteria.toml",
        scores=lambda w: study(w).scores_of(),
        tables=lambda w: study(w).files("csv"),
        cases=lambda w: study(w).cases,
        receipts=lambda w: study(w).receipts_of(),
    output:
        claims="results/{study}/claims.csv",
        evidence="results/{study}/claims-evidence.csv",
        settings="results/{study}/claims-settings.csv",
    log:
        "results/logs/{study}/judge_claims.log",
    benchmark:
        "results/benchmarks/{study}/judge_claims.tsv"
    localrule: True
    resources:
        mem_mb=400,
    params:
        study=lambda w: study(w).package,
        methods=without_style(choose_methods(config, sorted(config["methods"]))),
        scores=lambda w: {name: study(w).scores_of([name]) for name in study(w).exhibits},
        texts=lambda w: dict(study(w).corpora),
        missing=lambda w: TEXTS.among(study(w).texts),
        code=lambda w: code_version(
            "scripts/judge_claims.py", study=study(w).package, module="source"
        ),
    message:
        "{wildcards.study}: verdicts on its claims"
    script:
        "../scripts/judge_claims.py"


rule write_provenance:
    input:
        results=lambda w: [*study(w).files("png"), *study(w).cases, *study(w).verdicts],
        receipts=lambda w: study(w).receipts_of(),
    output:
        provenance="results/{study}/provenance.json",
    log:
        "results/logs/{study}/write_provenance.log",
    localrule: True
    resources:
        mem_mb=300,
    params:
        seed=config["seed"],
        methods=lambda w: fitted_in(study(w), config["methods"]),
        benchmarks=lambda w: [f"results/benchmarks/{name}" for name in study(w).folders],
        missing=lambda w: TEXTS.among(study(w).texts),
    message:
        "{wildcards.study}: the machine and the times of the run"
    script:
        "../scripts/write_provenance.py"


rule write_page:
    input:
        templates=sorted(map(str, Path(SRC, "page/templates").iterdir())),
        words=lambda w: words_behind(study(w).package),
        criteria=f"{SRC}/verdicts/criteria.toml",
        verdicts=lambda w: study(w).verdicts,
        cases=lambda w: study(w).cases,
        tables=lambda w: study(w).files("csv"),
        figures=lambda w: study(w).files("png", "svg"),
        receipts=lambda w: study(w).receipts_of(),
        abstract=lambda w: abstract_of(w.study),
        provenance=rules.write_provenance.output.provenance,
    output:
        page="results/{study}/report.html",
    log:
        "results/logs/{study}/write_page.log",
    localrule: True
    resources:
        mem_mb=400,
    params:
        study=lambda w: fields_of(study(w)),
        methods=config["methods"],
        repository=config.get("repository", ""),
        missing=lambda w: TEXTS.among(study(w).texts),
        over=[os.path.relpath(file) for file in workflow.overwrite_configfiles],
        code=lambda w: code_version(
            "scripts/write_page.py", study=study(w).package, module="source"
        ),
    message:
        "{wildcards.study}: its page"
    script:
        "../scripts/write_page.py"


rule verify:
    input:
        results=STUDIES["near_optimal"].results,
        reference=f"{TOP}/results/reference/near_optimal/claims.csv",
    log:
        "results/logs/near_optimal/verify.log",
    localrule: True
    params:
        python=sys.executable,
        reference=lambda w, input: Path(input.reference).parents[1],
        strict="--strict" if config["strict"] else "",
    message:
        "Comparing results/near_optimal with its reference"
    shell:
        "{params.python} -m reproduction.verify near_optimal"
        " --results results --reference {params.reference} {params.strict}"
        " 2>&1 | tee {log}"
