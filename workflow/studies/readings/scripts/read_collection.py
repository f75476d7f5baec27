"""Read texts that the paper never saw, and write their words as numbers."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.corpus import save_samples
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.readings.replication import read_collection

    params, output = snakemake.params, snakemake.output
    texts = read_collection(params.entry, params.words, params.allow_other_hashes)
    write_receipt(output.receipt, save_samples(output.texts, texts))
