"""Find the tagged corpus, and cut its blocks: studies.structured.orders.read_blocks."""

from reproduction.jobs import logged

with logged(snakemake):
    from reproduction.corpora.errors import have_or_tell
    from reproduction.corpora.receipts import write_receipt
    from reproduction.studies.structured.orders import number_sentences, read_blocks, save_block

    params, (numbers, given) = snakemake.params, snakemake.params.cut
    how = params.corpus, params.entry, given, max(numbers), params.allow_other_hashes
    found, why = have_or_tell(lambda: read_blocks(*how), params.strict)
    for number, path in zip(numbers, snakemake.output.blocks, strict=True):
        save_block(path, found and number_sentences(*found[number - 1], given["least"]))
    write_receipt(snakemake.output.receipt, why, params.at_hand)
