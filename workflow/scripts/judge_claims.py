"""Judge the paper's claims by the results of a run: reproduction.verdicts.judge.judge_claims."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.studies.near_optimal.source import PAPER
    from reproduction.verdicts.evidence import read_results
    from reproduction.verdicts.judge import FORMAT, judge_claims

    given = snakemake.input
    results = read_results(given.scores, given.tables, given.receipts, given.checks)
    claims, evidence, readings = judge_claims(results, PAPER)
    claims.to_csv(snakemake.output.claims, index=False, float_format=FORMAT)
    evidence.to_csv(snakemake.output.evidence, index=False, float_format=FORMAT)
    readings.to_csv(snakemake.output.readings, index=False, float_format=FORMAT)
