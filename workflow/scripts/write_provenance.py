"""Write what is neither in the code nor in the configuration: versions, machine, corpora, times."""

from reproduction.jobs import logged

with logged(snakemake):
    import json
    from pathlib import Path

    from reproduction.corpora.receipts import read_receipts
    from reproduction.trust.machine import collect_provenance

    params = snakemake.params
    corpora = read_receipts(snakemake.input.receipts) | params.missing
    provenance = collect_provenance(params.seed, params.methods, corpora, params.benchmarks)
    text = json.dumps(provenance, indent=2, ensure_ascii=False)
    Path(snakemake.output.provenance).write_text(text + "\n", encoding="utf-8")
