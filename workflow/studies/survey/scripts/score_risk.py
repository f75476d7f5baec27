"""Take the KL risk of every method on synthetic models."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.survey.comparison import score_models

    params = snakemake.params
    keys = ("k", "rank", "rows", "exponent", "trials", "ranks")
    given = {key: params.settings.get(key) for key in keys} | {"n": int(snakemake.wildcards.n)}
    write_scores(snakemake.output.scores, score_models(params.seed, {}, params.methods, given))
