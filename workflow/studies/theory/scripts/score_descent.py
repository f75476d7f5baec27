"""Follow fits along their iterations, on a synthetic model and on a corpus."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.descent import score_descent

    params, words = snakemake.params, snakemake.input.words
    write_scores(snakemake.output.scores, score_descent(params.seed, words, params.settings))
