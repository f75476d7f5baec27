"""Draw one method against the best other under each reading: multiverse.further."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.studies.readings.best_others import draw_further_readings

    table, params = pd.read_csv(snakemake.input.table), snakemake.params
    figure = draw_further_readings(table, params.methods, params.ours)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
