"""Write the SHA-256 of every result of a scope, with its provenance: trust.manifest."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    from reproduction.trust.manifest import write_manifest

    given, path = snakemake.input, Path(snakemake.output.manifest)
    provenance = json.loads(Path(given.provenance).read_text(encoding="utf-8"))
    files = [given.provenance, *given.results, *given.page]
    write_manifest(path, path.parents[1], provenance, files, snakemake.params.fields)
