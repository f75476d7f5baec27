"""Draw one method against the best other of each text: reproduction.studies.readings.best_others."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.studies.readings.best_others import draw_further

    table, params = pd.read_csv(snakemake.input.table), snakemake.params
    figure = draw_further(table, params.methods, params.ours)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
