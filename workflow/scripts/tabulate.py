"""Make the CSV of an exhibit from its scores."""

from reproduction.jobs import logged

with logged(snakemake):
    import pandas as pd

    from reproduction.corpora.receipts import read_receipts
    from reproduction.exhibits.tables import PRECISION
    from reproduction.scores.reading import read_parts
    from reproduction.study import Material, part_of

    given, params = snakemake.input, snakemake.params
    scores, held_out = read_parts(given.scores) if given.scores else (None, None)
    tables = {name: pd.read_csv(given[name]) for name in params.tables}
    made_of = params.entry, params.methods, read_receipts(given.receipts), tables
    material = Material(scores, held_out, *made_of, params.seed, params.study)
    table = part_of(params.study, "tables").TABULATE[params.entry["kind"]](material)
    table.to_csv(snakemake.output.table, index=False, float_format=PRECISION)
