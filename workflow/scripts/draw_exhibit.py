"""Draw the figure of an exhibit from its CSV: the function that the exhibit names."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import draw_exhibit, save_figure

    table, params = pd.read_csv(snakemake.input.table), snakemake.params
    figure = draw_exhibit(params.draw, table, params.entry, params.methods, params.titled)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
