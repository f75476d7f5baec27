"""Judge the second paper's claims: reproduction.verdicts.judge.judge_claims."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.studies.structured.claims import FIGURE_2
    from reproduction.studies.structured.source import PAPER
    from reproduction.verdicts.evidence import Results
    from reproduction.verdicts.judge import FORMAT, judge_claims

    given = snakemake.input
    scores, table, checks = map(pd.read_csv, (given.scores, given.table, given.checks))
    found = judge_claims(Results({FIGURE_2: scores}, {FIGURE_2: table}, {}, checks), PAPER)
    for frame, path in zip(found, snakemake.output, strict=True):
        frame.to_csv(path, index=False, float_format=FORMAT)
