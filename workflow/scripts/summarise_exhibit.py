"""Average the scores of an exhibit into its tidy CSV: reproduction.exhibits.tables."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.exhibits.tables import (
        PRECISION,
        compare_with_paper,
        summarise_text,
        summarise_trials,
    )

    kind = snakemake.params.kind
    scores = pd.concat([pd.read_csv(file) for file in snakemake.input.scores])
    if kind == "risk-curve":
        table = summarise_trials(scores)
    else:
        files = map(Path, snakemake.input.receipts)
        receipts = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
        table = summarise_text(scores, receipts, snakemake.params.baseline)
        if kind == "table":
            table = compare_with_paper(table, snakemake.params.methods)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
