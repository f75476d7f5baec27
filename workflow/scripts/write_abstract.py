"""Write the structured abstract from the tables and verdicts of a run."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    import pandas as pd

    from reproduction.studies.near_optimal.abstract import PRINTED, write_abstract
    from reproduction.studies.near_optimal.source import SOURCE

    given = snakemake.input
    tables = {Path(file).stem: pd.read_csv(file) for file in [*given.tables, *given.theory]}
    claims = pd.read_csv(given.settings)
    table = write_abstract(claims, tables, SOURCE.judged_under, PRINTED)
    table.to_csv(snakemake.output.abstract, index=False)
