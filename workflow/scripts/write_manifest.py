"""Write the SHA-256 of every result, with its provenance: reproduction.trust.manifest."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    from reproduction.trust.manifest import write_manifest

    provenance = json.loads(Path(snakemake.input.provenance).read_text(encoding="utf-8"))
    files = [snakemake.input.provenance, *snakemake.input.results, *snakemake.input.page]
    write_manifest(snakemake.output.manifest, provenance, files)
