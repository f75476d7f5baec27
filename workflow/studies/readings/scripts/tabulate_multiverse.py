"""Cross the choices, count where the claims hold: reproduction.studies.readings.tables."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import left_out, read_receipts
    from reproduction.studies.near_optimal.printed import TABLE_1
    from reproduction.studies.readings import tables

    scores = tables.read_grid(snakemake.input.scores)
    notes = left_out(read_receipts(snakemake.input.receipts))
    universes = tables.build_universes(scores, snakemake.params.axes)
    made = {
        "universes": universes,
        "shares": tables.tabulate_claims(universes, notes),
        "effects": tables.tabulate_effects(universes),
        "nearest": tables.find_nearest(universes, TABLE_1),
    }
    for name, table in made.items():
        table.to_csv(snakemake.output[name], index=False, float_format=tables.DIGITS)
