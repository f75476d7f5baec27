"""Compare one method with all others on each new text: reproduction.studies.readings.best_others."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.receipts import left_out, read_receipts
    from reproduction.exhibits.tables import PRECISION
    from reproduction.studies.readings.best_others import tabulate_further

    scores = pd.concat([pd.read_csv(file) for file in snakemake.input.scores])
    notes = left_out(read_receipts(snakemake.input.receipts))
    table = tabulate_further(snakemake.params.root, scores, snakemake.params.ours, notes)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
