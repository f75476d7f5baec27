"""Draw the replication as a forest plot: reproduction.studies.readings.plots.draw_forest."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.studies.readings.plots import draw_forest
    from reproduction.studies.near_optimal.findings import KNESER_NEY

    table, labels = pd.read_csv(snakemake.input.table), snakemake.params.labels
    figure = draw_forest(table, labels, list(KNESER_NEY)[:2])
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
