"""Join the scores, and the cases of each claim: papers.structured_penalties."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.exhibits.orders import tabulate_orders
    from reproduction.exhibits.tables import PRECISION
    from reproduction.papers.structured_penalties.measured import check_scores
    from reproduction.papers.structured_penalties.theory import CHECK_COLUMNS, check_theory

    scores = pd.concat(map(pd.read_csv, snakemake.input.scores), ignore_index=True)
    scores.to_csv(snakemake.output.scores, index=False, float_format=PRECISION)
    table = tabulate_orders(scores)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
    cases = pd.DataFrame(
        [*check_theory(snakemake.params.root), *check_scores(scores)], columns=CHECK_COLUMNS
    )
    checks = pd.concat([cases, pd.read_csv(snakemake.input.cases)], ignore_index=True)
    checks.to_csv(snakemake.output.checks, index=False, float_format=PRECISION)
