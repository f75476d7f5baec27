"""Draw the replication as a forest plot: reproduction.multiverse.plots.draw_forest."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.multiverse.plots import draw_forest
    from reproduction.papers.near_optimal_smoothing.findings import KNESER_NEY

    table, labels = pd.read_csv(snakemake.input.table), snakemake.params.labels
    figure = draw_forest(table, labels, list(KNESER_NEY)[:2])
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
