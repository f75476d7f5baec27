"""Write the summary of a scope and its gaps: reproduction.exhibits.summary.write_summary."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    import pandas as pd

    from reproduction.corpora.receipts import read_receipts
    from reproduction.exhibits.summary import write_summary

    given = snakemake.input
    text = write_summary(
        snakemake.params.exhibits,
        {Path(file).stem: pd.read_csv(file) for file in given.tables},
        {Path(file).stem: Path(file).read_text(encoding="utf-8") for file in given.prints},
        read_receipts(given.receipts),
        snakemake.params.labels,
    )
    Path(snakemake.output.summary).write_text(text, encoding="utf-8")
