"""Draw the second paper's figures: papers.structured_penalties.figures."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    import pandas as pd

    from reproduction.corpora.receipts import read_receipt
    from reproduction.exhibits.looks import save_figure
    from reproduction.studies.structured.figures import draw_figures

    given = snakemake.input
    tables = [pd.read_csv(file) for file in (given.table, given.paths, given.work)]
    missing = read_receipt(given.receipt).get("reason", "")
    figures = draw_figures(*tables, snakemake.params.methods, missing)
    for path in snakemake.output:
        save_figure(figures[Path(path).stem], path)
