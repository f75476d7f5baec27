"""Score estimators on the models of a sweep."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.scores.writing import write_scores
    from reproduction.studies.theory.rates import score_sweep

    params, sweep = snakemake.params, snakemake.wildcards.sweep
    rows = score_sweep(params.seed, sweep, params.settings | params.fits)
    write_scores(snakemake.output.scores, rows)
