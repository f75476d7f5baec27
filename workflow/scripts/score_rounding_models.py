"""Fit the counts of an exhibit on models from a start, and from the start moved by rounding."""

from reproduction.jobs import logged

with logged(snakemake):
    import numpy as np

    from reproduction.scores.writing import write_scores
    from reproduction.studies.near_optimal.rounding import score_models

    params, exhibit = snakemake.params, snakemake.wildcards.exhibit
    with np.load(snakemake.input.models) as file:
        models = dict(file)
    how = params.n_values, params.methods, params.trials
    rows = score_models(params.seed, exhibit, models, *how)
    write_scores(snakemake.output.scores, ({"exhibit": exhibit} | row for row in rows))
