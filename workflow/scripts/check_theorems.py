"""Compute the paper's theory on small cases: condprob.review.theorems.check_theorems."""

from condprob.study.jobs import logged, write_rows

with logged(snakemake.log[0]):
    from condprob.review.theorems import CHECK_COLUMNS, check_theorems

    write_rows(snakemake.output.checks, CHECK_COLUMNS, check_theorems(snakemake.params.root))
