"""Sample pairs from the models of an exhibit, fit the methods of a job, and take the KL risk."""

from reproduction.jobs import logged

with logged(snakemake):
    import numpy as np

    from reproduction.scores.trials import score_trials
    from reproduction.scores.writing import write_scores

    exhibit, params = snakemake.wildcards.exhibit, snakemake.params
    with np.load(snakemake.input.models) as models:
        rows = score_trials(
            params.seed, exhibit, params.n_values, dict(models), params.methods, params.oracle
        )
    write_scores(snakemake.output.scores, rows)
