"""Draw the replication as a forest plot: condprob.multiverse.plots.draw_forest."""

from condprob.study.jobs import logged

with logged(snakemake.log[0]):
    import pandas as pd

    from condprob.multiverse.plots import draw_forest
    from condprob.study.plots import save_figure

    figure = draw_forest(pd.read_csv(snakemake.input.table), snakemake.params.labels)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
