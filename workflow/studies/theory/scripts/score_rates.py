"""Score estimators on the models of a sweep."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.rates import score_sweep

    params = snakemake.params
    given = {"sweep": snakemake.wildcards.sweep} | params.settings | params.fits
    write_scores(snakemake.output.scores, score_sweep(params.seed, {}, {}, given))
