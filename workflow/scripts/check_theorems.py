"""Compute the paper's theory on small cases: papers/near_optimal_smoothing/theorems.py."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    from reproduction.papers.near_optimal_smoothing.theorems import CHECK_COLUMNS, check_theorems

    write_rows(snakemake.output.checks, CHECK_COLUMNS, check_theorems(snakemake.params.root))
