"""Say what the run computed, and what it could not: reproduction.exhibits.summary.write_summary."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.exhibits.summary import write_summary

    read = lambda path: Path(path).read_text(encoding="utf-8")  # noqa: E731
    text = write_summary(
        snakemake.params.exhibits,
        {Path(file).stem: pd.read_csv(file) for file in snakemake.input.tables},
        {Path(file).stem: read(file) for file in snakemake.input.prints},
        {Path(file).stem: json.loads(read(file)) for file in snakemake.input.receipts},
        snakemake.params.labels,
    )
    Path(snakemake.output.summary).write_text(text, encoding="utf-8")
