"""Compare Algorithm 1 with FISTA: studies.structured.solvers."""

from reproduction.jobs import logged, write_rows

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.blocks import read_block
    from reproduction.studies.structured import solvers
    from reproduction.studies.structured.work import shorten
    from reproduction.verdicts.cases import COLUMNS

    given, out = snakemake.params.settings, snakemake.output
    train = read_block(snakemake.input.block)[0]
    part = shorten(train, min(given["words"], train.n), given["least"])
    rows = [*solvers.compare_solvers(snakemake.params.seed, part, given)]
    write_rows(out.solvers, solvers.SOLVER_COLUMNS, rows)
    write_rows(out.cases, COLUMNS, solvers.check_solvers(pd.DataFrame(rows)))
