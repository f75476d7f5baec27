"""Draw the figure of an exhibit from its CSV."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd
    from py_lr.figures import DRAW

    from reproduction.exhibits.panels import draw_exhibit, save_figure

    table, params = pd.read_csv(snakemake.input.table), snakemake.params
    figure = draw_exhibit(DRAW[params.entry["kind"]], table, params.entry, params.methods)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
