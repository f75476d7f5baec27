"""Cross the choices, count where the claims hold: reproduction.multiverse.tables, _claims."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    from reproduction.multiverse import claims, tables

    scores = tables.read_scores(snakemake.input.scores)
    files = map(Path, snakemake.input.receipts)
    receipts = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    notes = {name: each["reason"] for name, each in receipts.items() if "reason" in each}
    universes = tables.build_universes(scores, snakemake.params.axes)
    made = {
        "universes": universes,
        "claims": claims.tabulate_claims(universes, notes),
        "effects": claims.tabulate_effects(universes),
        "levels": claims.tabulate_levels(universes),
        "nearest": tables.find_nearest(universes),
    }
    for name, table in made.items():
        table.to_csv(snakemake.output[name], index=False, float_format=tables.DIGITS)
