"""Draw (pi, A, B) for each trial: reproduction.scores.trials.draw_models."""

from reproduction.jobs import logged

with logged(snakemake):
    import numpy as np

    from reproduction.scores.trials import draw_models

    given = snakemake.wildcards
    place = snakemake.params.root, given.exhibit, int(given.k), int(given.rank)
    np.savez(snakemake.output.models, **draw_models(*place, **snakemake.params.law))
