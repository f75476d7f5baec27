"""Join the scores, and the cases of each claim: papers.structured_penalties."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.studies.structured.curves import tabulate_orders
    from reproduction.exhibits.tables import PRECISION
    from reproduction.studies.structured.measured import check_scores
    from reproduction.studies.structured.theory import CHECK_COLUMNS, check_theory
    from reproduction.verdicts.evidence import join

    given = snakemake.input
    scores, paths = (join(map(pd.read_csv, files)) for files in (given.scores, given.paths))
    scores.to_csv(snakemake.output.scores, index=False, float_format=PRECISION)
    paths.to_csv(snakemake.output.paths, index=False, float_format=PRECISION)
    table = tabulate_orders(scores)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
    measured = check_scores(scores, snakemake.params.highest)
    cases = pd.DataFrame([*check_theory(snakemake.params.root), *measured], columns=CHECK_COLUMNS)
    checks = join([cases, pd.read_csv(snakemake.input.cases)])
    checks.to_csv(snakemake.output.checks, index=False, float_format=PRECISION)
