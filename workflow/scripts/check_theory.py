"""Check the statements of a theory, case by case."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.scores.reading import read_scores
    from reproduction.study import part_of
    from reproduction.verdicts.cases import COLUMNS

    params = snakemake.params
    scores = {name: read_scores(files) for name, files in params.scores.items()}
    given = {name: snakemake.input[name] for name in params.given}
    cases = part_of(params.study, "checks").check_cases(params.seed, scores, given)
    write_rows(snakemake.output.cases, COLUMNS, cases)
