"""Draw perplexity and size against the order: exhibits.orders.draw_orders."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.looks import save_figure
    from reproduction.exhibits.orders import draw_orders

    table = pd.read_csv(snakemake.input.table)
    figure = draw_orders(table, snakemake.params.methods, snakemake.params.title)
    save_figure(figure, snakemake.output.png, snakemake.output.svg)
