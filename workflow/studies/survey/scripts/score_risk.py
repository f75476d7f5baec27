"""Take the KL risk of every method on synthetic models."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.comparison import score_models

    params, n = snakemake.params, int(snakemake.wildcards.n)
    rows = score_models(params.seed, n, params.methods, params.settings)
    write_scores(snakemake.output.scores, rows)
