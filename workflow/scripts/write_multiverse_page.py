"""Write the page of the multiverse: reproduction.page.multiverse.write_page."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    import os
    from pathlib import Path

    import pandas as pd

    from reproduction.page.multiverse import write_page

    given, output = snakemake.input, Path(snakemake.output.page)
    tables = ("claims", "effects", "nearest", "replication")
    page = write_page(
        {name: pd.read_csv(given[name]) for name in tables},
        {Path(file).stem: file for file in given.figures},
        json.loads(Path(given.provenance).read_text(encoding="utf-8")),
        root=os.path.relpath(".", output.parent),
    )
    output.write_text(page, encoding="utf-8")
