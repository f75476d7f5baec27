"""Write the SHA-256 of every result of a scope, with its provenance: trust.manifest."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    from reproduction.trust.manifest import write_manifest

    given, params = snakemake.input, snakemake.params
    provenance = json.loads(Path(given.provenance).read_text(encoding="utf-8"))
    files = [given.provenance, *given.results, *given.page]
    write_manifest(snakemake.output.manifest, params.folder, provenance, files, params.told)
