"""Draw the figure of an exhibit from its CSV."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.panels import draw_exhibit, save_figure
    from reproduction.study import part_of

    table, params = pd.read_csv(snakemake.input.table), snakemake.params
    function = part_of(params.study, "figures").DRAW[params.entry["kind"]]
    figure = draw_exhibit(function, table, params.entry, params.methods, params.titled)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
