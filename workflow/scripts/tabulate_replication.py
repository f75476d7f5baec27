"""Compare AD-LR with Kneser-Ney on each text and over all: reproduction.studies.readings.replication."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.receipts import left_out, read_receipts
    from reproduction.exhibits.tables import PRECISION
    from reproduction.studies.readings.replication import tabulate_replication

    scores = pd.concat([pd.read_csv(file) for file in snakemake.input.scores])
    notes = left_out(read_receipts(snakemake.input.receipts))
    params = snakemake.params
    table = tabulate_replication(params.root, scores, params.methods, notes)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
