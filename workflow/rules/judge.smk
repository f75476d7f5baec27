"""Which claims hold, and the page that says so.

1. check_theory  statements that are tried case by case
2. judge_claims  a verdict for each claim, with the paired differences behind it
3. write_page    one page: verdicts, figures, readings, provenance
"""


localrules:
    judge_claims,
    write_page,


def theory_of(wildcards):
    """Return the theory of a scope."""
    return SCOPES[wildcards.scope].theory


def cases_of(scope):
    """Return the file of the cases of a scope's theory, if it has one."""
    return under([f"{scope.name}/theory.csv"] if scope.theory else [])


def source_module(study, name="source"):
    """Return the module of a study that says what its source says."""
    return f"reproduction.studies.{study}.{name}"


rule check_theory:
    input:
        lambda wildcards: modules(
            "check_theory", *theory_of(wildcards).methods, calls=(theory_of(wildcards).check,)
        ),
        unpack(lambda wildcards: {k: results(v) for k, v in theory_of(wildcards).inputs.items()}),
        kernels=lambda wildcards: kernels_of(theory_of(wildcards).methods),
        scores=lambda wildcards: [
            file
            for name in theory_of(wildcards).exhibits
            for file in scores_of_exhibit(wildcards.scope, name)
        ],
    output:
        cases=results("{scope}/theory.csv"),
    log:
        results("logs/check_theory/{scope}.log"),
    benchmark:
        results("benchmarks/check_theory/{scope}.tsv")
    resources:
        mem_mb=400,
    params:
        root=config["seed"],
        check=lambda wildcards: theory_of(wildcards).check,
        inputs=lambda wildcards: list(theory_of(wildcards).inputs),
        scores=lambda wildcards: {
            name: scores_of_exhibit(wildcards.scope, name) for name in theory_of(wildcards).exhibits
        },
    message:
        "{wildcards.scope}: its theory, case by case"
    script:
        "../scripts/check_theory.py"


def scores_of_exhibit(scope, name):
    """Return the files of scores of one exhibit."""
    return under(SCOPES[scope].scores(SCOPES[scope].exhibits[name].jobs))


rule judge_claims:
    input:
        lambda wildcards: modules(
            "judge_claims", calls=(source_module(SCOPES[wildcards.scope].study),)
        ),
        scores=lambda wildcards: under(SCOPES[wildcards.scope].scores()),
        tables=lambda wildcards: tables_of(SCOPES[wildcards.scope]),
        receipts=lambda wildcards: receipts_of(SCOPES[wildcards.scope]),
        cases=lambda wildcards: cases_of(SCOPES[wildcards.scope]),
    output:
        claims=results("{scope}/claims.csv"),
        evidence=results("{scope}/claims-evidence.csv"),
        readings=results("{scope}/claims-readings.csv"),
    log:
        results("logs/judge_claims/{scope}.log"),
    benchmark:
        results("benchmarks/judge_claims/{scope}.tsv")
    resources:
        mem_mb=400,
    params:
        study=lambda wildcards: SCOPES[wildcards.scope].study,
        larger=lambda wildcards: SCOPES[wildcards.scope].larger,
        scores=lambda wildcards: {
            name: scores_of_exhibit(wildcards.scope, name) for name in SCOPES[wildcards.scope].exhibits
        },
    message:
        "{wildcards.scope}: verdicts on its claims"
    script:
        "../scripts/judge_claims.py"


def verdicts_of(scope):
    """Return the verdicts of a scope whose source has claims."""
    names = ("claims", "claims-readings") if scope.judged else ()
    return under(f"{scope.name}/{name}.csv" for name in names)


def templates_of(study):
    """Return the templates of the pages, and those of a study of its own."""
    folders = ("src/reproduction/page/templates", f"src/reproduction/studies/{study}")
    found = [file for folder in folders for file in Path(workflow.basedir, folder).iterdir()]
    return sorted(os.path.relpath(file) for file in found if file.suffix != ".py" and file.is_file())


rule write_page:
    input:
        lambda wildcards: modules(
            "write_page",
            calls=(
                SCOPES[wildcards.scope].page,
                source_module(SCOPES[wildcards.scope].study),
            ),
        ),
        lambda wildcards: templates_of(SCOPES[wildcards.scope].study),
        verdicts=lambda wildcards: verdicts_of(SCOPES[wildcards.scope]),
        cases=lambda wildcards: cases_of(SCOPES[wildcards.scope]),
        tables=lambda wildcards: tables_of(SCOPES[wildcards.scope]),
        figures=lambda wildcards: figures_of(SCOPES[wildcards.scope], "png", "svg"),
        receipts=lambda wildcards: receipts_of(SCOPES[wildcards.scope]),
        files=lambda wildcards: under(SCOPES[wildcards.scope].files),
        provenance=results("{scope}/provenance.json"),
    output:
        page=results("{scope}/report.html"),
    log:
        results("logs/write_page/{scope}.log"),
    benchmark:
        results("benchmarks/write_page/{scope}.tsv")
    resources:
        mem_mb=400,
    params:
        scope=lambda wildcards: asdict(SCOPES[wildcards.scope]),
        config={key: config[key] for key in ("results", "methods", "repository") if key in config},
    message:
        "{wildcards.scope}: its page"
    script:
        "../scripts/write_page.py"
