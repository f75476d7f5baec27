"""Print a table in Markdown and LaTeX: reproduction.exhibits.printing.print_table."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    from pathlib import Path

    import pandas as pd

    from reproduction.exhibits.printing import print_table

    table = pd.read_csv(snakemake.input.table)
    for form, path in snakemake.output.items():
        text = print_table(table, snakemake.params.methods, form)
        Path(path).write_text(text, encoding="utf-8")
