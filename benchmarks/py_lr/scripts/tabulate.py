"""Make the CSV of an exhibit from its scores."""

from reproduction.jobs import logged

with logged(snakemake):
    from py_lr.tables import TABULATE

    from reproduction.corpora.receipts import read_receipts
    from reproduction.exhibits.tables import PRECISION
    from reproduction.scores.reading import read_parts
    from reproduction.study import Material

    given, params = snakemake.input, snakemake.params
    made_of = params.entry, params.methods, read_receipts(given.receipts), {}
    # The numbers that the paper prints are those of `beyond`.
    material = Material(*read_parts(given.scores), *made_of, params.seed, "beyond")
    table = TABULATE[params.entry["kind"]](material)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
