"""Write the provenance of the results and the times of each rule: reproduction.trust.machine."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import read_receipts
    from reproduction.trust.machine import collect_provenance
    from reproduction.trust.manifest import write_json

    params, receipts = snakemake.params, read_receipts(snakemake.input.receipts)
    how = params.root, params.methods, receipts, params.benchmarks, params.names
    provenance = collect_provenance(*how)
    write_json(snakemake.output.provenance, provenance)
