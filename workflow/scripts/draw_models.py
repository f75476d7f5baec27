"""Draw (pi, A, B) for each trial: reproduction.scores.models.draw_models."""

from reproduction.jobs import logged

with logged(snakemake):
    import numpy as np

    from reproduction.scores.models import draw_models

    models = draw_models(
        snakemake.params.root,
        snakemake.wildcards.exhibit,
        int(snakemake.wildcards.k),
        int(snakemake.wildcards.rank),
        snakemake.params.trials,
        snakemake.params.rows,
        snakemake.params.exponent,
    )
    np.savez(snakemake.output.models, **models)
