"""Draw, sample, fit and score the settings of one batch: experiments.batches.score_batch."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.scores.batches import score_batch
    from reproduction.scores.columns import TRIAL_COLUMNS
    from reproduction.scores.estimators import swept_options

    given = snakemake.params
    scores = score_batch(
        given.root,
        snakemake.wildcards.exhibit,
        given.settings,
        given.trials,
        given.rows,
        given.exponent,
        given.methods,
    )
    columns = [*TRIAL_COLUMNS, *swept_options(given.methods)]
    write_rows(snakemake.output.scores, columns, scores)
