"""Write the page of the multiverse: reproduction.studies.readings.page.write_page."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    import pandas as pd

    from reproduction.studies.readings.page import write_page
    from reproduction.studies.near_optimal.source import PAPER

    given, config = snakemake.input, snakemake.params.config
    names = ("claims", "effects", "nearest", "replication")
    tables = [*(given[name] for name in names), *given["further"]]
    page = write_page(
        PAPER,
        config,
        {Path(file).stem: pd.read_csv(file) for file in tables},
        {Path(file).stem: file for file in given.figures},
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
    )
    Path(snakemake.output.page).write_text(page, encoding="utf-8")
