"""Say what computed the results, and how long each rule took: reproduction.trust.machine."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import read_receipts
    from reproduction.trust.machine import collect_provenance
    from reproduction.trust.manifest import write_json

    provenance = collect_provenance(
        snakemake.params.root,
        snakemake.params.methods,
        read_receipts(snakemake.input.receipts),
        snakemake.params.benchmarks,
    )
    write_json(snakemake.output.provenance, provenance)
