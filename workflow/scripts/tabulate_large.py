"""Join the scores on a long text: exhibits.orders.tabulate_orders."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.studies.structured.curves import tabulate_orders
    from reproduction.exhibits.tables import PRECISION
    from reproduction.verdicts.evidence import join

    table = tabulate_orders(join(map(pd.read_csv, snakemake.input.scores)))
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
