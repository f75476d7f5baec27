"""Check the statements of a theory case by case: the function that the study names."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.scores.columns import read_scores
    from reproduction.study import load_function
    from reproduction.verdicts.cases import COLUMNS

    params = snakemake.params
    scores = {name: read_scores(files) for name, files in params.scores.items()}
    inputs = {name: snakemake.input[name] for name in params.inputs}
    cases = load_function(params.check)(params.root, scores, inputs)
    write_rows(snakemake.output.cases, COLUMNS, cases)
