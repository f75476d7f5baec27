"""Judge the claims on the exhibits of a target by its results."""

from reproduction.jobs import logged

with logged(snakemake):
    from dataclasses import replace
    from pathlib import Path

    from py_lr.source import SOURCE

    from reproduction.exhibits.tables import PRECISION
    from reproduction.verdicts.evidence import read_results
    from reproduction.verdicts.judge import judge_claims

    given, params = snakemake.input, snakemake.params
    tables = {Path(file).stem: file for file in given.tables}
    results = read_results(params.scores, tables, given.receipts, texts=params.texts)
    results.receipts.update(params.missing)
    claims = tuple(claim for claim in SOURCE.claims if claim.exhibit in params.exhibits)
    found = judge_claims(results, replace(SOURCE, claims=claims), methods=params.methods)
    for table, path in zip(found, snakemake.output, strict=True):
        table.to_csv(path, index=False, float_format=PRECISION)
