"""Write the page that shows which claims hold: reproduction.page.report.write_report."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    import os
    from pathlib import Path

    import pandas as pd

    from reproduction.page.report import write_report
    from reproduction.verdicts.evidence import read_results

    given = snakemake.input
    page = write_report(
        snakemake.params.config,
        read_results([], given.tables, given.receipts, given.checks),
        pd.read_csv(given.claims),
        [file for file in given.figures if file.endswith("svg")],
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        made_by=snakemake.params.made_by,
        root=os.path.relpath(".", Path(snakemake.output.report).parent),
    )
    Path(snakemake.output.report).write_text(page, encoding="utf-8")
