"""Cut blocks of a tagged corpus: sentences to train on, and sentences to test on."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.structured.orders import find_blocks, save_blocks

    params, output = snakemake.params, snakemake.output
    blocks = find_blocks(params.corpora, params.settings, params.allow_other_hashes)
    write_receipt(output.receipt, save_blocks(output.blocks, blocks))
