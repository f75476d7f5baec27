"""Judge the claims of a study by its results."""

from reproduction.jobs import logged

with logged(snakemake):
    from pathlib import Path

    from reproduction.exhibits.tables import PRECISION
    from reproduction.study import source_of
    from reproduction.verdicts.evidence import read_results
    from reproduction.verdicts.judge import judge_claims

    given, params = snakemake.input, snakemake.params
    tables = {Path(file).stem: file for file in given.tables}
    results = read_results(params.scores, tables, given.receipts, *given.cases, texts=params.texts)
    results.receipts.update(params.missing)
    found = judge_claims(results, source_of(params.study), params.methods)
    for table, path in zip(found, snakemake.output, strict=True):
        table.to_csv(path, index=False, float_format=PRECISION)
