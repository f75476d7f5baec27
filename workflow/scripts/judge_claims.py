"""Judge the paper's claims by the results of a run: condprob.review.claims.judge_claims."""

from condprob.study.jobs import logged

with logged(snakemake.log[0]):
    from condprob.review.claims import judge_claims
    from condprob.review.evidence import read_results

    given = snakemake.input
    results = read_results(given.scores, given.tables, given.receipts, given.checks)
    claims, evidence = judge_claims(results)
    claims.to_csv(snakemake.output.claims, index=False, float_format="%.10g")
    evidence.to_csv(snakemake.output.evidence, index=False, float_format="%.10g")
