"""Say what computed the results, and how long each rule took: reproduction.trust.machine."""

from reproduction.jobs import logged

with logged(snakemake.log[0]):
    import json
    from pathlib import Path

    from reproduction.trust.machine import collect_provenance
    from reproduction.trust.manifest import write_json

    receipts = {
        Path(file).stem: json.loads(Path(file).read_text(encoding="utf-8"))
        for file in snakemake.input.receipts
    }
    provenance = collect_provenance(
        snakemake.params.root,
        snakemake.params.methods,
        receipts,
        Path(snakemake.output.provenance).parent,
    )
    write_json(snakemake.output.provenance, provenance)
