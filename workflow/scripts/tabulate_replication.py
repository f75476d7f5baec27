"""Compare AD-LR with Kneser-Ney on each text and over all: reproduction.multiverse.replication."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.exhibits.tables import PRECISION
    from reproduction.multiverse.replication import tabulate_replication

    scores = pd.concat([pd.read_csv(file) for file in snakemake.input.scores])
    files = map(Path, snakemake.input.receipts)
    receipts = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    notes = {name: each["reason"] for name, each in receipts.items() if "reason" in each}
    params = snakemake.params
    table = tabulate_replication(params.root, scores, params.methods, notes)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
