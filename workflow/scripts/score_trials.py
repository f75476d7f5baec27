"""Sample, fit and score every trial of one (k, m, n): experiments.trials.score_trials."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    import numpy as np

    from reproduction.scores.columns import TRIAL_COLUMNS
    from reproduction.scores.estimators import swept_options
    from reproduction.scores.trials import score_trials

    with np.load(snakemake.input.models) as file:
        models = dict(file)
    scores = score_trials(
        snakemake.params.root,
        snakemake.wildcards.exhibit,
        int(snakemake.wildcards.n),
        models,
        snakemake.params.methods,
    )
    columns = [*TRIAL_COLUMNS, *swept_options(snakemake.params.methods)]
    write_rows(snakemake.output.scores, columns, scores)
