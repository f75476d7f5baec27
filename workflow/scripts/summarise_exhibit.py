"""Average the scores of an exhibit into its tidy CSV: reproduction.exhibits.tables."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.receipts import read_receipts
    from reproduction.exhibits import SYNTHETIC
    from reproduction.exhibits.tables import (
        PRECISION,
        compare_with_paper,
        summarise_text,
        summarise_trials,
    )
    from reproduction.studies.near_optimal.printed import find_printed

    kind = snakemake.params.kind
    scores = pd.concat([pd.read_csv(file) for file in snakemake.input.scores])
    if kind in SYNTHETIC:
        table = summarise_trials(scores)
    else:
        receipts = read_receipts(snakemake.input.receipts)
        table = summarise_text(scores, receipts, snakemake.params.baseline)
        if kind == "table":
            table = compare_with_paper(table, snakemake.params.methods, find_printed)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
