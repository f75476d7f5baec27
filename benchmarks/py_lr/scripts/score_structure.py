"""Score methods on models by the law of their rows and by their pairs."""

from reproduction.jobs import logged

with logged(snakemake):
    from py_lr.structure import score_models

    from reproduction.scores.writing import write_scores

    params = snakemake.params
    given = params.settings | {"exponents": params.exponents}
    write_scores(snakemake.output.scores, score_models(params.seed, {}, params.methods, given))
