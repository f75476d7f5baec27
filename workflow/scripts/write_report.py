"""Write the page that shows which claims hold: reproduction.page.report.write_report."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.page.report import write_report
    from reproduction.studies.near_optimal.source import PAPER
    from reproduction.verdicts.evidence import read_results

    given = snakemake.input
    page = write_report(
        PAPER,
        snakemake.params.config,
        read_results([], given.tables, given.receipts, given.checks),
        pd.read_csv(given.claims),
        pd.read_csv(given.readings),
        [file for file in given.figures if file.endswith("svg")],
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        snakemake.params.made_by,
    )
    Path(snakemake.output.report).write_text(page, encoding="utf-8")
