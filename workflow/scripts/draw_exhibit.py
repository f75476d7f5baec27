"""Draw the figure of an exhibit from its CSV: reproduction.exhibits.plots."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.exhibits.plots import draw_exhibit

    table = pd.read_csv(snakemake.input.table)
    exhibit = {"title": snakemake.wildcards.exhibit} | snakemake.params.exhibit
    figure = draw_exhibit(table, exhibit, snakemake.params.methods)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
