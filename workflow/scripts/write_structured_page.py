"""Write the page of the second paper: reproduction.page.report.write_report."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.corpora.receipts import read_receipt
    from reproduction.page.report import write_report
    from reproduction.studies.structured.figures import describe_exhibits, tables_of_page
    from reproduction.studies.structured.source import PAPER
    from reproduction.verdicts.evidence import Results

    given, params, scope = snakemake.input, snakemake.params, snakemake.wildcards.scope
    receipt = read_receipt(given.receipt)
    receipts = {params.corpus: receipt} if "reason" in receipt else {}
    table = pd.read_csv(given.table)
    page = write_report(
        PAPER,
        params.config | {"exhibits": describe_exhibits(params.methods, f"structured/{scope}")},
        Results({}, tables_of_page(table), receipts, pd.read_csv(given.checks)),
        pd.read_csv(given.claims),
        pd.read_csv(given.readings),
        [file for file in given.figures if file.endswith("svg")],
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        params.made_by,
        tables=f"structured/{scope}",
        checks=f"structured/{scope}/checks.csv",
    )
    Path(snakemake.output.page).write_text(page, encoding="utf-8")
