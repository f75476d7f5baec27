"""Compute the paper's theory on small cases: studies/near_optimal/theorems.py."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.studies.near_optimal.theorems import CHECK_COLUMNS, check_theorems

    write_rows(snakemake.output.checks, CHECK_COLUMNS, check_theorems(snakemake.params.root))
