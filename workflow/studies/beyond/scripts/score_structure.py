"""Score methods on models by the law of their rows and by their pairs."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.beyond.structure import score_models

    params = snakemake.params
    given = params.settings | {"exponents": params.exponents}
    write_scores(snakemake.output.scores, score_models(params.seed, {}, params.methods, given))
