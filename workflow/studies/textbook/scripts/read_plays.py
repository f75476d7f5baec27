"""Read the plays of the textbook: their sentences, and the function words of blocks."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.textbook.texts import find_plays, save_texts

    params, output = snakemake.params, snakemake.output
    found = find_plays(params.corpus, params.entry, params.block, params.allow_other_hashes)
    save_texts(output.words, output.style, found)
    write_receipt(output.receipt, {})
