"""Which claims hold, and the page that says so.

1. check_theory  statements that are checked case by case
2. judge_claims  a verdict for each claim, with the paired differences behind it
3. write_page    one page: verdicts, figures, readings, provenance
"""


rule check_theory:
    input:
        of_theory(lambda theory: code_of("check_theory", *theory.methods, calls=(theory.check,))),
        unpack(of_theory(lambda theory: {k: results(v) for k, v in theory.inputs.items()})),
        kernels=of_theory(lambda theory: kernels_of(theory.methods)),
        scores=of_scope(
            lambda scope: sum(scores_by_exhibit(scope, scope.theory.exhibits).values(), [])
        ),
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
        check=of_theory(lambda theory: theory.check),
        inputs=of_theory(lambda theory: list(theory.inputs)),
        scores=of_scope(lambda scope: scores_by_exhibit(scope, scope.theory.exhibits)),
    message:
        "{wildcards.scope}: its theory, case by case"
    script:
        "../scripts/check_theory.py"


rule judge_claims:
    input:
        of_scope(lambda scope: code_of("judge_claims", calls=(source_module(scope.study),))),
        of_scope(words_of),
        scores=of_scope(lambda scope: under(scope.scores())),
        tables=of_scope(tables_of),
        receipts=of_scope(receipts_of),
        cases=of_scope(cases_of),
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
        study=of_scope(lambda scope: scope.study),
        larger=of_scope(lambda scope: scope.larger),
        elsewhere=of_scope(not_judged_in),
        methods=without_labels(config["methods"]),
        scores=of_scope(lambda scope: scores_by_exhibit(scope, scope.exhibits)),
        texts=of_scope(lambda scope: {name: each.receipts for name, each in scope.exhibits.items()}),
    message:
        "{wildcards.scope}: verdicts on its claims"
    script:
        "../scripts/judge_claims.py"


rule write_page:
    input:
        of_scope(code_of_page),
        templates(),
        of_scope(words_of),
        verdicts=of_scope(verdicts_of),
        cases=of_scope(cases_of),
        tables=of_scope(tables_of),
        figures=of_scope(figures_of),
        receipts=of_scope(receipts_of),
        files=of_scope(lambda scope: under(scope.files)),
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
        scope=of_scope(asdict),
        config={key: config[key] for key in ("results", "methods", "repository") if key in config},
        over=OVER,
    message:
        "{wildcards.scope}: its page"
    script:
        "../scripts/write_page.py"
