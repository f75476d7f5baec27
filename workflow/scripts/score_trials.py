"""Sample, fit and score every trial of one (k, m, n): experiments.trials.score_trials."""

from reproduction.jobs import logged, write_rows

with logged(snakemake.log[0]):
    import numpy as np

    from reproduction.experiments.trials import TRIAL_COLUMNS, score_trials

    with np.load(snakemake.input.models) as file:
        models = dict(file)
    scores = score_trials(
        snakemake.params.root,
        snakemake.wildcards.exhibit,
        int(snakemake.wildcards.n),
        models,
        snakemake.params.methods,
    )
    write_rows(snakemake.output.scores, TRIAL_COLUMNS, scores)
