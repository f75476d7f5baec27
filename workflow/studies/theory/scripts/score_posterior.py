"""Count how often intervals of a posterior hold the truth."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.coverage import score_posterior

    params, pairs = snakemake.params, int(snakemake.wildcards.pairs)
    write_scores(snakemake.output.scores, score_posterior(params.seed, pairs, params.settings))
